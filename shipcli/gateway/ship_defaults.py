"""The defaults that need not be typed, as a server knows them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cache
from typing import TYPE_CHECKING, Any

from shipcli.config import SHIPPER, Config
from shipcli.features.book.addresses import get_address
from shipcli.features.book.boxes import list_boxes
from shipcli.features.book.methods import list_services_of_methods
from shipcli.features.book.products import find_product
from shipcli.features.connections.account_names import Names, select_connections
from shipcli.features.paper.printing.rendering import choose_label_type
from shipcli.features.shipments.defaults import (
    NO_SHIPPER,
    SAMPLE,
    USUAL_LABEL,
    ShipDefaults,
    read_units,
)
from shipcli.gateway.where import ListFilter
from shipcli.models import Invalid, NotFound
from shipcli.models.parts.address import copy_fields
from shipcli.store.errors import StoreError

if TYPE_CHECKING:
    from shipcli.features.core.app import App
    from shipcli.gateway.gateway import Gateway


def read_server_defaults(server: Gateway, open_own: Callable[[], App]) -> ShipDefaults:
    """The facts of the settings of this machine and of the store of that server."""

    @cache
    def every() -> list[Names]:
        return name_connections(list_active_connections(server))

    def select_named(names: Sequence[str]) -> list[str]:
        return select_connections(every(), names) if names else []

    def address(id: str) -> Mapping[str, Any] | None:
        try:
            fields: Mapping[str, Any] = server.ask(get_address, id).model_dump()
        except NotFound:
            return None
        return fields

    def shipper() -> dict[str, Any]:
        fields = address(server.config[SHIPPER]) if server.config[SHIPPER] else None
        if fields is None and server.is_sandbox:
            return dict(SAMPLE)
        if fields is None:
            raise Invalid(SHIPPER, NO_SHIPPER)
        return copy_fields(fields)

    config = server.config
    return ShipDefaults(
        server.now(),
        _find_label_type(config, open_own),
        config["currency"] or None,
        read_units(config),
        select_named,
        address,
        shipper,
        cache(lambda: list_boxes(open_own())),
        lambda sku: find_product(open_own(), sku),
        cache(lambda: list_services_of_methods(open_own())),
    )


def _find_label_type(config: Config, open_own: Callable[[], App]) -> str:
    """The label format for the printer of this machine; that of the settings if its store can't be used."""
    try:
        return choose_label_type(open_own())
    except StoreError:
        return config["label_type"] or USUAL_LABEL


def list_active_connections(server: Gateway) -> list[Mapping[str, Any]]:
    """The active connections."""
    return list(server.each("connection", ListFilter({"active": True})))


def name_connections(rows: Iterable[Mapping[str, Any]]) -> list[Names]:
    """The names of connections, and the other names people may use for each."""
    return [(str(row["carrier_id"]), {str(row["carrier_id"]), str(row["carrier_name"])}) for row in rows]
