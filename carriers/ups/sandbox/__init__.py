"""UPS's server as a simulator: login, prices, labels, voids, tracking, collections, paperless documents."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from datetime import UTC, date, timedelta
from decimal import Decimal
from typing import Any

from shipcli.carrier import Reply, Request, load_catalogue
from shipcli.carrier.simulation.address_register import find_place
from shipcli.carrier.simulation.bookings import PICKUP, Booking, Sale
from shipcli.carrier.simulation.mappings import read_party
from shipcli.carrier.simulation.simulator import Refusal, Simulator, read_basic, route
from shipcli.carrier.wire.json_paths import Json, as_list, get_path
from shipcli.models.location import to_kilometres

from . import answers, papers
from .bookings import read_booking

CATALOGUE = load_catalogue(__file__)
RATED, BOUGHT = CATALOGUE.rules("shipment", "rate"), CATALOGUE.rules("shipment", "label")
UPLOADED, LOCATED = CATALOGUE.rules("documents"), CATALOGUE.rules("locations")
COLLECTED, CHECKED = CATALOGUE.rules("pickup"), CATALOGUE.rules("address")
ACCESS_POINTS, FEW = "64", 5
PLACE, ACCESS_POINT = CATALOGUE.paths("place"), "Shipment/AlternateDeliveryAddress/UPSAccessPointID"
RECOVERED = CATALOGUE.rules("recovery")
RATING, SHIPPING = "/api/rating/v2403/Shop", "/api/shipments/v2403"
DOCUMENT, ORDER = "document", "order"
FORMS = "Shipment/ShipmentServiceOptions/InternationalForms"


class UpsSimulator(Simulator):
    """UPS in a sandbox."""

    slug = "ups"
    tariffs = CATALOGUE.tariffs
    limits = CATALOGUE.limits
    surcharges = CATALOGUE.surcharges
    local_money = True
    auth_scheme = "bearer"
    open_paths = ("/security/v1/oauth/token",)
    token_life_s = 14399
    refusals = CATALOGUE.refusals
    example_point = "U12345678"

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

    @route("POST", RATING)
    def rates(self, request: Request, path: dict[str, str]) -> Reply:
        body = request.json["RateRequest"]
        self.enforce(RATED, body)
        booking = read_booking(body)
        pickup = str(get_path(body, "Shipment/DeliveryTimeInformation/Pickup/Date"))
        prices = [answers.write_rated(booking, offer, pickup) for offer in self.backend.quote(booking)]
        return self.json({"RateResponse": {"Response": answers.success(body), "RatedShipment": prices}})

    @route("POST", SHIPPING + "/ship")
    def ship(self, request: Request, path: dict[str, str]) -> Reply:
        body = request.json["ShipmentRequest"]
        self.enforce(BOUGHT, body)
        if place := get_path(body, ACCESS_POINT):
            self.require_point(place)
        booking, forms = read_booking(body), get_path(body, FORMS) or {}
        if not all(self.ledger.get(self.slug, DOCUMENT, number) for number in document_numbers(forms)):
            raise Refusal("128220", "Missing or invalid document ID of a user created form")
        sale = self.backend.buy(booking)
        labels = self._draw(booking, sale.numbers)
        form = (
            papers.invoice(booking, forms, sale.identifier)
            if "01" in as_list(forms.get("FormType"))
            else None
        )
        self._keep_order(body, sale)
        results = answers.write_sale(sale, labels, form)
        answer = {"Response": answers.success(body), "ShipmentResults": results}
        return self.json({"ShipmentResponse": answer})

    @route("POST", "/api/labels/v1/recovery")
    def recover(self, request: Request, path: dict[str, str]) -> Reply:
        """The labels of the shipment that has a reference, which several may have."""
        body = request.json["LabelRecoveryRequest"]
        self.enforce(RECOVERED, body)
        reference = get_path(body, "ReferenceValues/ReferenceNumber/Value")
        orders = self.ledger.find(self.slug, ORDER, key=reference)
        account = get_path(body, "ReferenceValues/ShipperNumber")
        orders = [
            order for order in orders if get_path(order["body"], "Shipment/Shipper/ShipperNumber") == account
        ]
        if not orders:
            raise Refusal("300102", "No shipment found for the reference number", 404)
        if len({order["identifier"] for order in orders}) > 1:
            return self.json({"LabelRecoveryResponse": answers.write_candidates(orders)})
        kind = str(get_path(body, "LabelSpecification/LabelImageFormat/Code"))
        answer = answers.write_recovered(orders[0], kind, self._draw_again(orders[0], kind))
        return self.json({"LabelRecoveryResponse": answer})

    def _draw(self, booking: Booking, numbers: Sequence[str]) -> list[str]:
        return [papers.draw(booking, numbers, at, self.clock()) for at in range(len(numbers))]

    def _draw_again(self, order: Json, kind: str) -> list[str]:
        booking, numbers = read_booking(order["body"]), order["numbers"]
        if kind == "PDF":
            return [papers.draw_file(booking, numbers, self.clock())]
        return self._draw(replace(booking, label=kind), numbers)

    def _keep_order(self, body: Json, sale: Sale) -> None:
        """By each of its references."""
        holders = [body["Shipment"], *as_list(body["Shipment"]["Package"])]
        for value in {row["Value"] for holder in holders for row in holder.get("ReferenceNumber", ())}:
            order = {"key": value, "identifier": sale.identifier, "numbers": list(sale.numbers), "body": body}
            self.ledger.put(self.slug, ORDER, f"{sale.identifier} {value}", order)

    @route("DELETE", SHIPPING + "/void/cancel/{number}")
    def void(self, request: Request, path: dict[str, str]) -> Reply:
        labels = self.backend.void(path["number"])
        return self.json({"VoidShipmentResponse": answers.write_voided(labels)})

    @route("GET", "/api/track/v1/details/{number}")
    def track(self, request: Request, path: dict[str, str]) -> Reply:
        number = path["number"]
        seen = self.require_tracking(number)
        package = answers.write_tracked(number, seen, self.find_sold(number) or {})
        return self.json({"trackResponse": {"shipment": [{"inquiryNumber": number, "package": [package]}]}})

    @route("POST", "/api/pickupcreation/v2403/pickup")
    def collect(self, request: Request, path: dict[str, str]) -> Reply:
        body = request.json["PickupCreationRequest"]
        self.enforce(COLLECTED, body)
        times = body["PickupDateInfo"]
        if times["ReadyTime"] >= times["CloseTime"]:
            raise Refusal("9510003", "The close time must be later than the ready time")
        day = date.fromisoformat(times["PickupDate"]).isoformat()
        kept = {"account": get_path(body, "Shipper/Account/AccountNumber"), "order": body}
        booked = self.backend.schedule_pickup(day, **kept)
        return self.json({"PickupCreationResponse": answers.write_collected(body, booked["number"])})

    def make_pickup_number(self, serial: int) -> str:
        return f"2929{serial:05d}CP"

    @route("GET", "/api/shipments/v1/pickup/oncall")
    def pending(self, request: Request, path: dict[str, str]) -> Reply:
        """The collections of today and tomorrow that are not cancelled."""
        account, last = request.header("AccountNumber"), self.clock().date() + timedelta(days=1)
        rows = self.ledger.find(self.slug, PICKUP, account=account)
        shown = [row for row in rows if not row["cancelled_at"] and row["day"] <= last.isoformat()]
        return self.json({"PickupPendingStatusResponse": answers.write_pending(shown)})

    @route("DELETE", "/api/shipments/v2403/pickup/02")
    def call_off(self, request: Request, path: dict[str, str]) -> Reply:
        self.backend.cancel_pickup(request.header("Prn"))
        answer = {"Response": answers.success({}), "PickupType": "01"}
        return self.json({"PickupCancelResponse": answer})

    @route("POST", "/api/addressvalidation/v2/3")
    def check_address(self, request: Request, path: dict[str, str]) -> Reply:
        body = request.json["XAVRequest"]
        self.enforce(CHECKED, body)
        form = body["AddressKeyFormat"][0]
        code = form.get("PostcodePrimaryLow") or ""
        state = form.get("PoliticalDivision1") or form["CountryCode"]
        city = form.get("PoliticalDivision2") or ""
        place = find_place(form.get("AddressLine") or (), city, state, code)
        return self.json({"XAVResponse": answers.write_checked(body, place)})

    @route("POST", "/api/locations/v2/search/availabilities/{kind}")
    def locate(self, request: Request, path: dict[str, str]) -> Reply:
        body = request.json["LocatorRequest"]
        self.enforce(LOCATED, body)
        criteria, unit = body["LocationSearchCriteria"], get_path(body, "UnitOfMeasurement/Code")
        if id := get_path(criteria, "AccessPointSearch/PublicAccessPointID"):
            known = self.points.find(id)
            return self.json({"LocatorResponse": answers.write_places([known] if known else [], unit)})
        radius = criteria.get("SearchRadius")
        points = self.points.list_near(
            read_party(body["OriginAddress"], PLACE),
            radius_km=to_kilometres(Decimal(str(radius)), unit) if radius else None,
        )
        fitting = [point for point in points if point.pick_up is (path["kind"] == ACCESS_POINTS)]
        most = int(criteria.get("MaximumListSize") or FEW)
        return self.json({"LocatorResponse": answers.write_places(fitting[:most], unit)})

    def make_point_id(self, number: int) -> str:
        return f"U{number % 10**8:08d}"

    @route("POST", "/api/paperlessdocuments/v2/upload")
    def upload(self, request: Request, path: dict[str, str]) -> Reply:
        body = request.json["UploadRequest"]
        self.enforce(UPLOADED, {**body, "Header": request.header("ShipperNumber")})
        history = {"DocumentID": [self._keep(form) for form in body["UserCreatedForm"]]}
        answer = {"Response": answers.success({}), "FormsHistoryDocumentID": history}
        return self.json({"UploadResponse": answer})

    def _keep(self, form: dict[str, Any]) -> str:
        number = f"{self.clock().astimezone(UTC):%Y-%m-%d-%H.%M.%S}.{self.next_number(DOCUMENT):06d}"
        self.ledger.put(self.slug, DOCUMENT, number, {"name": form["UserCreatedFormFileName"]})
        return number


def document_numbers(forms: Json) -> list[str]:
    """The documents uploaded before that a shipment names."""
    return as_list(get_path(forms, "UserCreatedForm/DocumentID"))
