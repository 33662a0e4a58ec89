"""Backups of a store: where the last one went, where older ones are, and that none of them is damaged."""

from __future__ import annotations

import json
from contextlib import closing, suppress
from pathlib import Path

from shipcli.store.engine import Session
from shipcli.store.errors import StoreError
from shipcli.store.integrity import find_damage_in

LAST_BACKUP = "last_backup"  # the setting in which a store notes where it went


def former_backup(target: Path) -> Path:
    """Where the backup goes whose place another one takes."""
    return target.with_name(f"{target.name}.1")


def refuse_damaged(copy: Path, source: Path) -> None:
    """Errors: StoreError when the copy of a store is damaged, as the store must be then."""
    found = find_damage_in(copy)
    if found:
        text = f"the store {source} is damaged ({found[0]}) and was not backed up; an older backup was left"
        raise StoreError(f"{text} as it is; run `shipcli db check`")


def find_backups(store: Path) -> list[Path]:
    """The backups of a store that are known of, the newest first: those noted in it, and those beside it."""
    noted = _read_noted(store)
    files = [*noted, *map(former_backup, noted), *store.parent.glob(f"{store.name}.*.backup")]
    return sorted((file for file in files if file.is_file()), key=lambda file: -file.stat().st_mtime)


def _read_noted(store: Path) -> list[Path]:
    with suppress(StoreError), closing(Session(store)) as session:  # damaged, it may not tell
        rows = session.rows("select value from settings where key = ?", (LAST_BACKUP,))
        return [Path(json.loads(value)) for (value,) in rows]
    return []
