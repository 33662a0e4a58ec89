"""Allow one label per reference, unless the buyer explicitly asks for another.

This rule is for purchases at the packing bench, where each parcel has its own reference. The API buys as
often as it is asked; files, those sent to the API as well, and orders have their own keys.
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


def hold_reference(app: App, draft: Shipment) -> AbstractContextManager[None]:
    """Hold a lock so that no other bench buys for the same reference during the block.

    Errors: Conflict if another one is buying for it.
    """
    if not draft.reference:
        return nullcontext()
    mode = "test" if app.test_mode else "live"
    taken = f"Somebody else is buying a label for {draft.reference} right now"
    return hold_locks(app, [f"reference/{mode}/{draft.reference}"], taken)


def check_reference(app: App, draft: Shipment, *, again: bool) -> None:
    """Errors: AlreadyBought if another shipment with the reference has a label, unless `again` is set."""
    if draft.reference and not again:
        same = {"reference": draft.reference, "test_mode": app.test_mode}
        refuse_second(draft, app.store.select("shipments", same, "-seq"))


def refuse_second(draft: Shipment, same: Iterable[Mapping[str, Any]]) -> None:
    """Check the given shipments with the same reference, newest first.

    Errors: AlreadyBought if one of them other than the draft has a label.
    """
    others = (row for row in same if row["status"] not in WITHOUT_LABEL and row["id"] != draft.id)
    row = next(others, None)
    if row is None:
        return
    has = f"has a label already, {row['tracking_number']}" if row["tracking_number"] else "may have a label"
    raise AlreadyBought(f"{draft.reference} {has}: its shipment is {row['status']}")
