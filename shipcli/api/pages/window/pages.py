"""The pages of the window, and what their forms do. They work without a script and load nothing of others."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from importlib import resources
from typing import TYPE_CHECKING, NamedTuple
from urllib.parse import parse_qsl, urlencode

from pydantic import ValidationError

from shipcli.api.dispatcher import ServedPage, Target, View
from shipcli.api.http import responses
from shipcli.api.http.responses import HttpResponse
from shipcli.api.pages.window.actions import ACTIONS
from shipcli.api.pages.window.content import VIEWS, describe_clock, list_views
from shipcli.api.pages.window.visitors import (
    HOURS_12,
    Door,
    Visitor,
    comes_from_here,
    read_cookie,
    write_cookie,
)
from shipcli.drawing import Unconvertible, draw_preview
from shipcli.features.paper.label_files import LABEL
from shipcli.features.paper.labels import find_file
from shipcli.features.shipments.service import get_shipment
from shipcli.models import Invalid, NotFound, ShipcliError
from shipcli.models.basics.errors import NotAuthorised, Throttled

if TYPE_CHECKING:
    from jinja2 import Environment

    from shipcli.api.http.request import HttpRequest
    from shipcli.features.core.app import App

Values = tuple[str, ...]
HTML = "text/html; charset=utf-8"
ASSETS = {
    "style.css": "text/css; charset=utf-8",
    "script.js": "text/javascript; charset=utf-8",
    "icon.svg": "image/svg+xml",
}
HEADERS = (
    (
        b"content-security-policy",
        b"default-src 'none'; style-src 'self'; script-src 'self'; img-src 'self'; connect-src 'self'; "
        b"form-action 'self'; base-uri 'none'; frame-ancestors 'none'",
    ),
    (b"referrer-policy", b"same-origin"),
    (b"x-content-type-options", b"nosniff"),
)
FRESH = (b"cache-control", b"no-store")
FIRST = "requests"


class Notice(NamedTuple):
    """What came of a button, for the next page."""

    text: str
    is_wrong: bool = False


class WindowPages:
    """The pages of one server."""

    def __init__(self, app: App) -> None:
        self._door = Door(app)
        self._notices: dict[str, Notice] = {}

    def list_pages(self) -> Iterator[tuple[str, str, Target]]:
        """Yield every page but the first, which shares its path with an operation."""
        for name in ASSETS:
            yield "GET", f"/_window/{name}", ServedPage(send_asset)
        yield "GET", "/admin", ServedPage(go_to_first)
        yield "GET", "/_window/labels/{file}", self.serve(self.send_label)
        yield "POST", "/_window/sign-in", self.serve(self.sign_in)
        yield "POST", "/_window/sign-out", self.serve(self.sign_out)
        yield "POST", "/_window/act", self.serve(self.act)

    def serve(self, view: View) -> ServedPage:
        """A page for whoever has signed in with a key, by which the requests are counted."""
        return ServedPage(view, own_credentials=True, name_caller=self._door.name_caller)

    def show(self, request: HttpRequest, values: Values) -> HttpResponse:
        """The page at `/`."""
        visitor = self._door.admit(request)
        if visitor is None:
            stale = [write_cookie(request, "", 0)] if read_cookie(request) else []
            return write_page("sign_in.html", wrong=None).with_headers(*stale)
        view = next(iter(request.values("view")), FIRST)
        if view not in dict(list_views(visitor.app)):
            view = FIRST
        title, gather = VIEWS[view]
        chosen = next(iter(request.values("id")), "")
        try:
            content = gather(visitor.app, request.host, chosen)
        except NotFound as error:
            content = gather(visitor.app, request.host, "")
            self._notices[visitor.token] = Notice(error.message, is_wrong=True)
        return write_page(
            f"{view}.html",
            title=title,
            view=view,
            views=list_views(visitor.app),
            visitor=visitor,
            base=request.host,
            is_sandbox=visitor.app.sandbox,
            live=True,
            clock=describe_clock(visitor.app),
            notice=self._notices.pop(visitor.token, None),
            **content,
        )

    def sign_in(self, request: HttpRequest, values: Values) -> HttpResponse:
        """Keep a key in a cookie.

        Errors: NotAuthorised for a form of another site.
        """
        check_origin(request)
        text = read_form(request).get("key", "").strip()
        try:
            self._door.sign_in(text, request.peer)
        except Throttled as error:
            return write_page("sign_in.html", status=429, wrong=error.message).with_headers(
                responses.retry_after(error)
            )
        except NotAuthorised as error:
            return write_page("sign_in.html", status=401, wrong=error.message)
        return go_to("/", write_cookie(request, text, HOURS_12))

    def sign_out(self, request: HttpRequest, values: Values) -> HttpResponse:
        check_origin(request)
        return go_to("/", write_cookie(request, "", 0))

    def act(self, request: HttpRequest, values: Values) -> HttpResponse:
        """Do what a button says, and show the page that it was on again.

        Errors: NotAuthorised for a form of another site, or of a page that this visitor was not sent, and on
                a server that is no sandbox; NotFound for an unknown button.
        """
        check_origin(request)
        form, visitor = read_form(request), self._door.admit(request)
        if visitor is None or not self._door.check_token(visitor, form.get("token", "")):
            raise NotAuthorised("This page is too old: load it again", code="stale_page", status=403)
        if not visitor.may_act:
            text = "Only a sandbox can be changed from this page, with a key that may write"
            raise NotAuthorised(text, code="permission_denied", status=403)
        self._notices[visitor.token] = self._carry_out(visitor, form)
        return go_to(f"/?{urlencode({'view': form.get('view', FIRST)})}")

    def _carry_out(self, visitor: Visitor, form: dict[str, str]) -> Notice:
        name = form.get("action") or ("move" if form.get("to") else "")
        action = ACTIONS.get(name)
        if action is None:
            raise NotFound("action", name)
        try:
            return Notice(action(visitor.app, form))
        except ValidationError as error:
            first = error.errors()[0]
            return Notice(f"{'.'.join(map(str, first['loc']))}: {first['msg']}", is_wrong=True)
        except ShipcliError as error:
            return Notice(error.message, is_wrong=True)

    def send_label(self, request: HttpRequest, values: Values) -> HttpResponse:
        """A label as a picture.

        Errors: NotAuthorised for nobody; NotFound; Invalid for what can't be drawn.
        """
        visitor = self._door.admit(request)
        if visitor is None:
            raise NotAuthorised("Sign in first")
        id = values[0].removesuffix(".png")
        file = find_file(visitor.app, get_shipment(visitor.app, id).id, LABEL)
        if file is None:
            raise NotFound(LABEL, id)
        try:
            picture = draw_preview(file["content"])
        except Unconvertible as error:
            raise Invalid("label", f"It can't be drawn: {error}") from None
        kept = (b"cache-control", b"private, max-age=3600")
        return responses.write_file(picture, "image/png", *HEADERS, kept)


def check_origin(request: HttpRequest) -> None:
    """Errors: NotAuthorised for a form that another site sent."""
    if not comes_from_here(request):
        text = "A web page of another origin may not use this one"
        raise NotAuthorised(text, code="foreign_origin", status=403)


def read_form(request: HttpRequest) -> dict[str, str]:
    return dict(parse_qsl(request.content.decode("utf-8", "replace"), keep_blank_values=True))


def go_to(path: str, *headers: responses.Header) -> HttpResponse:
    return HttpResponse(303, b"", ((b"location", path.encode()), FRESH, *headers))


def go_to_first(request: HttpRequest, values: Values) -> HttpResponse:
    """Where the instance says that it is administrated: the page at `/` is what there is."""
    return go_to("/")


def send_asset(request: HttpRequest, values: Values) -> HttpResponse:
    name = request.path.rpartition("/")[2]
    return responses.write_file(
        read_text(name).encode(), ASSETS[name], *HEADERS, (b"cache-control", b"max-age=300")
    )


def write_page(template: str, *, status: int = 200, **facts: object) -> HttpResponse:
    text = make_environment().get_template(template).render(facts)
    return HttpResponse(status, text.encode(), ((b"content-type", HTML.encode()), *HEADERS, FRESH))


@cache
def make_environment() -> Environment:
    from jinja2 import Environment, FunctionLoader, pass_context
    from jinja2.runtime import Context
    from markupsafe import Markup

    @pass_context
    def hidden(context: Context) -> Markup:
        """The fields that every form has: the token of the page, and the view to come back to."""
        field = Markup('<input type="hidden" name="{}" value="{}">')
        return field.format("token", context["visitor"].token) + field.format("view", context["view"])

    environment = Environment(autoescape=True, loader=FunctionLoader(read_text), trim_blocks=True)
    environment.globals["hidden"] = hidden
    return environment


@cache
def read_text(name: str) -> str:
    return (resources.files("shipcli.api.pages") / "window" / name).read_text("utf-8")
