"""Workspaces: a key is a sandbox of its own, so tests that run side by side never meet.

A workspace begins as the sandbox was at its start, has its own clock, and is a folder in that of its sandbox.
Its keys begin with its name: whoever serves the sandbox finds it by them.
"""

from __future__ import annotations

import re
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from shipcli.features.identity.api_keys import create_key
from shipcli.features.sandbox.snapshots import copy_start, save_start
from shipcli.models import Conflict, NotFound
from shipcli.models.sandbox_time import Workspace
from shipcli.store.draws import SEED_FILE, write_seed

if TYPE_CHECKING:
    from shipcli.features.core.app import App

FOLDER = "workspaces"
CLOSE = "close_workspace"  # what whoever serves them wants to be told
MOST = 1000
_ID = re.compile(r"wsp_[0-9a-f]{12}")


def create_workspace(app: App) -> Workspace:
    """Make a workspace and its keys, which can't be read again.

    Errors: Conflict if there are too many, or in a workspace.
    """
    if _ID.fullmatch(app.home.parent.name):
        raise Conflict("A workspace has no workspaces: make another one with the key of the sandbox")
    if len(list_workspaces(app)) >= MOST:
        raise Conflict(f"a sandbox has at most {MOST} workspaces: remove some")
    id = f"wsp_{app.draw('wsp_', 6).hex()}"
    home = find_home(app, id)
    copy_start(app, home)
    if (app.home / SEED_FILE).exists():  # of its own: ids of two workspaces differ
        write_seed(home / app.home.name, f"{(app.home / SEED_FILE).read_text()}/{id}")
    with _opened(app, home) as own:
        keys = {test_mode: f"{id}_{own.draw(id, 16).hex()}" for test_mode in (True, False)}
        for test_mode, text in keys.items():
            create_key(own.in_mode(test_mode), name=id, text=text)
        save_start(own)
    return Workspace(id=id, api_key=keys[True], live_api_key=keys[False])


def list_workspaces(app: App) -> list[Workspace]:
    """The workspaces of this sandbox, without their keys."""
    return [Workspace(id=place.name) for place in sorted((app.home / FOLDER).glob("wsp_*"))]


def remove_workspace(app: App, id: str) -> Workspace:
    """Remove a workspace with all that is in it.

    Errors: NotFound.
    """
    if not (_ID.fullmatch(id) and find_home(app, id).is_dir()):
        raise NotFound("workspace", id)
    if close := app.shared.get(CLOSE):
        close(id)
    shutil.rmtree(find_home(app, id))
    return Workspace(id=id)


def read_workspace_id(key: str) -> str | None:
    """The workspace that a key is of; None for a key of the sandbox itself."""
    match = _ID.match(key)
    return match[0] if match else None


def find_home(app: App, id: str) -> Path:
    """The home of a workspace, in which its sandbox is a folder."""
    return app.home / FOLDER / id


@contextmanager
def _opened(app: App, home: Path) -> Iterator[App]:
    own = app.open_sandbox(home)
    try:
        yield own
    finally:
        own.close()
