"""Sandboxes for tests: made once in a process, with a connection of every carrier, and copied as files."""

from __future__ import annotations

import atexit
import shutil
from collections.abc import Sequence
from functools import cache
from pathlib import Path
from tempfile import mkdtemp

from shipcli.bootstrap import open_app
from shipcli.carrier import registry
from tests.engines import copy_sandbox_store


def copy_sandbox(home: Path) -> Path:
    """Make the home of a new sandbox by copying a ready one; its path.

    The sandbox of a home that has one already is left alone, and what was made with it.
    """
    if not (home / "sandbox").exists():
        ready = make_sandbox(tuple(registry.list_slugs()))
        shutil.copytree(ready, home, dirs_exist_ok=True)
        copy_sandbox_store(ready, home)
    return home


@cache
def make_sandbox(slugs: Sequence[str]) -> Path:
    """A sandbox with these carriers, removed at the end of the process."""
    folder = Path(mkdtemp(prefix="shipcli-ready-"))
    atexit.register(shutil.rmtree, folder)
    open_app(folder, sandbox=True, environ={}).close()
    return folder
