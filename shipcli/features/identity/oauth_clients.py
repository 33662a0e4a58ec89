"""OAuth clients, which act for a user or for themselves, and the key that signs their ID tokens."""

from __future__ import annotations

import hmac
import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any
from urllib.parse import SplitResult, urlsplit

from shipcli.features.identity.api_keys import digest
from shipcli.models import json
from shipcli.models.basics.errors import Invalid, NotFound

if TYPE_CHECKING:
    from joserfc.jwk import RSAKey

    from shipcli.features.core.app import App

READ, WRITE, OPENID = SCOPES = ("read", "write", "openid")
LONGEST_NAME = 100
SIGNER = ("oauth", "signing_key")  # the record and name of the key that signs ID tokens
LOCAL = ("localhost", "127.0.0.1", "::1")
# An app on the user's machine, at any port, which may be written as `*`.
_LOOPBACK_APP = re.compile(
    r"http://(?P<host>127\.0\.0\.1|\[::1\])(:(\d{1,5}|\*))?(?P<path>/[^\s\"'<>\\;,#]*)?", re.ASCII
)
KEY_BITS = 2048


@dataclass(frozen=True, slots=True)
class OAuthClient:
    """A program that may ask for tokens; public if it has no secret. Its methods are those authlib calls.

    `secret` is set only in the answer that created it.
    """

    id: str
    name: str
    secret_digest: str | None = field(repr=False)
    redirect_uris: tuple[str, ...]
    scope: str
    created_at: str
    secret: str | None = field(default=None, repr=False)

    def to_dict(self) -> dict[str, Any]:
        """Return all fields that may be shown; the secret only if it was just created."""
        shown = {
            "id": self.id, "name": self.name, "public": self.secret_digest is None, "scope": self.scope,
            "redirect_uris": list(self.redirect_uris), "created_at": self.created_at,
        }  # fmt: skip
        return shown if self.secret is None else {"client_id": self.id, "secret": self.secret, **shown}

    def get_client_id(self) -> str:
        return self.id

    def get_default_redirect_uri(self) -> str | None:
        return self.redirect_uris[0] if len(self.redirect_uris) == 1 else None

    def get_allowed_scope(self, scope: str | None) -> str | None:
        """Return the scopes named, or all of the client's if none is; None if it may not have one of them."""
        scopes = (scope or "").split() or self.scope.split()
        return " ".join(dict.fromkeys(scopes)) if set(scopes) <= set(self.scope.split()) else None

    def check_redirect_uri(self, redirect_uri: str) -> bool:
        """Return whether users may be redirected there; apps on this machine use any port (RFC 8252, 7.3)."""
        app_path = read_app_path(redirect_uri)
        return redirect_uri in self.redirect_uris or (
            app_path is not None and app_path in map(read_app_path, self.redirect_uris)
        )

    def check_client_secret(self, client_secret: str) -> bool:
        return self.secret_digest is not None and hmac.compare_digest(
            self.secret_digest, digest(client_secret)
        )

    def check_endpoint_auth_method(self, method: str, endpoint: str) -> bool:
        return (method == "none") is (self.secret_digest is None)

    def check_response_type(self, response_type: str) -> bool:
        return response_type == "code" and bool(self.redirect_uris)

    def check_grant_type(self, grant_type: str) -> bool:
        return (
            self.secret_digest is not None if grant_type == "client_credentials" else bool(self.redirect_uris)
        )


def create_client(
    app: App,
    name: str,
    *,
    redirect_uris: Sequence[str] = (),
    scopes: Sequence[str] = SCOPES,
    public: bool = False,
) -> OAuthClient:
    """Create a client; its secret can't be read again.

    Errors: Invalid for a wrong name, scope or redirect URI, or a public client without a redirect URI.
    """
    _check(name, redirect_uris, scopes, public=public)
    make_signer(app)
    secret = None if public else app.draw_text("client_secret", 32)
    row = {
        "id": app.new_id("oac_"), "name": name, "digest": digest(secret) if secret else None,
        "redirect_uris": list(redirect_uris), "scope": " ".join(dict.fromkeys(scopes)),
        "created_at": app.now(),
    }  # fmt: skip
    with app.store.transaction(durable=True) as tx:
        tx.insert("oauth_clients", row)
    return _read_client(row, secret)


def list_clients(app: App) -> list[OAuthClient]:
    """Return all clients, newest first."""
    return [_read_client(row) for row in app.store.select("oauth_clients", (), ("-created_at", "-id"))]


def find_client(app: App, id: str) -> OAuthClient | None:
    """Return the client with an id, or None if there is none."""
    rows = app.store.select("oauth_clients", {"id": id})
    return _read_client(rows[0]) if rows else None


def remove_client(app: App, id: str) -> OAuthClient:
    """Remove a client with all its codes and tokens.

    Errors: NotFound.
    """
    client = find_client(app, id)
    if client is None:
        raise NotFound("client", message=f"There is no client {id!r}")
    with app.store.transaction(durable=True) as tx:
        tx.remove("oauth_clients", {"id": id})
        tx.remove("oauth_codes", {"client_id": id})
        tx.remove("oauth_tokens", {"client_id": id})
    return client


def _check(name: str, redirect_uris: Sequence[str], scopes: Sequence[str], *, public: bool) -> None:
    if not 0 < len(name) <= LONGEST_NAME or not name.isprintable():
        raise Invalid("name", f"must have 1 to {LONGEST_NAME} printable characters")
    for scope in scopes:
        if scope not in SCOPES:
            raise Invalid("scope", f"{scope!r} is not one of {', '.join(SCOPES)}")
    if not scopes:
        raise Invalid("scope", "name at least one")
    for address in redirect_uris:
        if not _is_safe(address):
            text = (
                f"{address!r} must be https, http on this machine, or a scheme of an app such as com.shop:/"
            )
            raise Invalid("redirect_uri", text)
    if public and not redirect_uris:
        raise Invalid("redirect_uri", "a public client can only be sent codes: say where to")


def read_app_path(address: str) -> tuple[str, str] | None:
    """Return loopback host and path of an app on the user's machine, or None for other addresses."""
    match = _LOOPBACK_APP.fullmatch(address)
    return (match["host"], match["path"] or "/") if match else None


def _is_safe(address: str) -> bool:
    """Return whether codes may be sent there: nobody intercepts them, and no browser runs it as a script."""
    try:
        parts = urlsplit(address)
    except ValueError:
        return False
    plain = address.isascii() and address.isprintable() and not set(" \"'<>\\;,#") & set(address)
    return plain and _reaches_its_owner(parts)


def _reaches_its_owner(parts: SplitResult) -> bool:
    if parts.scheme == "https":
        return bool(parts.hostname) and "@" not in parts.netloc
    if parts.scheme == "http":
        return parts.hostname in LOCAL and "@" not in parts.netloc
    return "." in parts.scheme


def _read_client(row: dict[str, Any], secret: str | None = None) -> OAuthClient:
    return OAuthClient(
        row["id"], row["name"], row["digest"], tuple(row["redirect_uris"]), row["scope"],
        row["created_at"].isoformat(), secret,
    )  # fmt: skip


# -- the key that signs ID tokens --------------------------------------------------------------


def make_signer(app: App) -> None:
    """Create the signing key, unless there is one: it is created with the first client."""
    from joserfc.jwk import RSAKey

    record, name = SIGNER
    if app.store.select("secrets", {"id": record, "name": name}):
        return
    key = RSAKey.generate_key(KEY_BITS, {"use": "sig", "alg": "RS256"}, auto_kid=True)
    sealed = app.vault.seal(record, json.dump_bytes(key.as_dict(private=True)))
    with app.store.transaction(durable=True) as tx:
        tx.add("secrets", {"id": record, "name": name, "sealed": sealed})


def find_signer(app: App) -> RSAKey | None:
    """Return the signing key, or None if no client was ever created."""
    from joserfc.jwk import RSAKey

    record, name = SIGNER
    rows = app.store.select("secrets", {"id": record, "name": name})
    return RSAKey.import_key(json.loads(app.vault.open(record, rows[0]["sealed"]))) if rows else None


def list_public_keys(app: App) -> dict[str, Any]:
    """Return the public part of the signing key, with which others check signatures."""
    key = find_signer(app)
    return {"keys": [key.as_dict(private=False)] if key else []}
