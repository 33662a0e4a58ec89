"""UPS's server as a simulator: login, prices, labels, voids, tracking, paperless documents."""

from __future__ import annotations

from datetime import UTC
from typing import Any

from shipcli.carrier import Reply, Request, load_catalogue
from shipcli.carrier.simulation.backend import Booking
from shipcli.carrier.simulation.simulator import Refusal, Simulator, read_basic, route
from shipcli.carrier.wire.json_paths import Json, as_list, get_path

from . import answers, papers
from .bookings import read_booking

CATALOGUE = load_catalogue(__file__)
RATED, BOUGHT = CATALOGUE.rules("shipment", "rate"), CATALOGUE.rules("shipment", "label")
UPLOADED = CATALOGUE.rules("documents")
DOCUMENT, FORMS = "document", "Shipment/ShipmentServiceOptions/InternationalForms"


class UpsSimulator(Simulator):
    """UPS in a sandbox."""

    slug = "ups"
    tariffs = CATALOGUE.tariffs
    surcharges = CATALOGUE.surcharges
    local_money = True
    auth_scheme = "bearer"
    open_paths = ("/security/v1/oauth/token",)
    token_life_s = 14399
    refusals = CATALOGUE.refusals

    def refuse(self, refusal: Refusal) -> Reply:
        error = {"code": refusal.code, "message": refusal.text}
        return self.json({"response": {"errors": [error]}}, refusal.status)

    def make_number(self, booking: Booking, serial: int) -> str:
        return papers.make_number(str(booking.account), booking.service, serial)

    @route("POST", "/security/v1/oauth/token")
    def log_in(self, request: Request, path: dict[str, str]) -> Reply:
        if not self.is_valid_client(*read_basic(request)):
            raise Refusal("10401", "ClientId is Invalid", 401)
        if request.form.get("grant_type") != "client_credentials":
            raise Refusal("10400", "Invalid/Missing Authorization Header")
        issued = str(int(self.clock().timestamp() * 1000))
        token = {"access_token": self.issue_token(), "token_type": "Bearer", "issued_at": issued}
        return self.json({**token, "expires_in": str(self.token_life_s), "status": "approved"})

    @route("POST", "/api/rating/v2205/Shop")
    def rates(self, request: Request, path: dict[str, str]) -> Reply:
        body = request.json["RateRequest"]
        self.enforce(RATED, body)
        booking = read_booking(body)
        pickup = str(get_path(body, "Shipment/DeliveryTimeInformation/Pickup/Date"))
        prices = [answers.write_rated(booking, one, pickup) for one in self.backend.quote(booking)]
        return self.json({"RateResponse": {"Response": answers.success(body), "RatedShipment": prices}})

    @route("POST", "/api/shipments/v2205/ship")
    def ship(self, request: Request, path: dict[str, str]) -> Reply:
        body = request.json["ShipmentRequest"]
        self.enforce(BOUGHT, body)
        booking, forms = read_booking(body), get_path(body, FORMS) or {}
        if not all(self.ledger.get(self.slug, DOCUMENT, number) for number in document_numbers(forms)):
            raise Refusal("128220", "Missing or invalid document ID of a user created form")
        sale = self.backend.buy(booking)
        labels = [papers.draw(sale, at, self.clock()) for at in range(len(sale.numbers))]
        form = papers.invoice(booking, forms, sale.identifier) if forms.get("FormType") == "01" else None
        results = answers.write_sale(sale, labels, form)
        answer = {"Response": answers.success(body), "ShipmentResults": results}
        return self.json({"ShipmentResponse": answer})

    @route("DELETE", "/api/shipments/v2205/void/cancel/{number}")
    def void(self, request: Request, path: dict[str, str]) -> Reply:
        labels = self.backend.void(path["number"])
        return self.json({"VoidShipmentResponse": answers.write_voided(labels)})

    @route("GET", "/api/track/v1/details/{number}")
    def track(self, request: Request, path: dict[str, str]) -> Reply:
        number = path["number"]
        seen = self.require_tracking(number)
        package = answers.write_tracked(number, seen, self.find_sold(number) or {})
        return self.json({"trackResponse": {"shipment": [{"inquiryNumber": number, "package": [package]}]}})

    @route("POST", "/api/paperlessdocuments/v1/upload")
    def upload(self, request: Request, path: dict[str, str]) -> Reply:
        body = request.json["UploadRequest"]
        self.enforce(UPLOADED, {**body, "Header": request.header("ShipperNumber")})
        history = [{"DocumentID": self._keep(form)} for form in as_list(body["UserCreatedForm"])]
        answer = {"Response": answers.success({}), "FormsHistoryDocumentID": history}
        return self.json({"UploadResponse": answer})

    def _keep(self, form: dict[str, Any]) -> str:
        number = f"{self.clock().astimezone(UTC):%Y-%m-%d-%H.%M.%S}.{self.next_number(DOCUMENT):06d}"
        self.ledger.put(self.slug, DOCUMENT, number, {"name": form["UserCreatedFormFileName"]})
        return number


def document_numbers(forms: Json) -> list[str]:
    """The documents uploaded before that a shipment names."""
    return [str(form.get("DocumentID")) for form in as_list(forms.get("UserCreatedForm"))]
