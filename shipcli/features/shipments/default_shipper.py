"""Where parcels leave from when a command does not say: the default shipper."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from shipcli.config import SHIPPER
from shipcli.features.parts import nested as members
from shipcli.models import Invalid, NotFound
from shipcli.models.parts.address import copy_fields

if TYPE_CHECKING:
    from shipcli.features.core.app import App

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
NONE = (
    "No shipper is given and there is no default one: name one with --from ADDRESS, "
    "or set it once: shipcli addresses default ADDRESS"
)


def default_shipper(app: App) -> dict[str, Any]:
    """The address parcels leave from by default; in a sandbox without one a sample warehouse.

    Errors: Invalid on `shipper` when there is none; NotFound when it was deleted.
    """
    chosen = app.config[SHIPPER]
    found = members.find(app, "address", chosen) if chosen else None
    if found is not None:
        return copy_fields(found)
    if app.sandbox:
        return dict(SAMPLE)
    if chosen:
        text = f"The default shipper {chosen} is gone; set another: shipcli addresses default ADDRESS"
        raise NotFound("address", chosen, message=text)
    raise Invalid(SHIPPER, NONE)
