"""The page at `/openapi/` and its files. It loads nothing from other sites, and sends nothing to them."""

from __future__ import annotations

import secrets
from collections.abc import Iterator
from functools import cache
from importlib import resources
from typing import TYPE_CHECKING

from shipcli.api.dispatcher import ServedPage, Target
from shipcli.api.http import responses
from shipcli.api.http.responses import HttpResponse
from shipcli.api.pages.reference.content import gather_reference
from shipcli.api.pages.window.visitors import comes_from_here, is_from_here
from shipcli.features.identity.api_keys import PREFIX, create_key, find_key
from shipcli.models.basics.errors import NotAuthorised

if TYPE_CHECKING:
    from shipcli.api.http.request import HttpRequest
    from shipcli.features.core.app import App

Values = tuple[str, ...]
ASSETS = {"style.css": "text/css; charset=utf-8", "script.js": "text/javascript; charset=utf-8"}
POLICY = (
    b"content-security-policy",
    b"default-src 'none'; style-src 'self'; script-src 'self'; connect-src 'self'; img-src 'self' blob:; "
    b"form-action 'none'; base-uri 'none'; frame-ancestors 'none'",
)
HEADERS = (POLICY, (b"referrer-policy", b"no-referrer"), (b"x-content-type-options", b"nosniff"))
ASKED_EACH_TIME = (b"cache-control", b"no-cache")  # the tag tells whether it changed


class ReferencePages:
    """The reference of one server."""

    def __init__(self, app: App) -> None:
        self._app, self._key = app, ""

    def list_pages(self) -> Iterator[tuple[str, str, Target]]:
        """Yield every page."""
        yield "GET", "/openapi", ServedPage(_redirect)
        yield "GET", "/openapi/", ServedPage(self.show)
        for name in ASSETS:
            yield "GET", f"/openapi/{name}", ServedPage(_send_asset)
        if self._app.sandbox:
            yield "POST", "/_window/key", ServedPage(self.give_key, own_credentials=True)

    def show(self, request: HttpRequest, values: Values) -> HttpResponse:
        page = render_page(is_sandbox=self._app.sandbox)
        return responses.write_file(page, "text/html; charset=utf-8", *HEADERS, ASKED_EACH_TIME)

    def give_key(self, request: HttpRequest, values: Values) -> HttpResponse:
        """A key of the sandbox for the page, for whoever sits at this machine: nothing is sold there.

        Errors: NotAuthorised for anybody else.
        """
        if not (comes_from_here(request) and is_from_here(request)):
            text = "A key is made for pages on this machine only: give one of yours"
            raise NotAuthorised(text, code="permission_denied", status=403)
        if not (self._key and find_key(self._app, self._key)):
            text = PREFIX + secrets.token_hex(16)
            self._key = create_key(self._app.in_mode(True), name="reference", text=text).key or ""
        return responses.write_result({"key": self._key}).with_headers((b"cache-control", b"no-store"))


@cache
def render_page(*, is_sandbox: bool) -> bytes:
    """The page, the same for everybody."""
    from jinja2 import Environment

    template = Environment(autoescape=True, trim_blocks=True).from_string(_read_text("page.html"))
    return template.render(gather_reference(), is_sandbox=is_sandbox).encode()


def _redirect(request: HttpRequest, values: Values) -> HttpResponse:
    return HttpResponse(301, b"", ((b"location", b"/openapi/"),))


def _send_asset(request: HttpRequest, values: Values) -> HttpResponse:
    name = request.path.rpartition("/")[2]
    return responses.write_file(_read_text(name).encode(), ASSETS[name], *HEADERS, ASKED_EACH_TIME)


@cache
def _read_text(name: str) -> str:
    return (resources.files("shipcli.api.pages") / "reference" / name).read_text("utf-8")
