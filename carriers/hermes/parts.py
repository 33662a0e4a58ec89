"""What the orders of Hermes share: names, addresses, parcels and services. Pure.

Units: whole millimetres and grams, rounded up.
Source: HSI Order API 2025-12-18: CreateShipmentOrder.
"""

from __future__ import annotations

from datetime import date, timedelta

from shipcli.carrier import RequestOptions, load_catalogue
from shipcli.carrier.wire.address_parts import fit_email, split_name, split_street
from shipcli.carrier.wire.json_paths import Json
from shipcli.carrier.wire.rounding import round_up
from shipcli.carrier.wire.times import SATURDAY
from shipcli.models import Address, Invalid, Parcel, ShipmentRequest

CATALOGUE = load_catalogue(__file__)
HOME, EUROS = "DE", "EUR"
HOUSE, EMAIL = 5, 70  # the longest house number, the longest address of a notice
NEXT_DAY, STATED_DAY, PARCEL_SHOP = "hermes_next_day", "hermes_stated_day", "hermes_parcel_shop"
BY_ID, BY_ADDRESS = "SELECT_BY_ID", "SELECT_BY_RECEIVER_ADDRESS"
MOST_PARTS = 99
WORKING_DAYS_AHEAD = 3  # of a stated day: at least two lie between


# -- names and addresses ---------------------------------------------------------------------------


def write_name(address: Address) -> Json:
    """A name of one word, or of a company, is the last name, which Hermes needs."""
    first, last = split_name(address.person_name or address.company_name)
    if address.person_name is None:
        return {"lastname": address.company_name}
    return {"firstname": first, "lastname": last or first}


def write_address(address: Address) -> Json:
    """A house number that is too long for its member stays with the street."""
    street, house = split_house(address)
    return {
        "street": street,
        "houseNumber": house,
        "zipCode": address.postal_code,
        "town": address.city,
        "countryCode": address.country_code,
        "addressAddition": address.address_line2,
        "addressAddition3": address.company_name,
    }


def split_house(address: Address) -> tuple[str | None, str | None]:
    number, name = split_street(address)
    if number and len(number) > HOUSE:
        return " ".join(filter(None, (address.address_line1, address.street_number))), None
    return name, number


def write_contact(address: Address) -> Json:
    return {"phone": address.phone_number, "mail": address.email}


# -- parcels ---------------------------------------------------------------------------------------


def write_parcel(parcel: Parcel) -> Json:
    sides = parcel.known_sides_in("MM")
    packaging = CATALOGUE.packaging.get(parcel.packaging_type)
    names = {"height": "parcelHeight", "width": "parcelWidth", "length": "parcelDepth"}
    return {
        **{names[name]: round_up(side) for name, side in sides.items()},
        "parcelWeight": round_up(parcel.weight_in("G")),
        "productType": packaging.code if packaging else "PARCEL",
    }


# -- services --------------------------------------------------------------------------------------


def add_services(body: Json, request: ShipmentRequest, options: RequestOptions, today: date) -> None:
    """Put the options into an order, and what makes its service: the order itself names none.

    Errors: Invalid for a service that lacks what it needs.
    """
    if request.service not in CATALOGUE.services:
        raise Invalid("service", f"Hermes has no service {request.service}")
    options.write(body, "ship")
    services = body.setdefault("service", {})
    if request.service == NEXT_DAY:
        services["nextDayService"] = True
    if request.service == STATED_DAY and "statedDayService" not in services:
        day = find_stated_day(options.ship_date() or today)
        services["statedDayService"] = {"statedDay": day.isoformat()}
    if "statedTimeService" in services and "statedDayService" not in services:
        raise Invalid("options.hermes_time_slot", f"goes with options.{STATED_DAY}")
    if request.service == PARCEL_SHOP or "parcelShopDeliveryService" in services:
        services["parcelShopDeliveryService"] = complete_shop(services, request.recipient)
    if cash := services.get("cashOnDeliveryService"):
        services["cashOnDeliveryService"] = complete_cash(cash, options)
    if "multipartService" in services:
        services["multipartService"] = complete_part(services["multipartService"], len(request.parcels))
    check_identity(services.get("identService") or {})
    complete_alert(services, request, options)


def complete_part(part: Json, parcels: int) -> Json:
    """Which part of a shipment that several orders make, as its sender numbers them.

    Errors: Invalid for a number that is none of them, and for several parcels, which are numbered here.
    """
    if parcels > 1:
        raise Invalid(
            "options.hermes_number_of_parts", "is for one parcel: those of a shipment are numbered here"
        )
    at, count = part.get("partNumber", 1), part.get("numberOfParts")
    if count is None:
        option = "part_number" if "partNumber" in part else "parent_shipment_order_id"
        raise Invalid(f"options.hermes_{option}", "goes with options.hermes_number_of_parts")
    if not 2 <= count <= MOST_PARTS:
        raise Invalid("options.hermes_number_of_parts", f"is 2 to {MOST_PARTS}")
    if not 1 <= at <= count:
        raise Invalid("options.hermes_part_number", f"is 1 to {count}")
    return {**part, "partNumber": at}


def check_identity(identity: Json) -> None:
    """Errors: Invalid for two ways at once of telling who takes the parcel."""
    if "identID" in identity and "identVerifyFsk" in identity:
        raise Invalid("options.hermes_ident_fsk", "does not go with options.hermes_ident_id")
    if "identVerifyBirthday" in identity and not {"identID", "identType"} <= identity.keys():
        raise Invalid("options.hermes_ident_birthday", "goes with hermes_ident_id and hermes_ident_type")


def find_stated_day(start: date) -> date:
    """The first day that can be stated: the third working day, as two have to lie between."""
    day, ahead = start, 0
    while ahead < WORKING_DAYS_AHEAD:
        day += timedelta(days=1)
        ahead += day.weekday() < SATURDAY
    return day


def complete_shop(services: Json, recipient: Address) -> Json:
    """The parcel shop: the one that is named, else the nearest to the address; it asks who collects."""
    shop = services.get("parcelShopDeliveryService") or {}
    first, last = split_name(recipient.name)
    rule = BY_ID if shop.get("psID") else BY_ADDRESS
    usual = {"psSelectionRule": rule, "psCustomerFirstName": first, "psCustomerLastName": last or first}
    shop = {**usual, **shop}
    if (shop["psSelectionRule"] == BY_ID) is not bool(shop.get("psID")):
        raise Invalid("options.hermes_parcel_shop_id", f"goes with the rule {BY_ID}, and that with it")
    return shop


def complete_cash(cash: Json, options: RequestOptions) -> Json:
    """Errors: Invalid for a currency without an amount."""
    if not options.amount("hermes_cod_amount"):
        raise Invalid("options.hermes_cod_currency", "goes with options.hermes_cod_amount")
    currency = options.text("hermes_cod_currency") or options.currency(EUROS)
    return {
        **cash,
        "currency": currency,
        "bankTransferAmount": cash["amount"],
        "bankTransferCurrency": currency,
    }


def complete_alert(services: Json, request: ShipmentRequest, options: RequestOptions) -> None:
    """Who collects, or pays at the door, is told by e-mail when; without an address the sender is.

    Errors: Invalid where neither has one.
    """
    needed = "parcelShopDeliveryService" in services or "cashOnDeliveryService" in services
    if not needed and "customerAlertService" not in services:
        return
    email = options.text("hermes_notification_email") or options.text("email_notification_to")
    alert = services.get("customerAlertService") or {}
    email = fit_email(email or request.recipient.email or request.shipper.email, EMAIL)
    if not email:
        text = f"Hermes tells by e-mail, up to {EMAIL} characters, when a parcel can be collected or is paid"
        raise Invalid("recipient.email", text)
    kind = alert.get("notificationType", "EMAIL")
    number = request.recipient.phone_number if "SMS" in kind else None
    if "SMS" in kind and not number:
        raise Invalid("recipient.phone_number", "Hermes needs it for a text message")
    services["customerAlertService"] = {
        "notificationType": kind,
        "notificationEmail": email,
        "notificationNumber": number,
    }
