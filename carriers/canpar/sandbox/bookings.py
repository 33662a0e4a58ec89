"""What the simulated Canpar understands of a shipment that broke no rule."""

from __future__ import annotations

from datetime import date
from decimal import Decimal

from shipcli.carrier.desk import BookedItem, Booking, Party
from shipcli.carrier.json_paths import Json, as_list, get_path
from shipcli.models.units import convert_weight


def read_booking(shipment: Json) -> Booking:
    """A question or an order."""
    packages = as_list(shipment["packages"])
    chosen = {
        "extra_care": any(one.get("xc") == "true" for one in packages),
        "premium": "premium" in shipment,
        "dangerous": shipment.get("dg") == "true",
        "insurance": any("declared_value" in one for one in packages),
    }
    return Booking(
        shipper=_read_party(shipment["pickup_address"]),
        recipient=_read_party(shipment["delivery_address"]),
        weights=tuple(convert_weight(Decimal(one["reported_weight"]), "LB", "KG") for one in packages),
        service=shipment["service_type"],
        references=tuple(one.get("reference") for one in packages),
        extras=tuple(name for name, wanted in chosen.items() if wanted),
        items=tuple(_read_item(one) for one in as_list(get_path(shipment, "proforma/proforma_items"))),
        ship_date=date.fromisoformat(shipment["shipping_date"][:10]),
    )


def _read_item(item: Json) -> BookedItem:
    goods = item["commodity_info"]
    return BookedItem(
        description=goods["description"],
        quantity=int(item["quantity"]),
        value=Decimal(goods.get("value", 0)),
        origin=goods.get("country_of_origin", ""),
        code=goods.get("hs_code", ""),
    )


def _read_party(address: Json) -> Party:
    return Party(
        name=address.get("attention", ""),
        company=address["name"],
        lines=tuple(line for at in (1, 2) if (line := address.get(f"address_line_{at}"))),
        city=address["city"],
        state=address.get("province", ""),
        postal_code=address.get("postal_code", ""),
        country=address["country"],
        phone=address.get("phone", ""),
        residential=address["residential"] == "true",
    )
