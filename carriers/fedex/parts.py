"""What the bodies of FedEx share: addresses, parties, packages, units, money, options. Pure."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date
from decimal import Decimal
from functools import cached_property
from typing import TypeAlias

from shipcli.carrier import RequestOptions, load_catalogue
from shipcli.carrier.contents import choose_units, find_common_packaging, holds_only_documents, round_sides
from shipcli.carrier.wire.address_parts import cut_text, wrap_lines
from shipcli.carrier.wire.json_paths import Json
from shipcli.carrier.wire.rounding import round_half_up, round_measure
from shipcli.models import Address, Invalid, Parcel, RateRequest, ShipmentRequest
from shipcli.models.basics.phones import split_extension
from shipcli.models.basics.reference import find_currency

CATALOGUE = load_catalogue(__file__)
Request: TypeAlias = RateRequest | ShipmentRequest

LINE, LINES = 35, 3
NO_PHONE = "0000000000"  # FedEx wants a number
OWN_PACKAGING = "YOUR_PACKAGING"
UNSIGNED, HOLD = "SERVICE_DEFAULT", "HOLD_AT_LOCATION"
PICKUP_TYPES = ("DROPOFF_AT_FEDEX_LOCATION", "USE_SCHEDULED_PICKUP", "CONTACT_FEDEX_TO_SCHEDULE")


@dataclass(frozen=True)
class Consignment:
    """A request with what its writers need beside it: options, the account, the day, the parcels' options."""

    request: Request
    options: RequestOptions
    parcel_options: tuple[RequestOptions, ...]
    account: str | None
    day: date
    hub: str | None = None  # of SmartPost

    @property
    def is_abroad(self) -> bool:
        return self.request.shipper.country_code != self.request.recipient.country_code

    @cached_property
    def units(self) -> tuple[str, str]:
        return choose_units(self.request)

    @cached_property
    def currency(self) -> str:
        home_currency = find_currency(self.request.shipper.country_code or "")
        return self.options.currency(home_currency or "USD") or "USD"

    @cached_property
    def packaging(self) -> str:
        return find_common_packaging(self.request.parcels, CATALOGUE.packaging, OWN_PACKAGING)

    @property
    def is_document(self) -> bool:
        return holds_only_documents(self.request.parcels)

    def write_amount(self, value: Decimal, currency: str | None = None) -> Json:
        return {"amount": round_half_up(value), "currency": currency or self.currency}

    def total_weight(self) -> Decimal:
        """Units: pounds, always. Source: Ship and Rate API, totalWeight."""
        return round_measure(sum((parcel.weight_in("LB") for parcel in self.request.parcels), Decimal(0)))

    @property
    def pickup_type(self) -> str:
        """How FedEx gets the parcels: handed in, unless another way is named.

        Errors: Invalid for a way that FedEx has not.
        """
        named = (self.options.text("fedex_pickup_type") or PICKUP_TYPES[0]).upper()
        if named not in PICKUP_TYPES:
            raise Invalid("options.fedex_pickup_type", f"is one of {', '.join(PICKUP_TYPES)}")
        return named

    def covers(self) -> list[Decimal | None]:
        """What FedEx is to answer for, of each parcel: the insurance, else the declared value."""
        return [options.insurance() or options.amount("declared_value") for options in self.parcel_options]


# -- addresses -------------------------------------------------------------------------------------


def write_address(address: Address) -> Json:
    """Quebec is PQ at FedEx. Source: recorded requests."""
    quebec = address.country_code == "CA" and (address.state_code or "").upper() == "QC"
    return {
        "streetLines": wrap_lines(address.lines, LINE, LINES),
        "city": address.city,
        "stateOrProvinceCode": "PQ" if quebec else address.state_code,
        "postalCode": address.postal_code,
        "countryCode": address.country_code,
        "residential": bool(address.residential),
    }


def write_party(address: Address, *phones: str | None, person: str | None = None) -> Json:
    """An address with who is there. `phones` stand in for a number that is missing."""
    phone, extension = split_extension(next(filter(None, (address.phone_number, *phones)), NO_PHONE))
    tax = address.federal_tax_id or address.state_tax_id
    kind = "FEDERAL" if address.federal_tax_id else "BUSINESS_STATE"
    return {
        "address": write_address(address),
        "contact": {
            "personName": cut_text(person if person is not None else address.name, LINE),
            "emailAddress": address.email,
            "phoneNumber": phone,
            "phoneExtension": extension or None,
            "companyName": cut_text(address.company_name, LINE),
        },
        "tins": [{"number": tax, "tinType": kind}] if tax else None,
    }


def write_priced_address(address: Address) -> Json:
    """An address as FedEx prices it, without its street. Source: Rate API, RateAddress."""
    return {name: value for name, value in write_address(address).items() if name != "streetLines"}


# -- packages --------------------------------------------------------------------------------------


def write_package(consignment: Consignment, parcel: Parcel) -> Json:
    weight_unit, size_unit = consignment.units
    own_packaging = find_common_packaging([parcel], CATALOGUE.packaging, OWN_PACKAGING) == OWN_PACKAGING
    return {
        "groupPackageCount": 1,
        "weight": {"units": weight_unit, "value": round_measure(parcel.weight_in(weight_unit))},
        "dimensions": write_sizes(parcel, size_unit) if own_packaging else None,
    }


def write_sizes(parcel: Parcel, unit: str) -> Json | None:
    """Whole numbers from 1, rounded up. Source: Ship API, Dimensions."""
    sides = round_sides(parcel, unit)
    if sides is None:
        return None
    length, width, height = sides
    return {"length": length, "width": width, "height": height, "units": unit}


def write_smart_post(consignment: Consignment) -> Json | None:
    if not consignment.hub:
        return None
    indicia = consignment.options.text("fedex_smart_post_allowed_indicia") or "PARCEL_SELECT"
    return {"hubId": consignment.hub, "indicia": indicia}


# -- special services ------------------------------------------------------------------------------


def write_shipment_services(options: RequestOptions) -> Json:
    """The special services of a shipment, as they are priced and ordered."""
    cash, returned = options.amount("fedex_cod"), options.flag("fedex_return_shipment")
    place = read_hold_location(options)
    held = [HOLD] if place else []
    return {
        "specialServiceTypes": list(dict.fromkeys([*options.codes_at("shipment"), *held])),
        "holdAtLocationDetail": {"locationId": place} if place else None,
        "shipmentCODDetail": {"codCollectionType": "CASH"} if cash else None,
        "returnShipmentDetail": {"returnType": "PRINT_RETURN_LABEL"} if returned else None,
    }


def read_hold_location(options: RequestOptions) -> str | None:
    """The id of the place where a shipment is held. Source: Ship API, HoldAtLocationDetail.

    Errors: Invalid for a shipment that is to be held nobody knows where.
    """
    place = options.text("fedex_hold_location_id")
    if options.flag("fedex_hold_at_location") and not place:
        text = "needs the id of a place in options.hold_at_location: shipcli locations --carrier fedex"
        raise Invalid("options.fedex_hold_at_location", text)
    return place


def write_package_services(options: RequestOptions) -> Json:
    """The special services of a package, as they are priced and ordered."""
    return {
        "specialServiceTypes": list(dict.fromkeys([*options.codes_at("package"), "SIGNATURE_OPTION"])),
        "signatureOptionType": read_signature(options),
    }


def write_priced_services(options: RequestOptions) -> Json | None:
    """The same in a price question, which leaves out what is neither chosen nor billed."""
    usual = {"specialServiceTypes": ["SIGNATURE_OPTION"], "signatureOptionType": UNSIGNED}
    services = write_package_services(options)
    return None if services == usual else services


def read_signature(options: RequestOptions) -> str:
    """Whose signature is wanted, in FedEx's word: that of somebody at the address, unless one is named.

    Errors: Invalid for a word that FedEx has not.
    """
    named, signatures = options.text("fedex_signature_option"), CATALOGUE.table("signatures")
    if not named:
        return "DIRECT" if options.signature() else UNSIGNED
    if named.lower() not in signatures:
        raise Invalid("options.fedex_signature_option", f"is one of {', '.join(signatures)}")
    return str(signatures[named.lower()])
