"""UPS's server as a simulator: login, prices, labels, voids, tracking, paperless documents."""

from __future__ import annotations

import base64
from datetime import UTC
from decimal import Decimal
from typing import Any

from carriers.ups import paper
from carriers.ups.bills import bill, rated, summed, total_of
from carriers.ups.bookings import Booking, Refused, read_bought, read_rated
from carriers.ups.catalogue import service_of
from carriers.ups.scans import tracked
from carriers.ups.shapes import Json, listed, within
from carriers.ups.tariffs import PER_DOLLAR, TARIFFS, currency_of
from shipcli.carrier.simulator import LABEL, Offer, Simulator, route
from shipcli.carrier.tracking_simulation import MAGIC
from shipcli.carrier.wire import Reply, Request

TOKEN = "ups-sandbox-"
LIFE_S = 14399
DOCUMENT = "document"


class UpsSimulator(Simulator):
    """UPS in a sandbox."""

    slug = "ups"
    tariffs = TARIFFS

    def dispatch(self, request: Request) -> Reply:
        """Every refusal leaves in UPS's one form."""
        try:
            return super().dispatch(request)
        except Refused as refusal:
            error = {"code": refusal.code, "message": refusal.message}
            return self.json({"response": {"errors": [error]}}, refusal.status)

    def authorise(self, request: Request) -> Reply | None:
        kind, _, value = request.header("authorization").partition(" ")
        if request.path == "/security/v1/oauth/token":
            self._check_client(kind, value)
        elif not self._is_fresh(kind, value):
            raise Refused("250002", "Invalid Authentication Information.", 401)
        return None

    def _check_client(self, kind: str, value: str) -> None:
        try:
            client, _, secret = base64.b64decode(value, validate=True).decode().partition(":")
        except ValueError:
            client = secret = ""
        if kind != "Basic" or not (client and secret) or self.refused_credentials(client, secret):
            raise Refused("10401", "ClientId is Invalid", 401)

    def _is_fresh(self, kind: str, value: str) -> bool:
        issued = value.removeprefix(TOKEN)
        if kind != "Bearer" or not value.startswith(TOKEN) or not issued.isdigit():
            return False
        return int(issued) + LIFE_S * 1000 > int(self.clock().timestamp() * 1000)

    @route("POST", "/security/v1/oauth/token")
    def login(self, request: Request, path: dict[str, str]) -> Reply:
        if request.form.get("grant_type") != "client_credentials":
            raise Refused("10400", "Invalid/Missing Authorization Header")
        issued = int(self.clock().timestamp() * 1000)
        token = {"access_token": f"{TOKEN}{issued}", "token_type": "Bearer", "issued_at": str(issued)}
        return self.json({**token, "expires_in": str(LIFE_S), "status": "approved"})

    # -- prices --------------------------------------------------------------------------------

    @route("POST", "/api/rating/v2205/Shop")
    def rates(self, request: Request, path: dict[str, str]) -> Reply:
        booking = read_rated(request.json)
        offers = self._offers(booking)
        if not offers or "6 NORATE WAY" in listed(within(booking.shipment, "ShipTo/Address/AddressLine")):
            raise Refused("111210", "The requested service is unavailable between the selected locations.")
        pickup = within(booking.shipment, "DeliveryTimeInformation/Pickup/Date")
        prices = [rated(booking, offer, str(pickup)) for offer in offers.values()]
        context = within(request.json, "RateRequest/Request/TransactionReference") or {}
        return self.json({"RateResponse": {"Response": _success(context), "RatedShipment": prices}})

    def _offers(self, booking: Booking) -> dict[str, Offer]:
        """The services that take every package, each with the sum of its packages."""
        way = (booking.from_postal, booking.to_postal)
        priced = [
            {one.code: one for one in self.offers(booking.origin, booking.destination, weight, *way)}
            for weight in booking.weights
        ]
        return {
            code: summed([prices[code] for prices in priced], PER_DOLLAR[currency_of(booking.origin)])
            for code in priced[0]
            if all(code in prices for prices in priced)
        }

    # -- labels --------------------------------------------------------------------------------

    @route("POST", "/api/shipments/v2205/ship")
    def ship(self, request: Request, path: dict[str, str]) -> Reply:
        booking = read_bought(request.json)
        offer = self._offers(booking).get(booking.service)
        if offer is None:
            text = "The requested service is unavailable between the selected locations."
            raise Refused("120124", text)
        self._check_documents(booking)
        image = within(request.json, "ShipmentRequest/LabelSpecification/LabelImageFormat/Code")
        context = within(request.json, "ShipmentRequest/Request/TransactionReference") or {}
        numbers = [self._number(booking, package) for package in booking.packages]
        packages = [self._package(booking, at, numbers, image) for at in range(len(numbers))]
        self._enter(booking, offer, numbers, context.get("CustomerContext"))
        results = {
            **bill(booking, offer),
            "ShipmentIdentificationNumber": numbers[0],
            # One package is an object, several are a list.
            "PackageResults": packages[0] if len(packages) == 1 else packages,
            **_forms(booking, numbers[0]),
        }
        body = {"Response": _success(context), "ShipmentResults": results}
        return self.json({"ShipmentResponse": body})

    def _number(self, booking: Booking, package: Json) -> str:
        """The next 1Z number; a magic number given as the package's reference stands for itself."""
        own = str(within(package, "ReferenceNumber/Value") or "")
        magic = MAGIC.match(own) and not self.sold(own)
        return (
            own if magic else paper.tracking_number(str(booking.account), booking.service, self.next_number())
        )

    def _package(self, booking: Booking, at: int, numbers: list[str], image: str) -> Json:
        place = f"{at + 1}/{len(numbers)}"
        drawn = paper.label(numbers[at], booking.shipment, booking.packages[at], self.clock(), place, image)
        kind = "ZPL" if image == "ZPL" else "PNG"
        graphic = base64.b64encode(drawn).decode()
        label = {"ImageFormat": {"Code": kind, "Description": kind}, "GraphicImage": graphic}
        return {"TrackingNumber": numbers[at], "ShippingLabel": label}

    def _enter(self, booking: Booking, offer: Offer, numbers: list[str], context: Any) -> None:
        """Every package is a label in the ledger; the price stands with the first."""
        total = total_of(booking, offer)
        shipped = within(booking.shipment, "ReferenceNumber/Value")
        for at, (number, package) in enumerate(zip(numbers, booking.packages, strict=True)):
            self.sell(
                number,
                identifier=numbers[0],
                reference=within(package, "ReferenceNumber/Value") or shipped,
                key=context,
                service=service_of(booking.service, booking.origin),
                total=total if at == 0 else Decimal(0),
                currency=currency_of(booking.origin),
                origin=booking.origin,
                destination=booking.destination,
                recipient_postal_code=booking.to_postal,
                recipient_name=within(booking.shipment, "ShipTo/Name"),
                weight_kg=booking.weights[at],
            )

    def _check_documents(self, booking: Booking) -> None:
        forms = within(booking.shipment, "ShipmentServiceOptions/InternationalForms/UserCreatedForm")
        for form in listed(forms):
            if self.ledger.get(self.slug, DOCUMENT, str(form.get("DocumentID"))) is None:
                raise Refused("128220", "Missing or invalid document ID of a user created form")

    @route("DELETE", "/api/shipments/v2205/void/cancel/{number}")
    def void(self, request: Request, path: dict[str, str]) -> Reply:
        labels = self.ledger.find(self.slug, LABEL, identifier=path["number"])
        if not labels:
            raise Refused("190102", "No shipment found within the allowed void period")
        if any(one["voided_at"] for one in labels):
            raise Refused("190117", "The shipment has already been voided.")
        if any(self._is_moving(one) for one in labels):
            raise Refused("190101", "Time for voiding has expired.")
        for one in labels:
            self.void_label(one)
        done = {"Status": {"Code": "1", "Description": "Voided"}}
        results = [{"TrackingNumber": one["number"], **done} for one in labels]
        body = {"Response": _success({}), "SummaryResult": done, "PackageLevelResult": results}
        return self.json({"VoidShipmentResponse": body})

    def _is_moving(self, label: Json) -> bool:
        seen = self.simulate_tracking(label["number"])
        delivered = seen is not None and seen.delivered
        return bool(label["manifested_at"]) or (delivered and not MAGIC.match(label["number"]))

    # -- tracking ------------------------------------------------------------------------------

    @route("GET", "/api/track/v1/details/{number}")
    def track(self, request: Request, path: dict[str, str]) -> Reply:
        number = path["number"]
        seen, label = self.simulate_tracking(number), self.sold(number) or {}
        if seen is None and not paper.is_tracking_number(number):
            raise Refused("TV1002", "Invalid inquiry number")
        if seen is None:
            raise Refused("TW0001", "Tracking Information Not Found", 404)
        shipment = {"inquiryNumber": number, "package": [tracked(number, seen, label)]}
        return self.json({"trackResponse": {"shipment": [shipment]}})

    # -- documents -----------------------------------------------------------------------------

    @route("POST", "/api/paperlessdocuments/v1/upload")
    def upload(self, request: Request, path: dict[str, str]) -> Reply:
        body = within(request.json, "UploadRequest") or {}
        forms = listed(body.get("UserCreatedForm"))
        if not body.get("ShipperNumber") or not request.header("ShipperNumber"):
            raise Refused("9590002", "Missing or invalid shipper number")
        if not forms or not all(_is_form(form) for form in forms):
            raise Refused("9590013", "Missing or invalid user created form")
        numbers = [self._keep(form) for form in forms]
        history = [{"DocumentID": number} for number in numbers]
        return self.json({"UploadResponse": {"Response": _success({}), "FormsHistoryDocumentID": history}})

    def _keep(self, form: Json) -> str:
        number = f"{self.clock().astimezone(UTC):%Y-%m-%d-%H.%M.%S}.{self.next_number(DOCUMENT):06d}"
        self.ledger.put(self.slug, DOCUMENT, number, {"name": form["UserCreatedFormFileName"]})
        return number


def _is_form(form: Json) -> bool:
    code = str(form.get("UserCreatedFormDocumentType") or "")
    try:
        content = base64.b64decode(form.get("UserCreatedFormFile") or "", validate=True)
    except ValueError:
        return False
    named = form.get("UserCreatedFormFileName") and form.get("UserCreatedFormFileFormat")
    return bool(content and named and code.isdigit() and 1 <= int(code) <= 13)


def _success(context: Json) -> Json:
    return {"ResponseStatus": {"Code": "1", "Description": "Success"}, "TransactionReference": context}


def _forms(booking: Booking, number: str) -> Json:
    forms = within(booking.shipment, "ShipmentServiceOptions/InternationalForms")
    if not forms or forms["FormType"] != "01":
        return {}
    graphic = base64.b64encode(paper.invoice(booking.shipment, number)).decode()
    return {"Form": {"Code": "01", "Image": {"ImageFormat": {"Code": "PDF"}, "GraphicImage": graphic}}}
