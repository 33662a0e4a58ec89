"""Backups of a store: where the latest and the older ones are, and a check for damage."""

from __future__ import annotations

import json
from contextlib import closing, suppress
from pathlib import Path

from shipcli.store.engine import Session
from shipcli.store.errors import StoreError
from shipcli.store.integrity import find_damage_in

LAST_BACKUP = "last_backup"  # the setting in which a store records its path


def name_former_backup(target: Path) -> Path:
    """Where a backup is moved when a newer one takes its place."""
    return target.with_name(f"{target.name}.1")


def refuse_damaged(copy: Path, source: Path) -> None:
    """Errors: StoreError if the copy of a store is damaged, since the store itself must be damaged then."""
    found = find_damage_in(copy)
    if found:
        text = f"the store {source} is damaged ({found[0]}) and was not backed up; an older backup was left"
        raise StoreError(f"{text} as it is; run `shipcli db check`")


def find_backups(store: Path) -> list[Path]:
    """The known backups of a store, newest first: those recorded in it, and those beside it."""
    noted = _read_noted(store)
    files = [*noted, *map(name_former_backup, noted), *store.parent.glob(f"{store.name}.*.backup")]
    return sorted((file for file in files if file.is_file()), key=lambda file: -file.stat().st_mtime)


def _read_noted(store: Path) -> list[Path]:
    with suppress(StoreError), closing(Session(store)) as session:  # a damaged store may be unreadable
        rows = session.rows("select value from settings where key = ?", (LAST_BACKUP,))
        return [Path(json.loads(value)) for (value,) in rows]
    return []
