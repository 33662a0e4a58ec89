"""Web Tools as a simulator, for parcels to other countries."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import datetime
from decimal import ROUND_UP, Decimal
from typing import ClassVar

from shipcli.carrier import Reply, Request, load_catalogue
from shipcli.carrier.simulation.bookings import Booking, Party, PricedOffer
from shipcli.carrier.simulation.forms import Form
from shipcli.carrier.simulation.simulator import route
from shipcli.carrier.wire.json_paths import Json, as_list, get_path
from shipcli.models.basics.check_digits import compute_postal_check_digit
from shipcli.models.basics.places import find_country_code

from ..usps_wt.sandbox import PATH, UspsWtSimulator, kilograms, label_kind, read_items, read_party
from ..usps_wt.sandbox.papers import draw_label


class UspsWtInternationalSimulator(UspsWtSimulator):
    """Web Tools abroad, in a sandbox: a document for each product."""

    slug = "usps_wt_international"
    catalogue = load_catalogue(__file__)
    tariffs = catalogue.tariffs
    limits = catalogue.limits
    surcharges = catalogue.surcharges
    forms: ClassVar[Mapping[str, Form]] = {**UspsWtSimulator.forms, **catalogue.table("forms")}
    rate_rules, label_rules = catalogue.rules("rate"), catalogue.rules("label")

    def make_number(self, booking: Booking, serial: int) -> str:
        """A number by the standard S10, such as EB123456785US."""
        prefix, digits = self.catalogue.table("number_prefixes")[booking.service], f"{serial:08}"
        return f"{prefix}{digits}{compute_postal_check_digit(digits)}US"

    @route("GET", PATH, root="IntlRateV2Request")
    def prices(self, request: Request, path: dict[str, str]) -> Reply:
        body = self.read_xml(request, "IntlRateV2Request", self.rate_rules)
        packages = [self._priced(package) for package in as_list(body["Package"])]
        return self.write_answer("IntlRateV2Response", {"Package": packages})

    def read_package(self, package: Json) -> Booking:
        return Booking(
            shipper=Party(country="US", postal_code=package["OriginZip"]),
            recipient=Party(country=find_country_code(package["Country"]) or ""),
            weights=(bill_weight(package["Pounds"], package["Ounces"]),),
            extras=tuple(as_list(get_path(package, "ExtraServices/ExtraService"))),
        )

    def write_prices(self, prices: Sequence[PricedOffer]) -> Json:
        names = self.catalogue.table("service_names")
        return {
            "Service": [
                {
                    "@ID": price.offer.code,
                    "Postage": price.offer.total,
                    "ExtraServices": {"ExtraService": self.write_offered_extras(price)},
                    "SvcDescription": names[price.offer.code],
                }
                for price in prices
            ]
        }

    @route("GET", PATH, root="eVSExpressMailIntlRequest")
    @route("GET", PATH, root="eVSPriorityMailIntlRequest")
    @route("GET", PATH, root="eVSFirstClassMailIntlRequest")
    @route("GET", PATH, root="eVSGXGGetLabelRequest")
    def label(self, request: Request, path: dict[str, str]) -> Reply:
        root = str(request.xml.tag)
        body = self.read_xml(request, root, self.label_rules)
        sale = self.backend.buy(self.read_order(root, body))
        weighed = replace(sale.booking, weights=(kilograms(body["GrossPounds"], body["GrossOunces"]),))
        number = "USPSBarcodeNumber" if "GXG" in root else "BarcodeNumber"
        answer = {
            "Postage": sale.priced.offer.total,
            number: sale.numbers[0],
            "LabelImage": draw_label(replace(sale, booking=weighed), self.catalogue),
        }
        if "InsuranceFee" in self.forms[root.replace("Request", "Response")]:
            answer["InsuranceFee"] = sum(sale.priced.extras.values())
        else:
            answer["ExtraServices"] = {"ExtraService": self.write_extras(sale.priced)}
        return self.write_answer(root.replace("Request", "Response"), answer)

    def read_order(self, root: str, body: Json) -> Booking:
        country = body.get("ToCountry") or body.get("CountryUltDest")
        return Booking(
            shipper=read_party(body, "From"),
            recipient=read_party(body, "To", find_country_code(country) or ""),
            weights=(bill_weight(body["GrossPounds"], body["GrossOunces"]),),
            service=self.catalogue.table("class_ids")[root],
            account=body.get("MID"),
            reference=body.get("CustomerRefNo") or None,
            extras=(*as_list(get_path(body, "ExtraServices/ExtraService")), *self.insurance(root, body)),
            items=read_items(body),
            label=label_kind(body),
            ship_date=datetime.strptime(body.get("LabelDate") or body["ShipDate"], "%m/%d/%Y").date(),
        )

    def insurance(self, root: str, body: Json) -> list[str]:
        """The insurance of products that have a field for its amount, and no list of extras."""
        field, code = self.catalogue.table("insurances").get(root, ("", ""))
        return [code] if body.get(field) else []

    @route("GET", PATH, root="eVSICancelRequest")
    def cancel(self, request: Request, path: dict[str, str]) -> Reply:
        return self.cancelled(request, "eVSICancelResponse")


def bill_weight(pounds: str, ounces: str) -> Decimal:
    """Kilograms of the pounds that are billed: each that is begun."""
    return kilograms((Decimal(pounds) + Decimal(ounces) / 16).quantize(Decimal(1), ROUND_UP), 0)
