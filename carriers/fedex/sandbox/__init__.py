"""FedEx's server as a simulator: two log-ins, prices, labels, voids, tracking, pickups, trade documents."""

from __future__ import annotations

import string
from decimal import Decimal

from shipcli.carrier import Reply, Request, load_catalogue
from shipcli.carrier.simulation.bookings import Booking
from shipcli.carrier.simulation.points import hold_booking
from shipcli.carrier.simulation.rules import Rules
from shipcli.carrier.simulation.simulator import LABEL, Refusal, Simulator, route
from shipcli.carrier.wire.json_paths import Json, as_list, get_path
from shipcli.models import json as plain_json
from shipcli.models.basics.check_digits import compute_fedex_check_digit
from shipcli.models.location import to_kilometres

from . import answers, papers
from .bookings import read_booking, read_place

CATALOGUE = load_catalogue(__file__)
RATED, BOUGHT = CATALOGUE.rules("shipment", "rate"), CATALOGUE.rules("shipment", "label")
COLLECTED, CALLED_OFF = CATALOGUE.rules("pickup"), CATALOGUE.rules("cancel_pickup")
UPLOADED, LOCATED = CATALOGUE.rules("documents"), CATALOGUE.rules("locations")
CHECKED, CLOSED = CATALOGUE.rules("address"), CATALOGUE.rules("close")
HELD_AT = "requestedShipment/shipmentSpecialServices/holdAtLocationDetail/locationId"
LETTERS, MOST_PLACES = string.ascii_uppercase, 25
GROUND = frozenset(CATALOGUE.table("ground_services").values())
DOCUMENT = "document"


class FedexSimulator(Simulator):
    """FedEx in a sandbox."""

    slug = "fedex"
    tariffs = CATALOGUE.tariffs
    limits = CATALOGUE.limits
    surcharges = CATALOGUE.surcharges
    local_money = True
    auth_scheme = "bearer"
    open_paths = ("/oauth/token",)
    example_point = "YBZA"
    refusals = {
        "bad_login": ("NOT.AUTHORIZED.ERROR", "The given client credentials were not valid.", 401),
        "no_service": ("SERVICE.PACKAGECOMBINATION.INVALID", "Invalid service and packaging combination."),
        "unknown_label": ("TRACKINGNUMBER.NOTFOUND", "Tracking number {} cannot be found."),
        "voided_before": (
            "SHIPMENT.ALREADY.DELETED",
            "Shipment Delete was requested for a tracking number already in a deleted state.",
        ),
        "too_late": ("SHIPMENT.TENDERED", "Package {} is tendered and cannot be cancelled."),
        "unknown_pickup": ("PICKUP.ALREADY.CANCELLED", "Pickup {} is unknown or already cancelled."),
        "bad_day": ("PICKUPDATE.INVALID", "No pickup can be scheduled on that day."),
        "unknown_point": ("HOLDATLOCATION.LOCATIONID.INVALID", "Hold at location id {} is invalid."),
        "unknown_number": ("TRACKING.TRACKINGNUMBER.NOTFOUND", "Tracking number cannot be found.", 404),
    }

    def refuse(self, refusal: Refusal) -> Reply:
        error = {"code": refusal.code, "message": refusal.text}
        return self.json({"transactionId": answers.TRANSACTION, "errors": [error]}, refusal.status)

    def make_number(self, booking: Booking, serial: int) -> str:
        body = f"7949{serial % 10_000_000:07d}"
        return f"{body}{compute_fedex_check_digit(body)}"

    def checked(self, request: Request, rules: Rules) -> Json:
        """The body of a request.

        Errors: Refusal for the first thing that is wrong with it.
        """
        body: Json = request.json
        self.enforce(rules, body)
        return body

    @route("POST", "/oauth/token")
    def log_in(self, request: Request, path: dict[str, str]) -> Reply:
        form = request.form
        if not self.is_valid_client(form.get("client_id", ""), form.get("client_secret", "")):
            raise self.refusal("bad_login")
        token = {"access_token": self.issue_token(), "token_type": "bearer", "scope": "CXS"}
        return self.json({**token, "expires_in": self.token_life_s})

    @route("POST", "/rate/v1/rates/quotes")
    def rates(self, request: Request, path: dict[str, str]) -> Reply:
        body = self.checked(request, RATED)
        services = as_list(get_path(body, "requestedShipment/serviceType"))
        priced = self.backend.quote(self._read_booking(body), services)
        return self.json(answers.write_rates(body, priced))

    @route("POST", "/ship/v1/shipments")
    def ship(self, request: Request, path: dict[str, str]) -> Reply:
        body = self.checked(request, BOUGHT)
        attached = get_path(body, "requestedShipment/shipmentSpecialServices/etdDetail/attachedDocuments")
        if not all(
            self.ledger.get(self.slug, DOCUMENT, str(document["documentId"]))
            for document in as_list(attached)
        ):
            raise Refusal("ETD.DOCUMENTID.INVALID", "A document id is unknown.")
        sale = self.backend.buy(self._read_booking(body, request.header("x-customer-transaction-id")))
        labels = [papers.draw(sale, at) for at in range(len(sale.numbers))]
        return self.json(answers.write_sale(body, sale, labels, papers.invoice(sale, body)))

    def _read_booking(self, body: Json, key: str | None = None) -> Booking:
        """The shipment of a request, on its way to where it is held."""
        booking, id = read_booking(body, key), get_path(body, HELD_AT)
        return hold_booking(booking, self.require_point(id)) if id else booking

    @route("POST", "/location/v1/locations")
    def locate(self, request: Request, path: dict[str, str]) -> Reply:
        body = self.checked(request, LOCATED)
        limits = body.get("locationsSummaryRequestControlParameters") or {}
        radius = limits.get("distance") or {}
        unit = radius.get("units") or "MI"
        transfers = [row["transferOfPossessionType"] for row in as_list(body.get("locationCapabilities"))]
        points = self.points.list_near(
            read_place(body["location"]["address"]),
            most=int(limits.get("maxResults") or MOST_PLACES),
            radius_km=to_kilometres(Decimal(str(radius["value"])), unit) if radius else None,
            picks="HOLD_AT_LOCATION" in transfers,
        )
        return self.json({"transactionId": answers.TRANSACTION, "output": answers.write_places(points, unit)})

    def make_point_id(self, number: int) -> str:
        return "".join(LETTERS[number // 26**place % 26] for place in range(4)) + str(number % 10)

    @route("PUT", "/ship/v1/shipments/cancel")
    def void(self, request: Request, path: dict[str, str]) -> Reply:
        self.backend.void(str(request.json["trackingNumber"]))
        done = {
            "cancelledShipment": True,
            "cancelledHistory": True,
            "message": "Shipment is successfully cancelled",
        }
        return self.json({"transactionId": answers.TRANSACTION, "output": done})

    @route("POST", "/track/v1/trackingnumbers")
    def track(self, request: Request, path: dict[str, str]) -> Reply:
        numbers = [
            str(entry["trackingNumberInfo"]["trackingNumber"]) for entry in request.json["trackingInfo"]
        ]
        results = [self._result(number) for number in numbers]
        return self.json({"transactionId": answers.TRANSACTION, "output": {"completeTrackResults": results}})

    def _result(self, number: str) -> Json:
        seen = self.simulate_tracking(number)
        if seen is None:
            no = self.refusal("unknown_number")
            result: Json = {"error": {"code": no.code, "message": no.text}}
        else:
            result = answers.write_tracked(seen, self.find_sold(number) or {})
        return {"trackingNumber": number, "trackResults": [result]}

    @route("POST", "/track/v1/trackingdocuments")
    def prove(self, request: Request, path: dict[str, str]) -> Reply:
        (specification,) = request.json["trackDocumentSpecification"]
        number = str(specification["trackingNumberInfo"]["trackingNumber"])
        seen = self.simulate_tracking(number)
        if seen is None or not seen.delivered:
            raise Refusal("SPOD.NOTAVAILABLE", f"There is no proof of delivery of {number}.")
        output = {"documentFormat": "PNG", "documents": [papers.signature(number)]}
        return self.json({"transactionId": answers.TRANSACTION, "output": output})

    @route("PUT", "/ship/v1/endofday")
    def close(self, request: Request, path: dict[str, str]) -> Reply:
        """All Ground parcels of the day that are open."""
        self.checked(request, CLOSED)
        open_labels = [
            label
            for label in self.ledger.find(self.slug, LABEL, manifested_at=None, voided_at=None)
            if label.get("service") in GROUND
        ]
        if not open_labels:
            raise Refusal("GROUND.SHIPMENTS.NOTFOUND", "There are no ground shipments to close.")
        identifiers = dict.fromkeys(str(label["identifier"]) for label in open_labels)
        number, labels = self.backend.manifest(list(identifiers))
        return self.json(answers.write_closed(papers.draw_close(number, labels)))

    @route("POST", "/ship/v1/endofday")
    def reprint(self, request: Request, path: dict[str, str]) -> Reply:
        number = str(self.checked(request, CLOSED).get("trackingNumber"))
        label = self.find_sold(number)
        if label is None or not label["manifested_at"]:
            raise Refusal("TRACKINGNUMBER.NOTFOUND", f"{number} was in no close.")
        labels = self.ledger.find(self.slug, LABEL, manifest=label["manifest"])
        return self.json(answers.write_closed(papers.draw_close(str(label["manifest"]), labels)))

    def make_form_number(self, serial: int) -> str:
        return f"GC{serial:08d}"

    @route("POST", "/pickup/v1/pickups")
    def collect(self, request: Request, path: dict[str, str]) -> Reply:
        origin = self.checked(request, COLLECTED)["originDetail"]
        day, _, ready = origin["readyDateTimestamp"].removesuffix("Z").partition("T")
        if ready >= origin["customerCloseTime"]:
            raise Refusal("PICKUP.WINDOW.INVALID", "The place closes before the packages are ready.")
        booked = self.backend.schedule_pickup(day)
        output = {"pickupConfirmationCode": booked["number"], "location": "NQAA", "message": ""}
        return self.json({"transactionId": answers.TRANSACTION, "output": output})

    @route("PUT", "/pickup/v1/pickups/cancel")
    def call_off(self, request: Request, path: dict[str, str]) -> Reply:
        number = str(self.checked(request, CALLED_OFF)["pickupConfirmationCode"])
        self.backend.cancel_pickup(number)
        text = "Requested pickup has been cancelled Successfully."
        output = {"pickupConfirmationCode": number, "cancelConfirmationMessage": text}
        return self.json({"transactionId": answers.TRANSACTION, "output": output})

    def make_pickup_number(self, serial: int) -> str:
        return f"NQAA{serial}"

    @route("POST", "/address/v1/addresses/resolve")
    def check_addresses(self, request: Request, path: dict[str, str]) -> Reply:
        body = self.checked(request, CHECKED)
        addresses = [each["address"] for each in body["addressesToValidate"]]
        resolved = [row for address in addresses for row in answers.write_checked(address)]
        return self.json({"transactionId": answers.TRANSACTION, "output": {"resolvedAddresses": resolved}})

    @route("POST", "/sandbox/documents/v1/etds/upload")
    def upload(self, request: Request, path: dict[str, str]) -> Reply:
        fields = {part.name: part.content for part in request.parts}
        document = plain_json.loads(fields.get("document") or b"{}")
        self.enforce(UPLOADED, {"document": document, "attachment": fields.get("attachment")})
        number = f"090493e18{self.next_number(DOCUMENT):07d}"
        self.ledger.put(self.slug, DOCUMENT, number, {"name": document["name"]})
        meta = {"documentType": "CO", "docId": number, "folderId": ["0b0493e1812f8921"]}
        return self.json({"output": {"meta": meta}}, 201)
