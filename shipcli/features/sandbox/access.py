"""How to get into a sandbox: API keys for both modes, a user who can log in, the secret of its webhooks."""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path
from tempfile import mkstemp
from typing import TYPE_CHECKING, Any, NamedTuple

from shipcli.features.identity.api_keys import create_key, find_key
from shipcli.features.identity.users import create_user, set_password
from shipcli.features.webhooks.service import set_sandbox_secret
from shipcli.models import Invalid, NotFound, json

if TYPE_CHECKING:
    from shipcli.features.core.app import App

ACCESS_FILE = "access.json"
EMAIL = "user@sandbox.example"
MODES = {"api_key": True, "live_api_key": False}
Access = dict[str, str | None]


class AccessRequest(NamedTuple):
    """What the caller wants to decide; what is None is made."""

    api_key: str | None = None
    live_api_key: str | None = None
    webhook_secret: str | None = None


def create_access(app: App, request: AccessRequest = AccessRequest(), *, kept: bool = False) -> Access:
    """The credentials of a sandbox, by the names to show; a `kept` one has those of its last start.

    Errors: Invalid for a key or secret that can't be used.
    """
    if request.webhook_secret:
        set_sandbox_secret(app, request.webhook_secret)
    place = app.home / ACCESS_FILE
    before = _read_access(place) if kept else {}
    given = {"api_key": request.api_key, "live_api_key": request.live_api_key}
    if given["api_key"] and given["api_key"] == given["live_api_key"]:
        raise Invalid("live_api_key", "must be another one than that for test data")
    access: Access = {
        name: _ensure_key(app, name, given[name] or before.get(name), asked=bool(given[name]))
        for name in MODES
    }
    access |= {"email": EMAIL, "password": before.get("password") or _set_new_password(app)}
    if request.webhook_secret:
        access["webhook_secret"] = request.webhook_secret
    if kept:
        write_private(place, access)
    return access


def _read_access(place: Path) -> Mapping[str, str]:
    try:
        return dict(json.loads(place.read_bytes()))
    except (OSError, ValueError):
        return {}


def _ensure_key(app: App, name: str, text: str | None, *, asked: bool) -> str | None:
    """A key that works: the one given or of the last start, else a new one.

    Errors: Invalid for one that is asked for and belongs to the other mode.
    """
    test_mode = MODES[name]
    existing = find_key(app, text) if text else None
    if existing is not None and existing.test_mode == test_mode:
        return text
    if existing is not None and asked:
        raise Invalid(name, "this key is one for the other mode")
    return create_key(app.in_mode(test_mode), name="sandbox", text=text if asked else None).key


def _set_new_password(app: App) -> str:
    """Set a new password for the sandbox user, who is created with the first one."""
    password = app.draw_text("password", 12)
    try:
        set_password(app, EMAIL, password)
    except NotFound:
        create_user(app, EMAIL, password, name="Sandbox")
    return password


def write_private(place: Path, values: Mapping[str, Any]) -> None:
    """Write a file that only this user may read, whole or not at all."""
    handle, draft = mkstemp(dir=place.absolute().parent)
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(json.dump_bytes(dict(values)))
        os.replace(draft, place)
    except OSError:
        os.unlink(draft)
        raise
