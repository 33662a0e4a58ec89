"""One label for a reference, unless whoever buys says that another one is wanted.

This is the rule of the bench, where one parcel has one reference. The API sells as often as it is asked;
files and orders have keys of their own.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from contextlib import AbstractContextManager, nullcontext
from typing import TYPE_CHECKING, Any

from shipcli.features.core.locks import hold_locks
from shipcli.models.basics.errors import AlreadyBought

if TYPE_CHECKING:
    from shipcli.features.core.app import App
    from shipcli.models import Shipment

WITHOUT_LABEL = ("draft", "cancelled")


def one_at_a_time(app: App, draft: Shipment) -> AbstractContextManager[None]:
    """Nobody else at a bench buys for the same reference while the block runs.

    Errors: Conflict when somebody does.
    """
    if not draft.reference:
        return nullcontext()
    mode = "test" if app.test_mode else "live"
    taken = f"Somebody else is buying a label for {draft.reference} right now"
    return hold_locks(app, [f"reference/{mode}/{draft.reference}"], taken)


def check_reference(app: App, draft: Shipment, *, again: bool) -> None:
    """Errors: AlreadyBought when another shipment of the reference has a label, and none is wanted again."""
    if draft.reference and not again:
        same = {"reference": draft.reference, "test_mode": app.test_mode}
        refuse_second(draft, app.store.select("shipments", same, "-seq"))


def refuse_second(draft: Shipment, same: Iterable[Mapping[str, Any]]) -> None:
    """The same, among shipments of the reference, newest first.

    Errors: AlreadyBought.
    """
    one = next((one for one in same if one["status"] not in WITHOUT_LABEL and one["id"] != draft.id), None)
    if one is None:
        return
    has = f"has a label already, {one['tracking_number']}" if one["tracking_number"] else "may have a label"
    raise AlreadyBought(f"{draft.reference} {has}: its shipment is {one['status']}")
