"""What SAPIENT's bodies share: addresses, packages, enhancements, the carriers behind. Pure.

Units: kilograms and centimetres to the hundredth, half up.
Source: SAPIENT API v4, Create Shipment.
"""

from __future__ import annotations

from decimal import Decimal

from shipcli.carrier import ChosenOption, RequestOptions, load_catalogue
from shipcli.carrier.contents import sum_goods
from shipcli.carrier.wire.json_paths import Json
from shipcli.carrier.wire.rounding import round_measure
from shipcli.models import Address, CancelRequest, Parcel, PickupCancelRequest, PickupRequest

CATALOGUE = load_catalogue(__file__)
DESK_OPTIONS = CATALOGUE.option_table("desk_options")
SAFEPLACE = "Safeplace"
REFUSED = frozenset({"false", "no", "0"})  # texts that say no to what others say yes to


def desk_options(request: PickupRequest | PickupCancelRequest | CancelRequest) -> RequestOptions:
    return RequestOptions(DESK_OPTIONS, request.options)


def code_of(service: str, usual: str) -> str:
    """The code of the carrier behind: the one whose name stands in the service's, else the account's."""
    words = CATALOGUE.table("carrier_words")
    return next((code for name, code in words.items() if f"_{name}_" in f"_{service}_"), usual)


def carrier_of(code: str) -> str:
    """Our word for a carrier behind the hub; an unknown code stands for itself."""
    return next(
        (slug for slug, carrier_code in CATALOGUE.table("carriers").items() if carrier_code == code), code
    )


def write_address(address: Address) -> Json:
    return {
        "ContactName": address.name or "N/A",
        "CompanyName": address.company_name,
        "ContactEmail": address.email,
        "ContactPhone": address.phone_number,
        "Line1": address.street,
        "Line2": address.address_line2,
        "Town": address.city,
        "Postcode": address.postal_code,
        "CountryCode": address.country_code,
    }


# -- packages --------------------------------------------------------------------------------------


def kilograms(parcel: Parcel) -> Decimal:
    return round_measure(parcel.weight_in("KG"))


def write_package(parcel: Parcel, at: int, count: int) -> Json:
    """Shapes: packages are counted from 1 where there are several."""
    packaging, sides = CATALOGUE.packaging.get(parcel.packaging_type), parcel.known_sides_in("CM")
    return {
        "PackageType": packaging.code if packaging else "Parcel",
        "PackageOccurrence": at if count > 1 else None,
        "DeclaredWeight": kilograms(parcel),
        "Dimensions": {name.title(): round_measure(side) for name, side in sides.items()},
        "DeclaredValue": sum_goods(parcel.items) or None,
    }


# -- enhancements ----------------------------------------------------------------------------------


def write_enhancements(options: RequestOptions) -> list[Json]:
    """The extras among the options, each by its code; what is insured is the first level of cover.

    Who wants a higher one names it: no document at hand says what the levels pay.
    """
    chosen = (choice for choice in options.list_chosen() if not choice.row.path)
    return [_enhancement(choice) for choice in chosen if str(choice.value).lower() not in REFUSED]


def _enhancement(choice: ChosenOption) -> Json:
    return {"Code": choice.code, **({"SafeplaceLocation": choice.value} if choice.code == SAFEPLACE else {})}
