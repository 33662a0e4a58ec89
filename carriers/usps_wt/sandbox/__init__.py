"""Web Tools, the Postal Service's old server, as a simulator: prices, labels, tracking."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import UTC, datetime
from decimal import Decimal
from typing import Any, ClassVar

from shipcli.carrier import Catalogue, Reply, Request, load_catalogue
from shipcli.carrier.simulation.bookings import BookedItem, Booking, Party, PricedOffer, Refusal
from shipcli.carrier.simulation.forms import Form, fill_form
from shipcli.carrier.simulation.rules import Rules
from shipcli.carrier.simulation.simulator import Simulator, route
from shipcli.carrier.simulation.tracking import Scan
from shipcli.carrier.wire import xml
from shipcli.carrier.wire.json_paths import Json, as_list, get_path
from shipcli.models.basics.check_digits import compute_check_digit
from shipcli.models.basics.units import convert_weight

from .papers import draw_label

PATH, MAILER = "/ShippingAPI.dll", "900000042"
INSURED = "100"


class UspsWtSimulator(Simulator):
    """Web Tools in a sandbox: a document in the query, told apart by its root."""

    slug = "usps_wt"
    catalogue: ClassVar[Catalogue] = load_catalogue(__file__)
    tariffs = catalogue.tariffs
    limits = catalogue.limits
    surcharges = catalogue.surcharges
    rate_rules: ClassVar[Rules] = catalogue.rules("rate")
    label_rules: ClassVar[Rules] = catalogue.rules("label")
    tracked: ClassVar[Rules] = catalogue.rules("tracking")
    forms: ClassVar[Mapping[str, Form]] = catalogue.table("forms")
    auth_scheme = "body"
    refusals = {
        "bad_login": ("80040B1A", "Authorization failure. Perhaps username and/or password is incorrect."),
        "no_service": ("-2147219385", "No service carries the package there."),
        "unknown_label": ("-2147219399", "There is no such label."),
        "voided_before": ("-2147219398", "The label was already cancelled."),
        "too_late": ("-2147219397", "The label is on its way and can not be cancelled."),
        "unknown_number": ("-2147219283", "A status update is not yet available on your package."),
    }

    def dispatch(self, request: Request) -> Reply:
        return super().dispatch(replace(request, content=request.query.get("XML", "").encode()))

    def is_authorised(self, request: Request) -> bool:
        root = request.xml
        return self.is_valid_client(root.get("USERID") or "", root.get("PASSWORD") or "")

    def refuse(self, refusal: Refusal) -> Reply:
        return self.write_answer("Error", write_error(refusal), refusal.status)

    def write_answer(self, root: str, body: Json, status: int = 200) -> Reply:
        return self.xml(xml.element(root, fill_form(body, self.forms[root])), status)

    def make_number(self, booking: Booking, serial: int) -> str:
        """22 digits, the last a check digit. Source: Intelligent Mail Package Barcode specification."""
        body = f"92701{MAILER}{serial % 10_000_000:07d}"
        return f"{body}{compute_check_digit(body)}"

    # -- prices --------------------------------------------------------------------------------

    @route("GET", PATH, root="RateV4Request")
    def rates(self, request: Request, path: dict[str, str]) -> Reply:
        body = self.read_xml(request, "RateV4Request", self.rate_rules)
        packages = [self._priced(package) for package in as_list(body["Package"])]
        return self.write_answer("RateV4Response", {"Package": packages})

    def _priced(self, package: Json) -> Json:
        """One package: its prices, or why there are none."""
        try:
            prices = self.backend.quote(self.read_package(package))
        except Refusal as no:
            return {"@ID": package["@ID"], "Error": write_error(no)}
        return {"@ID": package["@ID"], **self.write_prices(prices)}

    def read_package(self, package: Json) -> Booking:
        return Booking(
            shipper=Party(country="US", postal_code=package["ZipOrigination"]),
            recipient=Party(country="US", postal_code=package["ZipDestination"]),
            weights=(kilograms(package["Pounds"], package["Ounces"]),),
            extras=tuple(as_list(get_path(package, "SpecialServices/SpecialService"))),
        )

    def write_prices(self, prices: Sequence[PricedOffer]) -> Json:
        names = self.catalogue.table("service_names")
        return {
            "Postage": [
                {
                    "@CLASSID": price.offer.code,
                    "MailService": names[price.offer.code],
                    "Rate": price.offer.total,
                    "SpecialServices": {"SpecialService": self.write_offered_extras(price)},
                }
                for price in prices
            ]
        }

    def write_extras(self, priced: PricedOffer) -> list[Json]:
        return [
            {"ServiceID": code, "ServiceName": self.surcharges[code].code, "Price": amount}
            for code, amount in priced.extras.items()
        ]

    def write_offered_extras(self, priced: PricedOffer) -> list[Json]:
        return [{**row, "Available": True} for row in self.write_extras(priced)]

    # -- labels --------------------------------------------------------------------------------

    @route("GET", PATH, root="eVSRequest")
    def label(self, request: Request, path: dict[str, str]) -> Reply:
        body = self.read_xml(request, "eVSRequest", self.label_rules)
        sale = self.backend.buy(self.read_label(body))
        answer = {
            "BarcodeNumber": sale.numbers[0],
            "LabelImage": draw_label(sale, self.catalogue),
            "Postage": sale.priced.offer.total,
            "ExtraServices": {"ExtraService": self.write_extras(sale.priced)},
        }
        return self.write_answer("eVSResponse", answer)

    def read_label(self, body: Json) -> Booking:
        service = self.catalogue.table("class_ids").get(body["ServiceType"])
        if service is None:
            raise self.refusal("no_service")
        extras = as_list(get_path(body, "ExtraServices/ExtraService"))
        return Booking(
            shipper=read_party(body, "From"),
            recipient=read_party(body, "To"),
            weights=(kilograms("0", body["WeightInOunces"]),),
            service=service,
            account=body.get("MID"),
            reference=body.get("CustomerRefNo") or None,
            extras=tuple([INSURED, *extras] if body.get("InsuredAmount") else extras),
            items=read_items(body),
            label=label_kind(body),
            ship_date=datetime.strptime(body["ShipDate"], "%m/%d/%Y").date(),
        )

    @route("GET", PATH, root="eVSCancelRequest")
    def cancel(self, request: Request, path: dict[str, str]) -> Reply:
        return self.cancelled(request, "eVSCancelResponse")

    def cancelled(self, request: Request, root: str) -> Reply:
        """The answer to a cancellation, which is no error where it fails."""
        number = xml.find(request.xml, "BarcodeNumber", "")
        self.enforce(Rules(), None)
        try:
            self.backend.void(number)
        except Refusal as no:
            answer = {"Status": "Not Cancelled", "Reason": no.text}
        else:
            answer = {"Status": "Cancelled", "Reason": "Order Cancelled Successfully"}
        return self.xml(xml.element(root, {"BarcodeNumber": number, **answer}))

    # -- tracking ------------------------------------------------------------------------------

    @route("GET", PATH, root="TrackFieldRequest")
    def track(self, request: Request, path: dict[str, str]) -> Reply:
        body = self.read_xml(request, "TrackFieldRequest", self.tracked)
        tracked = [self._tracked(entry["@ID"]) for entry in as_list(body["TrackID"])]
        return self.xml(xml.element("TrackResponse", {"TrackInfo": tracked}))

    def _tracked(self, number: str) -> Json:
        seen = self.simulate_tracking(number)
        if seen is None:
            return {"@ID": number, "Error": write_error(self.refusal("unknown_number"))}
        latest, *before = [self._event(scan) for scan in reversed(seen.scans)]
        info = {
            "@ID": number,
            "ExpectedDeliveryDate": f"{seen.estimated:%B %d, %Y}" if seen.estimated else None,
            "StatusCategory": "Delivered" if seen.delivered else "In Transit",
            "TrackSummary": latest,
            "TrackDetail": before,
        }
        return fill_form(info, self.forms["TrackInfo"])

    def _event(self, scan: Scan) -> Json:
        at = scan.at.astimezone(UTC)
        return {
            "EventTime": f"{at:%I:%M %p}".lower(),
            "EventDate": f"{at:%B %d, %Y}",
            "Event": scan.description,
            "EventCity": scan.city.upper(),
            "EventCountry": scan.country,
            "EventCode": self.catalogue.table("event_codes")[scan.status],
        }


def write_error(refusal: Refusal) -> Json:
    return {"Number": refusal.code, "Source": "WebtoolsAMS", "Description": refusal.text}


def kilograms(pounds: Any, ounces: Any) -> Decimal:
    return convert_weight(Decimal(str(pounds)) * 16 + Decimal(str(ounces)), "OZ", "KG")


def label_kind(body: Json) -> str:
    return "ZPL" if "ZPL" in str(get_path(body, "ImageParameters/ImageParameter")) else "PDF"


def read_party(body: Json, role: str, country: str = "US") -> Party:
    """An end of the way; abroad it has first and last names, and a postal code of any form."""
    names = [body.get(f"{role}{part}") for part in ("Name", "FirstName", "LastName")]
    lines = [body.get(f"{role}Address{at}") for at in (1, 2)]
    codes = [body.get(f"{role}{part}") for part in ("Zip5", "ZIP5", "PostalCode")]
    firm = body.get(f"{role}Firm") or ""
    return Party(
        name=next((name for name in names if name), ""),
        company="" if firm == "N/A" else firm,
        lines=tuple(line for line in lines if line),
        city=body.get(f"{role}City") or "",
        state=body.get(f"{role}State") or body.get(f"{role}Province") or "",
        postal_code=next((code for code in codes if code), ""),
        country=country,
    )


def read_items(body: Json) -> tuple[BookedItem, ...]:
    rows = as_list(get_path(body, "ShippingContents/ItemDetail"))
    return tuple(
        BookedItem(
            description=row["Description"],
            quantity=int(row["Quantity"]),
            value=Decimal(row.get("Value") or row.get("UnitValue") or 0),
            currency="USD",
            code=row.get("HSTariffNumber") or "",
        )
        for row in rows
    )
