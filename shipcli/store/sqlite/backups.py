"""Backups of a store: how they are written, and where the latest and the older ones are."""

from __future__ import annotations

import json
from contextlib import closing, suppress
from pathlib import Path

from shipcli.store.backup_files import name_former_backup, replace_backup
from shipcli.store.errors import StoreError
from shipcli.store.ports import LAST_BACKUP
from shipcli.store.sqlite.damage import find_damage_in
from shipcli.store.sqlite.session import SqliteSession, is_file_of_ours


def write_backup(session: SqliteSession, target: Path) -> None:
    """Copy the store of a session and check the copy; an existing backup is kept with `.1` after its name.

    Errors: StoreError if the path is taken by another file or the store itself, or if the store is damaged;
            nothing is replaced then.
    """

    def may_replace(existing: Path) -> bool:
        return is_file_of_ours(existing) and not existing.samefile(session.path)

    with replace_backup(target, may_replace) as partial:
        session.copy_to(partial)
        _refuse_damaged(partial, session.path)


def _refuse_damaged(copy: Path, source: Path) -> None:
    """Errors: StoreError if the copy of a store is damaged, since the store itself must be damaged then."""
    damage = find_damage_in(copy)
    if damage:
        text = f"the store {source} is damaged ({damage[0]}) and was not backed up; an older backup was left"
        raise StoreError(f"{text} as it is; run `shipcli db check`")


def find_backups(store: Path) -> list[Path]:
    """The known backups of a store, newest first: those recorded in it, and those beside it."""
    recorded = _read_last_backup(store)
    files = [*recorded, *map(name_former_backup, recorded), *store.parent.glob(f"{store.name}.*.backup")]
    return sorted((file for file in files if file.is_file()), key=lambda file: -file.stat().st_mtime)


def _read_last_backup(store: Path) -> list[Path]:
    with suppress(StoreError), closing(SqliteSession(store)) as session:  # a damaged store may be unreadable
        rows = session.rows("select value from store_facts where name = ?", (LAST_BACKUP,))
        return [Path(json.loads(value)) for (value,) in rows]
    return []
