"""The Postal Service's server in a sandbox, for parcels to other countries."""

from __future__ import annotations

from collections.abc import Mapping
from decimal import Decimal
from typing import Any

from carriers.usps import strict
from carriers.usps.pricelist import POUNDS_PER_KG
from carriers.usps.sandbox import UspsSimulator
from carriers.usps.strict import Schema
from carriers.usps_international.catalogue import CONTENT_TYPES, OPTIONS
from shipcli.carrier.simulator import Offer, Tariff, route
from shipcli.carrier.wire import Reply, Request

EXTRAS = strict.service_codes(strict.codes_of(OPTIONS))
PRICE: Schema = {
    **strict.PRICE, "destinationCountryCode!": strict.pattern(r"[A-Z]{2}"),
    "foreignPostalCode": strict.text(15), "mailClass!": strict.text(60), "extraServices": EXTRAS,
}  # fmt: skip
RECIPIENT: Schema = {
    **strict.PERSON, "streetAddress!": strict.text(70), "secondaryAddress": strict.text(50),
    "city!": strict.text(30), "postalCode": strict.text(15), "province": strict.text(40),
    "country!": strict.text(40), "countryISOAlpha2Code!": strict.pattern(r"[A-Z]{2}"),
    "phone": strict.text(25),
}  # fmt: skip
ITEM: Schema = {
    "itemDescription!": strict.text(30), "itemQuantity!": strict.number("10000"), "itemValue!": strict.amount,
    "itemTotalValue!": strict.amount, "weightUOM!": strict.among("lb"), "itemWeight!": strict.pounds,
    "itemTotalWeight!": strict.number("10000"), "HSTariffNumber": strict.text(14),
    "countryofOrigin": strict.pattern(r"[A-Z]{2}"),
}  # fmt: skip
CUSTOMS: Schema = {
    "contentComments": strict.text(100), "restrictionType": strict.text(40),
    "restrictionComments": strict.text(100), "AESITN": strict.text(50), "invoiceNumber": strict.text(50),
    "licenseNumber": strict.text(50), "certificateNumber": strict.text(12),
    "customsContentType!": strict.among(*CONTENT_TYPES.values()),
    "contents": [ITEM],  # a form without goods is taken: import files carry no customs data
}  # fmt: skip
LABEL: Schema = {
    "imageInfo!": strict.IMAGE, "toAddress!": RECIPIENT, "fromAddress!": strict.ADDRESS,
    "senderAddress": strict.ADDRESS, "customsForm!": CUSTOMS,
    "packageDescription!": {
        **strict.PACKAGE, "extraServices": EXTRAS,
        "customerReference": [{"referenceNumber!": strict.text(30)}],
    },
}  # fmt: skip


def _tariff(code: str, base: str, per_kg: str, days: int, most_kg: str = "31.76") -> Tariff:
    return Tariff(
        code=code, base=Decimal(base), per_kg=Decimal(per_kg), days=days, max_kg=Decimal(most_kg),
        domestic=False, zone_step=Decimal("0.02"),
    )  # fmt: skip


class UspsInternationalSimulator(UspsSimulator):
    slug = "usps_international"
    tariffs = (
        _tariff("FIRST-CLASS_PACKAGE_INTERNATIONAL_SERVICE", "9.00", "8.00", 14, most_kg="1.82"),
        _tariff("PRIORITY_MAIL_INTERNATIONAL", "18.00", "5.20", 8),
        _tariff("PRIORITY_MAIL_EXPRESS_INTERNATIONAL", "32.00", "6.00", 5),
        _tariff("GLOBAL_EXPRESS_GUARANTEED", "58.00", "8.50", 3),
    )
    by_name = frozenset()
    type_codes = {}
    usual_type_code = "361"
    price_schema = PRICE
    label_schema = LABEL

    @route("POST", "/international-prices/v3/total-rates/search")
    def prices(self, request: Request, found: Mapping[str, str]) -> Reply:
        body = request.json
        refusal = self.check(self.price_schema, body) or self.at_home(body["destinationCountryCode"])
        return refusal or self.priced(body, [body["mailClass"]])

    def at_home(self, country: str) -> Reply | None:
        text = "is in the United States, which the domestic product serves"
        return self.fault(400, [("destinationCountryCode", text)]) if country == "US" else None

    def offered(self, body: Mapping[str, Any]) -> list[Offer]:
        return self.offers("US", body["destinationCountryCode"], body["weight"] / POUNDS_PER_KG)

    @route("POST", "/international-labels/v3/international-label")
    def label(self, request: Request, found: Mapping[str, str]) -> Reply:
        return super().label(request, found)

    def route_of(self, body: Mapping[str, Any]) -> dict[str, Any]:
        country, weight = body["toAddress"]["countryISOAlpha2Code"], body["packageDescription"]["weight"]
        return {"destinationCountryCode": country, "weight": weight}

    def unfit(self, body: Mapping[str, Any]) -> Reply | None:
        return self.at_home(body["toAddress"]["countryISOAlpha2Code"]) or super().unfit(body)

    @route("DELETE", "/international-labels/v3/international-label/{number}")
    def cancel_label(self, request: Request, found: Mapping[str, str]) -> Reply:
        return self.cancelled(found["number"])
