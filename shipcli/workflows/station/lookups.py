"""What an entry names: an order, a draft, or a shipment that is bought."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from shipcli.features.orders.fulfilment import MARK, list_covering
from shipcli.features.orders.packing import list_unfulfilled_lines, split_lines
from shipcli.features.orders.service import get_order
from shipcli.features.shipments.service import get_shipment
from shipcli.models import Conflict, Invalid, Order, Shipment
from shipcli.models.basics.errors import ShipcliError
from shipcli.models.parts.articles import find_sku
from shipcli.workflows.order_proposals import FulfilPlan, find_covered, list_customs_gaps, prepare_shipment
from shipcli.workflows.station.loads import Job
from shipcli.workflows.station.weighing import ParcelWeight

if TYPE_CHECKING:
    from shipcli.gateway.gateway import Gateway
    from shipcli.workflows.station.label_printing import LabelPrinting
    from shipcli.workflows.station.scans import Entry

SEVERAL = 20  # objects that one word may mean
CANCELLED = "cancelled"
_NUMBER = re.compile(r"#?[\w./-]{1,40}")


def look_up(gateway: Gateway, printing: LabelPrinting, entry: Entry) -> Job | None:
    """What an entry names by its whole number or id; None if nothing is called so.

    Errors: Conflict for an order that is cancelled, or if several are called so; those of the gateway.
    """
    for word in entry.words:
        order = _find_order(gateway, word)
        if order:
            return make_order_job(gateway, printing, order)
        shipment = _find_shipment(gateway, word)
        if shipment:
            return _make_shipment_job(gateway, printing, shipment)
    spellings = dict.fromkeys(spelling for word in entry.words for spelling in list_spellings(word))
    orders = (_find_order(gateway, spelling) for spelling in spellings)
    order = next(filter(None, orders), None)
    return make_order_job(gateway, printing, order) if order else None


def list_spellings(word: str) -> list[str]:
    """How else the number of an order may be written: with a # that one side leaves out, or in other case."""
    if not _NUMBER.fullmatch(word):
        return []
    bare = word.removeprefix("#")
    cases = dict.fromkeys((bare, bare.upper(), bare.lower()))
    return [spelling for each in cases for spelling in (each, f"#{each}") if spelling != word]


def _find_order(gateway: Gateway, word: str) -> Order | None:
    """Errors: Conflict if several orders have the number."""
    orders = [gateway.ask(get_order, str(row["id"])) for row in gateway.find("order", word, SEVERAL)]
    matches = [order for order in orders if word.casefold() in (order.order_id.casefold(), order.id)]
    standing = [order for order in matches if order.status != CANCELLED] or matches[:1]
    if len(standing) > 1:
        sources = ", ".join(order.source for order in standing)
        raise Conflict(f"{len(standing)} orders are called {word}: {sources}. Enter the id of one")
    return standing[0] if standing else None


def _find_shipment(gateway: Gateway, word: str) -> Shipment | None:
    """The shipment with an id, a number or a reference; bought ones first, the newest of them."""
    rows = gateway.find("shipment", word, SEVERAL)
    shipments = [gateway.ask(get_shipment, str(row["id"])) for row in rows]
    matches = [each for each in shipments if _is_called(each, word)]
    labels = [each for each in matches if each.tracking_number and each.status != CANCELLED]
    return next(iter([*labels, *matches]), None)


def _is_called(shipment: Shipment, word: str) -> bool:
    names = (shipment.id, shipment.tracking_number, shipment.shipment_identifier, shipment.reference)
    return word.casefold() in (str(name).casefold() for name in names if name)


def make_order_job(gateway: Gateway, printing: LabelPrinting, order: Order) -> Job:
    """An order as a job: what is left of it, or the label that covers it.

    Errors: Conflict if it is cancelled, or its label may or may not have been bought.
    """
    if order.status == CANCELLED:
        raise Conflict(f"{order.describe_cancelled()}{'' if order.host else ': do not pack it'}")
    if not list_unfulfilled_lines(order):
        return _make_covered_job(printing, order)
    return Job(
        order.order_id,
        order=order,
        expected=_expect_weight(gateway, order),
        gap=_find_gap(gateway, order),
        parcels=len(split_lines(order)),
        boxes=tuple(gateway.defaults.boxes()),
        barcodes=_find_barcodes(gateway, order),
    )


def _find_barcodes(gateway: Gateway, order: Order) -> dict[str, str]:
    """The barcodes of the articles that are products of this machine, by their SKU."""
    products = {sku: gateway.defaults.product(sku) for sku in set(map(find_sku, order.line_items)) - {""}}
    return {sku: product["barcode"] for sku, product in products.items() if product and "barcode" in product}


def _make_covered_job(printing: LabelPrinting, order: Order) -> Job:
    shipment = next(iter(list_covering(order)), None)
    if shipment is None or not shipment.tracking_number:
        message = find_covered(order).message or f"Nothing is left to ship of the order {order.order_id}"
        raise Conflict(message)
    return replace(make_bought_job(printing, order.order_id, shipment), covers=order.id)


def make_bought_job(printing: LabelPrinting, number: str, shipment: Shipment) -> Job:
    """A shipment that is bought, and what can be done about it."""
    label = f"{number} has a label: {shipment.tracking_number}"
    if shipment.status == CANCELLED:
        text = f"{label}, which is void"
    elif printing.is_printed(shipment):
        text = f"{label}. F5 prints another copy, F7 voids it"
    else:
        text = f"{label}, bought and not known to be printed. F5 prints it"
    return Job(number, shipment=shipment, trouble=text)


def _make_shipment_job(gateway: Gateway, printing: LabelPrinting, shipment: Shipment) -> Job:
    """A draft as a job; that of an order stands for the order."""
    order_id = (shipment.meta or {}).get(MARK)
    if shipment.status != "draft":
        return make_bought_job(printing, shipment.display_name, shipment)
    if order_id:
        return make_order_job(gateway, printing, gateway.ask(get_order, str(order_id)))
    weights = [(parcel.weight, parcel.weight_unit or "LB") for parcel in shipment.parcels]
    return Job(
        shipment.display_name,
        shipment=shipment,
        expected=_add_weights(weights),
        parcels=len(shipment.parcels),
        boxes=tuple(gateway.defaults.boxes()),
    )


def _expect_weight(gateway: Gateway, order: Order) -> ParcelWeight | None:
    """What the goods and their box weigh; None where that is not known."""
    try:
        data = prepare_shipment(gateway, order, FulfilPlan())
    except Invalid:
        return None
    return _add_weights([(getattr(parcel, "weight", None), getattr(parcel, "weight_unit", "KG"))
                         for parcel in data.parcels])  # fmt: skip


def _add_weights(weights: list[tuple[Any, str]]) -> ParcelWeight | None:
    units = {unit for _, unit in weights}
    if len(units) != 1 or not all(weight for weight, _ in weights):
        return None
    return ParcelWeight(sum(weight for weight, _ in weights), units.pop())


def _find_gap(gateway: Gateway, order: Order) -> str:
    """What customs ask for and the goods lack."""
    try:
        gaps = list_customs_gaps(gateway, FulfilPlan(), [order])
    except ShipcliError as error:
        return error.describe()
    return gaps[0][1] if gaps else ""
