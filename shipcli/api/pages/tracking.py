"""The page on which a customer follows a parcel: open to whoever has the link, and in the shop's colours."""

from __future__ import annotations

import base64
from collections.abc import Iterator
from hashlib import sha256
from typing import TYPE_CHECKING

from shipcli.api.dispatcher import ServedPage, Target
from shipcli.api.http.responses import HttpResponse
from shipcli.api.pages.window.pages import HTML, make_environment
from shipcli.features.customers.colours import Colour, choose_ink, make_readable, read_colour
from shipcli.features.customers.content import DEFAULT_COLOUR
from shipcli.features.customers.links import PATH, read_token
from shipcli.features.customers.look import read_look
from shipcli.features.customers.tracking_page import find_parcel

if TYPE_CHECKING:
    from shipcli.api.http.request import HttpRequest
    from shipcli.features.core.app import App
    from shipcli.models.customers import ShopLook

KEPT_S = 60
PAPER, NIGHT = Colour(251, 251, 249), Colour(22, 25, 29)
HEADERS = (
    (b"content-type", HTML.encode()),
    (b"x-robots-tag", b"noindex, nofollow"),
    (b"referrer-policy", b"no-referrer"),
    (b"x-content-type-options", b"nosniff"),
)


class TrackingPage:
    """The page of one server."""

    def __init__(self, app: App) -> None:
        self._app = app

    def list_pages(self) -> Iterator[tuple[str, str, Target]]:
        yield "GET", f"{PATH}{{token}}", ServedPage(self.show)

    def show(self, request: HttpRequest, values: tuple[str, ...]) -> HttpResponse:
        """The parcel that a link opens; the same answer for a wrong link and a parcel that is gone."""
        opened = read_token(self._app, values[0])
        parcel = find_parcel(self._app.in_mode(opened[0]), opened[1]) if opened else None
        look = read_look(self._app.store)
        facts = {"parcel": parcel, "shop": look, "colours": choose_colours(look)}
        text = make_environment().get_template("tracking.html").render(facts)
        kept = f"private, max-age={KEPT_S}" if parcel else "no-store"
        headers = (
            *HEADERS,
            (b"content-security-policy", write_policy(text)),
            (b"cache-control", kept.encode()),
        )
        return HttpResponse(200 if parcel else 404, text.encode(), headers)


def choose_colours(look: ShopLook) -> dict[str, Colour]:
    """The shop's colour with ink that is readable on it, and as text on a bright and on a dark page."""
    ground = read_colour(look.color or DEFAULT_COLOUR)
    return {
        "ground": ground,
        "ink": choose_ink(ground),
        "paper": PAPER,
        "night": NIGHT,
        "light": make_readable(ground, PAPER),
        "dark": make_readable(ground, NIGHT),
    }


def write_policy(page: str) -> bytes:
    """A policy that allows the style of this page, pictures in it, and nothing else."""
    style = page.partition("<style>")[2].partition("</style>")[0]
    digest = base64.b64encode(sha256(style.encode()).digest()).decode()
    return (
        f"default-src 'none'; style-src 'sha256-{digest}'; img-src data:; "
        "form-action 'none'; base-uri 'none'; frame-ancestors 'none'"
    ).encode()
