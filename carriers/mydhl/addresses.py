"""Whether MyDHL delivers to an address. Pure. Source: MyDHL API 3.1.1, GET /address-validate."""

from __future__ import annotations

from shipcli.carrier.wire.json_paths import Json, as_list, drop_empty
from shipcli.models import Address, AddressValidationDetails, Invalid
from shipcli.models.basics.reference import list_states


def write_question(address: Address) -> Json:
    """Errors: Invalid for an address without a country."""
    if not address.country_code:
        raise Invalid("address.country_code", "is missing: DHL asks for it")
    question = {
        "type": "delivery",
        "countryCode": address.country_code,
        "postalCode": address.postal_code,
        "cityName": address.city,
        "strictValidation": "true",
    }
    return dict(drop_empty(question))


def read_answer(body: Json) -> AddressValidationDetails:
    """The first of the places that fit; its county is a state where the country has one of that code."""
    places = as_list(body.get("address"))
    if not places:
        return AddressValidationDetails(success=False)
    first = places[0]
    country, county = first.get("countryCode"), first.get("countyName")
    is_state = county in list_states().get(country or "", {})
    found = Address(
        postal_code=str(first["postalCode"]) if first.get("postalCode") else None,
        city=first.get("cityName"),
        country_code=country,
        state_code=county if is_state else None,
    )
    return AddressValidationDetails(success=True, complete_address=found)
