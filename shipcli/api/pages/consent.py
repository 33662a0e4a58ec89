"""The page where a user logs in and authorises a client: a form, with protection against forgery.

The form carries a signature over the request and over a value that is also in a cookie of this page, which
other sites can neither read nor make the browser send. The cookie says nothing about the user and ends with
the browser session.
"""

from __future__ import annotations

import hmac
import re
import secrets
from functools import cache
from http.cookies import CookieError, SimpleCookie
from importlib import resources
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from shipcli.api.http.responses import Header, HttpResponse

if TYPE_CHECKING:
    from collections.abc import Mapping

    from jinja2 import Template

    from shipcli.api.http.request import HttpRequest
    from shipcli.features.core.app import App
    from shipcli.features.identity.oauth_server import CodeGrant

PATH = "/oauth/authorize/"
COOKIE = "shipcli_consent"
PURPOSE = "consent forms"
LASTS_S = 600
_NONCE = re.compile(r"[A-Za-z0-9_-]{32}")
SCOPE_TEXTS = {
    "read": "See your shipments, orders, connections and all other data",
    "write": "Change them, and buy labels",
    "openid": "Know your name and e-mail address",
}
EXPIRED = "This page was open for too long or was not opened here. Please try again."


def render_page(
    app: App, request: HttpRequest, grant: CodeGrant, *, status: int = 200, wrong: str = "", email: str = ""
) -> HttpResponse:
    """Render the form; `wrong` says why it is shown again."""
    nonce = _read_nonce(request) or secrets.token_urlsafe(24)
    text = _load_template().render(
        client=grant.client.name,
        permissions=[SCOPE_TEXTS[scope] for scope in grant.request.scope.split()],
        target=_read_origin(grant.redirect_uri),
        wrong=wrong,
        email=email,
        csrf=_sign(app, request, nonce, int(app.now().timestamp()) + LASTS_S),
    )
    return HttpResponse(status, text.encode(), _make_headers(request, grant, nonce))


def is_own(app: App, request: HttpRequest, form: Mapping[str, str]) -> bool:
    """Whether a form was sent from our page, recently, and for this very request."""
    origin, nonce, token = request.headers.get(b"origin"), _read_nonce(request), form.get("csrf", "")
    if origin is not None and urlsplit(origin.decode("latin-1")).netloc != urlsplit(request.host).netloc:
        return False
    until = token.partition(".")[0]
    if not nonce or not (until.isascii() and until.isdigit() and len(until) < 20):
        return False
    fresh = int(until) > app.now().timestamp()
    return fresh and hmac.compare_digest(token.encode(), _sign(app, request, nonce, int(until)).encode())


def _sign(app: App, request: HttpRequest, nonce: str, until: int) -> str:
    signed = b"\n".join([str(until).encode(), nonce.encode(), request.scope["query_string"]])
    return f"{until}.{hmac.new(app.vault.derive_key(PURPOSE), signed, 'sha256').hexdigest()}"


def _read_nonce(request: HttpRequest) -> str:
    """The value in the cookie."""
    try:
        cookies = SimpleCookie(request.headers.get(b"cookie", b"").decode("latin-1"))
    except CookieError:
        return ""
    value = cookies[COOKIE].value if COOKIE in cookies else ""
    return value if _NONCE.fullmatch(value) else ""


def _make_headers(request: HttpRequest, grant: CodeGrant, nonce: str) -> tuple[Header, ...]:
    secure = "; Secure" if request.host.startswith("https:") else ""
    # Browsers apply the rule for forms to the redirect to the client as well.
    policy = (
        "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; frame-ancestors 'none'; "
        f"form-action 'self' {_read_origin(grant.redirect_uri)}"
    )
    headers = {
        "content-type": "text/html; charset=utf-8", "cache-control": "no-store",
        "content-security-policy": policy, "referrer-policy": "same-origin", "x-frame-options": "DENY",
        "set-cookie": f"{COOKIE}={nonce}; Path={PATH}; HttpOnly; SameSite=Strict{secure}",
    }  # fmt: skip
    return tuple((name.encode(), value.encode()) for name, value in headers.items())


def _read_origin(address: str) -> str:
    parts = urlsplit(address)
    return f"{parts.scheme}://{parts.netloc}" if parts.netloc else f"{parts.scheme}:"


@cache
def _load_template() -> Template:
    from jinja2 import Environment

    text = (resources.files("shipcli.api.pages") / "authorize.html").read_text("utf-8")
    return Environment(autoescape=True).from_string(text)
