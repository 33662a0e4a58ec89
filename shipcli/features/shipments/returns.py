"""Returns: the shipment with which a customer sends goods back, made of the one that brought them."""

from __future__ import annotations

import hashlib
from collections.abc import Collection, Iterable, Sequence
from decimal import Decimal
from typing import TYPE_CHECKING, Any

from pydantic import BaseModel

from shipcli.features.core.shipment_lookup import is_return
from shipcli.features.shipments import service as shipments
from shipcli.models import Commodity, Conflict, Invalid, Parcel, ReturnData, Shipment, ShipmentData
from shipcli.models.basics.areas import crosses_customs
from shipcli.models.basics.units import convert_weight
from shipcli.models.parts.address import AddressData
from shipcli.models.parts.articles import find_sku
from shipcli.models.parts.customs import CustomsData
from shipcli.models.parts.parcel import CommodityData, ParcelData
from shipcli.models.parts.stored import StoredReference

if TYPE_CHECKING:
    from shipcli.features.core.app import App
    from shipcli.features.core.idempotency_key import IdempotencyKey

RETURN_OF = "return_of"  # in the metadata of a return: the shipment whose goods come back
RETURN_PARCEL = "return_parcel"  # in the metadata of a return of one of several parcels: which it is
LONGEST_REFERENCE = 35


def create_return(
    app: App, shipment_id: str, data: ReturnData, *, once: IdempotencyKey | None = None
) -> Shipment:
    """Store a draft of the return of a bought shipment, with the rates of the carriers that take returns.

    Errors: NotFound; Conflict if it was never bought; Invalid naming an article that it does not hold;
            NoConnection; Refused.
    """
    original = shipments.get_shipment(app, shipment_id)
    body = describe_return(original, data.skus)
    chosen = body.model_copy(update={"carrier_ids": data.carrier_ids})
    return shipments.create_shipment(app, chosen, once=once)


def describe_return(original: Shipment, skus: Sequence[str] = ()) -> ShipmentData:
    """Describe the return of a shipment, from its recipient to where it came from.

    With article numbers only these goods come back. Nothing of the order is counted as sent by it: its items
    name no order line. The reference is the shipment's own with what comes back, so that the bench buys one
    label for each return.
    Errors: Conflict if it was never bought; Invalid naming an article that it does not hold.
    """
    check_came_out(original)
    skus = find_articles(original, skus)
    parcels = choose_parcels(original, skus)
    body = {
        "shipper": _take(AddressData, original.recipient),
        "recipient": _take(AddressData, original.return_address or original.shipper),
        "parcels": [_describe_parcel(parcel) for parcel in parcels],
        "customs": _declare(original, skus),
        "options": {"is_return": True},
        "reference": name_return(original, skus),
        "label_type": original.label_type or "PDF",
        "metadata": {RETURN_OF: original.id},
    }
    return ShipmentData.model_validate({name: value for name, value in body.items() if value is not None})


def describe_return_of_each(original: Shipment, skus: Sequence[str] = ()) -> list[ShipmentData]:
    """Describe a return of its own for each parcel that comes back, with its goods alone declared.

    Errors: as `describe_return`.
    """
    whole = describe_return(original, skus)
    if len(whole.parcels) == 1:
        return [whole]
    return [
        whole.model_copy(
            update={
                "parcels": [parcel],
                "reference": _fit(str(whole.reference), f"{whole.reference}-{number}", f"-{number}"),
                "customs": _declare_goods_of(whole.customs, parcel),
                "metadata": {**whole.metadata, RETURN_PARCEL: str(number)},
            }
        )
        for number, parcel in enumerate(whole.parcels, 1)
    ]


def _declare_goods_of(
    customs: CustomsData | StoredReference | None, parcel: ParcelData | StoredReference
) -> CustomsData | StoredReference | None:
    if not isinstance(customs, CustomsData) or not isinstance(parcel, ParcelData) or not parcel.items:
        return customs
    return customs.model_copy(update={"commodities": parcel.items})


def can_come_back(shipment: Shipment) -> bool:
    """Whether a shipment was bought, and is not itself a return."""
    was_bought = shipment.status not in ("draft", "cancelled", "needs_attention")
    return was_bought and not _comes_back(shipment)


def _comes_back(shipment: Shipment) -> bool:
    return RETURN_OF in shipment.metadata or is_return(shipment)


def name_return(original: Shipment, skus: Iterable[str]) -> str:
    """Return the reference of a return: `1042-R`, and `1042-R-MUG` when only the mug comes back.

    The same goods have the same reference, or a second label could be bought for them.
    """
    name = original.reference or original.tracking_number or original.id
    return _fit(name, f"{name}-R{''.join(f'-{sku}' for sku in skus)}", "-R")


def _fit(name: str, whole: str, ending: str) -> str:
    """A reference, with a mark of what it has no room for: without, several returns would have the same."""
    if len(whole) <= LONGEST_REFERENCE:
        return whole
    last = f"{ending}-{hashlib.sha256(whole.encode()).hexdigest()[:6]}"
    return f"{name[: LONGEST_REFERENCE - len(last)]}{last}"


def filter_returns(shipment_id: str) -> dict[str, str]:
    """The filters that select the returns of a shipment."""
    return {"metadata_key": RETURN_OF, "metadata_value": shipment_id}


def list_skus(shipment: Shipment) -> list[str]:
    """The article numbers in a shipment, each once; an empty one if some of its goods have none."""
    return list(dict.fromkeys(find_sku(item) for parcel in shipment.parcels for item in parcel.items))


def choose_articles(original: Shipment, skus: Sequence[str]) -> Shipment:
    """Return a shipment with the parcels and articles that come back.

    Errors: Conflict if it was never bought; Invalid naming an article that it does not hold.
    """
    check_came_out(original)
    return original.model_copy(update={"parcels": choose_parcels(original, find_articles(original, skus))})


def check_came_out(original: Shipment) -> None:
    """Errors: Conflict for what was never bought, and for a return."""
    if _comes_back(original):
        raise Conflict(f"The shipment {original.display_name} is a return itself")
    if not can_come_back(original):
        raise Conflict(f"The shipment {original.display_name} is {original.status}: nothing can come back")


def find_articles(original: Shipment, skus: Sequence[str]) -> list[str]:
    """Article numbers as a shipment has them, each once and in its order, for numbers in any case and order.

    Errors: Invalid naming an article that it does not hold.
    """
    held = [sku for sku in list_skus(original) if sku]
    folded = {sku.casefold() for sku in held}
    if unknown := [sku for sku in skus if sku.casefold() not in folded]:
        offers = f"it holds {', '.join(held)}" if held else "its articles have no numbers"
        raise Invalid("skus", f"{original.display_name} holds no {', '.join(unknown)}; {offers}")
    named = {sku.casefold() for sku in skus}
    return [sku for sku in held if sku.casefold() in named]


def choose_parcels(original: Shipment, skus: Sequence[str]) -> list[Parcel]:
    """Return the parcels that come back, with the chosen goods only."""
    if not skus:
        return list(original.parcels)
    chosen = [parcel.model_copy(update={"items": _choose(parcel.items, skus)}) for parcel in original.parcels]
    return [_weigh(parcel) for parcel in chosen if parcel.items]


def _choose(items: Iterable[Commodity], skus: Collection[str]) -> list[Commodity]:
    return [item for item in items if not skus or find_sku(item) in skus]


def _weigh(parcel: Parcel) -> Parcel:
    """Return a parcel as heavy as the goods in it, where they say so; it is never heavier than before."""
    unit = parcel.weight_unit or "KG"
    weights = [
        convert_weight(item.weight, item.weight_unit, unit) * item.quantity
        for item in parcel.items
        if item.weight and item.weight_unit
    ]
    if len(weights) < len(parcel.items) or parcel.weight is None:
        return parcel
    goods = sum(weights, Decimal(0)).quantize(Decimal("0.001"))
    return parcel.model_copy(update={"weight": min(goods, Decimal(parcel.weight)) or parcel.weight})


def _describe_parcel(parcel: Parcel) -> dict[str, Any]:
    """Return a parcel without what was the carrier's: numbers and options of the way there."""
    described = _take(ParcelData, parcel) or {}
    items = [_describe_item(item) for item in parcel.items]
    return {**described, "items": items, "reference_number": None, "options": {}}


def _describe_item(item: Commodity) -> dict[str, Any]:
    return {**(_take(CommodityData, item) or {}), "parent_id": None}


def _declare(original: Shipment, skus: Sequence[str]) -> dict[str, Any] | None:
    """Return the declaration of goods that come back across a border."""
    there, here = original.recipient, original.return_address or original.shipper
    if original.customs is None or not crosses_customs(there, here):
        return None
    goods = _choose(original.customs.commodities, skus)
    return {
        **(_take(CustomsData, original.customs) or {}),
        "commodities": [_describe_item(item) for item in goods],
        "content_type": "return_merchandise",
        "duty": None,
        "duty_billing_address": None,
        "invoice": None,
        "invoice_date": None,
        "options": {},
    }


def _take(kind: type[BaseModel], stored: BaseModel | None) -> dict[str, Any] | None:
    """Return what a body of this kind can say of a stored object."""
    if stored is None:
        return None
    names = kind.model_fields
    return {
        name: value
        for name, value in stored.model_dump().items()
        if name in names and name not in ("id", "validate_location", "validation") and value is not None
    }
