"""What the messages of FedEx's web services share: operations, log-in, parties, packages, options. Pure.

Source: RateService v28, ShipService v26, TrackService v18, PickupService v22, UploadDocumentService v19,
AddressValidationService v4.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from decimal import Decimal
from functools import cache, cached_property
from typing import Any, TypeAlias

from shipcli.carrier import Call, Reply, RequestOptions, load_catalogue
from shipcli.carrier.contents import choose_units, find_common_packaging, round_sides
from shipcli.carrier.wire.address_parts import wrap_lines
from shipcli.carrier.wire.json_paths import Json, drop_empty
from shipcli.carrier.wire.rounding import round_half_up, round_measure
from shipcli.carrier.wire.soap import SoapOperation, read_fault
from shipcli.carrier.wire.xml import Element, find
from shipcli.models import Address, Invalid, Message, Parcel, RateRequest, ShipmentRequest
from shipcli.models.basics.phones import split_extension

CATALOGUE = load_catalogue(__file__)
NAMESPACE = "http://fedex.com/ws/{}"
Request: TypeAlias = RateRequest | ShipmentRequest

LINE, LINES = 35, 3
NO_PHONE = "000-000-0000"  # a label needs a number
OWN_PACKAGING, EXPRESS = "YOUR_PACKAGING", "FDXE"
NOTHING_CHOSEN = RequestOptions(CATALOGUE.options, {})
GOOD, BAD = frozenset({"SUCCESS", "NOTE"}), frozenset({"ERROR", "FAILURE"})


# -- operations ------------------------------------------------------------------------------------


@cache
def operation(name: str) -> SoapOperation:
    schema = CATALOGUE.table("operations")[name]["schema"]
    prefix = schema.rpartition("/")[2]
    return SoapOperation(name, NAMESPACE.format(schema), prefix=prefix, content_type="application/xml")


def write_call(login: Json, name: str, body: Mapping[str, Any], **call: Any) -> Call:
    """The call of an operation with its log-in and version; what is left goes to `Call`."""
    facts = CATALOGUE.table("operations")[name]
    head = {
        **login,
        "TransactionDetail": {"CustomerTransactionId": facts["transaction"], **body.get("Transaction", {})},
        "Version": {
            "ServiceId": facts["service"],
            "Major": facts["major"],
            "Intermediate": 0,
            "Minor": 0,
        },
    }
    content = {key: value for key, value in body.items() if key != "Transaction"}
    return operation(name).call(facts["path"], drop_empty({**head, **content}), **call)


def read_replies(reply: Reply) -> list[Element]:
    """What the envelopes of an answer hold; some answers have several."""
    return [body[0] for body in reply.xml.iter("Body") if len(body)]


def read_messages(reply: Reply) -> list[Message]:
    """What is more than a note, each once; that of a tracking number names it."""
    messages = read_fault(reply)
    for name in ("Notifications", "Notification"):
        for node in reply.xml.iter(name):
            if find(node, "Severity", "SUCCESS") not in GOOD:
                messages.append(_message(node))
    return list(
        {(message.code, message.message, str(message.details)): message for message in messages}.values()
    )


def _message(node: Element) -> Message:
    parent = node.getparent()
    number = find(parent, "TrackingNumber") if parent is not None else None
    details = {"tracking_number": number} if number else None
    return Message(code=find(node, "Code"), message=find(node, "Message"), details=details)


def is_refusal(reply: Reply) -> bool:
    severities = {find(node, "HighestSeverity") for node in read_replies(reply)}
    return bool(severities & BAD) or bool(read_fault(reply))


def has_succeeded(reply: Reply) -> bool:
    return all(find(node, "HighestSeverity") in GOOD for node in read_replies(reply))


# -- a request with what its writers need beside it --------------------------------------------------


@dataclass(frozen=True)
class WebOrder:
    """Shapes: `moment` is when it leaves, on the clock of the shipper; `hub` that of SmartPost."""

    request: Request
    options: RequestOptions
    parcel_options: tuple[RequestOptions, ...]
    account: str
    moment: datetime
    hub: str | None = None

    @cached_property
    def units(self) -> tuple[str, str]:
        return choose_units(self.request)

    @property
    def packaging(self) -> str:
        return find_common_packaging(self.request.parcels, CATALOGUE.packaging, OWN_PACKAGING)

    def write_weight(self, value: Decimal | None) -> Json | None:
        return {"Units": self.units[0], "Value": round_measure(value)} if value else None

    def write_amount(self, value: Decimal | None, *currencies: str | None) -> Json:
        """Money in the first currency that is named, else in that of the account."""
        named = next((currency for currency in currencies if currency), None)
        return {
            "Currency": named or self.options.currency("USD"),
            "Amount": None if value is None else round_half_up(value),
        }

    def write_start(self, service: str | None, phone: str | None = None) -> Json:
        """How a shipment begins, priced or bought; `phone` stands in for one that is missing."""
        request, insured = self.request, self.options.insurance()
        unit, _ = self.units
        total = sum((parcel.weight_in(unit) for parcel in request.parcels), Decimal(0))
        return {
            "ShipTimestamp": f"{self.moment:%Y-%m-%dT%H:%M:%S}",
            "DropoffType": self.dropoff_type,
            "ServiceType": service,
            "PackagingType": self.packaging,
            "TotalWeight": self.write_weight(total),
            "TotalInsuredValue": self.write_amount(insured) if insured else None,
            "PreferredCurrency": self.options.text("currency"),
            "Shipper": {"AccountNumber": self.account, **write_party(request.shipper, phone)},
            "Recipient": write_party(request.recipient, phone),
        }

    def write_package(self, at: int, parcel: Parcel, group: int | None = None) -> Json:
        services = write_package_services if group is None else write_priced_services
        return {
            "SequenceNumber": at,
            "GroupPackageCount": group,
            "Weight": self.write_weight(parcel.weight_in(self.units[0])),
            "Dimensions": write_sizes(parcel, self.units[1]),
            "ItemDescription": parcel.description,
            "CustomerReferences": self.write_references(parcel),
            "SpecialServicesRequested": services(self.parcel_options[at - 1]),
        }

    def write_references(self, parcel: Parcel) -> list[Json]:
        """The parcel's own number, and those that FedEx bills by.

        Source: Ship service v26, CustomerReferenceType. Errors: Invalid for a number that is too long.
        """
        numbers = {"CUSTOMER_REFERENCE": parcel.reference_number or self.request.reference}
        for name, (kind, most) in CATALOGUE.table("references").items():
            number = self.options.text(name)
            if number and len(number) > most:
                raise Invalid(f"options.{name}", f"has up to {most} characters")
            numbers[kind] = number
        return [
            {"CustomerReferenceType": kind, "Value": number} for kind, number in numbers.items() if number
        ]

    @property
    def dropoff_type(self) -> str:
        """How the parcels get to FedEx, by its word of today or the one of the Web Services.

        Source: Ship service v26, DropoffType. Errors: Invalid naming the option for another word.
        """
        words = CATALOGUE.table("dropoff_types")
        named = (self.options.text("fedex_pickup_type") or "REGULAR_PICKUP").upper()
        if named not in words:
            raise Invalid("options.fedex_pickup_type", f"is one of {', '.join(words)}")
        return str(words[named])

    def write_smart_post(self) -> Json | None:
        if not self.hub:
            return None
        indicia = self.options.text("fedex_smart_post_allowed_indicia") or "PARCEL_SELECT"
        return {"Indicia": indicia, "HubId": self.hub}


# -- parties and packages --------------------------------------------------------------------------


def write_address(address: Address) -> Json:
    return {
        "StreetLines": wrap_lines(address.lines, LINE, LINES),
        "City": address.city,
        "StateOrProvinceCode": address.state_code,
        "PostalCode": address.postal_code,
        "CountryCode": address.country_code,
        "CountryName": address.country_name,
        "Residential": bool(address.residential),
    }


def write_place(address: Address) -> Json:
    """An address without the name of its country, for services that know none."""
    return {name: value for name, value in write_address(address).items() if name != "CountryName"}


def write_contact(address: Address, phone: str | None = None) -> Json | None:
    number, extension = split_extension(address.phone_number or phone or "")
    contact = {
        "PersonName": address.person_name,
        "CompanyName": address.company_name,
        "PhoneNumber": number or None,
        "PhoneExtension": extension or None,
        "EMailAddress": address.email,
    }
    names = (address.person_name, address.company_name, address.phone_number, address.email)
    return contact if any(names) else None


def write_party(address: Address, phone: str | None = None) -> Json:
    taxes = (address.federal_tax_id, address.state_tax_id)
    return {
        "Tins": [{"Number": tax} for tax in taxes if tax],
        "Contact": write_contact(address, phone),
        "Address": write_address(address),
    }


def write_package_services(options: RequestOptions) -> Json:
    """The special services of a package, as they are priced and ordered: somebody at the address signs where
    a signature is wanted.
    """
    signed = options.signature() or options.flag("fedex_signature_option")
    return {
        "SpecialServiceTypes": list(dict.fromkeys([*options.codes_at("package"), "SIGNATURE_OPTION"])),
        "SignatureOptionDetail": {"OptionType": "DIRECT" if signed else "SERVICE_DEFAULT"},
    }


def write_priced_services(options: RequestOptions) -> Json | None:
    """The same in a price question, which leaves out what is neither chosen nor billed."""
    services = write_package_services(options)
    return None if services == write_package_services(NOTHING_CHOSEN) else services


def write_sizes(parcel: Parcel, unit: str) -> Json | None:
    """Whole numbers from 1, of parcels in no packaging of FedEx. Source: ShipService v26, Dimensions."""
    sides = round_sides(parcel, unit)
    if sides is None or find_common_packaging([parcel], CATALOGUE.packaging, OWN_PACKAGING) != OWN_PACKAGING:
        return None
    length, width, height = sides
    return {"Length": length, "Width": width, "Height": height, "Units": unit}
