"""Backups of a store in PostgreSQL, made with its own program."""

from __future__ import annotations

import os
import shutil
import subprocess
from pathlib import Path

from shipcli.store.backup_files import replace_backup
from shipcli.store.errors import StoreError
from shipcli.store.postgres.connections import ConnectionPool

_PROGRAM = "pg_dump"
_START = b"PGDMP"


def is_backup(file: Path) -> bool:
    """Whether a file is such a backup."""
    if not file.is_file():
        return False
    with file.open("rb") as stream:
        return stream.read(len(_START)) == _START


def write_backup(connections: ConnectionPool, target: Path) -> None:
    """Let pg_dump write the schema into a file; an existing backup is kept with `.1` after its name.

    Errors: StoreError if pg_dump is missing or fails, or the path is taken; nothing is replaced then.
    """
    arguments = ("--format=custom", f"--schema={connections.url.schema}")
    with replace_backup(target, is_backup) as partial:
        program = shutil.which(_PROGRAM)
        if program is None:
            line = f"{_PROGRAM} {' '.join(arguments)} --file={target} {connections.place.partition('?')[0]}"
            raise StoreError(
                f"{_PROGRAM} is not on this machine: install PostgreSQL's client, or run elsewhere `{line}`"
            )
        _run(connections, [program, *arguments, f"--file={partial}"])


def _run(connections: ConnectionPool, command: list[str]) -> None:
    address, password = connections.write_address()
    secret = {"PGPASSWORD": password} if password else {}
    done = subprocess.run(
        [*command, f"--dbname={address}"], env={**os.environ, **secret}, capture_output=True, text=True
    )
    if done.returncode:
        reason = done.stderr.strip().partition("\n")[0]
        raise StoreError(f"{_PROGRAM} made no backup of {connections.place}: {reason}")
