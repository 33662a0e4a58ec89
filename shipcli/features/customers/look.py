"""How the shop looks to its customers: kept in the store, the same for all its workers.

Apart from how mail is sent, as pictures and colours need more of this program than every write should load.
"""

from __future__ import annotations

import base64
import re
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

from shipcli.drawing import find_label_kind
from shipcli.features.core.app import read_fact
from shipcli.features.customers.addresses import write_line
from shipcli.features.customers.colours import read_colour
from shipcli.models import Invalid
from shipcli.models.customers import ShopLook

if TYPE_CHECKING:
    from shipcli.features.core.app import App
    from shipcli.store.queries import Reader

LOOK = "shop_look"
LONGEST_NAME, LARGEST_LOGO = 60, 150_000
LOGO_TYPES = {"PNG": "image/png", "JPG": "image/jpeg"}


def read_look(reader: Reader) -> ShopLook:
    """How the shop looks."""
    return ShopLook.model_validate(read_fact(reader, LOOK) or {})


def change_look(app: App, changes: Mapping[str, Any]) -> ShopLook:
    """Change how the shop looks.

    Errors: Invalid naming the field.
    """
    with app.store.transaction() as tx:
        changed = plan_look(tx, changes)
        tx.upsert("store_facts", {"name": LOOK, "value": changed.model_dump()})
    return changed


def plan_look(reader: Reader, changes: Mapping[str, Any]) -> ShopLook:
    """How the shop would look.

    Errors: as `change_look`.
    """
    return check_look(read_look(reader).model_copy(update=dict(changes)))


def check_look(look: ShopLook) -> ShopLook:
    """The look with its colour and address as they are kept.

    Errors: Invalid naming the field.
    """
    if len(look.name) > LONGEST_NAME:
        raise Invalid("name", f"has {len(look.name)} characters; there is room for {LONGEST_NAME}")
    color = str(read_colour(look.color)) if look.color else ""
    return look.model_copy(update={"name": write_line(look.name), "color": color, "url": _read_url(look.url)})


def read_logo(content: bytes) -> str:
    """A picture as a data URL, for pages that load nothing.

    Errors: Invalid for what is not a PNG or JPEG file of at most 150 kB.
    """
    media_type = LOGO_TYPES.get(find_label_kind(content) or "")
    if media_type is None or len(content) > LARGEST_LOGO:
        raise Invalid("logo", f"must be a PNG or JPEG file of at most {LARGEST_LOGO // 1000} kB")
    return f"data:{media_type};base64,{base64.b64encode(content).decode()}"


def _read_url(text: str) -> str:
    """Errors: Invalid for what is no address of a server."""
    if not text:
        return ""
    try:
        parts = urlsplit(text)
        is_plain = parts.scheme in ("http", "https") and parts.hostname and (parts.port or 1)
    except ValueError:
        is_plain = False
    if not is_plain or parts.query or parts.fragment or parts.username or re.search(r"[\s\"'<>\\]", text):
        raise Invalid("url", f"{text!r} is no address such as https://parcels.example.com")
    return text.rstrip("/")
