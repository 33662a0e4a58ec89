"""What is left to do at the end of a day: orders and shipments without a label, and shipments on no form."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from itertools import chain
from typing import TYPE_CHECKING, Any

from shipcli.features.connections.intent_states import RESOLVED
from shipcli.features.orders.filters import ORDERS
from shipcli.features.orders.fulfilment import MARK
from shipcli.features.shipments.filters import SHIPMENTS
from shipcli.gateway.where import make_where
from shipcli.models import Shipment
from shipcli.workflows.end_of_day import DayLine, ManifestGroup, filter_by_carrier, group_shipments
from shipcli.workflows.lookup import list_purchased, select_leaving
from shipcli.workflows.open_orders import OPEN_ORDERS

if TYPE_CHECKING:
    from shipcli.features.core.filters import Rules
    from shipcli.gateway.gateway import Gateway

WITHOUT_LABEL = ("draft", "needs_attention")


@dataclass(frozen=True)
class OpenDay:
    """What lacks a label, one line each, orders first; and the bought shipments that are on no form yet."""

    orders: tuple[DayLine, ...]
    shipments: tuple[DayLine, ...]
    groups: tuple[ManifestGroup, ...]

    @property
    def lacking(self) -> tuple[DayLine, ...]:
        """All that lacks a label."""
        return self.orders + self.shipments


def read_open_day(gateway: Gateway, carrier: str | None = None) -> OpenDay:
    """The day, its groups of one carrier (slug or friendly name) or of all; oldest first.

    Shipments on a form have left, and fulfilled orders have their labels: neither are read.
    """
    orders = list(_read(gateway, "order", ORDERS, OPEN_ORDERS))
    ids = {order["id"] for order in orders}
    bought = list_purchased(gateway, has_manifest=False)
    unbought = map(Shipment.model_validate, _read(gateway, "shipment", SHIPMENTS, WITHOUT_LABEL))
    lines = (
        find_missing_label(shipment)
        for shipment in chain(unbought, bought)
        if find_order_id(shipment) not in ids
    )
    return OpenDay(
        tuple(map(_make_order_line, orders)),
        tuple(line for line in lines if line),
        tuple(filter_by_carrier(group_shipments(gateway, select_leaving(bought)), carrier)),
    )


def _read(gateway: Gateway, kind: str, rules: Rules, statuses: tuple[str, ...]) -> chain[dict[str, Any]]:
    """The objects with these statuses, status by status, oldest first.

    In one query the store would have to search all objects for them.
    """
    lists = (list(gateway.each(kind, make_where(rules, {"status": status}))) for status in statuses)
    return chain.from_iterable(rows[::-1] for rows in lists)


def find_order_id(shipment: Shipment) -> str | None:
    """The order that a draft was made for; None for other shipments."""
    if shipment.status != "draft":
        return None
    return (shipment.meta or {}).get(MARK) or shipment.metadata.get(MARK)


def _make_order_line(order: Mapping[str, Any]) -> DayLine:
    to = order.get("shipping_to") or {}
    facts = [order["status"], to.get("person_name") or to.get("company_name"), to.get("city")]
    detail = f"order {order['order_id']}: {', '.join(fact for fact in facts if fact)}"
    return DayLine("no_label", orders=(str(order["id"]),), detail=detail)


def find_missing_label(shipment: Shipment) -> DayLine | None:
    """What a shipment still needs before it can be sent; None if nothing."""
    if shipment.status in WITHOUT_LABEL:  # one with a number was sold and has trouble on its way
        return (
            None if shipment.tracking_number else _report_lacking(shipment, shipment.status.replace("_", " "))
        )
    if shipment.label_url or (shipment.meta or {}).get(RESOLVED):  # a person holds the label
        return None
    return _report_lacking(shipment, "bought, but the label file is missing")


def _report_lacking(shipment: Shipment, why: str) -> DayLine:
    named = shipment.reference or shipment.tracking_number or shipment.id
    detail = f"shipment {named}: {', '.join(fact for fact in (why, shipment.recipient.name) if fact)}"
    return DayLine(
        "no_label", shipment.carrier_name, shipment.carrier_id, None, (shipment.id,), detail=detail
    )
