"""Bodies of shipments and price requests as a bench types them: short, the rest filled in."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from shipcli.carrier import registry
from shipcli.models import Invalid, nearest
from shipcli.services import members
from shipcli.services.accounts import connections_named
from shipcli.services.warehouse import default_shipper

if TYPE_CHECKING:
    from shipcli.services.app import App

SIZES = ("length", "width", "height", "dimension_unit")


def completed(app: App, body: Mapping[str, Any], parcel: Mapping[str, Any] | None = None) -> dict[str, Any]:
    """A body with what a bench need not type: shipper, the recipient's country, the label format.

    `parcel` is what was weighed and measured: it fills or overrides the only parcel.
    Errors: Invalid, NotFound.
    """
    full = {"label_type": app.config["label_type"], **body}
    full["shipper"] = full.get("shipper") or default_shipper(app)
    recipient = full.get("recipient")
    if isinstance(recipient, Mapping) and not recipient.get("id"):
        full["recipient"] = {"country_code": country_of(app, full["shipper"]), **recipient}
    if full.get("carrier_ids"):
        full["carrier_ids"] = connections_named(app, full["carrier_ids"])
    if parcel:
        full["parcels"] = [{**only_parcel(full.get("parcels") or [{}]), **boxed(parcel)}]
    return full


def country_of(app: App, address: Any) -> str | None:
    """The country of an address given as a body or by its id."""
    if isinstance(address, Mapping) and address.get("id"):
        address = members.find(app, "address", address["id"])
    return address.get("country_code") if isinstance(address, Mapping) else None


def only_parcel(parcels: Sequence[Any]) -> Any:
    """Errors: Invalid when there are several: one weight can't be meant for all."""
    if len(parcels) != 1:
        raise Invalid("parcels", f"There are {len(parcels)} parcels; weight, size and box are for one.")
    return parcels[0]


def boxed(parcel: Mapping[str, Any]) -> dict[str, Any]:
    """Facts of a parcel; in another box it has that box's sizes, unless they were measured.

    Errors: Invalid on `package_preset` naming the nearest box.
    """
    name = parcel.get("package_preset")
    if not name:
        return dict(parcel)
    known = {preset.slug for kind in registry.working() for preset in kind.presets}
    if name not in known:
        near = nearest(name, known)
        hint = f"Did you mean {near}?" if near else "See: shipcli parcels presets"
        raise Invalid("package_preset", f"There is no box {name!r}. {hint}")
    return {**dict.fromkeys(SIZES), **parcel}
