"""How a backup takes its place, whatever the engine: whole, and with the one before it kept."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from shipcli.store.errors import StoreError


@contextmanager
def replace_backup(target: Path, may_replace: Callable[[Path], bool]) -> Iterator[Path]:
    """Yield where to write; what is written takes its place, and an existing backup gets `.1` after its name.

    Errors: StoreError if there is a file that may not be replaced, or it can't be written; nothing is
            replaced then, nor after an error inside.
    """
    if target.exists() and not may_replace(target):
        raise StoreError(f"{target} exists and is no backup of a store; name another file")
    partial = target.with_name(f"{target.name}.{os.getpid()}.partial")
    try:
        yield partial
        if target.exists():
            os.replace(target, name_former_backup(target))
        os.replace(partial, target)
    except OSError as error:
        raise StoreError(f"the backup {target} cannot be written: {error.strerror}") from error
    finally:
        partial.unlink(missing_ok=True)


def name_former_backup(target: Path) -> Path:
    """Where a backup is moved when a newer one takes its place."""
    return target.with_name(f"{target.name}.1")
