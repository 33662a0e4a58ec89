"""The servers of Hermes in the sandbox: log-in, orders with their labels, collections, tracking."""

from __future__ import annotations

from decimal import Decimal
from urllib.parse import parse_qsl, urlsplit

from shipcli.carrier import Reply, Request, load_catalogue
from shipcli.carrier.limits import MeasuredParcel
from shipcli.carrier.simulation.bookings import LABEL, Booking, Sale, measure_parcel
from shipcli.carrier.simulation.mappings import read_items, read_party
from shipcli.carrier.simulation.papers import draw_invoice, draw_parcels
from shipcli.carrier.simulation.simulator import Refusal, Simulator, route
from shipcli.carrier.simulation.tracking import Scan, SimulatedTracking
from shipcli.carrier.wire.json_paths import Json, drop_empty, get_path
from shipcli.carrier.wire.label_files import encode_file
from shipcli.models.basics.reference import find_iso3

CATALOGUE = load_catalogue(__file__)
ORDERED, RETURNED, COLLECTED = (CATALOGUE.rules(name) for name in ("order", "return", "pickup"))
RECEIVER, SENDER, ITEM = (CATALOGUE.paths(name) for name in ("receiver", "sender", "item"))
LOGIN, HOST = "/authorization-facade/oauth2/access_token", "/services/hsi"
HOME, GRAMS_PER_KG, CENTS = "DE", 1000, 100
ORDER = "order"
REFERENCES = ("clientReference", "clientReference2")
LABEL_TYPES = {media: kind for kind, media in CATALOGUE.table("label_types").items()}
SERVICES = {  # the member of an order that makes a service
    "nextDayService": "hermes_next_day",
    "statedDayService": "hermes_stated_day",
    "parcelShopDeliveryService": "hermes_parcel_shop",
}
TITLES = {
    "hermes_next_day": ("NEXT DAY", "ND"),
    "hermes_stated_day": ("WUNSCHTAG", "WT"),
    "hermes_parcel_shop": ("PAKETSHOP", "PS"),
    "hermes_international": ("INTERNATIONAL", "INT"),
    "hermes_standard": ("STANDARD", "STD"),
}


class HermesSimulator(Simulator):
    """Hermes in a sandbox."""

    slug = "hermes"
    tariffs = CATALOGUE.tariffs
    limits = CATALOGUE.limits
    currency = "EUR"
    auth_scheme = "bearer"
    open_paths = (LOGIN,)
    refusals = {
        "bad_login": ("access_denied", "Access denied for token", 401),
        "invalid": ("e001", "The attributes do not correspond to the specification.", 400),
        "no_service": (
            "e004",
            "Error while creating shipment order: Service not available in destination country.",
            400,
        ),
        "unknown_pickup": (
            "e070",
            "Unable to cancel the pickup order {}. It does not exist, or it is already cancelled.",
            400,
        ),
        "bad_day": ("e025", "Error while creating pickup order: Pickup not possible on this day.", 400),
    }

    def refuse(self, refusal: Refusal) -> Reply:
        if refusal.code == "access_denied":
            return self.json({"error": refusal.code, "error_description": refusal.text}, refusal.status)
        row = {"code": refusal.code, "message": refusal.text}
        return self.json({"listOfResultCodes": [row]}, refusal.status)

    def make_number(self, booking: Booking, serial: int) -> str:
        return f"{96_000_000_000_000 + serial:014d}"

    def make_identifier(self, booking: Booking, numbers: object) -> str:
        return f"{52_000_000_000 + self.next_number(ORDER):011d}"

    def make_pickup_number(self, serial: int) -> str:
        return f"{71_000_000_000 + serial:011d}"

    @route("POST", LOGIN)
    def log_in(self, request: Request, path: dict[str, str]) -> Reply:
        form = request.form
        known = self.is_valid_client(form.get("username", ""), form.get("password", ""))
        if not known or not self.is_valid_client(form.get("client_id", ""), form.get("client_secret", "")):
            text = "Given client ID does not match authenticated client."
            return self.json({"error": "invalid_client", "error_description": text}, 401)
        token = {"access_token": self.issue_token(), "token_type": "Bearer", "scope": "full"}
        return self.json({**token, "expires_in": str(self.token_life_s)})

    @route("POST", f"{HOST}/shipmentorders/labels")
    def order(self, request: Request, path: dict[str, str]) -> Reply:
        body = request.json
        self.enforce(ORDERED, body)
        parent = get_path(body, "service/multipartService/parentShipmentOrderID")
        if parent and not self.find_sold(parent):
            raise Refusal("e009", "Error while creating shipment order: Main shipment order does not exist.")
        references = {name: body.get(name) for name in REFERENCES}
        sale = self.backend.buy(read_booking(body, self._read_kind(request)), references=references)
        return self._answer(sale, {"shipmentOrderID": sale.identifier}, "labelImage")

    @route("GET", f"{HOST}/shipmentorders")
    def list_orders(self, request: Request, path: dict[str, str]) -> Reply:
        """The orders of some days whose labels were made; all are of one sender."""
        days = [request.query[f"shipmentOrder{end}Date"] for end in ("Start", "End")]
        orders = [
            {
                "shipmentID": label["number"],
                "shipmentOrderID": label["identifier"],
                "createDate": label["bought_at"],
                "actualOrderState": "PLACED",
                **drop_empty(label["references"]),
            }
            for _, kind, _, label in self.ledger.everything()
            if kind == LABEL and label.get("references") and days[0] <= label["bought_at"][:10] <= days[1]
        ]
        clients = [{"clientID": "1000", "listOfSenders": [{"listOfShipmentOrders": orders}]}]
        return self.json({"listOfResultCodes": [], "listOfClients": clients if orders else []})

    @route("POST", f"{HOST}/returnorders/labels")
    def order_return(self, request: Request, path: dict[str, str]) -> Reply:
        self.enforce(RETURNED, request.json)
        sale = self.backend.buy(read_booking(request.json, self._read_kind(request)))
        return self._answer(sale, {"returnOrderID": sale.identifier}, "shippinglabel")

    def _read_kind(self, request: Request) -> str:
        media = request.header("accept")
        if media not in LABEL_TYPES:
            raise Refusal("e096", f"The given media type {media} is not supported.", 415)
        return LABEL_TYPES[media]

    def _answer(self, sale: Sale, order: Json, member: str) -> Reply:
        booking, number = sale.booking, sale.numbers[0]
        invoice = draw_invoice("Commercial invoice", booking, {"Shipment": number}) if booking.items else None
        body = {
            "listOfResultCodes": [],
            "shipmentID": number,
            **order,
            member: encode_file(draw(sale)),
            "commInvoiceImage": encode_file(invoice) if invoice else None,
            "labelMediatype": f"application/{booking.label.lower()}",
        }
        return self.json({name: value for name, value in body.items() if value is not None})

    @route("POST", f"{HOST}/pickuporders")
    def collect(self, request: Request, path: dict[str, str]) -> Reply:
        self.enforce(COLLECTED, request.json)
        booked = self.backend.schedule_pickup(request.json["pickupDate"])
        return self.json({"listOfResultCodes": [], "pickupOrderID": booked["number"]})

    @route("DELETE", f"{HOST}/pickuporders/{{number}}")
    def call_off(self, request: Request, path: dict[str, str]) -> Reply:
        self.backend.cancel_pickup(path["number"])
        return self.json({"listOfResultCodes": [], "pickupOrderID": path["number"]})

    @route("GET", f"{HOST}/shipmentinfo")
    def show(self, request: Request, path: dict[str, str]) -> Reply:
        query = parse_qsl(urlsplit(request.url).query)
        return self.json(
            {"shipmentinfo": [self._show(number) for name, number in query if name == "shipmentID"]}
        )

    def _show(self, number: str) -> Json:
        seen = self.simulate_tracking(number, country=HOME)
        if seen is None:
            result = {"code": "e001", "message": "There is no information for the entered value."}
            return {"shipmentID": number, "result": result}
        return write_info(number, seen, self.find_sold(number) or {})


def read_booking(body: Json, kind: str) -> Booking:
    """The order of one parcel; its extras say which service it is."""
    parcel, recipient = body["parcel"], read_party(body, RECEIVER, HOME)
    part = get_path(body, "service/multipartService") or {}
    customs = body.get("customsAndTaxes") or {}
    goods = [
        {**item, "worth": Decimal(item.get("value") or 0) / CENTS} for item in customs.get("items") or ()
    ]
    return Booking(
        shipper=read_party(body, SENDER, HOME),
        recipient=recipient,
        weights=(Decimal(parcel["parcelWeight"]) / GRAMS_PER_KG,),
        parcels=(measure(parcel),),
        service=find_service(body, recipient.country),
        reference=body.get("clientReference"),
        items=read_items(goods, {**ITEM, "value": "worth"}, customs.get("currency", "")),
        label=kind,
        position=(part["partNumber"], part["numberOfParts"]) if part else None,
    )


def find_service(body: Json, country: str) -> str:
    if country != HOME:
        return "hermes_international"
    chosen = (slug for member, slug in SERVICES.items() if (body.get("service") or {}).get(member))
    return next(chosen, "hermes_standard")


def measure(parcel: Json) -> MeasuredParcel:
    sides = [parcel[name] for name in ("parcelDepth", "parcelWidth", "parcelHeight") if name in parcel]
    kilograms = Decimal(parcel["parcelWeight"]) / GRAMS_PER_KG
    return measure_parcel(kilograms, "KG", [Decimal(side) / 10 for side in sides], rounding="0.1")


def write_info(number: str, seen: SimulatedTracking, label: Json) -> Json:
    body = {
        "shipmentID": number,
        "clientReference": label.get("reference"),
        "trackingLink": f"https://www.myhermes.de/empfangen/sendungsverfolgung/sendungsinformation#{number}",
        "result": {"code": "i001", "message": "Success"},
        "receiverAddress": {
            "city": seen.scans[-1].city,
            "zipCode": label.get("recipient_postal_code"),
            "countryCode": find_iso3(seen.scans[-1].country),
        },
        "deliveryForecast": {"fixed": False, "date": f"{seen.estimated:%Y-%m-%d}"}
        if seen.estimated
        else None,
        "status": [write_scan(scan) for scan in seen.scans],
    }
    return dict(drop_empty(body))


def write_scan(scan: Scan) -> Json:
    return {
        "timestamp": scan.at.isoformat(timespec="seconds"),
        "code": CATALOGUE.statuses.code(scan.status),
        "description": scan.description,
        "scanningUnit": {"name": "Hermes Germany", "city": scan.city, "countryCode": find_iso3(scan.country)},
    }


def draw(sale: Sale) -> bytes:
    booking = sale.booking
    title, mark = TITLES[booking.service]
    routing = f"{booking.recipient.country} {booking.recipient.postal_code}"
    furniture = {"mark": mark, "routing": routing}
    return draw_parcels(booking, sale.numbers, booking.label, "HERMES", title, groups=(4, 4, 4), **furniture)
