"""Allow one label per reference, unless the buyer explicitly asks for another.

This rule is for purchases at the packing bench, where each parcel has its own reference. The API buys as
often as it is asked; files, those sent to the API as well, and orders have their own keys.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from contextlib import AbstractContextManager, nullcontext
from typing import TYPE_CHECKING, Any

from shipcli.features.core.filters import read_filters
from shipcli.features.core.locks import hold_locks
from shipcli.features.shipments.filters import SHIPMENTS
from shipcli.features.shipments.returns import RETURN_OF, RETURN_PARCEL, filter_returns, list_skus
from shipcli.models import Shipment
from shipcli.models.basics.errors import AlreadyBought

if TYPE_CHECKING:
    from shipcli.features.core.app import App

WITHOUT_LABEL = ("draft", "cancelled")


def hold_reference(app: App, draft: Shipment) -> AbstractContextManager[None]:
    """Hold locks so that no other bench buys for the same reference, or the same return, during the block.

    Errors: Conflict if another one is buying for it.
    """
    names = {"reference": draft.reference, "return": draft.metadata.get(RETURN_OF)}
    held = {topic: name for topic, name in names.items() if name}
    if not held:
        return nullcontext()
    mode = "test" if app.test_mode else "live"
    taken = f"Somebody else is buying a label for {draft.reference or draft.display_name} right now"
    return hold_locks(app, [f"{topic}/{mode}/{name}" for topic, name in held.items()], taken)


def check_reference(app: App, draft: Shipment, *, again: bool) -> None:
    """Errors: AlreadyBought if another shipment with the reference has a label, or another return of the same
    goods, unless `again` is set.
    """
    if again:
        return
    if draft.reference:
        same = {"reference": draft.reference, "test_mode": app.test_mode}
        refuse_second(draft, app.store.select("shipments", same, "-seq"))
    if original := draft.metadata.get(RETURN_OF):
        returns = read_filters(SHIPMENTS, filter_returns(str(original)))
        refuse_second_return(draft, app.store.each("shipment", returns, app.test_mode))


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


def refuse_second_return(draft: Shipment, returns: Iterable[Mapping[str, Any]]) -> None:
    """Check the given returns of the shipment whose goods a draft brings back.

    Errors: AlreadyBought if one of them other than the draft has a label, and brings some of the same goods.
    """
    for row in returns:
        if row["status"] not in WITHOUT_LABEL and row["id"] != draft.id:
            other = Shipment.model_validate(row)
            if goods := _find_shared(draft, other):
                by = f"{other.display_name} already, {other.tracking_number or 'perhaps'}"
                raise AlreadyBought(f"{goods} back with {by}: its shipment is {other.status}")


def _find_shared(draft: Shipment, other: Shipment) -> str:
    """What two returns of one shipment both bring, as the beginning of a sentence; empty if it is nothing.

    Goods without numbers are taken for the same.
    """
    parcels = {one.metadata.get(RETURN_PARCEL) for one in (draft, other)}
    if len(parcels) == 2 and None not in parcels:
        return ""
    ours, theirs = list_skus(draft), list_skus(other)
    if not ours or not theirs or "" in (*ours, *theirs):
        return "The goods come"
    shared = [sku for sku in ours if sku in theirs]
    return f"{', '.join(shared)} {'comes' if len(shared) == 1 else 'come'}" if shared else ""
