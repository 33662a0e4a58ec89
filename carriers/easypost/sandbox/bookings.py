"""What the simulated EasyPost understands of a shipment that broke no rule."""

from __future__ import annotations

from datetime import date
from decimal import Decimal

from shipcli.carrier.desk import BookedItem, Booking, Party
from shipcli.carrier.json_paths import Json, as_list, get_path
from shipcli.models.units import convert_weight


def read_booking(body: Json, service: str = "") -> Booking:
    """Shapes: `service` is the carrier behind the hub and its service, as the price list has them."""
    options = body.get("options") or {}
    extras = {"saturday": "saturday_delivery", "signature": "delivery_confirmation"}
    day = options.get("label_date")
    return Booking(
        shipper=_party(body["from_address"]),
        recipient=_party(body["to_address"]),
        weights=(convert_weight(Decimal(str(body["parcel"]["weight"])), "OZ", "KG"),),
        service=service,
        reference=body.get("reference"),
        key=body.get("id"),
        extras=tuple(name for name, option in extras.items() if options.get(option)),
        items=tuple(_item(one) for one in as_list(get_path(body, "customs_info/customs_items"))),
        label=options.get("label_format") or "PNG",
        ship_date=date.fromisoformat(day[:10]) if day else None,
    )


def _party(address: Json) -> Party:
    return Party(
        name=address.get("name") or "",
        company=address.get("company") or "",
        lines=tuple(line for name in ("street1", "street2") if (line := address.get(name))),
        city=address.get("city") or "",
        state=address.get("state") or "",
        postal_code=address.get("zip") or "",
        country=address["country"],
        residential=bool(address.get("residential")),
    )


def _item(item: Json) -> BookedItem:
    return BookedItem(
        description=item["description"],
        quantity=int(item["quantity"]),
        value=Decimal(str(item.get("value") or 0)),
        currency=item.get("currency") or "USD",
        origin=item.get("origin_country") or "",
        code=item.get("hs_tariff_number") or "",
    )
