"""Numbers and paper of the simulated UPS: 1Z numbers, MaxiCode, labels and the invoice."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import TYPE_CHECKING, Any

from carriers.ups.catalogue import NAMES
from carriers.ups.shapes import Json, listed, within

if TYPE_CHECKING:
    from shipcli.drawing import LabelSpec

# Letters count as numbers in the check digit: A is 2, H is 9, I is 0 again.
FIRST_LETTER = 63
ISO_NUMBERS: Mapping[str, str] = {
    "US": "840", "CA": "124", "MX": "484", "PR": "630", "GB": "826", "FR": "250", "DE": "276", "IT": "380",
    "ES": "724", "NL": "528", "BE": "056", "PL": "616", "AU": "036", "JP": "392", "CN": "156", "IN": "356",
}  # fmt: skip


def tracking_number(account: str, service: str, serial: int) -> str:
    """1Z, the six characters of the shipper, two of the service, seven digits and the check digit."""
    shipper = "".join(one for one in account.upper() if one.isascii() and one.isalnum())[:6].ljust(6, "0")
    body = f"{shipper}{service[:2]:0>2}{serial % 10_000_000:07d}"
    return f"1Z{body}{check_digit(body)}"


def check_digit(body: str) -> int:
    """Odd places count once, even places twice; the digit fills up to the next ten."""
    values = [int(one) if one.isdigit() else (ord(one) - FIRST_LETTER) % 10 for one in body]
    return -(sum(values[0::2]) + 2 * sum(values[1::2])) % 10


def is_tracking_number(number: str) -> bool:
    body = number[2:-1]
    shaped = len(number) == 18 and number.startswith("1Z") and number[2:].isalnum() and number[-1].isdigit()
    return shaped and number.isascii() and number.isupper() and int(number[-1]) == check_digit(body)


def maxicode(number: str, shipment: Json, at: datetime, place: str) -> str:
    """The message of the carrier's own code: where to, what, from whom, which package of how many."""
    to = within(shipment, "ShipTo/Address")
    postal = "".join(one for one in str(to.get("PostalCode") or "") if one.isalnum())
    country = ISO_NUMBERS.get(to["CountryCode"], "000")
    address = [postal, country, f"0{number[8:10]}"]
    rest = [
        number[:2] + number[10:], "UPSN", number[2:8], f"{at:%j}", "", place, "", "Y", "",
        str(to.get("City") or "")[:20], str(to.get("StateProvinceCode") or "")[:2],
    ]  # fmt: skip
    parts = (part.encode("ascii", "replace").decode().upper() for part in [*address, *rest])
    return "[)>\x1e01\x1d96" + "\x1d".join(parts) + "\x1e\x04"


def label(number: str, shipment: Json, package: Json, at: datetime, place: str, image: str) -> bytes:
    """One package's label: printer language, or a picture lying on its side as UPS draws it."""
    from shipcli.drawing import Block, LabelSpec, draw_label

    code = str(within(shipment, "Service/Code"))
    spec = LabelSpec(
        carrier="UPS",
        service=NAMES[code].removeprefix("ups_").replace("_", " ").upper(),
        sender=Block("FROM", _lines(shipment["ShipFrom"])),
        recipient=Block("SHIP TO", _lines(shipment["ShipTo"])),
        tracking_number=number,
        references=_references(shipment, package, place),
        code2d=("maxicode", maxicode(number, shipment, at, place)),
        sample=True,
    )
    return draw_label(spec, "ZPL") if image == "ZPL" else _picture(spec)


def _picture(spec: LabelSpec) -> bytes:
    """A label as UPS paints it: black on white, lying on its left side."""
    from shipcli.drawing.layout import label_page
    from shipcli.drawing.lying import lying_png

    return lying_png(label_page(spec))


def _lines(party: Json) -> tuple[str, ...]:
    address = party["Address"]
    names = dict.fromkeys([party.get("Name"), party.get("AttentionName")])
    town = [address.get("City"), address.get("StateProvinceCode"), address.get("PostalCode")]
    lines = [*names, *listed(address.get("AddressLine")), " ".join(part for part in town if part)]
    return tuple(str(line) for line in [*lines, address["CountryCode"]] if line)


def _references(shipment: Json, package: Json, place: str) -> tuple[str, ...]:
    weight = package["PackageWeight"]
    own = within(package, "ReferenceNumber/Value") or within(shipment, "ReferenceNumber/Value")
    lines = [f"{weight['Weight']} {weight['UnitOfMeasurement']['Code']}", place.replace("/", " of ")]
    return (*lines, f"REF {own}") if own else tuple(lines)


def invoice(shipment: Json, number: str) -> bytes:
    """The commercial invoice UPS makes of the forms of a shipment."""
    from shipcli.drawing import Block, draw_form

    forms = within(shipment, "ShipmentServiceOptions/InternationalForms")
    details = [
        ("Shipment", number),
        ("Invoice date", str(forms.get("InvoiceDate") or "")),
        ("Reason", str(forms.get("ReasonForExport") or "")),
        ("Terms", str(forms.get("TermsOfShipment") or "")),
    ]
    return draw_form(
        "UPS commercial invoice",
        [_row(product, forms["CurrencyCode"]) for product in listed(forms.get("Product"))],
        columns=("Description", "HS code", "Origin", "Pieces", "Unit value"),
        address=Block("Sold to", _lines(shipment["ShipTo"])),
        details=details,
        sample=True,
    )


def _row(product: Mapping[str, Any], currency: str) -> Sequence[str]:
    unit = product["Unit"]
    value = f"{unit['Value']} {currency}"
    named = (product.get("Description"), product.get("CommodityCode"), product.get("OriginCountryCode"))
    return [*(str(one or "") for one in named), str(unit["Number"]), value]
