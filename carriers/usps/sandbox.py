"""The Postal Service's server in a sandbox: its paths, its JSON, its refusals, and a memory of what it sold.

Its prices are its own, and its tokens can be read.
"""

from __future__ import annotations

import base64
from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import date, timedelta
from decimal import Decimal
from typing import Any, ClassVar

from carriers.usps import strict
from carriers.usps.drawn import Sold, draw_scan_form, is_key, label_reply
from carriers.usps.pricelist import BY_NAME, POUNDS_PER_KG, PRICE_LIST, TYPE_CODES, rate_option
from carriers.usps.scans import told
from carriers.usps.strict import Schema
from carriers.usps.tokens import is_valid, issue
from shipcli.carrier.simulator import MANIFEST, PICKUP, Offer, Simulator, Tariff, route
from shipcli.carrier.wire import Reply, Request

MAILER = "900000042"  # the mailer identifier in every number
MOST_POUNDS = Decimal(70)
TOKEN_S, PAYMENT_S = 28799, 3000
FARTHEST_WEST = timedelta(hours=10)  # the last state to see a new day
SUNDAY = 6
NOT_FOUND = "-2147219283"
LABELS = ("/labels/", "/international-labels/")  # paths that need a payment token


class UspsSimulator(Simulator):
    slug = "usps"
    tariffs: ClassVar[Sequence[Tariff]] = PRICE_LIST
    by_name: ClassVar[frozenset[str]] = BY_NAME
    type_codes: ClassVar[Mapping[str, str]] = TYPE_CODES
    usual_type_code: ClassVar[str] = "346"
    price_schema: ClassVar[Schema] = strict.DOMESTIC_PRICE
    label_schema: ClassVar[Schema] = strict.DOMESTIC_LABEL

    # -- credentials ---------------------------------------------------------------------------

    @route("POST", "/oauth2/v3/token")
    def token(self, request: Request, found: Mapping[str, str]) -> Reply:
        form = request.form
        client, secret = form.get("client_id", ""), form.get("client_secret", "")
        if form.get("grant_type") != "client_credentials":
            return self.oauth_error("unsupported_grant_type", "The grant type is not supported.", 400)
        if not client or not secret or self.refused_credentials(client, secret):
            return self.oauth_error("invalid_client", "Client authentication failed.", 401)
        token, scope = issue("access", client, self.clock(), TOKEN_S), form.get("scope", "")
        facts = {"token_type": "Bearer", "expires_in": TOKEN_S, "scope": scope}
        return self.json({**facts, "access_token": token})

    def oauth_error(self, code: str, text: str, status: int) -> Reply:
        uri = "https://datatracker.ietf.org/doc/html/rfc6749#section-5.2"
        return self.json({"error": code, "error_description": text, "error_uri": uri}, status)

    @route("POST", "/payments/v3/payment-authorization")
    def payment(self, request: Request, found: Mapping[str, str]) -> Reply:
        if refusal := self.check(strict.PAYMENT, request.json):
            return refusal
        roles = {role["roleName"]: role for role in request.json["roles"]}
        if set(roles) != {"LABEL_OWNER", "PAYER"}:
            return self.fault(400, [("roles", "a LABEL_OWNER and a PAYER are required")])
        account = str(roles["PAYER"].get("accountNumber") or "")
        if self.refused_credentials(account):
            return self.fault(401, [("accountNumber", "the payment account is not authorised")])
        token = issue("payment", account, self.clock(), PAYMENT_S)
        return self.json({"paymentAuthorizationToken": token, "roles": []})

    def authorise(self, request: Request) -> Reply | None:
        if request.path == "/oauth2/v3/token":
            return None
        scheme, _, token = request.header("authorization").partition(" ")
        if scheme != "Bearer" or not is_valid("access", token, self.clock()):
            return self.fault(401, [("Authorization", "is invalid or has expired")])
        paid = request.header("x-payment-authorization-token")
        if request.path.startswith(LABELS) and not is_valid("payment", paid, self.clock()):
            return self.fault(401, [("X-Payment-Authorization-Token", "is invalid or has expired")])
        return None

    # -- refusals ------------------------------------------------------------------------------

    def fault(self, status: int, faults: Sequence[tuple[str, str]], code: str | None = None) -> Reply:
        """The carrier's error body: one entry for each (parameter, detail)."""
        facts = {"status": str(status), "code": code or str(status)}
        rows = [
            {**facts, "detail": f"{name}: {detail}", "source": {"parameter": name}} for name, detail in faults
        ]
        error = {"code": str(status), "message": "The request could not be processed.", "errors": rows}
        return self.json({"apiVersion": "v3", "error": error}, status)

    def check(self, schema: Schema, body: Any) -> Reply | None:
        """A refusal naming every member that does not fit."""
        found = list(strict.problems(schema, body))
        return self.fault(400, found) if found else None

    @property
    def today(self) -> date:
        """The earliest date that is today somewhere in the country."""
        return (self.clock() - FARTHEST_WEST).date()

    # -- prices --------------------------------------------------------------------------------

    @route("POST", "/prices/v3/total-rates/search")
    def prices(self, request: Request, found: Mapping[str, str]) -> Reply:
        body = request.json
        return self.check(self.price_schema, body) or self.priced(body, body["mailClasses"])

    def priced(self, body: Mapping[str, Any], classes: Sequence[str]) -> Reply:
        if refusal := self.too_heavy(body["weight"]):
            return refusal
        offers = [offer for offer in self.offered(body) if self.is_asked(offer.code, classes)]
        if not offers:
            return self.fault(400, [("mailClass", f"no price for {', '.join(classes)}")])
        return self.json({"rateOptions": [rate_option(offer, body) for offer in offers]})

    def too_heavy(self, weight: Decimal) -> Reply | None:
        text = f"a parcel weighs at most {MOST_POUNDS} pounds"
        return self.fault(400, [("weight", text)]) if weight > MOST_POUNDS else None

    def offered(self, body: Mapping[str, Any]) -> list[Offer]:
        zips = (body["originZIPCode"], body["destinationZIPCode"])
        return self.offers("US", "US", body["weight"] / POUNDS_PER_KG, *zips)

    def is_asked(self, code: str, classes: Sequence[str]) -> bool:
        return code in classes or ("ALL" in classes and code not in self.by_name)

    # -- labels --------------------------------------------------------------------------------

    @route("POST", "/labels/v3/label")
    def label(self, request: Request, found: Mapping[str, str]) -> Reply:
        body = request.json
        return self.check(self.label_schema, body) or self.unfit(body) or self.sell_label(body)

    def unfit(self, body: Mapping[str, Any]) -> Reply | None:
        """What a label request is refused for although each of its members is well formed."""
        package = body["packageDescription"]
        if date.fromisoformat(package["mailingDate"]) < self.today:
            return self.fault(400, [("packageDescription.mailingDate", "is in the past")])
        nameless = [name for name in ("toAddress", "fromAddress") if not self.has_name(body[name])]
        if nameless:
            return self.fault(400, [(name, "a name or a firm is required") for name in nameless])
        return self.too_heavy(package["weight"])

    def has_name(self, address: Mapping[str, Any]) -> bool:
        return bool(address.get("firm") or (address.get("firstName") and address.get("lastName")))

    def route_of(self, body: Mapping[str, Any]) -> dict[str, Any]:
        """What a price depends on, out of a label request."""
        zips = {
            "originZIPCode": body["fromAddress"]["ZIPCode"],
            "destinationZIPCode": body["toAddress"]["ZIPCode"],
        }
        return {**zips, "weight": body["packageDescription"]["weight"]}

    def sell_label(self, body: Mapping[str, Any]) -> Reply:
        mail_class = body["packageDescription"]["mailClass"]
        offer = next((one for one in self.offered(self.route_of(body)) if one.code == mail_class), None)
        if offer is None:
            return self.fault(
                400, [("packageDescription.mailClass", f"{mail_class} can not carry this parcel")]
            )
        number = self.parcel_number(mail_class)
        self.sell(number, **self.record(body, offer))
        return label_reply(Sold(number, offer, body, self.today.isoformat()))

    def record(self, body: Mapping[str, Any], offer: Offer) -> dict[str, Any]:
        """What the ledger keeps of a label."""
        to, rows = body["toAddress"], body["packageDescription"].get("customerReference") or [{}]
        reference = rows[0].get("referenceNumber")
        return {
            "reference": reference, "key": reference if is_key(reference) else None, "service": offer.code,
            "total": offer.total, "currency": "USD", "origin": "US",
            "destination": to.get("countryISOAlpha2Code", "US"),
            "recipient_postal_code": to.get("ZIPCode") or to.get("postalCode"),
            "label_format": body["imageInfo"]["imageType"],
        }  # fmt: skip

    def parcel_number(self, mail_class: str) -> str:
        type_code = self.type_codes.get(mail_class, self.usual_type_code)
        return checked(f"92{type_code}{MAILER}{self.next_number():07}")

    @route("DELETE", "/labels/v3/label/{number}")
    def cancel_label(self, request: Request, found: Mapping[str, str]) -> Reply:
        return self.cancelled(found["number"])

    def cancelled(self, number: str) -> Reply:
        label = self.sold(number)
        if label is None:
            return self.fault(404, [("trackingNumber", f"there is no label {number}")])
        if wrong := spent(label):
            return self.fault(400, [("trackingNumber", f"{number} {wrong}")])
        self.void_label(label)
        return self.json({"trackingNumber": number, "status": "CANCELED"})

    # -- tracking ------------------------------------------------------------------------------

    @route("GET", "/tracking/v3/tracking/{number}")
    def tracking(self, request: Request, found: Mapping[str, str]) -> Reply:
        number = found["number"]
        journey = self.simulate_tracking(number)
        if journey is None:
            text = f"a status update is not yet available for {number}"
            return self.fault(404, [("trackingNumber", text)], NOT_FOUND)
        detail = request.query.get("expand") == "DETAIL"
        return self.json(told(number, journey, self.sold(number) or {}, detail=detail))

    # -- collections ---------------------------------------------------------------------------

    @route("POST", "/pickup/v3/carrier-pickup")
    def book(self, request: Request, found: Mapping[str, str]) -> Reply:
        body = request.json
        if refusal := self.check(strict.PICKUP, body) or self.bad_day(body["pickupDate"]):
            return refusal
        return self.booked(f"WTC{self.next_number(PICKUP):09}", body)

    def booked(self, number: str, body: Mapping[str, Any]) -> Reply:
        self.ledger.put(
            self.slug, PICKUP, number, {"number": number, "date": body["pickupDate"], "cancelled": False}
        )
        answer = {
            "confirmationNumber": number,
            "pickupDate": body["pickupDate"],
            "carrierPickupRequest": body,
        }
        return self.json(answer)

    def bad_day(self, text: str) -> Reply | None:
        day = date.fromisoformat(text)
        if day < self.today:
            return self.fault(400, [("pickupDate", "is in the past")])
        if day.weekday() == SUNDAY:
            return self.fault(400, [("pickupDate", "there is no collection on a Sunday")])
        return None

    def no_booking(self, number: str) -> Reply | None:
        known = self.ledger.get(self.slug, PICKUP, number)
        if known and not known["cancelled"]:
            return None
        return self.fault(404, [("confirmationNumber", f"there is no collection {number}")])

    @route("PUT", "/pickup/v3/carrier-pickup/{number}")
    def rebook(self, request: Request, found: Mapping[str, str]) -> Reply:
        number, body = found["number"], request.json
        refusal = self.no_booking(number) or self.check(strict.PICKUP_CHANGE, body)
        refusal = refusal or self.bad_day(body["carrierPickupRequest"]["pickupDate"])
        return refusal or self.booked(number, body["carrierPickupRequest"])

    @route("DELETE", "/pickup/v3/carrier-pickup/{number}")
    def unbook(self, request: Request, found: Mapping[str, str]) -> Reply:
        number = found["number"]
        if refusal := self.no_booking(number):
            return refusal
        self.ledger.put(self.slug, PICKUP, number, {"number": number, "cancelled": True})
        return Reply(200)

    # -- the end of the day --------------------------------------------------------------------

    @route("POST", "/scan-forms/v3/scan-form")
    def scan_form(self, request: Request, found: Mapping[str, str]) -> Reply:
        body = request.json
        if refusal := self.check(strict.SCAN_FORM, body):
            return refusal
        numbers = body["shipment"]["trackingNumbers"]
        labels = {number: self.sold(number) for number in numbers}
        faults = list(self.unclosable(labels))
        if faults:
            return self.fault(400, faults)
        known = [label for label in labels.values() if label]
        return self.closed(checked(f"92750{MAILER}{self.next_number(MANIFEST):07}"), known, body)

    def unclosable(self, labels: Mapping[str, Mapping[str, Any] | None]) -> Iterator[tuple[str, str]]:
        for number, label in labels.items():
            wrong = spent(label) if label else "is not a label of this account"
            if wrong:
                yield "shipment.trackingNumbers", f"{number} {wrong}"

    def closed(self, form: str, labels: Iterable[Mapping[str, Any]], body: Mapping[str, Any]) -> Reply:
        done = [self.change(label, manifested_at=self.clock().isoformat()) for label in labels]
        numbers = [str(label["number"]) for label in done]
        self.ledger.put(self.slug, MANIFEST, form, {"number": form, "labels": numbers})
        facts = {**body, "shipment": {}, "manifestNumber": form, "trackingNumbers": numbers}
        image = base64.b64encode(draw_scan_form(form, done, body)).decode()
        return self.json({"SCANFormMetadata": facts, "SCANFormImage": image})


def spent(label: Mapping[str, Any]) -> str | None:
    """Why a label can be neither cancelled nor put on a form."""
    if label["voided_at"]:
        return "has been canceled"
    return "is on a SCAN form" if label["manifested_at"] else None


def checked(digits: str) -> str:
    """The digits with their check digit: weights 3 and 1 from the right, modulo 10."""
    total = sum(int(digit) * (1 if index % 2 else 3) for index, digit in enumerate(reversed(digits)))
    return f"{digits}{-total % 10}"
