"""Defaults for shipments, read from settings and store, whether the store is local or on a server."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import cache, partial
from typing import TYPE_CHECKING, Any

from shipcli.config import SHIPPER
from shipcli.features.book import nested
from shipcli.features.book.boxes import Boxes, list_boxes
from shipcli.features.book.methods import Methods, list_services_of_methods
from shipcli.features.book.products import find_product
from shipcli.features.connections.account_names import find_connections
from shipcli.models import Invalid, NotFound
from shipcli.models.basics.units import Units
from shipcli.models.parts.address import copy_fields

if TYPE_CHECKING:
    from shipcli.config import Config
    from shipcli.features.core.app import App

USUAL_LABEL = "PDF"
SAMPLE: dict[str, Any] = {
    "person_name": "Sandbox Warehouse",
    "company_name": "Sample Goods",
    "address_line1": "1500 Market St",
    "city": "Philadelphia",
    "state_code": "PA",
    "postal_code": "19102",
    "country_code": "US",
    "phone_number": "+1 215-555-0134",
    "email": "warehouse@example.com",
}
NO_SHIPPER = (
    "No shipper is given and there is no default one: name one with --from ADDRESS, "
    "or set it once: shipcli addresses default ADDRESS"
)


@dataclass(frozen=True)
class ShipDefaults:
    """The defaults; those that are expensive to look up are functions, called when needed.

    Shapes: `named` returns the connections for the names a user may give (NotFound suggesting the closest
            one), `address` a stored address or None, `shipper` the default one (Invalid if there is none),
            `boxes` the boxes saved on this machine, `product` the known fields of the product with a SKU, or
            None, `methods` the services by the methods that customers pay for.
    """

    now: datetime
    label_type: str
    currency: str | None
    units: Units
    named: Callable[[Sequence[str]], list[str]]
    address: Callable[[str], Mapping[str, Any] | None]
    shipper: Callable[[], dict[str, Any]]
    boxes: Callable[[], Boxes]
    product: Callable[[str], Mapping[str, Any] | None]
    methods: Callable[[], Methods]


def find_default_shipper(app: App) -> dict[str, Any]:
    """Return the default shipper address; a sandbox without one uses a sample warehouse.

    Errors: Invalid on `shipper` if there is none; NotFound if it was deleted.
    """
    chosen = app.config[SHIPPER]
    address = nested.find(app, "address", chosen) if chosen else None
    if address is not None:
        return copy_fields(address)
    if app.sandbox:
        return dict(SAMPLE)
    if chosen:
        text = f"The default shipper {chosen} is gone; set another: shipcli addresses default ADDRESS"
        raise NotFound("address", chosen, message=text)
    raise Invalid(SHIPPER, NO_SHIPPER)


def read_defaults(app: App) -> ShipDefaults:
    """Read the defaults from the settings and the store of this machine."""
    return ShipDefaults(
        now=app.now(),
        label_type=app.config["label_type"] or USUAL_LABEL,
        currency=app.config["currency"] or None,
        units=read_units(app.config),
        named=partial(find_connections, app),
        address=partial(nested.find, app, "address"),
        shipper=partial(find_default_shipper, app),
        boxes=cache(partial(list_boxes, app)),
        product=partial(find_product, app),
        methods=cache(partial(list_services_of_methods, app)),
    )


def read_units(config: Config) -> Units:
    """Return the units that the settings define for numbers without a unit."""
    return Units(config["weight_unit"] or None, config["size_unit"] or None)
