"""What DPD's services share: the log-in, errors, addresses, units. Pure.

Units: weights in steps of 10 g (300 is 3 kg), volumes in centimetres as LLLWWWHHH, amounts in cents.
Source: DPD Shipper Webservice: LoginService 2.1, ShipmentService 3.3, ParcelLifeCycleService 2.0.
"""

from __future__ import annotations

from datetime import datetime, timedelta
from decimal import Decimal
from zoneinfo import ZoneInfo

from lxml import etree

from shipcli.carrier import Call, Reply, Token, load_catalogue
from shipcli.carrier.wire.address_parts import split_street
from shipcli.carrier.wire.json_paths import Json
from shipcli.carrier.wire.rounding import round_up
from shipcli.carrier.wire.soap import SoapOperation, add_header, read_fault
from shipcli.carrier.wire.xml import Element, document, every, find, first, require
from shipcli.models import Address, Message, Parcel

CATALOGUE = load_catalogue(__file__)
TYPES = "http://dpd.com/common/service/types"
AUTHENTICATION = f"{TYPES}/Authentication/2.0"
LOGIN_PATH = "/soap/services/LoginService/V2_1"
BAD_LOGIN = "DELICOM_ERR_AUTHENTICATION"
CURRENCY = "EUR"  # where neither the request nor the account's country says one
SERVER_ZONE = ZoneInfo("Europe/Brussels")  # times of the servers name no zone
MARGIN = timedelta(minutes=30)
ONE = Decimal(1)


def operation(service: str, version: str, name: str) -> SoapOperation:
    """An operation of a service; members of its message are of no namespace."""
    namespace = f"{TYPES}/{service}/{version}"
    return SoapOperation(
        name,
        namespace,
        f"{namespace}/{name}",
        prefix="ns1",
        bare_header=True,
        unqualified=True,
        content_type="text/xml;charset=UTF-8",
    )


LOGIN = operation("LoginService", "2.1", "getAuth")


def read_token(answer: Element) -> Token:
    """The token, with the depot of the account, until half an hour before it expires."""
    result = first(answer, "return")
    expires = datetime.fromisoformat(require(result, "authTokenExpires"))
    expires = expires if expires.tzinfo else expires.replace(tzinfo=SERVER_ZONE)
    return Token(require(result, "authToken"), expires - MARGIN, extra={"depot": find(result, "depot", "")})


def sign(call: Call, user: str, token: Token, language: str) -> Call:
    """The call with the token in its envelope, and an order with the depot it is sent from."""
    credentials = {"delisId": user, "authToken": token.value, "messageLanguage": language}
    signed = add_header(call, document("authentication", credentials, AUTHENTICATION, "ns"))
    depot = token.extra.get("depot")
    for order in signed.xml.iter("generalShipmentData") if depot else ():  # type: ignore[union-attr]
        if order.find("sendingDepot") is None:
            node = etree.Element("sendingDepot")
            node.text = depot
            order.find("product").addprevious(node)  # type: ignore[union-attr]
    return signed


def read_errors(reply: Reply) -> list[Message]:
    """What a fault tells in its details, else the fault; what was wrong with an order; an unknown parcel."""
    nodes = [child for detail in every(reply.xml, "detail") for child in detail]
    nodes += [fault for fault in every(reply.xml, "faults") if fault not in nodes]
    errors = [error for error in map(_read_error, nodes) if error.code]
    if every(reply.xml, "trackingresult") and not every(reply.xml, "statusInfo"):
        errors.append(Message(code="not_found", message="DPD knows no such parcel"))
    return errors or read_fault(reply)


def _read_error(node: Element) -> Message:
    code = find(node, "errorCode") or find(node, "faultCode")
    return Message(code=code, message=find(node, "errorMessage") or find(node, "message"))


def has_parcels(reply: Reply) -> bool:
    return bool(every(reply.xml, "parcelLabelNumber"))


def is_plain_no(reply: Reply) -> bool:
    """Whether a fault says in its details, by a code of DPD, what is wrong with a message."""
    return any(_read_error(child).code for detail in every(reply.xml, "detail") for child in detail)


def write_address(address: Address) -> Json:
    """Somebody, in the order of the schema."""
    street = split_street(address)
    person, company = address.person_name, address.company_name
    return {
        "name1": person or company,
        "name2": company if person else None,
        "street": street.name,
        "houseNo": street.number,
        "street2": address.address_line2 or None,
        "state": address.state_code or None,
        "country": address.country_code,
        "zipCode": address.postal_code,
        "city": address.city,
        "type": "P" if address.residential else "B",
        "contact": person or None,
        "phone": address.phone_number or None,
        "email": address.email or None,
    }


def tax_number(address: Address | None) -> str | None:
    return (address.federal_tax_id or address.state_tax_id or None) if address else None


def weigh(kilograms: Decimal) -> int:
    """A weight in steps of 10 g; every started one counts."""
    return round_up(kilograms * 100)


def measure(parcel: Parcel) -> str | None:
    """The sides of a parcel as one number: 30 x 20 x 9.5 cm is 030020010."""
    sides = parcel.sides_in("CM")
    return "".join(f"{round_up(side):03}" for side in sides) if sides else None
