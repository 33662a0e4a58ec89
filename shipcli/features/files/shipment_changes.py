"""Whether a row still matches the shipment that an earlier file made of it."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from shipcli.features.book.drafts import make_draft
from shipcli.features.core.app import App
from shipcli.features.core.merge import drop_ids
from shipcli.features.core.row_results import OnDuplicate
from shipcli.features.rules.application import take_back_rules
from shipcli.models import Shipment, ShipmentData

SAID = ("shipper", "recipient", "parcels", "customs", "payment")
CHANGED = (
    "The row asks for another parcel than its draft of an earlier file: --on-duplicate update takes the row, "
    "shipments buy the draft"
)
KEPT = "The row changed after the purchase: what was bought stays as it is"


def has_changed(app: App, row: ShipmentData, shipment: Shipment, on_duplicate: OnDuplicate) -> bool:
    """Return whether the row of a later file asks for another parcel than its shipment.

    With `update` a draft takes the row. Of the options, only those that the row names are compared.
    """
    if shipment.status == "draft" and on_duplicate == "update":
        return False
    return is_other_parcel(make_draft(app, row), row.options, shipment)


def is_other_parcel(draft: Shipment, options: Iterable[str], shipment: Shipment) -> bool:
    """Return whether the draft of a row, which names these options, differs from a shipment."""
    if any(shipment.options.get(name) != draft.options.get(name) for name in options):
        return True
    return _gather_facts(shipment) != _gather_facts(draft)


def _gather_facts(shipment: Shipment) -> dict[str, Any]:
    """The fields of a shipment that a row can contain; parcel numbers are given when it is stored."""
    said = take_back_rules(shipment)
    parcels = [parcel.model_copy(update={"reference_number": None}) for parcel in said.parcels]
    plain = shipment.model_copy(update={"parcels": parcels}).model_dump()
    return {name: drop_ids(plain[name]) for name in SAID}
