"""Build a shipment from an order: parcels with its unfulfilled items, and its payment and customs data."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from decimal import ROUND_HALF_UP, Decimal
from typing import TYPE_CHECKING, Any

from pydantic import ValidationError

from shipcli.features.book.box_choice import choose_boxes, is_auto
from shipcli.features.book.boxes import add_tare
from shipcli.features.shipments.shorthand import fill_box, find_own_box
from shipcli.models import Invalid, LineItem, Order, ShipmentData
from shipcli.models.basics.areas import crosses_customs
from shipcli.models.basics.units import convert_weight
from shipcli.models.parts.address import copy_fields
from shipcli.models.parts.goods import fill_from_product, share_weight

if TYPE_CHECKING:
    from shipcli.features.shipments.defaults import ShipDefaults

# Options that only concern an order's fulfilment; all others are passed on to the shipment.
OWN_OPTIONS = frozenset({
    "paid_by", "payment_account_number", "duty_paid_by", "duty_account_number", "invoice_number",
    "invoice_date", "single_item_per_parcel", "carrier_ids",
})  # fmt: skip
ITEM = ("title", "description", "sku", "hs_code", "weight", "weight_unit", "value_amount", "value_currency",
        "origin_country", "metadata")  # fmt: skip
LOOKED_UP = ("title", "hs_code", "weight", "value_amount", "origin_country")
FINEST = Decimal("0.001")
LONGEST_REFERENCE = 35
WEIGH = "Say what it weighs: --weight 2lb6oz."
Lines = Sequence[tuple[LineItem, int]]  # order lines with quantities
Facts = Sequence[Mapping[str, Any]]  # weight, dimensions and box of each parcel


def make_shipment(
    defaults: ShipDefaults,
    order: Order,
    *,
    sender: Mapping[str, Any] | None = None,
    carriers: Sequence[str] = (),
    facts: Facts = (),
    goods: Sequence[Mapping[str, Any]] = (),
) -> ShipmentData:
    """Build the body of the shipment for the unfulfilled part of an order.

    Shapes: `sender` is used for orders without one; `carriers` override those of the order; `facts` are the
            weights and measurements of each parcel; `goods` are declared instead of the order's lines.
    Errors: Invalid naming what the order lacks; NotFound if a carrier is unknown.
    """
    order = order.model_copy(
        update={"line_items": [_complete_line(defaults, line) for line in order.line_items]}
    )
    options = order.options
    shipper = _choose_sender(defaults, order, sender)
    names = carriers or options.get("carrier_ids") or ()
    parcels = pack_order(defaults, order, facts)
    body = {
        "shipper": shipper,
        "recipient": copy_fields(order.shipping_to.model_dump()),
        "parcels": parcels,
        "options": {key: value for key, value in options.items() if key not in OWN_OPTIONS},
        "payment": make_payment(options),
        "billing_address": _find_payor(order),
        "customs": make_customs(order, shipper, share_weight(goods, parcels)),
        "reference": order.order_id[:LONGEST_REFERENCE],
        "label_type": defaults.label_type,
        "carrier_ids": defaults.named(names),
        "metadata": _describe_origin(order),
    }
    try:
        return ShipmentData.model_validate(body)
    except ValidationError as error:
        raise Invalid.from_pydantic(error) from None


def _describe_origin(order: Order) -> dict[str, Any]:
    """Return the metadata of a shipment: its order, and the note that its packing slip has."""
    note = (order.metadata or {}).get("note")
    origin = {"order_id": order.order_id, "order_source": order.source}
    return origin | ({"note": note} if note else {})


def _complete_line(defaults: ShipDefaults, line: LineItem) -> LineItem:
    """Return a line with missing details filled in from its product."""
    if not line.sku or all(getattr(line, name) for name in LOOKED_UP):
        return line
    return line.model_copy(update=fill_from_product(line.model_dump(), defaults.product(line.sku)))


def _choose_sender(defaults: ShipDefaults, order: Order, sender: Mapping[str, Any] | None) -> dict[str, Any]:
    if order.shipping_from:
        return copy_fields(order.shipping_from.model_dump())
    return dict(sender) if sender else defaults.shipper()


def _find_payor(order: Order) -> dict[str, Any] | None:
    """Return the billing address if someone other than the sender pays the carrier."""
    others = order.options.get("paid_by") not in (None, "", "sender")
    return copy_fields(order.billing_address.model_dump()) if others and order.billing_address else None


def make_payment(options: Mapping[str, Any]) -> dict[str, Any]:
    """Return the payment from the order's options; the sender pays by default."""
    return {
        "paid_by": options.get("paid_by") or "sender",
        "currency": options.get("currency") or None,
        "account_number": options.get("payment_account_number") or None,
    }


# -- parcels ---------------------------------------------------------------------------------------


def list_unfulfilled_lines(order: Order) -> list[LineItem]:
    """Return the lines with unfulfilled quantities."""
    return [line for line in order.line_items if line.unfulfilled_quantity > 0]


def pack_order(defaults: ShipDefaults, order: Order, facts: Facts = ()) -> list[dict[str, Any]]:
    """Pack the unfulfilled items of an order into parcels; those beyond the number it needs have no items.

    Errors: Invalid if the weight of a parcel is unknown, or facts are given for fewer parcels than needed.
    """
    if len(facts) == 1 and is_auto(facts[0].get("package_preset")):
        return pack_in_boxes(defaults, order, facts[0])
    groups = split_lines(order)
    if facts and len(groups) > len(facts):
        text = f"The order needs {len(groups)} parcels; weight, size and box are given for {len(facts)}."
        raise Invalid("parcels", text)
    parcels = facts or [{}] * len(groups)
    groups += [[]] * (len(parcels) - len(groups))
    return [pack_parcel(defaults, lines, fact) for lines, fact in zip(groups, parcels, strict=True)]


def pack_in_boxes(defaults: ShipDefaults, order: Order, fact: Mapping[str, Any]) -> list[dict[str, Any]]:
    """Pack the unfulfilled items of an order into the own boxes that hold them.

    Errors: Invalid as `choose_boxes`, or if one weight is given for several boxes.
    """
    left = list_unfulfilled_lines(order)
    goods = [(line, line.unfulfilled_quantity) for line in left]
    loads = choose_boxes(defaults.boxes(), defaults.product, goods)
    if len(loads) > 1 and "weight" in fact:
        raise Invalid("weight", f"The order needs {len(loads)} boxes; one weight is given.")
    return [
        pack_parcel(
            defaults, [(left[place], count) for place, count in counts], {**fact, "package_preset": box}
        )
        for box, counts in loads
    ]


def split_lines(order: Order) -> list[Lines]:
    """Group the unfulfilled items by parcel: all in one, or one piece each if the order requires it."""
    left = list_unfulfilled_lines(order)
    if order.options.get("single_item_per_parcel"):
        return [[(line, 1)] for line in left for _ in range(line.unfulfilled_quantity)]
    return [[(line, line.unfulfilled_quantity) for line in left]]


def pack_parcel(defaults: ShipDefaults, lines: Lines, fact: Mapping[str, Any]) -> dict[str, Any]:
    """Build a parcel with these lines; its weight is the one given, else that of the items and their box."""
    weighed = {} if "weight" in fact or not lines else add_up(lines, find_own_box(defaults, fact))
    items = [make_item(line, quantity) | {"parent_id": line.id} for line, quantity in lines]
    return {**weighed, **fill_box(defaults, fact), "items": items}


def add_up(lines: Lines, box: Mapping[str, Any]) -> dict[str, Any]:
    """Return the total weight of the lines including their box.

    Errors: Invalid if no line has a weight.
    """
    unit = lines[0][0].weight_unit or "KG"
    weights = (_measure_weight(line, unit) * quantity for line, quantity in lines)
    total = sum(weights, Decimal(0))
    if total <= 0:
        named = ", ".join(str(line.sku or line.title or line.id) for line, _ in lines)
        raise Invalid("line_items", f"The weight of {named} is unknown. {WEIGH}")
    total = add_tare(box, total, unit)
    exact = (
        total if -int(total.as_tuple().exponent) <= 3 else max(total.quantize(FINEST, ROUND_HALF_UP), FINEST)
    )
    return {"weight": exact, "weight_unit": unit}


def _measure_weight(line: LineItem, unit: str) -> Decimal:
    return convert_weight(line.weight or Decimal(0), line.weight_unit or unit, unit)


def make_item(line: LineItem, quantity: int) -> dict[str, Any]:
    """Return a parcel or customs item for a quantity of a line."""
    return {name: getattr(line, name) for name in ITEM} | {"quantity": quantity}


# -- customs ---------------------------------------------------------------------------------------


def make_customs(
    order: Order, shipper: Mapping[str, Any], goods: Sequence[Mapping[str, Any]] = ()
) -> dict[str, Any] | None:
    """Build the customs declaration of an order, from its lines or the given goods; None if it crosses no
    customs border.

    Errors: Invalid if goods are given for an order that crosses no customs border.
    """
    if not crosses_customs(shipper, order.shipping_to):
        if goods:
            raise Invalid("goods", "The order does not pass customs: there is nothing to declare.")
        return None
    options, lines = order.options, list_unfulfilled_lines(order)
    return {
        "content_type": "merchandise",
        "commodities": goods or [make_item(line, line.unfulfilled_quantity) for line in lines],
        "invoice": options.get("invoice_number") or None,
        "invoice_date": options.get("invoice_date") or None,
        "duty": make_duty(order),
    }


def make_duty(order: Order) -> dict[str, Any] | None:
    """Return who pays the duties and the declared value; None if the order does not say who pays."""
    options = order.options
    if not (options.get("duty_paid_by") or options.get("duty_account_number")):
        return None
    values = [(line.value_amount, line.unfulfilled_quantity) for line in list_unfulfilled_lines(order)]
    worth = [value * quantity for value, quantity in values if value is not None]
    return {
        "paid_by": options.get("duty_paid_by") or None,
        "account_number": options.get("duty_account_number") or None,
        "currency": options.get("currency") or list_unfulfilled_lines(order)[0].value_currency,
        "declared_value": sum(worth, Decimal(0)) if worth else None,
    }
