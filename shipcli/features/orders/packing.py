"""What an order becomes as a shipment: parcels of what is left of it, payment and customs as it says."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from decimal import ROUND_HALF_UP, Decimal
from typing import TYPE_CHECKING, Any

from pydantic import ValidationError

from shipcli.features.parts.boxes import add_tare
from shipcli.features.shipments.shorthand import fill_box, own_box
from shipcli.models import Invalid, LineItem, Order, ShipmentData
from shipcli.models.basics.units import convert_weight
from shipcli.models.parts.address import copy_fields
from shipcli.models.parts.goods import crosses_customs, fill_from_product, share_weight

if TYPE_CHECKING:
    from shipcli.features.shipments.defaults import ShipDefaults

# What an order's options say of its fulfilment; all other options go with the shipment.
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
Lines = Sequence[tuple[LineItem, int]]  # of each line of an order so many pieces
Facts = Sequence[Mapping[str, Any]]  # weight, size and box of parcels


def shipment_of(
    known: ShipDefaults,
    order: Order,
    *,
    sender: Mapping[str, Any] | None = None,
    carriers: Sequence[str] = (),
    facts: Facts = (),
    goods: Sequence[Mapping[str, Any]] = (),
) -> ShipmentData:
    """The body of the shipment that covers what is left of an order.

    Shapes: `sender` ships orders that name no sender; `carriers` go before those the order names; `facts` are
            what was weighed and measured, parcel by parcel; `goods` are declared in the place of its lines.
    Errors: Invalid naming what the order lacks; NotFound for an unknown carrier.
    """
    order = order.changed(line_items=[_complete_line(known, line) for line in order.line_items])
    options = order.options
    shipper = _sender(known, order, sender)
    names = carriers or options.get("carrier_ids") or ()
    parcels = pack_order(known, order, facts)
    body = {
        "shipper": shipper,
        "recipient": copy_fields(order.shipping_to.plain()),
        "parcels": parcels,
        "options": {key: value for key, value in options.items() if key not in OWN_OPTIONS},
        "payment": payment_of(options),
        "billing_address": _payor(order),
        "customs": customs_of(order, shipper, share_weight(goods, parcels)),
        "reference": order.order_id[:LONGEST_REFERENCE],
        "label_type": known.label_type,
        "carrier_ids": known.named(names),
        "metadata": {"order_id": order.order_id, "order_source": order.source},
    }
    try:
        return ShipmentData.model_validate(body)
    except ValidationError as error:
        raise Invalid.from_pydantic(error) from None


def _complete_line(known: ShipDefaults, line: LineItem) -> LineItem:
    """A line with what is known of its article and it does not say."""
    if not line.sku or all(getattr(line, name) for name in LOOKED_UP):
        return line
    return line.changed(**fill_from_product(line.plain(), known.product(line.sku)))


def _sender(known: ShipDefaults, order: Order, sender: Mapping[str, Any] | None) -> dict[str, Any]:
    if order.shipping_from:
        return copy_fields(order.shipping_from.plain())
    return dict(sender) if sender else known.shipper()


def _payor(order: Order) -> dict[str, Any] | None:
    """The billing address, where somebody else than the sender pays the carrier."""
    others = order.options.get("paid_by") not in (None, "", "sender")
    return copy_fields(order.billing_address.plain()) if others and order.billing_address else None


def payment_of(options: Mapping[str, Any]) -> dict[str, Any]:
    """Who pays the carrier."""
    return {
        "paid_by": options.get("paid_by") or "sender",
        "currency": options.get("currency") or None,
        "account_number": options.get("payment_account_number") or None,
    }


# -- parcels ---------------------------------------------------------------------------------------


def left_of(order: Order) -> list[LineItem]:
    """The lines of which something is left to ship."""
    return [line for line in order.line_items if line.unfulfilled_quantity > 0]


def pack_order(known: ShipDefaults, order: Order, facts: Facts = ()) -> list[dict[str, Any]]:
    """The parcels of what is left of an order; of more parcels than it needs the first holds the goods.

    Errors: Invalid when a parcel would weigh nothing, or facts are given of fewer parcels than it needs.
    """
    groups = split_lines(order)
    if facts and len(groups) > len(facts):
        text = f"The order needs {len(groups)} parcels; weight, size and box are given for {len(facts)}."
        raise Invalid("parcels", text)
    given = facts or [{}] * len(groups)
    groups += [[]] * (len(given) - len(groups))
    return [pack_parcel(known, lines, fact) for lines, fact in zip(groups, given, strict=True)]


def split_lines(order: Order) -> list[Lines]:
    """One parcel for all that is left, or one for every single piece where the order wants that."""
    left = left_of(order)
    if order.options.get("single_item_per_parcel"):
        return [[(line, 1)] for line in left for _ in range(line.unfulfilled_quantity)]
    return [[(line, line.unfulfilled_quantity) for line in left]]


def pack_parcel(known: ShipDefaults, lines: Lines, fact: Mapping[str, Any]) -> dict[str, Any]:
    """A parcel with these quantities of lines: as heavy as the scale said, else as they and their box are."""
    weighed = {} if "weight" in fact or not lines else add_up(lines, own_box(known, fact))
    items = [item_of(line, quantity) | {"parent_id": line.id} for line, quantity in lines]
    return {**weighed, **fill_box(known, fact), "items": items}


def add_up(lines: Lines, box: Mapping[str, Any]) -> dict[str, Any]:
    """What lines weigh together, with the box that they lie in.

    Errors: Invalid when nothing is known of it.
    """
    unit = lines[0][0].weight_unit or "KG"
    weights = (_weight(line, unit) * quantity for line, quantity in lines)
    total = sum(weights, Decimal(0))
    if total <= 0:
        named = ", ".join(str(line.sku or line.title or line.id) for line, _ in lines)
        raise Invalid("line_items", f"Nothing is known of the weight of {named}. {WEIGH}")
    total = add_tare(box, total, unit)
    exact = (
        total if -int(total.as_tuple().exponent) <= 3 else max(total.quantize(FINEST, ROUND_HALF_UP), FINEST)
    )
    return {"weight": exact, "weight_unit": unit}


def _weight(line: LineItem, unit: str) -> Decimal:
    return convert_weight(line.weight or Decimal(0), line.weight_unit or unit, unit)


def item_of(line: LineItem, quantity: int) -> dict[str, Any]:
    """A quantity of a line."""
    return {name: getattr(line, name) for name in ITEM} | {"quantity": quantity}


# -- customs ---------------------------------------------------------------------------------------


def customs_of(
    order: Order, shipper: Mapping[str, Any], goods: Sequence[Mapping[str, Any]] = ()
) -> dict[str, Any] | None:
    """The declaration of an order that crosses a border with customs, of its lines or of other goods.

    Errors: Invalid for other goods of an order that crosses none.
    """
    if not crosses_customs(shipper.get("country_code"), order.shipping_to.country_code):
        if goods:
            raise Invalid("goods", "The order passes no customs: nothing is to be declared.")
        return None
    options, lines = order.options, left_of(order)
    return {
        "content_type": "merchandise",
        "commodities": goods or [item_of(line, line.unfulfilled_quantity) for line in lines],
        "invoice": options.get("invoice_number") or None,
        "invoice_date": options.get("invoice_date") or None,
        "duty": duty_of(order),
    }


def duty_of(order: Order) -> dict[str, Any] | None:
    """Who pays the duties, where the order says so."""
    options = order.options
    if not (options.get("duty_paid_by") or options.get("duty_account_number")):
        return None
    values = [(line.value_amount, line.unfulfilled_quantity) for line in left_of(order)]
    worth = [value * quantity for value, quantity in values if value is not None]
    return {
        "paid_by": options.get("duty_paid_by") or None,
        "account_number": options.get("duty_account_number") or None,
        "currency": options.get("currency") or left_of(order)[0].value_currency,
        "declared_value": sum(worth, Decimal(0)) if worth else None,
    }
