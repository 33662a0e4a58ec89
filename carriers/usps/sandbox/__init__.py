"""The Postal Service's server as a simulator: log-in, prices, labels, tracking, collections, SCAN forms."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import date
from decimal import Decimal
from typing import ClassVar

from shipcli.carrier import Reply, Request, load_catalogue
from shipcli.carrier.simulation.address_register import find_place
from shipcli.carrier.simulation.bookings import Booking, Party, PricedOffer, Sale
from shipcli.carrier.simulation.points import PointKind, announce_hold
from shipcli.carrier.simulation.rules import Rules
from shipcli.carrier.simulation.simulator import Refusal, Simulator, route
from shipcli.carrier.wire.json_paths import Json
from shipcli.carrier.wire.label_files import encode_file
from shipcli.models import json as plain_json
from shipcli.models.basics.check_digits import compute_check_digit
from shipcli.models.location import to_kilometres

from . import answers, papers
from .products import Product, list_products

CATALOGUE = load_catalogue(__file__)
PICKUP, SCAN_FORM, PAYMENT, REPRINT, RETURN, ADDRESS = (
    CATALOGUE.rules(name) for name in ("pickup", "scan_form", "payment", "reprint", "return_label", "address")
)
OFFICES, LOCKERS = CATALOGUE.rules("locations"), CATALOGUE.rules("lockers")
SHIPPING_OPTIONS = CATALOGUE.rules("shipping_options")
MAILER = "900000042"  # the mailer identifier in every number
PAID_PATHS = ("/labels/", "/international-labels/")  # they need a payment token beside the access token


class UspsSimulator(Simulator):
    """The Postal Service in a sandbox."""

    slug = "usps"
    tariffs = CATALOGUE.tariffs
    limits = CATALOGUE.limits
    surcharges = CATALOGUE.surcharges
    price_rules: ClassVar[Rules] = CATALOGUE.rules("price")
    label_rules: ClassVar[Rules] = CATALOGUE.rules("label")
    auth_scheme = "bearer"
    open_paths = ("/oauth2/v3/token",)
    token_life_s = 28799
    example_point = "1437366"
    refusals = CATALOGUE.refusals

    def refuse(self, refusal: Refusal) -> Reply:
        path, status = refusal.path or refusal.text.partition(":")[0], str(refusal.status)
        return self.json(CATALOGUE.fill("refusal", no=refusal, path=path, status=status), refusal.status)

    @route("POST", "/oauth2/v3/token")
    def log_in(self, request: Request, path: dict[str, str]) -> Reply:
        form = request.form
        if not self.is_valid_client(form.get("client_id", ""), form.get("client_secret", "")):
            return self.json(CATALOGUE.fill("bad_client"), 401)
        facts = {"token_type": "Bearer", "expires_in": self.token_life_s, "scope": form.get("scope", "")}
        return self.json({**facts, "access_token": self.issue_token()})

    @route("POST", "/payments/v3/payment-authorization")
    def authorise_payment(self, request: Request, path: dict[str, str]) -> Reply:
        self.enforce(PAYMENT, request.json)
        accounts = [str(role.get("accountNumber") or "") for role in request.json["roles"]]
        if self.refuses_credentials(*accounts):
            raise Refusal("401", "accountNumber: the payment account is not authorised", 401)
        roles = [{**role, "sufficientFunds": True} for role in request.json["roles"]]
        return self.json({"paymentAuthorizationToken": self.issue_token(), "roles": roles})

    def is_authorised(self, request: Request) -> bool:
        payment = request.header("x-payment-authorization-token")
        paid = not request.path.startswith(PAID_PATHS) or self.is_fresh(payment)
        return super().is_authorised(request) and paid

    @route("POST", "/prices/v3/total-rates/search")
    @route("POST", "/international-prices/v3/total-rates/search")
    def prices(self, request: Request, path: dict[str, str]) -> Reply:
        body = request.json
        self.enforce(self.price_rules, body)
        mail_classes = body.get("mailClasses") or [body["mailClass"]]
        options = [
            answers.write_option(price, body, product)
            for price, product in self.quote_products(body)
            if self.is_asked(price.offer.code, mail_classes)
        ]
        if not options:
            raise self.refusal("no_service")
        return self.json({"rateOptions": [row for rows in options for row in rows]})

    @route("POST", "/shipments/v3/options/search")
    def search_options(self, request: Request, path: dict[str, str]) -> Reply:
        body = request.json
        self.enforce(SHIPPING_OPTIONS, body)
        today = self.clock().date()
        parcel = answers.read_search(body, today)
        days_ahead = (date.fromisoformat(parcel["mailingDate"]) - today).days
        if not (self.lenient or -1 <= days_ahead <= answers.FARTHEST_DAYS):  # a day apart around the world
            raise Refusal("400", "packageDescription.mailingDate: is in the past, or over 30 days ahead")
        priced = [
            (price, product)
            for price, product in self.quote_products(parcel)
            if parcel["mailClass"] in (price.offer.code, *answers.ALL_CLASSES)
        ]
        if not priced:
            raise self.refusal("no_service")
        options = [
            {**asked, "shippingOptions": answers.write_shipping_options(priced, parcel, asked["priceType"])}
            for asked in body["pricingOptions"]
        ]
        places = {name: body[name] for name in ("originZIPCode", "destinationZIPCode")}
        return self.json({**places, "pricingOptions": options})

    def quote_products(self, body: Json) -> list[tuple[PricedOffer, Product]]:
        """All that a parcel can be sold as, cheapest first."""
        products = self.list_products(body)
        priced = [
            (price, product)
            for product in dict.fromkeys(product for _, product in products)
            for price in self.quote_product(body, product)
            if (price.offer.code, product) in products
        ]
        return sorted(priced, key=lambda pair: pair[0].total)

    def list_products(self, body: Json) -> list[tuple[str, Product]]:
        """The mail classes with what a parcel can be sold as in each."""
        packagings: dict[str, list[str]] = {}
        for tariff in self.tariffs:
            packagings.setdefault(tariff.code, []).extend(filter(None, [tariff.packaging]))
        return [
            (code, product)
            for code, packaging in packagings.items()
            for product in list_products(code, body, packaging)
        ]

    def quote_product(self, body: Json, product: Product) -> list[PricedOffer]:
        """The prices of a product; none where no mail class carries it."""
        try:
            return self.backend.quote(answers.read_priced(body, product))
        except Refusal:
            return []

    def is_asked(self, mail_class: str, mail_classes: Sequence[str]) -> bool:
        usual = "ALL" in mail_classes and mail_class not in CATALOGUE.table("sold_by_name")
        return usual or mail_class in mail_classes

    @route("POST", "/labels/v3/label")
    @route("POST", "/international-labels/v3/international-label")
    def label(self, request: Request, path: dict[str, str]) -> Reply:
        body = request.json
        self.enforce(self.label_rules, body)
        key = request.header("x-idempotency-key").replace("-", "")
        if again := self.backend.find_by_key(key):
            return self.reprint_label(again[0], body["imageInfo"]["imageType"])
        booking = answers.read_bought(body, key)
        if facility := body["toAddress"].get("facilityId"):
            booking = announce_hold(booking, self.require_point(facility))
        if booking.ship_date and booking.ship_date < self.earliest_today:
            raise Refusal("400", "packageDescription.mailingDate: is in the past")
        sale = self.backend.buy(booking, body=plain_json.dumps(body))
        return papers.write_answer(sale, body)

    @route("GET", "/locations/v3/post-office-locations")
    def find_offices(self, request: Request, path: dict[str, str]) -> Reply:
        query = request.query
        self.enforce(OFFICES, query)
        place = read_place(query)
        points = self.points.list_near(
            place,
            most=int(query.get("limit", 20)),
            radius_km=to_kilometres(Decimal(query.get("radius", "20")), "MI"),
            picks=query.get("pickupService") == answers.HELD,
        )
        return self.json({"locations": [answers.write_office(point) for point in points]})

    @route("GET", "/locations/v3/parcel-locker-locations")
    def find_lockers(self, request: Request, path: dict[str, str]) -> Reply:
        query = request.query
        self.enforce(LOCKERS, query)
        place = read_place(query)
        points = [point for point in self.points.list_near(place) if point.kind is PointKind.LOCKER]
        return self.json([answers.write_locker(point) for point in points[: int(query.get("limit", 30))]])

    def make_point_id(self, number: int) -> str:
        return f"{1_000_000 + number % 9_000_000}"

    @route("POST", "/labels/v3/return-label")
    def return_label(self, request: Request, path: dict[str, str]) -> Reply:
        """A return is sold as the mail class that it comes back by, from the day it is made."""
        body = request.json
        self.enforce(RETURN, body)
        classes = {code: name for name, code in CATALOGUE.table("return_classes").items()}
        package = {**body["packageDescription"], "mailingDate": self.earliest_today.isoformat()}
        outbound = {**body, "packageDescription": {**package, "mailClass": classes[package["mailClass"]]}}
        key = request.header("x-idempotency-key").replace("-", "")
        if again := self.backend.find_by_key(key):
            return self.reprint_label(again[0], body["imageInfo"]["imageType"], is_return=True)
        sale = self.backend.buy(answers.read_bought(outbound, key), body=plain_json.dumps(outbound))
        return papers.write_answer(sale, outbound, is_return=True)

    @route("POST", "/labels/v3/label-reprint")
    @route("POST", "/international-labels/v3/international-label-reprint")
    def reprint(self, request: Request, path: dict[str, str]) -> Reply:
        self.enforce(REPRINT, request.json)
        key = request.header("x-idempotency-key").replace("-", "")
        made = [label for label in self.backend.find_by_key(key) if not label["voided_at"]]
        if not made:
            raise Refusal("404", "X-Idempotency-Key: no label was made with this key", 404)
        return self.reprint_label(made[0], request.json["imageInfo"]["imageType"])

    def reprint_label(self, label: Json, image: str, *, is_return: bool = False) -> Reply:
        body = plain_json.loads(label["body"])
        body["imageInfo"] = {**body["imageInfo"], "imageType": image, "receiptOption": "NONE"}
        booking = answers.read_bought(body, label["key"])
        number = str(label["number"])
        return papers.write_answer(
            Sale(booking, self.backend.price(booking), (number,), number, [label]), body, is_return=is_return
        )

    def make_number(self, booking: Booking, serial: int) -> str:
        types = CATALOGUE.table("type_codes")
        return checked(f"92{types.get(booking.service, types['OTHER'])}{MAILER}{serial:07}")

    @route("DELETE", "/labels/v3/label/{number}")
    @route("DELETE", "/international-labels/v3/international-label/{number}")
    def void(self, request: Request, path: dict[str, str]) -> Reply:
        self.backend.void(path["number"])
        return self.json({"trackingNumber": path["number"], "status": "CANCELED"})

    @route("GET", "/tracking/v3/tracking/{number}")
    def track(self, request: Request, path: dict[str, str]) -> Reply:
        number = path["number"]
        seen = self.simulate_tracking(number)
        if seen is None:
            raise self.refusal("unknown_number", number)
        detail = request.query.get("expand") == "DETAIL"
        return self.json(answers.write_tracked(number, seen, self.find_sold(number) or {}, detail=detail))

    @route("POST", "/pickup/v3/carrier-pickup")
    def collect(self, request: Request, path: dict[str, str]) -> Reply:
        body = request.json
        self.enforce(PICKUP, body)
        return self.confirm(self.backend.schedule_pickup(body["pickupDate"]), body)

    @route("GET", "/pickup/v3/carrier-pickup/{number}")
    def show_collection(self, request: Request, path: dict[str, str]) -> Reply:
        number = path["number"]
        booked = self.backend.find_pickup(number)
        reply = self.json([{"confirmationNumber": number, "pickupDate": booked["day"]}])
        return replace(reply, headers={**reply.headers, "ETag": find_version(booked)})

    def check_version(self, request: Request, number: str) -> None:
        """Errors: Refusal unless the request names the version that the collection has."""
        if request.header("if-match") != find_version(self.backend.find_pickup(number)):
            raise Refusal("412", "If-Match: is not the version of this collection", 412)

    @route("PUT", "/pickup/v3/carrier-pickup/{number}")
    def change_collection(self, request: Request, path: dict[str, str]) -> Reply:
        body = request.json.get("carrierPickupRequest") or {}
        self.enforce(PICKUP, body)
        self.check_version(request, path["number"])
        return self.confirm(self.backend.update_pickup(path["number"], body["pickupDate"]), body)

    def confirm(self, booked: Json, body: Json) -> Reply:
        facts = {"confirmationNumber": booked["number"], "pickupDate": booked["day"]}
        return self.json({**facts, "carrierPickupRequest": body})

    @route("DELETE", "/pickup/v3/carrier-pickup/{number}")
    def cancel_collection(self, request: Request, path: dict[str, str]) -> Reply:
        self.check_version(request, path["number"])
        self.backend.cancel_pickup(path["number"])
        return Reply(200)

    def make_pickup_number(self, serial: int) -> str:
        return f"WTC{serial:09}"

    @route("GET", "/addresses/v3/address")
    def check_address(self, request: Request, path: dict[str, str]) -> Reply:
        query = request.query
        self.enforce(ADDRESS, query)
        lines = [query[name] for name in ("streetAddress", "secondaryAddress") if query.get(name)]
        place = find_place(lines, query.get("city", ""), query["state"], query.get("ZIPCode", ""))
        if place.kind == "unknown":
            raise Refusal("404", "Address Not Found", 404)
        return self.json(answers.write_checked(place, query.get("firm")))

    @route("POST", "/scan-forms/v3/scan-form")
    def close(self, request: Request, path: dict[str, str]) -> Reply:
        body = request.json
        self.enforce(SCAN_FORM, body)
        number, labels = self.backend.manifest(body["shipment"]["trackingNumbers"])
        numbers = [str(label["number"]) for label in labels]
        facts = {**body, "manifestNumber": number, "trackingNumbers": numbers}
        image = encode_file(papers.draw_scan_form(number, labels, body))
        return self.json({"SCANFormMetaData": facts, "SCANFormImage": image})

    def make_form_number(self, serial: int) -> str:
        return checked(f"92750{MAILER}{serial:07}")


def find_version(booked: Json) -> str:
    """The entity tag of a collection as it stands."""
    return hashlib.sha256(plain_json.dumps(booked).encode()).hexdigest()[:40]


def checked(digits: str) -> str:
    return f"{digits}{compute_check_digit(digits)}"


def read_place(query: Mapping[str, str]) -> Party:
    """Where places are looked for."""
    return Party(
        country="US",
        postal_code=query.get("ZIPCode", ""),
        city=query.get("city", ""),
        state=query.get("state", ""),
    )
