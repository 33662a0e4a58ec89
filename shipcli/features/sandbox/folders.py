"""The temporary folders of sandboxes: locked while their process lives, so it is seen which were left."""

from __future__ import annotations

import os
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO

from shipcli.clocks import read_real_seconds

PREFIX = "shipcli-sandbox-"
LOCK_FILE = "in_use"
UNLOCKED_S = 3600.0  # a folder without a lock file may be that of a sandbox that just starts


@contextmanager
def open_temporary() -> Iterator[Path]:
    """A folder for a sandbox, removed afterwards; those that killed sandboxes left are removed first."""
    sweep()
    with tempfile.TemporaryDirectory(prefix=PREFIX) as folder, open(Path(folder) / LOCK_FILE, "w") as file:
        _lock(file)
        yield Path(folder)


def sweep() -> None:
    """Remove the folders of sandboxes that were killed: nobody holds their locks."""
    for folder in Path(tempfile.gettempdir()).glob(f"{PREFIX}*"):
        try:
            if _is_left(folder):
                shutil.rmtree(folder, ignore_errors=True)
        except OSError:  # that of another user, or it was removed meanwhile
            continue


def _is_left(folder: Path) -> bool:
    status = folder.lstat()
    if status.st_uid != os.getuid() or folder.is_symlink():
        return False
    lock = folder / LOCK_FILE
    if not lock.exists():
        return read_real_seconds() - status.st_mtime > UNLOCKED_S
    with open(lock, "a") as file:
        return _lock(file)


def _lock(file: IO[str]) -> bool:
    """Take the lock of a file until it is closed; whether nobody had it."""
    from fcntl import LOCK_EX, LOCK_NB, flock

    try:
        flock(file, LOCK_EX | LOCK_NB)
    except BlockingIOError:
        return False
    return True
