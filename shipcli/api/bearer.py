"""Bearer tokens: the access tokens of users and of OAuth clients. A header sets the mode."""

from __future__ import annotations

from typing import TYPE_CHECKING

from shipcli.api.authentication import INVALID
from shipcli.api.principal import READ, WRITE, Principal
from shipcli.features.identity import oauth_grants
from shipcli.features.identity.api_keys import PREFIX
from shipcli.features.identity.jwt import authenticate_caller
from shipcli.models.basics.errors import NotAuthorised

if TYPE_CHECKING:
    from shipcli.api.http.request import HttpRequest
    from shipcli.features.core.app import App

LIVE = frozenset({b"", b"false", b"no", b"off", b"n", b"0", b"null", b"~"})


class Bearers:
    """`Bearer TOKEN`. Nothing is cached: a token is refused as soon as its user or client is."""

    def __init__(self, app: App) -> None:
        self._app = app

    def authenticate(self, request: HttpRequest) -> Principal | None:
        """The user, or the OAuth client that may act for one.

        Errors: NotAuthorised for a token that is not valid.
        """
        text = read_bearer_token(request)
        if text is None:
            return None
        if text.startswith(PREFIX):
            raise NotAuthorised("API keys go with `Token`: send `Authorization: Token KEY`", code=INVALID)
        test_mode = request.headers.get(b"x-test-mode", b"").strip().lower() not in LIVE
        if text.startswith(oauth_grants.ACCESS):
            return self._program(text, test_mode)
        return Principal(f"user:{authenticate_caller(self._app, text).id}", test_mode)

    def _program(self, text: str, test_mode: bool) -> Principal:
        grant = oauth_grants.find_access(self._app, text)
        if grant is None:
            raise NotAuthorised("The token is unknown, too old or was revoked", code=INVALID)
        scopes = {READ, WRITE} if WRITE in grant.scope.split() else {READ} & set(grant.scope.split())
        acting = f"/user:{grant.user.id}" if grant.user else ""
        return Principal(f"client:{grant.client_id}{acting}", test_mode, frozenset(scopes))


def read_bearer_token(request: HttpRequest) -> str | None:
    """The bearer token of a request, or None."""
    scheme, _, token = request.headers.get(b"authorization", b"").partition(b" ")
    return token.strip().decode("latin-1") if scheme.lower() == b"bearer" else None
