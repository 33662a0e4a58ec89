"""Bodies that are right, to change one thing at a time."""

from typing import Any

ADDRESS: dict[str, Any] = {
    "person_name": "Jane Doe",
    "address_line1": "125 Church St",
    "city": "Moncton",
    "country_code": "CA",
    "postal_code": "E1C4Z8",
    "state_code": "NB",
}
PARCEL: dict[str, Any] = {"weight": 1, "weight_unit": "KG"}
ITEM: dict[str, Any] = {"weight": "0.2", "weight_unit": "KG", "title": "Mug", "quantity": 2}
SHIPMENT: dict[str, Any] = {"shipper": ADDRESS, "recipient": ADDRESS, "parcels": [PARCEL]}
STORED_SHIPMENT: dict[str, Any] = {
    **SHIPMENT,
    "id": "shp_1",
    "rates": [
        {
            "id": f"rat_{number}",
            "carrier_name": "acme",
            "carrier_id": "acme-1",
            "service": "acme_ground",
            "total_charge": "12.30",
            "currency": "CAD",
            "extra_charges": [{"name": "Fuel", "amount": "1.20", "currency": "CAD"}],
            "meta": {"service_name": "ACME GROUND"},
        }
        for number in range(5)
    ],
}
