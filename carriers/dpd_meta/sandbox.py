"""The server of DPD's META API as a simulator: log-in, orders, collections."""

from __future__ import annotations

from decimal import Decimal

from shipcli.carrier import Reply, Request, load_catalogue
from shipcli.carrier.limits import MeasuredParcel
from shipcli.carrier.simulation.bookings import Booking, Sale, measure_parcel
from shipcli.carrier.simulation.mappings import read_items, read_party
from shipcli.carrier.simulation.papers import draw_parcels
from shipcli.carrier.simulation.simulator import Refusal, Simulator, route
from shipcli.carrier.wire.json_paths import Json, as_list, get_path
from shipcli.carrier.wire.label_files import encode_file

CATALOGUE = load_catalogue(__file__)
SHIPMENT_RULES, PICKUP_RULES = CATALOGUE.rules("shipment"), CATALOGUE.rules("pickup")
PARTY, ITEM = CATALOGUE.paths("party"), CATALOGUE.paths("item")
BASE = "/shipping/v1"
GRAMS_PER_KG = 1000
MEDIA = {"PDF": "application/pdf", "ZPL": "text/plain"}
EXTRAS = {"cod": "cash", "insurance": "insurance"}


class DpdMetaSimulator(Simulator):
    """DPD Global in a sandbox."""

    slug = "dpd_meta"
    tariffs = CATALOGUE.tariffs
    surcharges = CATALOGUE.surcharges
    limits = CATALOGUE.limits
    currency = "EUR"
    auth_scheme = "bearer"
    open_paths = (f"{BASE}/login",)
    refusals = {
        "bad_login": ("LOGIN_1", "The token is not valid", 401),
        "invalid": ("COMMON_1", "The request is invalid", 400),
        "no_service": ("PRODUCT_1", "The product does not go there", 400),
        "bad_day": ("PICKUP_4", "Nothing is collected on that day", 400),
    }

    def refuse(self, refusal: Refusal) -> Reply:
        """A list of errors, but for one of the log-in."""
        error = {"errorCode": refusal.code, "errorMessage": refusal.text}
        return self.json(error if refusal.status == 401 else [error], refusal.status)

    def make_number(self, booking: Booking, serial: int) -> str:
        return f"01{600_000_000_000 + serial:012d}"

    @route("POST", f"{BASE}/login")
    def log_in(self, request: Request, path: dict[str, str]) -> Reply:
        pairs = (("x-dpd-login", "x-dpd-password"), ("x-dpd-clientid", "x-dpd-clientsecret"))
        known = [self.is_valid_client(request.header(user), request.header(word)) for user, word in pairs]
        if not any(known) or not request.header("x-dpd-bucode"):
            raise Refusal("LOGIN_2", "Unknown user, application or business unit", 401)
        return Reply(200, b"", {"x-dpd-token": self.issue_token()})

    @route("POST", f"{BASE}/shipment")
    def order(self, request: Request, path: dict[str, str]) -> Reply:
        self.enforce(SHIPMENT_RULES, request.json)
        kind = request.query.get("LabelPrintFormat", "")
        if kind not in MEDIA:
            raise Refusal("LABEL_1", "The business unit makes labels as PDF or ZPL", 400)
        sale = self.backend.buy(read_booking(request.json[0], kind))
        return self.json(write_sale(sale, request.json[0], kind))

    @route("POST", f"{BASE}/pickupscheduling")
    def collect(self, request: Request, path: dict[str, str]) -> Reply:
        self.enforce(PICKUP_RULES, request.json)
        times = request.json["pickup"]
        if times["fromTime"] >= times["toTime"]:
            raise Refusal("PICKUP_5", "The collection ends before it begins", 400)
        booked = self.backend.schedule_pickup(times["date"])
        done = {"statusCode": "SUCCESS", "statusDescription": "Pickup scheduled successfully"}
        return self.json({"scheduledPickupResponse": [{"pickupreference": booked["number"], **done}]})


def read_booking(body: Json, kind: str) -> Booking:
    infos, parcels = body["shipmentInfos"], body["parcel"]
    goods = as_list(get_path(body, "international/interInvoiceLines"))
    names = {name for parcel in parcels for name in parcel}
    return Booking(
        shipper=read_party(body["sender"], PARTY),
        recipient=read_party(body["receiver"], PARTY),
        weights=tuple(weigh(parcel) for parcel in parcels),
        parcels=tuple(measure(parcel) for parcel in parcels),
        service=infos["productCode"],
        account=get_path(body, "sender/customerInfos/customerAccountNumber"),
        reference=infos.get("shipmentId"),
        references=tuple((as_list(parcel.get("senderParcelRefs")) or [None])[0] for parcel in parcels),
        extras=tuple(extra for name, extra in EXTRAS.items() if name in names),
        items=read_items(goods, ITEM, get_path(body, "international/customsAmount/currency") or ""),
        label=kind,
    )


def weigh(parcel: Json) -> Decimal:
    return Decimal(str(parcel["parcelInfos"]["weight"])) / GRAMS_PER_KG


def measure(parcel: Json) -> MeasuredParcel:
    sides = parcel["parcelInfos"].get("dimensions") or {}
    return measure_parcel(weigh(parcel), "KG", sides.values(), rounding="1")


def write_sale(sale: Sale, body: Json, kind: str) -> Json:
    booking, numbers = sale.booking, list(sale.numbers)
    routing = f"{booking.recipient.country}-{booking.recipient.postal_code}"
    label = draw_parcels(
        booking, numbers, kind, "DPD", booking.service, groups=(4, 4, 4, 2), mark="D", routing=routing
    )
    identifier = body["shipmentInfos"].get("shipmentId") or sale.identifier
    return {
        "shipmentId": identifier,
        "parcelIds": numbers,
        "label": {"base64Data": encode_file(label), "media-type": MEDIA[kind]},
    }
