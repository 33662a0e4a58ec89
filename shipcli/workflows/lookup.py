"""Shipments and accounts that several workflows look up."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

from shipcli.carrier import registry
from shipcli.features.connections.filters import CONNECTIONS
from shipcli.features.core.shipment_lookup import is_return
from shipcli.features.shipments.filters import SHIPMENTS
from shipcli.features.shipments.returns import filter_returns
from shipcli.features.shipments.service import get_shipment
from shipcli.gateway.where import make_where
from shipcli.models import Connection, Shipment
from shipcli.models.basics.text import find_nearest

if TYPE_CHECKING:
    from shipcli.gateway.gateway import Gateway


def list_purchased(gateway: Gateway, **filters: Any) -> list[Shipment]:
    """The shipments that are bought and, as far as is known, have not left yet; oldest first.

    Shapes: `filters` are those of the list of shipments.
    """
    rows = gateway.each("shipment", make_where(SHIPMENTS, {"status": "purchased", **filters}))
    return [Shipment.model_validate(row) for row in rows][::-1]


def select_leaving(shipments: Iterable[Shipment]) -> list[Shipment]:
    """The shipments that we hand over; returns are handed over by customers, wherever they are."""
    return [shipment for shipment in shipments if not is_return(shipment)]


def list_accounts(gateway: Gateway, capability: str | None = None) -> list[Connection]:
    """The active connections, or those that have a capability, newest first."""
    rows = gateway.each("connection", make_where(CONNECTIONS, {"active": True}))
    every = map(Connection.model_validate, rows)
    return [
        connection
        for connection in every
        if capability is None or capability in (connection.capabilities or [capability])
    ]


def suggest_carrier(gateway: Gateway, name: str | None) -> str:
    """What ends a sentence about something that is neither a carrier nor a connection: which was meant."""
    accounts = list_accounts(gateway) if name else []
    names = {one for account in accounts for one in (account.carrier_name, account.carrier_id)}
    known = {*registry.list_slugs(), *names}
    near = find_nearest(name, known) if name and name not in known else None
    return f"; did you mean {near}?" if near else ""


def list_returns(gateway: Gateway, shipment_ids: Iterable[str]) -> list[dict[str, Any]]:
    """The returns of shipments, oldest first."""
    returns = [
        row
        for shipment_id in shipment_ids
        for row in gateway.each("shipment", make_where(SHIPMENTS, filter_returns(shipment_id)))
    ]
    return sorted(returns, key=lambda row: str(row["created_at"]))


def find_shipment(gateway: Gateway, word: str) -> Shipment | None:
    """The shipment with an id or a number."""
    matches = gateway.find("shipment", word, 1)
    return gateway.ask(get_shipment, str(matches[0]["id"])) if matches else None
