"""What the services of Deutsche Post DHL share: log-in, account numbers, addresses, what they say. Pure.

Units: kilograms and centimetres, to the hundredth.
Source: Geschaeftskundenversand 3.4, schemas bcs_base and cis_base.
"""

from __future__ import annotations

import re

from shipcli.carrier import Reply, RequestOptions, load_catalogue
from shipcli.carrier.text_widths import fit_or_refuse
from shipcli.carrier.wire.address_parts import cut_text, fit_email, split_street
from shipcli.carrier.wire.json_paths import Json
from shipcli.carrier.wire.soap import read_fault
from shipcli.carrier.wire.xml import Element, document, element, every, find
from shipcli.models import Address, Invalid, Message

CATALOGUE = load_catalogue(__file__)
BCS, CIS = "http://dhl.de/webservices/businesscustomershipping/3.0", "http://dhl.de/webservice/cisbase"
VERSION = {"majorRelease": 3, "minorRelease": 4}
TEST_USER = ("2222222222_01", "pass")  # everybody's in tests
FULL_ACCOUNT = 10  # characters of an account without product and suffix
LINE, EMAIL = 35, 70  # characters of a line of an address, of an e-mail address
NAME = "Deutsche Post DHL"
GOOD, FINE = "0", "ok"
SAYING = ("statusMessage", "errorMessage", "warningMessage")


def write_login(user: str, password: str, *, test: bool) -> Element:
    name, signature = TEST_USER if test else (user, password)
    return element("Authentification", {"user": name, "signature": signature}, CIS, "cis")


def write_version() -> Json:
    """The version of the service that is spoken; its members are of no namespace."""
    return {"Version": document("Version", VERSION, BCS, "ns")}


def write_account(
    account: str | None, product: str, options: RequestOptions, suffix: str | None
) -> str | None:
    """The account with the product and the terms by which it is billed."""
    if not account or len(account) > FULL_ACCOUNT:
        return account
    prefix = CATALOGUE.table("prefixes").get(product, "")
    return f"{account}{prefix}{suffix or choose_suffix(product, options)}"


def choose_suffix(product: str, options: RequestOptions) -> str:
    """The terms: usual ones, those with insurance or money to collect, those of premium and climate."""
    premium, green = options.flag("dpdhl_premium"), options.flag("dpdhl_go_green")
    if product == "V01PAK":
        paid = options.insurance() or options.amount("dpdhl_cash_on_delivery")
        return "03" if paid else "01"
    if product in ("V53WPAK", "V66WPI") and (premium or green):
        return "04" if premium and green else "03"
    return "01"


def write_names(side: str, *names: str | None) -> Json:
    """Up to three lines of 35 characters: `cis:name1`, `cis:name2` ...

    Errors: Invalid with the words that have no room.
    """
    lines = fit_or_refuse([name for name in names if name], LINE, 3, f"{side}.company_name", NAME)
    return {f"cis:name{at}": line for at, line in enumerate(lines, 1)}


def write_address(address: Address, packstation: str | None = None, names: Json | None = None) -> Json:
    """Where somebody is, or at which Packstation; `names` are further lines of a recipient's name.

    A sender has neither those nor a second line there.
    Errors: Invalid for a recipient without both, and for words that have no room.
    """
    if not packstation and not address.address_line1:
        raise Invalid("recipient.address_line1", "DHL needs a street, or a Packstation")
    street = split_street(address)
    second = [address.address_line2] if address.address_line2 else []
    addition = fit_or_refuse(second, LINE, 2, "recipient.address_line2", NAME)
    return {
        **({"cis:name2": packstation} if packstation else names or {}),
        "cis:streetName": "Packstation" if packstation else street.name,
        "cis:streetNumber": street.number,
        "cis:addressAddition": None if names is None else addition,
        "cis:zip": address.postal_code,
        "cis:city": address.city,
        "cis:province": address.state_code or None,
        "cis:Origin": {"cis:country": address.country_name, "cis:countryISOCode": address.country_code},
    }


def write_contact(address: Address, person: str | None) -> Json | None:
    contact = {
        "cis:phone": address.phone_number or None,
        "cis:email": fit_email(address.email, EMAIL),
        "cis:contactPerson": cut_text(person, LINE),
    }
    return contact if any(contact.values()) else None


# -- what is said ----------------------------------------------------------------------------------


def read_messages(reply: Reply) -> list[Message]:
    """What a gateway says in a page, tracking in its root, a service in a fault or every status but ok."""
    if page := _read_page(reply):
        return [page]
    root = reply.xml
    if root.tag == "data":
        code = root.get("code") or GOOD
        return [] if code == GOOD else [Message(code=code, message=root.get("error"))]
    statuses = [status for status in every(root, "Status") if find(status, "statusText") != FINE]
    return [read_status(status) for status in statuses] or read_fault(reply)


def _read_page(reply: Reply) -> Message | None:
    """A page of the gateway, which is no XML: its heading and its words."""
    heading = re.search(r"<h1>((?:(?!<h1>).)*?)</h1>", reply.text, re.DOTALL | re.IGNORECASE)
    words = re.search(r"<p>((?:(?!<p>).)*?)</p>", reply.text, re.DOTALL | re.IGNORECASE)
    return Message(code=heading[1], message=words[1] if words else None) if heading else None


def read_status(status: Element) -> Message:
    """One status; what it says several times is said once, where it was said last."""
    texts = [
        text
        for child in status
        if child.tag in SAYING and (text := find(child, "statusMessage") or child.text)
    ]
    once = reversed(dict.fromkeys(reversed(texts)))
    code, title = find(status, "statusCode"), find(status, "statusText")
    return Message(
        code=code,
        message=" ".join(once) or title,
        details={"statusText": title} if title else None,
    )


def is_refused(reply: Reply) -> bool:
    """Whether nothing of what was asked for was done."""
    if _read_page(reply):
        return True
    root = reply.xml
    if root.tag == "data":
        return (root.get("code") or GOOD) != GOOD
    codes = [find(status, "statusCode") for status in every(root, "Status")]
    return bool(read_fault(reply)) or (bool(codes) and GOOD not in codes)
