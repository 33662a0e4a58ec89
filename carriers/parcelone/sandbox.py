"""ParcelOne's servers in the sandbox: shipments, their labels once more, cancellations, tracking."""

from __future__ import annotations

from decimal import Decimal
from typing import Any

from shipcli.carrier import Reply, Request, load_catalogue
from shipcli.carrier.limits import MeasuredParcel
from shipcli.carrier.simulation.bookings import Booking, Sale, measure_parcel
from shipcli.carrier.simulation.mappings import read_items, read_party
from shipcli.carrier.simulation.papers import draw_booking, draw_format, draw_invoice, group_text
from shipcli.carrier.simulation.simulator import Refusal, Simulator, route
from shipcli.carrier.simulation.tracking import Scan
from shipcli.carrier.wire.json_paths import Json, as_list, get_path
from shipcli.carrier.wire.label_files import encode_file
from shipcli.models.basics.check_digits import compute_check_digit

CATALOGUE = load_catalogue(__file__)
ORDERED = CATALOGUE.rules("order")
PARTY, ITEM = CATALOGUE.paths("party"), CATALOGUE.paths("item")
HOST, TRACKED = "/shippingapi/v1/shipment", "/v1/tracklmc/tracking"
KINDS = {"PDF": "PDF", "GIF": "GIF", "ZPL203": "ZPL", "ZPL300": "ZPL"}
EXTRAS = {"SDO": "saturday", "SIG": "signature", "COD": "cash", "INS": "insurance"}
INVALID = "Invalid parameters have been provided."
WORDS = {401: "Unauthorized", 404: "Not found"}
SHIPMENT, WAY_BACK = "shipment", "SRL"


class ParceloneSimulator(Simulator):
    """ParcelOne in a sandbox."""

    slug = "parcelone"
    tariffs = CATALOGUE.tariffs
    surcharges = CATALOGUE.surcharges
    limits = CATALOGUE.limits
    currency = "EUR"
    auth_scheme = "basic"
    refusals = {
        "bad_login": ("4012", "Wrong user or password for access to WebService.", 401),
        "invalid": ("1013", "The following required fields have not been filled.", 422),
        "no_service": ("1398", "No valid Product.", 422),
        "unknown_label": ("1003", "This Shipment could not be uniquely identified.", 404),
        "voided_before": ("1004", "The shipment {} was already cancelled.", 422),
        "too_late": ("1005", "The shipment {} has already been proceeded.", 422),
        "unknown_number": ("1003", "This Shipment could not be uniquely identified.", 404),
    }

    def refuse(self, refusal: Refusal) -> Reply:
        error = {"ErrorNo": refusal.code, "Message": refusal.text, "StatusCode": INVALID}
        words = WORDS.get(refusal.status, "Validation Error")
        answer = {"success": -1, "message": words, "type": "error", "errors": [error]}
        return self.json(self._frame(answer, refusal.status), refusal.status)

    def _answer(self, results: Any) -> Reply:
        answer = {"success": 1, "message": "OK", "type": "success", "results": results}
        return self.json(self._frame(answer, 200))

    def _frame(self, answer: Json, status: int) -> Json:
        return {"status": status, "instance": self.request.path, **answer, "UniqId": "6499698a6f6e1"}

    def make_number(self, booking: Booking, serial: int) -> str:
        body = f"12345{1_000_000 + serial:07d}"
        return f"{body}{compute_check_digit(body)}"

    def make_identifier(self, booking: Booking, numbers: object) -> str:
        return f"{100_000 + self.next_number(SHIPMENT):06d}"

    @route("POST", HOST)
    def register(self, request: Request, path: dict[str, str]) -> Reply:
        self.enforce(ORDERED, request.json)
        body = request.json["ShippingData"]
        booking = read_booking(body)
        sale = self.backend.buy(booking, body=body)
        return self._answer(write_sale(sale, body))

    @route("GET", f"{HOST}/label/{{field}}/{{value}}")
    def reprint(self, request: Request, path: dict[str, str]) -> Reply:
        label, kind = self._find(path["field"], path["value"]), request.query.get("FormatType")
        if kind not in KINDS:
            raise Refusal("1397", f"{kind} is no format of labels.", 422)
        booking = read_booking({**label["body"], "LabelFormat": {"Type": kind}})
        row = {
            "ShipmentID": label["identifier"],
            "PackageID": "1",
            "TrackingID": label["number"],
            "DocType": "LABEL",
            "Document": encode_file(draw(booking, label["number"])),
            "ActionResult": write_action(label["identifier"], label["number"], booking),
        }
        return self._answer([row])

    @route("DELETE", f"{HOST}/{{field}}/{{value}}")
    def cancel(self, request: Request, path: dict[str, str]) -> Reply:
        label = self._find(path["field"], path["value"])
        self.backend.void(label["identifier"])
        return self._answer(write_action(label["identifier"], label["number"], read_booking(label["body"])))

    def _find(self, field: str, value: str) -> Json:
        """A reference names what was not cancelled. Errors: Refusal where a value names none, or several."""
        if field == "shipmentref":
            labels = [label for label in self.backend.find_by_key(value) if not label["voided_at"]]
        else:
            labels = self.backend.find_labels(value)
        if len(labels) != 1:
            raise self.refusal("unknown_label", value)
        return labels[0]

    @route("GET", f"{TRACKED}/{{carrier}}/{{number}}")
    def track(self, request: Request, path: dict[str, str]) -> Reply:
        seen = self.require_tracking(path["number"], country="DE")
        events = [write_event(scan) for scan in reversed(seen.scans)]
        results = {
            "TrackingID": path["number"],
            "CarrierIDLMC": path["carrier"],
            "CarrierTrackingID": f"L{path['number']}",
            "Status": events[0]["Status"],
            "StatusCode": events[0]["StatusCode"],
            "EstimatedDelivery": f"{seen.estimated:%Y-%m-%d}" if seen.estimated else None,
            "Events": events,
        }
        return self._answer(results)


def read_booking(body: Json) -> Booking:
    package = body["Packages"][0]
    customs, options = package.get("IntDocData") or {}, as_list(body.get("Services"))
    return Booking(
        shipper=read_party(body["ShipFromData"], PARTY),
        recipient=read_party(body["ShipToData"], PARTY),
        weights=(Decimal(package["PackageWeight"]["Value"]),),
        parcels=(measure(package),),
        service=f"{body['CEPID']}_{body['ProductID']}",
        account=body["MandatorID"],
        reference=get_path(body, "ShipToData/Reference"),
        key=body.get("ShipmentRef"),
        extras=tuple(EXTRAS[row["ServiceID"]] for row in options if row["ServiceID"] in EXTRAS),
        items=read_items(customs.get("CustomDetails") or (), ITEM, customs.get("Currency", "")),
        label=KINDS[body["LabelFormat"]["Type"]],
    )


def measure(package: Json) -> MeasuredParcel:
    sides = list((package.get("PackageDimensions") or {}).values())
    return measure_parcel(package["PackageWeight"]["Value"], "KG", sides, rounding="0.01")


def write_sale(sale: Sale, body: Json) -> Json:
    """Charges are for future use: the answers have none."""
    booking, number = sale.booking, sale.numbers[0]
    link = f"https://parcel.one/tracking?trackno={number}&zip={booking.recipient.postal_code}"
    package = {
        "ShipmentID": sale.identifier,
        "PackageID": "1",
        "PackageRef": get_path(body, "Packages/PackageRef"),
        "TrackingID": number,
        "DocType": "LABEL",
        "Label": encode_file(draw(booking, number)),
        "TrackingURL": link,
    }
    return_label = encode_file(draw(booking, number, "RETURN"))
    asked = any(row["ServiceID"] == WAY_BACK for row in as_list(body.get("Services")))
    invoice = encode_file(draw_invoice("CN23", booking, {"Shipment": number})) if booking.items else None
    results = {
        "ActionResult": write_action(sale.identifier, number, booking),
        "PackageResults": [package],
        "DocumentsResults": [{"DocType": "Retourelabel", "Document": return_label}] if asked else None,
        "InternationalDocumentsResults": [{"DocType": "CN23", "Document": invoice}] if invoice else None,
        "LabelsAvailable": 1,
    }
    return {name: value for name, value in results.items() if value is not None}


def write_action(identifier: str, number: str, booking: Booking) -> Json:
    return {
        "ShipmentID": identifier,
        "ShipmentRef": booking.key,
        "TrackingID": number,
        "Success": 1,
        "Errors": [],
        "Warnings": [],
    }


def write_event(scan: Scan) -> Json:
    return {
        "DateTime": f"{scan.at:%Y-%m-%dT%H:%M:%S}",
        "Location": f"{scan.city}, {scan.country}",
        "Status": scan.description,
        "StatusCode": CATALOGUE.statuses.code(scan.status),
        "Description": scan.description,
    }


def draw(booking: Booking, number: str, direction: str = "") -> bytes:
    title, mark = CATALOGUE.table("titles")[booking.service]
    routing = f"{booking.recipient.country} {booking.recipient.postal_code}"
    furniture = {"mark": mark, "routing": routing, "caption": group_text(number, 4, 3, 3, 3)}
    heading = " ".join(filter(None, (title, direction)))
    return draw_format(draw_booking(booking, number, 0, "PARCEL.ONE", heading, **furniture), booking.label)
