"""Authentication. Each scheme is an `Authenticator`; the first that recognises a credential decides."""

from __future__ import annotations

import base64
import binascii
from collections.abc import Sequence
from typing import TYPE_CHECKING, Protocol

from shipcli.api.principal import READ, WRITE, Principal, name_key
from shipcli.features.identity.api_keys import find_key
from shipcli.models.basics.errors import NotAuthorised

if TYPE_CHECKING:
    from shipcli.api.http.request import HttpRequest
    from shipcli.features.core.app import App

INVALID = "invalid_token"
UNKNOWN_SCHEME = (
    "This kind of credentials is not supported: send `Authorization: Token KEY` with an API key, "
    "or `Bearer TOKEN` with an access token"
)
# API keys belong to no user: all keys of a store, replacements included, act for its single account.
ACCOUNT = "account"
ALL, READING = frozenset({READ, WRITE}), frozenset({READ})


class Authenticator(Protocol):
    """One scheme, or several."""

    def authenticate(self, request: HttpRequest) -> Principal | None:
        """The caller, or None if the request carries no credential of this scheme.

        Errors: NotAuthorised for an invalid credential.
        """


class ApiKeys:
    """`Token KEY`, and Basic with the key as the user name. The key determines the mode.

    It is called in one thread, so its cache needs no lock. Any write since, here or in another process, may
    have revoked a key, so the cache is then cleared.
    """

    def __init__(self, app: App) -> None:
        self._app = app
        self._known: dict[str, Principal] = {}
        self._seen = -1

    def authenticate(self, request: HttpRequest) -> Principal | None:
        """The owner of the key.

        Errors: NotAuthorised for an unknown or revoked key.
        """
        text = read_key(request.headers.get(b"authorization", b""))
        if text is None:
            return None
        seen = self._app.store.changes()
        if seen != self._seen:
            self._known.clear()
            self._seen = seen
        return self._known.get(text) or self._looked_up(text)

    def _looked_up(self, text: str) -> Principal:
        key = find_key(self._app, text)
        if key is None:
            raise NotAuthorised("The API key is unknown or was revoked", code=INVALID)
        scopes = ALL if key.scope == WRITE else READING
        self._known[text] = Principal(name_key(key.id), key.test_mode, scopes, ACCOUNT)
        return self._known[text]


def read_key(header: bytes) -> str | None:
    """The API key in a header; None if it holds something else."""
    scheme, _, credentials = header.partition(b" ")
    match scheme.lower():
        case b"token":
            return credentials.strip().decode("latin-1")
        case b"basic":
            try:
                name = base64.b64decode(credentials.strip(), validate=True).partition(b":")[0]
                return name.decode("latin-1")
            except (binascii.Error, ValueError):
                return ""
    return None


class Schemes:
    """Several schemes, tried in turn; a credential that none of them recognises is invalid."""

    def __init__(self, schemes: Sequence[Authenticator]) -> None:
        self._schemes = tuple(schemes)

    def authenticate(self, request: HttpRequest) -> Principal | None:
        """The caller, or None if there is no credential at all.

        Errors: NotAuthorised.
        """
        if b"authorization" not in request.headers:
            return None
        for scheme in self._schemes:
            caller = scheme.authenticate(request)
            if caller is not None:
                return caller
        raise NotAuthorised(UNKNOWN_SCHEME, code=INVALID)
