"""The codes and tokens that OAuth clients were given.

They are long and random, and stored as hashes. A family is all that came from one consent: if a code or
refresh token is used twice, one of the two stole it, and its family is revoked.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import TYPE_CHECKING, Any

from shipcli.features.identity.api_keys import digest
from shipcli.features.identity.users import find_active_user
from shipcli.store.query import below, equal

if TYPE_CHECKING:
    from shipcli.features.core.app import App
    from shipcli.features.identity.oauth_clients import OAuthClient
    from shipcli.features.identity.users import User

ACCESS, REFRESH = "oat_", "ort_"  # how tokens begin


@dataclass(frozen=True, slots=True)
class Grant:
    """A valid code or token. Its methods are those that authlib calls.

    `key` is the hash under which it is stored.
    """

    key: str
    family: str
    client_id: str
    user: User | None
    scope: str
    created_at: datetime
    expires_at: datetime | None = None
    redirect_uri: str | None = None
    code_challenge: str = ""
    nonce: str | None = None

    code_challenge_method = "S256"

    def get_redirect_uri(self) -> str | None:
        return self.redirect_uri

    def get_scope(self) -> str:
        return self.scope

    def get_nonce(self) -> str | None:
        return self.nonce

    def get_auth_time(self) -> int:
        return int(self.created_at.timestamp())

    def get_acr(self) -> None:
        return None

    def get_amr(self) -> None:
        return None

    def check_client(self, client: OAuthClient) -> bool:
        return self.client_id == client.id

    def is_expired(self) -> bool:
        """No: those are never found."""
        return False

    def is_revoked(self) -> bool:
        """No: those are never found."""
        return False


def add_code(app: App, code: str, row: dict[str, Any], expires_at: str) -> None:
    """Store a new code, which starts a family."""
    key = digest(code)
    times = {"created_at": app.now(), "expires_at": expires_at}
    with app.store.transaction() as tx:
        tx.insert("oauth_codes", {**row, "digest": key, "family": key, **times})


def find_code(app: App, code: str, client: OAuthClient) -> Grant | None:
    """Return the grant of a code, or None if it is unknown, expired or used: then its family is revoked."""
    rows = app.store.select("oauth_codes", {"digest": digest(code), "client_id": client.id})
    if not rows or rows[0]["expires_at"] <= app.now():
        return None
    row = rows[0]
    if row["used_at"]:
        end_family(app, row["family"])
        return None
    return Grant(
        row["digest"], row["family"], row["client_id"], find_active_user(app, row["user_id"]), row["scope"],
        row["created_at"], row["expires_at"], row["redirect_uri"], row["challenge"], row["nonce"],
    )  # fmt: skip


def add_tokens(app: App, row: dict[str, Any], *, code: Grant | None, refresh: Grant | None) -> bool:
    """Store new tokens and use up the code or refresh token; False if that was used up in the meantime.

    Expired tokens of the client that have no refresh token are removed.
    """
    with app.store.transaction(durable=True) as tx:
        now, family = app.now(), row["access"]
        if code:
            family, unused = code.family, {"digest": code.key, "used_at": None}
            if not tx.update("oauth_codes", unused, {"used_at": now}):
                return False
        if refresh:
            family, unused = refresh.family, {"access": refresh.key, "revoked_at": None}
            if not tx.update("oauth_tokens", unused, {"revoked_at": now}):
                return False
        old = [equal("client_id", row["client_id"]), equal("refresh", None), below("expires_at", now)]
        tx.remove("oauth_tokens", old)
        tx.insert("oauth_tokens", {**row, "family": family, "created_at": now})
    return True


def find_access(app: App, text: str) -> Grant | None:
    """Return the grant of an access token, or None if it is not valid."""
    grant = _find_grant(app, "access", text)
    return grant if grant and grant.expires_at and grant.expires_at > app.now() else None


def find_refresh(app: App, text: str) -> Grant | None:
    """Return the grant of a refresh token, or None if it is not valid. A used one revokes its family."""
    rows = app.store.select("oauth_tokens", {"refresh": digest(text)})
    if rows and rows[0]["revoked_at"]:
        end_family(app, rows[0]["family"])
    return _find_grant(app, "refresh", text)


def find_token(app: App, text: str) -> Grant | None:
    """Return the grant of an access or refresh token, or None if it is not valid."""
    return find_access(app, text) or _find_grant(app, "refresh", text)


def _find_grant(app: App, column: str, text: str) -> Grant | None:
    rows = app.store.select("oauth_tokens", {column: digest(text), "revoked_at": None})
    if not rows:
        return None
    row = rows[0]
    user = find_active_user(app, row["user_id"])
    if row["user_id"] and user is None:
        return None
    expires = row["expires_at"] if column == "access" else None
    return Grant(
        row["access"], row["family"], row["client_id"], user, row["scope"], row["created_at"], expires
    )


def end_family(app: App, family: str) -> None:
    """Revoke all tokens that came from one consent."""
    with app.store.transaction(durable=True) as tx:
        tx.update("oauth_tokens", {"family": family, "revoked_at": None}, {"revoked_at": app.now()})
