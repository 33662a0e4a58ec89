"""API keys: shown once on creation, stored as a hash, revoked immediately for all processes."""

from __future__ import annotations

import hashlib
import re
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any, Literal, NamedTuple, get_args

from shipcli.models.basics.errors import Invalid, NotFound

if TYPE_CHECKING:
    from shipcli.features.core.app import App

Scope = Literal["read", "write"]
SCOPES: tuple[str, ...] = get_args(Scope)
PREFIX = "key_"
LONGEST_NAME = 100
_TEXT = re.compile(r"[A-Za-z0-9_-]{8,128}")


@dataclass(frozen=True, slots=True)
class Key:
    """A key as it may be shown. `key` is set only in the answer that created it."""

    id: str
    name: str
    test_mode: bool
    scope: str
    created_at: str
    revoked_at: str | None = None
    key: str | None = None

    def to_dict(self) -> dict[str, Any]:
        """Return all fields that may be shown; the key itself only if it was just created."""
        shown = asdict(self)
        key = shown.pop("key")
        return shown if key is None else {"key": key, **shown}


def create_key(app: App, *, name: str = "", scope: str = "write", text: str | None = None) -> Key:
    """Create a key of this mode; its text, random unless it is chosen, can't be read again.

    Errors: Invalid for an unknown scope, a name that is too long, or a text that no header can carry.
    """
    if scope not in SCOPES:
        raise Invalid("scope", f"{scope!r} is not one of {', '.join(SCOPES)}")
    if len(name) > LONGEST_NAME:
        raise Invalid("name", f"must have at most {LONGEST_NAME} characters")
    if text is not None and not _TEXT.fullmatch(text):
        raise Invalid("api_key", f"must be {_TEXT.pattern}")
    text = text or PREFIX + app.draw(PREFIX, 16).hex()
    row = {
        "id": app.new_id("apk_"), "digest": digest(text), "name": name, "test_mode": app.test_mode,
        "scope": scope, "created_at": app.now(), "revoked_at": None,
    }  # fmt: skip
    with app.store.transaction(durable=True) as tx:
        tx.insert("api_keys", row)
    return _read_key(row, text)


def list_keys(app: App, *, revoked: bool = False) -> list[Key]:
    """Return the keys of both modes, newest first; revoked ones only if `revoked`."""
    rows = app.store.select("api_keys", (), ("-created_at", "-id"))
    return [_read_key(row) for row in rows if revoked or row["revoked_at"] is None]


def revoke_key(app: App, name: str) -> Key:
    """Revoke a key, given by its id, its name or the key itself.

    Errors: NotFound; Invalid if several keys have that name.
    """
    rows = [row for row in _find_named(app, name) if row["revoked_at"] is None]
    if not rows:
        raise NotFound("key", message=f"There is no key {_mask_name(name)} in use")
    if len(rows) > 1:
        ids = ", ".join(row["id"] for row in rows)
        raise Invalid("key", f"{name!r} names {len(rows)} keys; give an id: {ids}")
    row = rows[0] | {"revoked_at": app.now()}
    with app.store.transaction(durable=True) as tx:
        tx.update("api_keys", {"id": row["id"]}, {"revoked_at": row["revoked_at"]})
    return _read_key(row)


class ActiveKey(NamedTuple):
    """What a key that is not revoked allows."""

    id: str
    scope: str
    test_mode: bool


def find_key(app: App, text: str) -> ActiveKey | None:
    """Return the key with this text, or None if there is none or it was revoked."""
    where = {"digest": digest(text), "revoked_at": None}
    rows = app.store.columns("api_keys", ActiveKey._fields, where)
    return next((ActiveKey(id, scope, bool(test_mode)) for id, scope, test_mode in rows), None)


def digest(text: str) -> str:
    """Return the hash of a key. Keys are long and random, so a plain hash can't be reversed."""
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()


def _find_named(app: App, name: str) -> list[dict[str, Any]]:
    where = {"digest": digest(name)} if name.startswith(PREFIX) else {"id": name}
    return app.store.select("api_keys", where) or app.store.select("api_keys", {"name": name})


def _mask_name(name: str) -> str:
    return f"{name[:8]}..." if name.startswith(PREFIX) else repr(name)


def _read_key(row: dict[str, Any], text: str | None = None) -> Key:
    revoked = row["revoked_at"]
    return Key(
        row["id"], row["name"], row["test_mode"], row["scope"], row["created_at"].isoformat(),
        revoked.isoformat() if revoked else None, text,
    )  # fmt: skip
