"""The addresses, parcels and bodies that tests of the whole house begin with."""

from __future__ import annotations

from typing import Any

from shipcli.models import ShipmentData

SHIPPER = {
    "person_name": "Dock Two", "company_name": "Harbour Goods",
    "address_line1": "2600 Benjamin Franklin Pkwy",
    "city": "Philadelphia", "state_code": "PA", "postal_code": "19130", "country_code": "US",
    "phone_number": "+1 215-763-8100",
}  # fmt: skip
RECIPIENT = {
    "person_name": "Ana Ruiz", "address_line1": "1625 N Central Ave", "city": "Phoenix", "state_code": "AZ",
    "postal_code": "85004", "country_code": "US",
}  # fmt: skip
ABROAD = {
    "person_name": "Zoë Müller", "address_line1": "Pariser Platz 1", "city": "Berlin", "postal_code": "10117",
    "country_code": "DE",
}  # fmt: skip
CANADA = {
    "person_name": "Jean Roy", "address_line1": "1230 Tako Rd", "city": "Ottawa", "state_code": "ON",
    "postal_code": "K1A0B1", "country_code": "CA", "phone_number": "+1 613-555-0100",
    "email": "dock@example.com",
}  # fmt: skip
FARTHER = {
    **CANADA,
    "person_name": "Marie Roy",
    "city": "Montreal",
    "postal_code": "H2B1A0",
    "state_code": "QC",
}
CANADIAN = {
    "person_name": "Jo Poste", "address_line1": "125 Legget Dr", "city": "Kanata", "state_code": "ON",
    "postal_code": "K2K1Y6", "country_code": "CA",
}  # fmt: skip
PARCEL = {"weight": 5, "weight_unit": "LB", "width": 12, "height": 8, "length": 16, "dimension_unit": "IN"}
ITEM = {"weight": 1, "weight_unit": "KG", "title": "Cup", "quantity": 2}


def body(**changes: Any) -> dict[str, Any]:
    return {"shipper": SHIPPER, "recipient": RECIPIENT, "parcels": [PARCEL], "reference": "SO-1", **changes}


def draft(**changes: Any) -> ShipmentData:
    return ShipmentData.model_validate(body(**changes))
