"""DPD's services as a simulator: log-in, orders, tracking."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import timedelta
from decimal import Decimal

from shipcli.carrier import Reply, Request, load_catalogue
from shipcli.carrier.simulation.bookings import Booking, Sale
from shipcli.carrier.simulation.mappings import read_items, read_party
from shipcli.carrier.simulation.papers import draw_booking, group_text
from shipcli.carrier.simulation.scenarios import MAGIC
from shipcli.carrier.simulation.simulator import Refusal, Simulator, route
from shipcli.carrier.simulation.tracking import Scan
from shipcli.carrier.wire.json_paths import Json, as_list
from shipcli.carrier.wire.label_files import encode_file
from shipcli.carrier.wire.soap import make_soap_fault, make_soap_reply, read_body
from shipcli.carrier.wire.xml import element, find

CATALOGUE = load_catalogue(__file__)
RULES = CATALOGUE.rules("order")
PARTY, ITEM = CATALOGUE.paths("party"), CATALOGUE.paths("item")
TYPES, LOGIN_PATH = "http://dpd.com/common/service/types", "/soap/services/LoginService/V2_1"
BAD_LOGIN = "DELICOM_ERR_AUTHENTICATION"
SHIPMENTS, PARCELS = "/soap/services/ShipmentService/V3_3", "/soap/services/ParcelLifeCycleService/V2_0"
DEPOT = "0530"
HUNDREDTH = Decimal("0.01")
Path = dict[str, str]


class DpdSandbox(Simulator):
    """DPD in a sandbox; its faults have status 500, as SOAP wants it."""

    slug = "dpd"
    tariffs = CATALOGUE.tariffs
    currency = "EUR"
    auth_scheme = "body"
    refusals = {
        "bad_login": (BAD_LOGIN, "Authentication failure, check delisId and password."),
        "no_service": ("ROUTING_3", "The product does not carry these parcels there"),
        "unknown_number": ("PARCEL_NOT_FOUND", "No information found for this parcel"),
    }

    def refuse(self, refusal: Refusal) -> Reply:
        if refusal.code == BAD_LOGIN:
            detail = {"authenticationFault": {"errorCode": refusal.code, "errorMessage": refusal.text}}
        else:
            detail = {"faults": {"faultCode": refusal.code, "message": refusal.text}}
        return make_soap_fault("Server", "Fault occured", detail=detail)

    def is_authorised(self, request: Request) -> bool:
        if request.path.endswith(LOGIN_PATH):
            body = read_body(request)
            return self.is_valid_client(find(body, "delisId", ""), find(body, "password", ""))
        return self.is_fresh(find(request.xml, "Header/authentication/authToken", ""))

    def make_number(self, booking: Booking, serial: int) -> str:
        return f"{DEPOT}{serial:010d}"

    def make_identifier(self, booking: Booking, numbers: Sequence[str]) -> str:
        return numbers[0] if MAGIC.match(numbers[0]) else f"MPS{numbers[0]}{self.clock():%Y%m%d}"

    @route("POST", LOGIN_PATH)
    @route("POST", f"/PublicApi{LOGIN_PATH}")
    def log_in(self, request: Request, path: Path) -> Reply:
        expires = self.clock() + timedelta(seconds=self.token_life_s * 20)
        login = {
            "delisId": self.read_soap(request).get("delisId"),
            "customerUid": "sandbox",
            "authToken": self.issue_token(),
            "depot": DEPOT,
            "authTokenExpires": f"{expires:%Y-%m-%dT%H:%M:%S}",
        }
        return self._answer("LoginService/2.1", "getAuth", {"return": login})

    @route("POST", SHIPMENTS)
    @route("POST", f"/PublicApi{SHIPMENTS}")
    def order(self, request: Request, path: Path) -> Reply:
        body = self.read_soap(request, RULES)
        sale = self.backend.buy(read_order(body))
        sold = {
            "mpsId": sale.identifier,
            "parcelInformation": [{"parcelLabelNumber": number} for number in sale.numbers],
        }
        result = {"parcellabelsPDF": encode_file(draw(sale)), "shipmentResponses": sold}
        return self._answer("ShipmentService/3.3", "storeOrders", {"orderResult": result})

    @route("POST", PARCELS)
    @route("POST", f"/PublicApi{PARCELS}")
    def track(self, request: Request, path: Path) -> Reply:
        number = self.read_soap(request).get("parcelLabelNumber", "")
        seen = self.require_tracking(number, country="BE")
        events = {"statusInfo": [write_event(scan, scan == seen.scans[-1]) for scan in seen.scans]}
        return self._answer("ParcelLifeCycleService/2.0", "getTrackingData", {"trackingresult": events})

    def _answer(self, service: str, name: str, body: Json) -> Reply:
        return make_soap_reply(element(f"{name}Response", body, f"{TYPES}/{service}"))


def read_order(body: Json) -> Booking:
    order = body["order"]
    facts, parcels = order["generalShipmentData"], as_list(order["parcels"])
    goods = [parcel["international"] for parcel in parcels if "international" in parcel]
    lines = [line for article in goods for line in as_list(article["commercialInvoiceLine"])]
    priced = [{**line, "amount": Decimal(line["amountLine"]) * HUNDREDTH} for line in lines]
    return Booking(
        shipper=read_party(facts["sender"], PARTY),
        recipient=read_party(facts["recipient"], PARTY),
        weights=tuple(Decimal(parcel["weight"]) * HUNDREDTH for parcel in parcels),
        service=facts["product"],
        reference=facts.get("mpsCustomerReferenceNumber1"),
        references=tuple(parcel.get("customerReferenceNumber1") for parcel in parcels),
        items=read_items(priced, ITEM, goods[0]["customsCurrency"] if goods else ""),
        label=body["printOptions"]["printerLanguage"],
    )


def write_event(scan: Scan, is_latest: bool) -> Json:
    day = f"{scan.at.month}/{scan.at.day}/{scan.at.year}"
    return {
        "status": CATALOGUE.statuses.code(scan.status),
        "label": _write_text(scan.status),
        "description": {"content": _write_text(scan.description)},
        "statusHasBeenReached": True,
        "isCurrentStatus": is_latest,
        "showContactInfo": False,
        "location": _write_text(f"{scan.city} ({scan.country})"),
        "date": _write_text(f"{day} {scan.at:%I:%M:%S %p}"),
    }


def _write_text(content: str) -> Json:
    return {"content": content, "bold": False, "paragraph": False}


def draw(sale: Sale) -> bytes:
    from shipcli.drawing import draw_labels

    booking, to = sale.booking, sale.booking.recipient
    name, mark = CATALOGUE.table("products")[booking.service]
    specs = [
        draw_booking(
            booking,
            number,
            at,
            "DPD",
            name,
            mark=mark,
            routing=f"{to.country}-DPD-{DEPOT}",
            postal_barcode=f"%{to.postal_code.replace(' ', ''):0>7}{number}",  # the route, before the number
            caption=group_text(number, 4, 4, 4, 2),
        )
        for at, number in enumerate(sale.numbers)
    ]
    return draw_labels(specs, booking.label)
