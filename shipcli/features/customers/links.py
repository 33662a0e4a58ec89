"""Links to the tracking page: the number, signed with a secret of the store, so that no other opens."""

from __future__ import annotations

import base64
import binascii
import hmac
from typing import TYPE_CHECKING

from shipcli.features.customers.look import read_look
from shipcli.features.trackers.service import find_newest
from shipcli.models import Invalid, NotFound
from shipcli.models.customers import TrackingLink

if TYPE_CHECKING:
    from shipcli.features.core.app import App

PURPOSE, PATH = "tracking pages", "/track/"
SIGNATURE_BYTES = 16
MODES = {True: "t", False: "l"}  # before the number: that of a test label opens no live one
HERE = "http://127.0.0.1:5002"  # where a sandbox is, unless it says otherwise


def make_token(app: App, number: str) -> str:
    """The part of the link that opens the page of a number."""
    text = f"{MODES[app.test_mode]}{number}".encode()
    return f"{_encode(text)}.{_sign(app, text)}"


def read_token(app: App, token: str) -> tuple[bool, str] | None:
    """The mode and the number that a token opens; None if it was not signed here."""
    coded, _, signature = token.partition(".")
    try:
        text = base64.urlsafe_b64decode(coded + "=" * (-len(coded) % 4))
    except (binascii.Error, ValueError):
        return None
    if not hmac.compare_digest(_sign(app, text).encode(), signature.encode("utf-8", "replace")):
        return None
    mode, number = text[:1].decode("ascii", "replace"), text[1:].decode("utf-8", "replace")
    return mode == MODES[True], number


def _sign(app: App, text: bytes) -> str:
    digest = hmac.digest(app.vault.derive_key(PURPOSE), text, "sha256")
    return _encode(digest[:SIGNATURE_BYTES])


def _encode(content: bytes) -> str:
    return base64.urlsafe_b64encode(content).rstrip(b"=").decode()


def find_base(app: App) -> str:
    """The address under which customers reach the server; empty if nobody said it."""
    return read_look(app.store).url or (HERE if app.sandbox else "")


def make_link(app: App, number: str) -> str:
    """The link for a number; empty if the address of the server is not known."""
    base = find_base(app)
    return f"{base}{PATH}{make_token(app, number)}" if base and number else ""


def get_link(app: App, id_or_number: str, *, host: str = "") -> TrackingLink:
    """The link to the page of a parcel, by number, shipment or tracker; `host` is where a server was asked.

    Errors: NotFound; Invalid as long as the address of the server is not known.
    """
    number = find_number(app, id_or_number)
    base = read_look(app.store).url or host.rstrip("/") or find_base(app)
    if not base:
        text = "Say under which address customers reach the server: shipcli mail look --url https://..."
        raise Invalid("url", text)
    return TrackingLink(tracking_number=number, url=f"{base}{PATH}{make_token(app, number)}")


def find_number(app: App, id_or_number: str) -> str:
    """Errors: NotFound for what no shipment and no tracker has."""
    for kind in ("shipment", "tracker"):
        document = app.store.get(kind, id_or_number, app.test_mode)
        if document and document.get("tracking_number"):
            return str(document["tracking_number"])
    mine = {"tracking_number": id_or_number, "test_mode": app.test_mode}
    if find_newest(app, id_or_number) is None and not app.store.select("shipments", mine, limit=1):
        raise NotFound("tracker", id_or_number)
    return id_or_number
