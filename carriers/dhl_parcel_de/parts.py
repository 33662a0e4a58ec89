"""What the orders of DHL Parcel DE share: addresses, boxes and services. Pure.

Units: kilograms to the gram, whole centimetres. Countries have three letters.
Source: Parcel DE Shipping (Post & Parcel Germany) 2.1.13: Shipper, Consignee, ShipmentDetails, VAS.
"""

from __future__ import annotations

import re
from decimal import Decimal
from typing import Any, NamedTuple

from shipcli.carrier import ChosenOption, RequestOptions, load_catalogue
from shipcli.carrier.wire.address_parts import cut_text, fit_email, split_name, split_street, wrap_lines
from shipcli.carrier.wire.json_paths import Json, set_path
from shipcli.carrier.wire.rounding import THOUSANDTH, round_measure, round_up
from shipcli.models import Address, Invalid, Parcel, ShipmentRequest
from shipcli.models.basics.reference import find_iso3

CATALOGUE = load_catalogue(__file__)
HOME, CURRENCY = "DE", "EUR"
NAME, HOUSE, MORE, CONTACT = 50, 10, 60, 80  # the longest name, house number, further line, contact
SHORTEST = 3  # a name or an address of a contact
RETURN_PROCEDURE = "07"  # the eleventh and twelfth digit of a billing number for returns
SERVICES = "services"  # the level of the options that are services
COLLECTION, IDENTITY, RETURN_LABEL, DROP_POINT = (
    "cashOnDelivery",
    "identCheck",
    "dhlRetoure",
    "closestDropPoint",
)
ACCOUNT = "bankAccount"  # the member of a collection


# -- addresses -------------------------------------------------------------------------------------


def write_country(code: str | None) -> str | None:
    return (find_iso3(code) or code) if code else None


def write_shipper(address: Address) -> Json:
    """The sender, whose further line is one of the name: the form has no other for it."""
    street, house, addition = split_lines(address)
    return {
        **write_names(address.company_name, address.person_name, addition),
        "addressStreet": street,
        "addressHouse": house,
        **write_place(address),
        "contactName": write_contact(address.person_name),
        "email": fit_email(address.email, CONTACT),
    }


def write_home(address: Address) -> Json:
    """A recipient at a house; states of the USA are told with their country."""
    street, house, addition = split_lines(address)
    lines = wrap_lines([addition] if addition else [], MORE, 2)
    state = address.state_code
    return {
        **write_names(address.company_name, address.person_name),
        "addressStreet": street,
        "addressHouse": house,
        **{f"additionalAddressInformation{at}": line for at, line in enumerate(lines, 1)},
        **write_place(address),
        "state": f"US-{state}" if state and address.country_code == "US" else state,
        "contactName": write_contact(address.person_name),
        "phone": address.phone_number,
        "email": fit_email(address.email, CONTACT),
    }


def write_names(*names: str | None) -> Json:
    lines = wrap_lines([name for name in names if name], NAME, 3)
    return {f"name{at}": line for at, line in enumerate(lines, 1)}


def write_place(address: Address) -> Json:
    country = write_country(address.country_code)
    return {"postalCode": address.postal_code, "city": address.city, "country": country}


def write_contact(text: str | None) -> str | None:
    contact = cut_text(text, CONTACT)
    return contact if contact and len(contact) >= SHORTEST else None


def split_lines(address: Address) -> tuple[str | None, str | None, str | None]:
    """The street, the house number, and what else there is.

    A number stands in the second line where the first has none; one that is too long stays with the street.
    """
    street, second = split_street(address), address.address_line2
    if street.number and len(street.number) > HOUSE:
        whole = " ".join(filter(None, (address.address_line1, address.street_number)))
        return whole, None, second
    if not street.number and second and re.fullmatch(r"\d\S{0,9}", second):
        return street.name, second, None
    return street.name, street.number, second


# -- drop points -----------------------------------------------------------------------------------


class DropPointForm(NamedTuple):
    """A kind of place where a recipient in Germany collects: how addresses name it, its member and option."""

    member: str
    option: str
    title: str
    pattern: re.Pattern[str]


LOCKER = DropPointForm(
    "lockerID",
    "dhl_parcel_de_locker_id",
    "a Packstation",
    re.compile(r"(?:DHL[ -]?)?Packstation\s*(?:Nr\.?\s*)?(?P<number>[1-9]\d\d)\b", re.IGNORECASE),
)
BRANCH = DropPointForm(
    "retailID",
    "dhl_parcel_de_retail_id",
    "a branch of the post",
    re.compile(
        r"(?:Postfiliale|(?:DHL[ -]?)?Paketshop)\s*(?:Nr\.?\s*)?(?P<number>[4-9]\d\d)\b", re.IGNORECASE
    ),
)
PO_BOX = DropPointForm(
    "poBoxID",
    "dhl_parcel_de_po_box_id",
    "a PO box",
    re.compile(r"Postfach\s*(?:Nr\.?\s*)?(?P<number>\d[\d ]{1,11})", re.IGNORECASE),
)
NAMED_POINT = "dhl_parcel_de_hold_location_id"  # PACKSTATION-118, as places are found
POST_NUMBER_OPTION = "dhl_parcel_de_post_number"
POST_NUMBER = re.compile(r"(?:Post\W{0,2}(?:nummer|number|nr|no)\W{0,2})?(\d{6,10})", re.IGNORECASE)


def write_consignee(address: Address, options: RequestOptions) -> Json:
    """The recipient at home, or in Germany at a Packstation, a branch or a PO box.

    Errors: Invalid for a drop point abroad, or one without what it needs, and for neither street nor point.
    """
    point = find_drop_point(address, options)
    if point is None:
        if options.text(POST_NUMBER_OPTION):
            raise Invalid(f"options.{POST_NUMBER_OPTION}", "goes with a Packstation or a branch of the post")
        if not address.address_line1:
            raise Invalid("recipient.address_line1", "DHL needs a street, or a drop point")
        return write_home(address)
    form, number = point
    if not address.postal_code:
        raise Invalid("recipient.postal_code", f"{form.title} needs it")
    destination = {form.member: number, **write_place(address)}
    if form is PO_BOX:
        return {**write_names(address.company_name, address.person_name), **destination}
    post_number, email = find_post_number(address, options), fit_email(address.email, CONTACT)
    if post_number is None and (form is LOCKER or not email):
        text = f"{form.title} needs the post number of the recipient, 6 to 10 digits"
        raise Invalid(f"options.{POST_NUMBER_OPTION}", text)
    name = cut_text(address.person_name or address.company_name, NAME)
    return {
        "name": name,
        **destination,
        "postNumber": post_number,
        "email": email if form is BRANCH else None,
    }


def find_drop_point(address: Address, options: RequestOptions) -> tuple[DropPointForm, int] | None:
    """Errors: Invalid for an option that names one abroad."""
    for form in (LOCKER, BRANCH, PO_BOX):
        number = options.value(form.option)
        if number is not None and address.country_code != HOME:
            raise Invalid(f"options.{form.option}", "is for recipients in Germany")
        if number is not None:
            return form, int(number)
    named = (options.text(NAMED_POINT) or "").replace("-", " ")
    if named and address.country_code != HOME:
        raise Invalid(f"options.{NAMED_POINT}", "is for recipients in Germany")
    for form in (LOCKER, BRANCH):
        if match := form.pattern.fullmatch(named):
            return form, int(match["number"])
    for form in (LOCKER, BRANCH, PO_BOX) if address.country_code == HOME else ():
        for line in list_lines(address):
            if match := form.pattern.match(line):
                return form, int(match["number"].replace(" ", ""))
    return None


def find_post_number(address: Address, options: RequestOptions) -> str | None:
    """By its option, else from a line of the address, or from that of the company, where shops put it."""
    if number := options.text(POST_NUMBER_OPTION):
        return number
    for line in (*list_lines(address), address.company_name or ""):
        for form in (LOCKER, BRANCH):
            line = form.pattern.sub("", line).strip(" ,;/")
        if match := POST_NUMBER.fullmatch(line):
            return match[1]
    return None


def list_lines(address: Address) -> list[str]:
    first = " ".join(filter(None, (address.address_line1, address.street_number)))
    return [line.strip() for line in (first, address.address_line2 or "") if line.strip()]


# -- boxes and services ----------------------------------------------------------------------------


def write_details(parcel: Parcel) -> Json:
    """All three sides or none, rounded up to whole centimetres."""
    lengths = (parcel.height_in("CM"), parcel.length_in("CM"), parcel.width_in("CM"))
    sides = [round_up(side) for side in lengths if side]
    named = dict(zip(("height", "length", "width"), sides, strict=False))
    weight = {"uom": "kg", "value": round_measure(parcel.weight_in("KG"), THOUSANDTH)}
    return {"dim": {"uom": "cm", **named} if len(sides) == len(lengths) else None, "weight": weight}


def write_services(request: ShipmentRequest, options: RequestOptions, billing_number: str | None) -> Json:
    """The services that are chosen; what belongs to one of them goes into it.

    Errors: Invalid for what goes with a service that is not chosen, for half a bank account, and for an
    identity without a name.
    """
    chosen = [option for option in options.list_chosen() if SERVICES in option.row.levels]
    codes = {option.code: option for option in chosen}
    services: Json = {}
    for choice in chosen:
        services[choice.code] = write_service(choice, request, options, billing_number)
    for choice in chosen:
        service, _, member = choice.code.partition("/")
        if member and service not in codes:
            raise Invalid(f"options.{choice.slug}", f"goes with options.{find_slug(service)}")
        if member:
            set_path(services, choice.code, services.pop(choice.code))
    check_account(services.get(COLLECTION) or {})
    if IDENTITY in services:
        check_identity(services[IDENTITY])
    return services


def check_account(collection: Json) -> None:
    """Errors: Invalid for half a bank account; without any, DHL pays to that of the customer's settings."""
    account = collection.get(ACCOUNT)
    for member in ("accountHolder", "iban"):
        if account and member not in account:
            slug = find_slug(f"{COLLECTION}/{ACCOUNT}/{member}")
            raise Invalid(f"options.{slug}", "is missing: a bank account has a holder and an IBAN")


def find_slug(code: str) -> str:
    """The option that writes a member."""
    return next(row.slug for row in CATALOGUE.options if row.code == code)


def check_identity(identity: Json) -> None:
    """Errors: Invalid if the first or the last name is unknown: there may be a company only, or one word."""
    for member in ("firstName", "lastName"):
        if not identity[member]:
            slug = find_slug(f"{IDENTITY}/{member}")
            raise Invalid("recipient.person_name", f"has no first and last name; options.{slug} gives it too")


def write_service(
    choice: ChosenOption, request: ShipmentRequest, options: RequestOptions, billing_number: str | None
) -> Any:
    """Errors: Invalid for a service that lacks what it needs."""
    recipient = request.recipient
    if choice.code == COLLECTION:
        note = cut_text(request.reference or recipient.name, 35)
        return {"amount": {"currency": CURRENCY, "value": choice.value}, "transferNote1": note}
    if choice.code == IDENTITY:
        name = split_name(recipient.person_name)
        return {"firstName": cut_text(name.first, 35), "lastName": cut_text(name.last, 35)}
    if choice.code == RETURN_LABEL:
        return_address = write_home(request.return_address or request.shipper)
        return {
            "billingNumber": place_procedure(billing_number, RETURN_PROCEDURE),
            "returnAddress": return_address,
        }
    if choice.code == DROP_POINT and not (recipient.email or recipient.phone_number):
        raise Invalid(
            f"options.{choice.slug}", "needs the e-mail address or the phone number of the recipient"
        )
    if isinstance(choice.value, Decimal):
        return {"currency": CURRENCY, "value": choice.value}
    return choice.value


def place_procedure(billing_number: str | None, procedure: str) -> str | None:
    """The billing number for a product, which its eleventh and twelfth digit say."""
    if billing_number is None or len(billing_number) != 14:
        return billing_number
    return f"{billing_number[:10]}{procedure}{billing_number[12:]}"
