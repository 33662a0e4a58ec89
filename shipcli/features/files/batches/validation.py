"""Bodies of batches: every element is checked before anything of a batch is stored."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import asdict, replace
from typing import TYPE_CHECKING, Any, TypeVar

from pydantic import ValidationError

from shipcli.features.book.addresses import UNPRICED
from shipcli.features.book.drafts import make_draft
from shipcli.features.book.parcels import change_parcel, check_dimensions
from shipcli.features.connections import accounts
from shipcli.features.connections.intent_states import check_not_being_bought
from shipcli.features.files.batches.items import Item
from shipcli.features.orders.service import make_order
from shipcli.features.shipments.service import check_draft, get_shipment, merge_changes
from shipcli.features.trackers.service import check_trackable
from shipcli.models import (
    BatchOrderData,
    BatchShipmentData,
    BatchTrackerData,
    Conflict,
    Invalid,
    InvalidRows,
    NoConnection,
    NotFound,
    OrderData,
    Parcel,
    ParcelPatch,
    Shipment,
    ShipmentData,
    StoredReference,
    TrackingData,
)

if TYPE_CHECKING:
    from shipcli.features.core.app import App
    from shipcli.features.files.shipment_store import FileRow
    from shipcli.models.shipment import ShipmentDataReference

INVALID_CARRIER = "invalid_carrier"
SIDES = ("shipper", "recipient", "return_address", "billing_address")
ElementT = TypeVar("ElementT")


def check_elements(
    elements: Iterable[tuple[int, ElementT]], read: Callable[[ElementT], Item]
) -> Iterator[Item]:
    """Make items of elements, each given with its row counted from 0.

    Errors: InvalidRows naming every wrong element, once all have been read.
    """
    wrong: list[Invalid | NotFound | Conflict] = []
    for index, element in elements:
        try:
            yield read(element)
        except (Invalid, NotFound, Conflict) as error:
            error.index = index
            wrong.append(error)
    if wrong:
        raise InvalidRows(wrong)


# -- orders and trackers ---------------------------------------------------------------------------


def list_order_items(app: App, data: BatchOrderData, batch_id: str) -> list[Item]:
    """Errors: InvalidRows."""
    return list(
        check_elements(enumerate(data.orders), lambda order: make_order_item(app, order, batch_id, anew=True))
    )


def make_order_item(app: App, data: OrderData, batch_id: str, *, anew: bool) -> Item:
    """An order with its batch's id; with `anew` a cancelled order of the same number does not count as it."""
    return Item({"order": make_order(app, data, {"batch_ids": [batch_id]}), "anew": anew})


def list_tracker_items(app: App, data: BatchTrackerData) -> list[Item]:
    """Errors: InvalidRows."""
    able: dict[str, bool] = {}
    return list(
        check_elements(enumerate(data.trackers), lambda tracker: _make_tracker_item(app, tracker, able))
    )


def _make_tracker_item(app: App, data: TrackingData, able: dict[str, bool]) -> Item:
    check_trackable(data)
    if data.carrier_name not in able:
        able[data.carrier_name] = _can_track(app, data.carrier_name)
    if not able[data.carrier_name]:
        reason = f"There is no active connection that tracks {data.carrier_name}."
        raise Invalid("carrier_name", reason, INVALID_CARRIER)
    return Item(data.model_dump())


def _can_track(app: App, carrier_name: str) -> bool:
    try:
        return bool(accounts.choose(app, "tracking", carrier_name=carrier_name))
    except NoConnection:
        return False


# -- shipments -------------------------------------------------------------------------------------


def list_shipment_items(app: App, data: BatchShipmentData) -> list[Item]:
    """Errors: InvalidRows."""
    seen: dict[str, int] = {}

    def read(row: tuple[int, ShipmentDataReference]) -> Item:
        index, element = row
        if element.id and seen.setdefault(element.id, index) != index:
            raise Invalid("id", f"is the shipment of row {seen[element.id]} already")
        return make_shipment_item(app, element)

    rows = list(enumerate(data.shipments))
    return list(check_elements(((row[0], row) for row in rows), read))


def make_shipment_item(app: App, data: ShipmentData) -> Item:
    """A draft, new or found by the element's id; it is bought if the element names a service."""
    shipment_id = getattr(data, "id", None)
    draft = edit_draft(app, shipment_id, data) if shipment_id else make_draft(app, data)
    service = data.service or draft.options.get("preferred_service")
    return Item(draft.model_dump(), shipment_id or None, str(service) if service else None)


def make_row_item(item: Item, row: FileRow, data: ShipmentData) -> Item:
    """A draft with the row of the file that it was read from, and the options that the row names."""
    return replace(item, body={"draft": item.body, "row": asdict(row), "options": [*data.options]})


def edit_draft(app: App, shipment_id: str, data: ShipmentData) -> Shipment:
    """A known draft as an element changes it, without rates; options and metadata are merged. Nothing is
    stored.

    Errors: NotFound; Conflict when it is not a draft, or is being bought; Invalid.
    """
    draft = get_shipment(app, shipment_id)
    check_draft(draft, "changed")
    check_not_being_bought(app.store, shipment_id)
    fresh = make_draft(app, data.model_copy(update={"parcels": _select_new_parcels(draft, data.parcels)}))
    changes = data.model_dump(exclude_unset=True)
    values = merge_changes(app, draft, changes)
    values |= {side: _keep_address_id(draft, fresh, side) for side in SIDES if side in changes}
    values |= {"customs": fresh.customs} if "customs" in changes else {}
    values |= {"services": fresh.services} if data.service else {}
    values |= UNPRICED  # what is asked anew may fail, and the old prices are for what it was before
    return draft.model_copy(
        update={**values, "parcels": [*_edit_parcels(app, draft, data.parcels), *fresh.parcels]}
    )


def _keep_address_id(draft: Shipment, fresh: Shipment, side: str) -> Any:
    """Give an address the id of the one it replaces."""
    now, before = getattr(fresh, side), getattr(draft, side)
    return now.model_copy(update={"id": before.id}) if side in ("shipper", "recipient") else now


def _select_new_parcels(draft: Shipment, parcels: Sequence[Any]) -> list[Any]:
    """The parcels of an element that the draft does not have yet."""
    ids = {parcel.id for parcel in draft.parcels}
    return [parcel for parcel in parcels if not (isinstance(parcel, StoredReference) and parcel.id in ids)]


def _edit_parcels(app: App, draft: Shipment, parcels: Sequence[Any]) -> Iterator[Parcel]:
    """The draft's parcels: those that the element names by id are changed, the others stay."""
    changes = {
        parcel.id: (at, parcel.extra)
        for at, parcel in enumerate(parcels)
        if isinstance(parcel, StoredReference)
    }
    for parcel in draft.parcels:
        at, extra = changes.get(str(parcel.id), (0, {}))
        try:
            patch = ParcelPatch.model_validate(extra)
            yield (
                check_dimensions(Parcel.model_validate(change_parcel(app, parcel, patch)))
                if extra
                else parcel
            )
        except ValidationError as error:
            raise Invalid.from_pydantic(error, f"parcels[{at}]") from None
        except Invalid as error:
            raise error.under(f"parcels[{at}]") from None
