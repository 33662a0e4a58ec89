"""How the simulated UPS reads a request: strictly, with UPS's own refusals."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal, InvalidOperation
from typing import Any

from carriers.ups.catalogue import NAMES, PACKAGING
from carriers.ups.shapes import Json, listed, within
from shipcli.models.units import convert_weight

MAX_KG = Decimal(70)
MAX_PACKAGES = 200
UNITS = {"LBS": ("LB", "IN"), "KGS": ("KG", "CM")}
WITH_STATE = frozenset({"US", "CA", "PR"})
WITH_POSTAL = WITH_STATE | {"GB", "FR", "DE", "IT", "ES", "NL", "PL", "MX", "AU", "JP"}
PACKAGINGS = frozenset(row.code for row in PACKAGING)
IMAGES = frozenset({"PNG", "GIF", "ZPL"})
PARTIES = ("Shipper", "ShipTo", "ShipFrom")
BILLS = ("BillShipper", "BillReceiver", "BillThirdParty", "ConsigneeBilledIndicator")
# The members both requests may have, then those of one of them.
COMMON = frozenset({
    "Shipper", "ShipTo", "ShipFrom", "Service", "DocumentsOnlyIndicator", "Package", "ShipmentServiceOptions",
    "ShipmentRatingOptions", "InvoiceLineTotal", "RatingMethodRequestedIndicator", "TaxInformationIndicator",
})  # fmt: skip
RATED = COMMON | {
    "PaymentDetails", "ShipmentTotalWeight", "ShipmentIndicatorType", "DeliveryTimeInformation",
    "NumOfPieces",
}  # fmt: skip
BOUGHT = COMMON | {
    "Description", "PaymentInformation", "ReferenceNumber", "NumOfPiecesInShipment", "CostCenter",
    "CostCenterBarcodeIndicator", "ShipmentIndicationType", "ShipmentDate", "ReturnService",
    "MasterCartonIndicator",
}  # fmt: skip


class Refused(Exception):
    """What UPS answers instead."""

    def __init__(self, code: str, message: str, status: int = 400) -> None:
        super().__init__(message)
        self.code, self.message, self.status = code, message, status


@dataclass(frozen=True, slots=True)
class Booking:
    """A shipment as UPS understood it. Units: kilograms, one weight per package."""

    shipment: Json
    origin: str
    destination: str
    from_postal: str
    to_postal: str
    weights: tuple[Decimal, ...]
    packages: tuple[Json, ...]
    account: str | None

    @property
    def service(self) -> str:
        return str(within(self.shipment, "Service/Code"))


def read_rated(body: Any) -> Booking:
    """Errors: Refused."""
    request = _known(within(body, "RateRequest"), {"Request", "Shipment", "PickupType"})
    _need(within(request, "Request/RequestOption") == "Shoptimeintransit", "110007", "Invalid request option")
    date = within(request, "Shipment/DeliveryTimeInformation/Pickup/Date")
    _need(_is_day(date), "110610", "Missing or invalid pickup date")
    return _booking(_known(request["Shipment"], RATED), "PackagingType", full=False)


def read_bought(body: Any) -> Booking:
    """Errors: Refused."""
    request = _known(within(body, "ShipmentRequest"), {"Request", "Shipment", "LabelSpecification"})
    option = within(request, "Request/RequestOption")
    _need(option in ("validate", "nonvalidate"), "120001", "Invalid request option")
    image = within(request, "LabelSpecification/LabelImageFormat/Code")
    _need(image in IMAGES, "120351", "Missing or invalid label image format code")
    stock = within(request, "LabelSpecification/LabelStockSize") or {}
    sizes = stock.get("Height"), stock.get("Width")
    _need(sizes in (("6", "4"), ("8", "4")), "120352", "Missing or invalid label stock size")
    booking = _booking(_known(request["Shipment"], BOUGHT), "Packaging", full=True)
    _check_purchase(booking)
    return booking


def _check_purchase(booking: Booking) -> None:
    shipment = booking.shipment
    _need(bool(booking.account), "120100", "Missing or invalid shipper number")
    _need(booking.service in NAMES, "120111", "The requested service is invalid from the selected origin")
    _need(_is_day(shipment.get("ShipmentDate")), "120103", "Missing or invalid shipment date")
    charges = listed(within(shipment, "PaymentInformation/ShipmentCharge"))
    kinds = [one.get("Type") for one in charges]
    _need("01" in kinds and len(set(kinds)) == len(kinds), "120400", "Missing or invalid shipment charge")
    _need(all(_is_billed(one) for one in charges), "120401", "Missing or invalid payer of the charges")
    domestic = booking.origin == booking.destination and booking.origin in ("US", "PR")
    _need(
        not (domestic and shipment.get("ReferenceNumber")),
        "120541",
        "Shipment level reference numbers are not allowed for this origin and destination",
    )
    forms = within(shipment, "ShipmentServiceOptions/InternationalForms")
    if forms is not None:
        _check_forms(forms)


def _check_forms(forms: Json) -> None:
    """An invoice names its goods; forms of the shipper's own (07) speak for themselves."""
    kind, products = forms.get("FormType"), listed(forms.get("Product"))
    _need(kind in ("01", "07"), "128001", "Missing or invalid form type")
    named = bool(products) and all(_is_product(one) for one in products)
    _need(named or kind == "07", "128010", "Missing or invalid product of the invoice")


def _is_billed(charge: Json) -> bool:
    ways = [charge[name] for name in BILLS if name in charge]
    return len(ways) == 1 and (ways[0] == "Y" or bool(within(ways[0], "AccountNumber")))


def _is_product(product: Json) -> bool:
    unit = product.get("Unit") or {}
    return bool(product.get("Description") and unit.get("Number") and unit.get("Value"))


def _booking(shipment: Json, packaging: str, *, full: bool) -> Booking:
    for name in PARTIES:
        _check_party(name, shipment.get(name) or {}, full)
    packages = listed(shipment.get("Package"))
    _need(bool(packages), "110002", "No packages specified in the shipment")
    _need(len(packages) <= MAX_PACKAGES, "110003", f"Maximum number of packages exceeded ({MAX_PACKAGES})")
    for package in packages:
        kind = within(package, f"{packaging}/Code")
        _need(kind in PACKAGINGS, "120600" if full else "111501", "Missing or invalid packaging type")
    start, end = within(shipment, "ShipFrom/Address"), within(shipment, "ShipTo/Address")
    return Booking(
        shipment=shipment,
        origin=start["CountryCode"],
        destination=end["CountryCode"],
        from_postal=start.get("PostalCode") or "",
        to_postal=end.get("PostalCode") or "",
        weights=tuple(_weight(package) for package in packages),
        packages=tuple(packages),
        account=within(shipment, "Shipper/ShipperNumber"),
    )


def _check_party(name: str, party: Json, full: bool) -> None:
    address = party.get("Address") or {}
    country = str(address.get("CountryCode") or "")
    _need(len(country) == 2 and country.isupper(), "120209", f"Missing or invalid {name} country code")
    if country in WITH_POSTAL:
        _need(bool(address.get("PostalCode")), "111287", f"Missing or invalid {name} postal code")
    if not full:
        return
    _need(bool(party.get("Name")), "120200", f"Missing or invalid {name} name")
    lines = listed(address.get("AddressLine"))
    _need(0 < len(lines) <= 3, "120202", f"Missing or invalid {name} address line")
    _need(bool(address.get("City")), "120205", f"Missing or invalid {name} city")
    if country in WITH_STATE:
        _need(bool(address.get("StateProvinceCode")), "120206", f"Missing or invalid {name} state")


def _weight(package: Json) -> Decimal:
    weight = package.get("PackageWeight") or {}
    units = UNITS.get(within(weight, "UnitOfMeasurement/Code") or "")
    if units is None:
        raise Refused("111056", "Missing or invalid weight unit of measurement")
    size = package.get("Dimensions") or {}
    mixed = bool(size) and within(size, "UnitOfMeasurement/Code") != units[1]
    _need(not mixed, "110548", "A shipment cannot mix metric and imperial units of measurement")
    for side in ("Length", "Width", "Height") if size else ():
        _number(size.get(side), "111055", "Missing or invalid package dimensions")
    value = _number(weight.get("Weight"), "111057", "Missing or invalid package weight")
    kilograms = convert_weight(value, units[0], "KG")
    _need(kilograms <= MAX_KG, "111036", "The maximum per package weight is 70 kilograms or 150 pounds")
    return kilograms


def _number(text: Any, code: str, message: str) -> Decimal:
    """UPS takes numbers as text only."""
    try:
        value = Decimal(text) if isinstance(text, str) else Decimal(0)
    except InvalidOperation:
        value = Decimal(0)
    _need(value > 0, code, message)
    return value


def _known(value: Any, members: Sequence[str] | set[str] | frozenset[str]) -> Json:
    if not isinstance(value, dict):
        raise Refused("10001", "The request is not well formed")
    strange = sorted(set(value) - set(members))
    _need(not strange, "10002", f"The request is well formed but not valid: {', '.join(strange)}")
    return value


def _is_day(text: Any) -> bool:
    return isinstance(text, str) and len(text) == 8 and text.isdigit()


def _need(right: bool, code: str, message: str) -> None:
    if not right:
        raise Refused(code, message)
