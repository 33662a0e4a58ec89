"""Who looks at the window: whoever signed in with a key, and in a sandbox whoever sits at this machine.

The key is kept in a cookie that no script can read and no other site can send. What changes something needs
the token of the page besides, and comes from this origin.
"""

from __future__ import annotations

import hashlib
import hmac
import secrets
from dataclasses import replace
from http.cookies import CookieError, SimpleCookie
from typing import TYPE_CHECKING, NamedTuple

from shipcli.api.limits import Limiter
from shipcli.api.principal import WRITE, name_key
from shipcli.features.identity.api_keys import ActiveKey, find_key
from shipcli.loopback import is_here, is_loopback
from shipcli.models.basics.errors import NotAuthorised, Throttled

if TYPE_CHECKING:
    from shipcli.api.http.request import HttpRequest
    from shipcli.api.http.responses import Header
    from shipcli.features.core.app import App

COOKIE = "shipcli_window"
HOURS_12 = 43_200


class Visitor(NamedTuple):
    """Somebody at the window, and the app in the mode that they see."""

    app: App
    name: str
    has_signed_in: bool
    token: str
    may_write: bool

    @property
    def may_act(self) -> bool:
        """Whether the page has buttons: in a sandbox only, and for whoever may write."""
        return self.app.sandbox and self.may_write


class Door:
    """Lets visitors in."""

    def __init__(self, app: App) -> None:
        self._app = app
        self._refusals = Limiter(int(app.config["refusal_limit"]))
        self._secret = secrets.token_bytes(32)  # the tokens of pages last as long as the server

    def admit(self, request: HttpRequest) -> Visitor | None:
        """The visitor who sent a request; None for one who has to sign in.

        Errors: Throttled after too many wrong keys.
        """
        key = self._find_key(request)
        if key:
            return self._welcome(key)
        if self._app.sandbox and is_from_here(request):
            app = replace(self._app, shows_secrets=False)
            return Visitor(app, "this machine", False, self._sign("local"), may_write=True)
        if read_cookie(request):
            self._count_refusal(request.peer)
        return None

    def name_caller(self, request: HttpRequest) -> str | None:
        """By whose name the requests of a visitor are counted: that of the key, wherever it stands."""
        key = self._find_key(request)
        return name_key(key.id) if key else None

    def _find_key(self, request: HttpRequest) -> ActiveKey | None:
        text = read_cookie(request)
        return find_key(self._app, text) if text else None

    def _count_refusal(self, peer: str) -> None:
        """Errors: Throttled after too many."""
        allowance = self._refusals.count(peer)
        if allowance.is_spent:
            raise Throttled(allowance.resets_in_s)

    def sign_in(self, text: str, peer: str) -> ActiveKey:
        """Errors: NotAuthorised for a key that is unknown or was revoked; Throttled after too many."""
        key = find_key(self._app, text.strip())
        if key is None:
            self._count_refusal(peer)
            raise NotAuthorised("This key is unknown or was revoked")
        return key

    def check_token(self, visitor: Visitor, token: str) -> bool:
        """Whether a form comes from a page that this visitor was sent."""
        return hmac.compare_digest(visitor.token.encode(), token.encode("utf-8", "replace"))

    def _welcome(self, key: ActiveKey) -> Visitor:
        app = replace(self._app, test_mode=key.test_mode, shows_secrets=False)
        name = "test key" if key.test_mode else "live key"
        return Visitor(app, name, True, self._sign(key.id), may_write=key.scope == WRITE)

    def _sign(self, name: str) -> str:
        return hmac.new(self._secret, name.encode(), hashlib.sha256).hexdigest()


def is_from_here(request: HttpRequest) -> bool:
    """Whether a request comes from this machine and names it: under another name it may be of a page that
    tricks the browser (DNS rebinding), or of anybody for whom a proxy on this machine asks.
    """
    return is_loopback(request.peer) and is_here(request.host_name)


def read_cookie(request: HttpRequest) -> str | None:
    """The key that a browser keeps, if it keeps one."""
    try:
        cookies = SimpleCookie(request.headers.get(b"cookie", b"").decode("latin-1"))
    except CookieError:
        return None
    return cookies[COOKIE].value if COOKIE in cookies else None


def write_cookie(request: HttpRequest, text: str, age_s: int) -> Header:
    """The header that has a browser keep a key for a while; an age of 0 has it forgotten."""
    secure = "; Secure" if request.scope.get("scheme") == "https" else ""
    cookie = f"{COOKIE}={text}; Path=/; Max-Age={age_s}; HttpOnly; SameSite=Strict{secure}"
    return (b"set-cookie", cookie.encode("latin-1", "replace"))


def comes_from_here(request: HttpRequest) -> bool:
    """Whether a form was sent by a page of this server, as far as the browser says."""
    origin, site = request.headers.get(b"origin"), request.headers.get(b"sec-fetch-site")
    return origin in (None, request.host.encode()) and site in (None, b"same-origin", b"none")
