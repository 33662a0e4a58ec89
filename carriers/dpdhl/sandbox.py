"""The services of Deutsche Post DHL as a simulator: orders, cancellations, tracking."""

from __future__ import annotations

from dataclasses import replace
from datetime import date
from decimal import Decimal

from shipcli.carrier import Reply, Request, load_catalogue
from shipcli.carrier.limits import MeasuredParcel
from shipcli.carrier.simulation.bookings import Booking, Sale, measure_parcel
from shipcli.carrier.simulation.mappings import read_items, read_party
from shipcli.carrier.simulation.papers import draw_invoice, draw_parcels
from shipcli.carrier.simulation.rules import Rules
from shipcli.carrier.simulation.simulator import Refusal, Simulator, read_basic, route
from shipcli.carrier.simulation.tracking import Scan
from shipcli.carrier.wire.json_paths import Json, as_list
from shipcli.carrier.wire.label_files import encode_file
from shipcli.carrier.wire.soap import make_soap_reply
from shipcli.carrier.wire.xml import document, element, parse

CATALOGUE = load_catalogue(__file__)
RULES = CATALOGUE.rules("order")
PARTY, ITEM = CATALOGUE.paths("party"), CATALOGUE.paths("item")
NAMESPACE = "http://dhl.de/webservices/businesscustomershipping/3.0"
SOAP, TRACKING = "/services/sandbox/soap", "/services/sandbox/rest/sendungsverfolgung"
CREATE, DELETE = "CreateShipmentOrder", "DeleteShipmentOrder"
CIS = {"@xmlns:cis": "http://dhl.de/webservice/cisbase"}
OK: Json = {"statusCode": 0, "statusText": "ok"}
PAGE = "<html><body><h1>Unauthorized</h1><p>These credentials are wrong.</p></body></html>"


class DpdhlSandbox(Simulator):
    """Deutsche Post DHL in a sandbox; its API elsewhere is off."""

    slug = "dpdhl"
    tariffs = CATALOGUE.tariffs
    limits = CATALOGUE.limits
    currency = "EUR"
    refusals = {
        "no_service": ("1101", "The product does not carry this parcel there"),
        "unknown_label": ("2000", "Unknown shipment number {}"),
        "voided_before": ("2000", "Shipment {} is already cancelled"),
        "too_late": ("2010", "Shipment {} is manifested"),
        "unknown_number": ("100", "no data found"),
    }

    def refuse(self, refusal: Refusal) -> Reply:
        if self.request.path == TRACKING:
            return self.xml(element("data", {"@code": refusal.code, "@error": refusal.text}))
        return self._answer(CREATE, {"Status": write_fault(refusal)})

    def authorise(self, request: Request) -> Reply | None:
        """The gateway's page, which is no XML."""
        if self.is_valid_client(*read_basic(request)):
            return None
        return Reply(401, PAGE.encode(), {"content-type": "text/html"})

    def make_number(self, booking: Booking, serial: int) -> str:
        return f"222201040{serial:09d}"

    def _answer(self, name: str, body: Json) -> Reply:
        version = element("Version", {"majorRelease": 3, "minorRelease": 4}, NAMESPACE, "bcs")
        for number in version:
            number.tag = str(number.tag).rpartition("}")[2]
        return make_soap_reply(document(f"{name}Response", {"Version": version, **body}, NAMESPACE, "bcs"))

    @route("POST", SOAP, root=f"{CREATE}Request")
    def order(self, request: Request, path: dict[str, str]) -> Reply:
        body = self.read_soap(request, RULES)
        orders, kind = as_list(body["ShipmentOrder"]), body["labelResponseType"]
        states = [self._sell(order, kind, (at, len(orders))) for at, order in enumerate(orders, 1)]
        return self._answer(CREATE, write_states("CreationState", states))

    def _sell(self, order: Json, kind: str, position: tuple[int, int]) -> Json:
        shipment = order["Shipment"]
        try:
            booking = read_shipment(shipment, "ZPL" if kind == "ZPL2" else "PDF")
            sale = self.backend.buy(replace(booking, position=position))
        except Refusal as no:
            return {"sequenceNumber": order["sequenceNumber"], "LabelData": {"Status": write_fault(no)}}
        label = {"Status": OK, "labelData": encode_file(draw(sale)), **draw_papers(sale)}
        return {
            "sequenceNumber": order["sequenceNumber"],
            "shipmentNumber": sale.identifier,
            "LabelData": label,
        }

    @route("POST", SOAP, root=f"{DELETE}Request")
    def cancel(self, request: Request, path: dict[str, str]) -> Reply:
        numbers = as_list(self.read_soap(request).get("shipmentNumber"))
        return self._answer(
            DELETE, write_states("DeletionState", [self._cancel(number) for number in numbers])
        )

    def _cancel(self, number: str) -> Json:
        try:
            self.backend.void(number)
        except Refusal as no:
            return {**CIS, "cis:shipmentNumber": number, "Status": write_fault(no)}
        return {**CIS, "cis:shipmentNumber": number, "Status": OK}

    @route("GET", TRACKING)
    def track(self, request: Request, path: dict[str, str]) -> Reply:
        query = parse(request.query["xml"])
        if self.refuses_credentials(query.get("password", "")):
            raise Refusal("5", "login failed")
        self.enforce(Rules(), None)
        number = query.get("piece-code", "")
        seen = self.require_tracking(number, country="DE")
        events = [write_event(scan) for scan in seen.scans]
        piece = {
            "@name": "piece-shipment",
            "@piece-identifier": number,
            "@ice": events[-1]["@ice"],
            "data": {"@name": "piece-event-list", "data": events},
        }
        return self.xml(element("data", {"@name": "piece-shipment-list", "@code": "0", "data": piece}))


def write_fault(refusal: Refusal) -> Json:
    return {"statusCode": refusal.code, "statusText": "Hard error occured.", "statusMessage": refusal.text}


def write_states(name: str, states: list[Json]) -> Json:
    """What became of each, under what is said of all: the first thing that went wrong."""
    statuses = [state.get("Status") or state["LabelData"]["Status"] for state in states]
    return {"Status": next((status for status in statuses if status is not OK), OK), name: states}


def read_shipment(shipment: Json, label: str) -> Booking:
    details, customs = shipment["ShipmentDetails"], shipment.get("ExportDocument") or {}
    positions = as_list(customs.get("ExportDocPosition"))
    return Booking(
        shipper=read_party(shipment["Shipper"], PARTY),
        recipient=read_party(shipment["Receiver"], PARTY),
        weights=(Decimal(details["ShipmentItem"]["weightInKG"]),),
        parcels=(_measure(details["ShipmentItem"]),),
        service=details["product"],
        account=details["accountNumber"],
        reference=details.get("customerReference"),
        items=read_items(positions, ITEM, customs.get("customsCurrency", "")),
        label=label,
        ship_date=date.fromisoformat(details["shipmentDate"]),
    )


def _measure(item: Json) -> MeasuredParcel:
    sides = [item.get(name) for name in ("lengthInCM", "widthInCM", "heightInCM")]
    return measure_parcel(item["weightInKG"], "KG", sides, rounding="1")


def write_event(scan: Scan) -> Json:
    return {
        "@name": "piece-event",
        "@event-timestamp": f"{scan.at:%d.%m.%Y %H:%M}",
        "@event-status": scan.description,
        "@ice": CATALOGUE.statuses.code(scan.status),
        "@event-location": scan.city,
        "@event-country": scan.country,
    }


def draw(sale: Sale) -> bytes:
    booking, number = sale.booking, sale.identifier
    name, mark = CATALOGUE.table("products")[booking.service]
    furniture = {"mark": mark, "routing": f"{booking.recipient.country} {booking.recipient.postal_code}"}
    groups = (4, 5, 5, 4)
    return draw_parcels(
        booking, [number], booking.label, "DEUTSCHE POST DHL", name, groups=groups, **furniture
    )


def draw_papers(sale: Sale) -> Json:
    """The customs declaration of goods that leave the country."""
    if not sale.booking.items:
        return {}
    paper = draw_invoice("Customs declaration CN23", sale.booking, {"Shipment": sale.identifier})
    return {"exportLabelData": encode_file(paper)}
