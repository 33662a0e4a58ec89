"""The steps that this server offers to `shipcli` on other machines, beside those that are use-cases."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from shipcli.models import Invalid

if TYPE_CHECKING:
    from shipcli.features.core.app import App

NAMED = ("address", "batch", "connection", "event", "manifest", "order", "parcel", "pickup", "shipment",
         "template", "tracker", "upload", "webhook")  # fmt: skip
MOST = 10


def list_steps(app: App) -> dict[str, Any]:
    """Tell that the steps are offered; another server of this API has no such path."""
    return {"steps": True}


def find_ids(app: App, *, kind: str = "", word: str = "", most: int = MOST) -> dict[str, Any]:
    """The ids of the objects that a word may mean: a number, a reference, or the start of an id.

    Errors: Invalid for a kind that no list of the API shows.
    """
    if kind not in NAMED or not word:
        raise Invalid("kind", f"{kind!r} is none of {', '.join(NAMED)}, or no word is given.")
    matches = app.store.find_prefix([kind], word, app.test_mode, max(1, min(most, MOST)))
    return {"ids": [match.id for match in matches]}
