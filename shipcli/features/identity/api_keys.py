"""API keys: shown once on creation, stored as a hash, revoked immediately for all processes."""

from __future__ import annotations

import hashlib
import secrets
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal, NamedTuple, get_args

from shipcli.models.basics.errors import Invalid, NotFound

if TYPE_CHECKING:
    from shipcli.features.core.app import App

Scope = Literal["read", "write"]
SCOPES: tuple[str, ...] = get_args(Scope)
PREFIX = "key_"
LONGEST_NAME = 100


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

    def plain(self) -> dict[str, Any]:
        """Return all fields that may be shown; the key itself only if it was just created."""
        fields = ("id", "name", "test_mode", "scope", "created_at", "revoked_at")
        shown = {name: getattr(self, name) for name in fields}
        return shown if self.key is None else {"key": self.key, **shown}


def create_key(app: App, *, name: str = "", scope: str = "write") -> Key:
    """Create a key of this mode; its text can't be read again.

    Errors: Invalid for an unknown scope or a name that is too long.
    """
    if scope not in SCOPES:
        raise Invalid("scope", f"{scope!r} is not one of {', '.join(SCOPES)}")
    if len(name) > LONGEST_NAME:
        raise Invalid("name", f"must have at most {LONGEST_NAME} characters")
    text = PREFIX + secrets.token_hex(16)
    row = {
        "id": app.new_id("apk_"), "digest": digest(text), "name": name, "test_mode": app.test_mode,
        "scope": scope, "created_at": app.now(), "revoked_at": None,
    }  # fmt: skip
    with app.store.transaction(durable=True) as tx:
        tx.insert("api_keys", row)
    return _show(row, text)


def list_keys(app: App, *, revoked: bool = False) -> list[Key]:
    """Return the keys of both modes, newest first; revoked ones only if `revoked`."""
    rows = app.store.select("api_keys", (), ("-created_at", "-id"))
    return [_show(row) for row in rows if revoked or row["revoked_at"] is None]


def revoke_key(app: App, name: str) -> Key:
    """Revoke a key, given by its id, its name or the key itself.

    Errors: NotFound; Invalid if several keys have that name.
    """
    found = [row for row in _find_named(app, name) if row["revoked_at"] is None]
    if not found:
        raise NotFound("key", message=f"There is no key {_mask_name(name)} in use")
    if len(found) > 1:
        raise Invalid(
            "key", f"{name!r} names {len(found)} keys; give an id: {', '.join(r['id'] for r in found)}"
        )
    row = found[0] | {"revoked_at": app.now()}
    with app.store.transaction(durable=True) as tx:
        tx.update("api_keys", {"id": row["id"]}, {"revoked_at": row["revoked_at"]})
    return _show(row)


class InUse(NamedTuple):
    """What a key that is not revoked allows."""

    id: str
    scope: str
    test_mode: bool


def find_key(app: App, text: str) -> InUse | None:
    """Return the key with this text, or None if there is none, or it was revoked."""
    where = {"digest": digest(text), "revoked_at": None}
    found = app.store.columns("api_keys", ("id", "scope", "test_mode"), where)
    return InUse(found[0][0], found[0][1], bool(found[0][2])) if found else None


def digest(text: str) -> str:
    """Return the hash under which a key is stored. Keys are long and random, so a plain hash can't be
    reversed.
    """
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()


def _find_named(app: App, name: str) -> list[dict[str, Any]]:
    column, wanted = ("digest", digest(name)) if name.startswith(PREFIX) else ("id", name)
    return app.store.select("api_keys", {column: wanted}) or app.store.select("api_keys", {"name": name})


def _mask_name(name: str) -> str:
    return f"{name[:8]}..." if name.startswith(PREFIX) else repr(name)


def _show(row: dict[str, Any], text: str | None = None) -> Key:
    revoked = row["revoked_at"]
    return Key(
        row["id"], row["name"], row["test_mode"], row["scope"], row["created_at"].isoformat(),
        revoked.isoformat() if revoked else None, text,
    )  # fmt: skip
