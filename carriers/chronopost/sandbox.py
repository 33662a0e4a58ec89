"""Chronopost's three services as a simulator."""

from __future__ import annotations

from datetime import date
from decimal import Decimal

from shipcli.carrier import Reply, Request, load_catalogue
from shipcli.carrier.simulation.bookings import Booking, Party, PricedOffer, Sale
from shipcli.carrier.simulation.mappings import read_items, read_party
from shipcli.carrier.simulation.papers import draw_parcels
from shipcli.carrier.simulation.price_list import to_cents
from shipcli.carrier.simulation.simulator import Refusal, Simulator, find_root, route
from shipcli.carrier.simulation.tracking import Scan
from shipcli.carrier.wire.json_paths import Json, as_list, get_path
from shipcli.carrier.wire.label_files import encode_file
from shipcli.carrier.wire.soap import make_soap_reply
from shipcli.carrier.wire.xml import document
from shipcli.models.basics.check_digits import compute_postal_check_digit

CATALOGUE = load_catalogue(__file__)
RULES = {name: CATALOGUE.rules(name) for name in ("question", "order", "number")}
PARTY, ITEM = CATALOGUE.paths("party"), CATALOGUE.paths("item")
PRICES, SHIPPING = "/quickcost-cxf/QuickcostServiceWS", "/shipping-cxf/ShippingServiceWS"
TRACKING = "/tracking-cxf/TrackingServiceWS"
TAX = Decimal("1.2")


class ChronopostSandbox(Simulator):
    """Chronopost in a sandbox; tracking asks for no log-in."""

    slug = "chronopost"
    tariffs = CATALOGUE.tariffs
    currency = "EUR"
    auth_scheme = "body"
    refusals = {
        "bad_login": ("3", "invalid account or password"),
        "no_service": ("38", "The product does not carry this parcel there"),
        "unknown_label": ("2", "the parcel doesn't match account or parcel information not found"),
        "voided_before": ("3", "the parcel {} has already been cancelled"),
        "too_late": ("4", "the parcel {} is under way"),
        "unknown_number": ("2", "the parcel was not found"),
    }

    def refuse(self, refusal: Refusal) -> Reply:
        return self._answer({"errorCode": refusal.code, "errorMessage": refusal.text})

    def is_authorised(self, request: Request) -> bool:
        body = self.read_soap(request)
        account = body.get("accountNumber") or get_path(body, "headerValue/accountNumber") or ""
        return find_root(request) == "trackSkybillV2" or self.is_valid_client(
            account, body.get("password", "")
        )

    def _answer(self, result: Json) -> Reply:
        service = self.request.path.split("/")[1].removesuffix("-cxf")  # quickcost, shipping, tracking
        space, name = f"http://cxf.{service}.soap.chronopost.fr/", f"{find_root(self.request)}Response"
        return make_soap_reply(document(name, {"return": result}, space, "ns1"))

    def make_number(self, booking: Booking, serial: int) -> str:
        digits = f"{69_000_000 + serial:08d}"
        return f"XP{digits}{compute_postal_check_digit(digits)}FR"

    @route("POST", PRICES, root="calculateProducts")
    def prices(self, request: Request, path: dict[str, str]) -> Reply:
        offers = self.backend.quote(read_question(self.read_soap(request, RULES["question"])))
        return self._answer({"errorCode": 0, "productList": [write_price(offer) for offer in offers]})

    @route("POST", SHIPPING, root="shippingMultiParcelV5")
    def order(self, request: Request, path: dict[str, str]) -> Reply:
        sale = self.backend.buy(read_order(self.read_soap(request, RULES["order"])))
        sold = {"pdfEtiquette": encode_file(draw(sale)), "skybillNumber": sale.identifier}
        return self._answer({"errorCode": 0, "errorMessage": "", "resultMultiParcelValue": sold})

    @route("POST", TRACKING, root="cancelSkybill")
    def cancel(self, request: Request, path: dict[str, str]) -> Reply:
        self.backend.void(self.read_soap(request, RULES["number"])["skybillNumber"])
        return self._answer({"errorCode": 0, "errorMessage": "", "statusCode": 0})

    @route("POST", TRACKING, root="trackSkybillV2")
    def track(self, request: Request, path: dict[str, str]) -> Reply:
        number = self.read_soap(request, RULES["number"])["skybillNumber"]
        seen = self.require_tracking(number, country="FR")
        events = {"events": [write_event(scan) for scan in seen.scans], "skybillNumber": number}
        return self._answer({"errorCode": 0, "listEventInfoComp": events})


def read_question(body: Json) -> Booking:
    return Booking(
        shipper=Party(country=body["depCountryCode"], postal_code=body["depZipCode"]),
        recipient=Party(country=body["arrCountryCode"], postal_code=body["arrZipCode"]),
        weights=(Decimal(body["weight"]),),
    )


def read_order(body: Json) -> Booking:
    bill = body["skybillValue"]
    articles = body.get("customsValue", {})
    kinds = dict(CATALOGUE.table("label_types").values())
    return Booking(
        shipper=read_somebody(body, "shipper"),
        recipient=read_somebody(body, "recipient"),
        weights=(Decimal(bill["weight"]),),
        service=str(int(bill["productCode"])),
        reference=get_path(body, "refValue/shipperRef"),
        items=read_items(as_list(articles.get("articlesValue")), ITEM, articles.get("currency", "")),
        label=kinds[body["skybillParamsValue"]["mode"]],
        ship_date=date.fromisoformat(bill["shipDate"][:10]),
    )


def read_somebody(body: Json, role: str) -> Party:
    """Somebody; all names begin with the role."""
    party = {name.removeprefix(role): value for name, value in body[f"{role}Value"].items()}
    return read_party(party, PARTY)


def write_price(priced: PricedOffer) -> Json:
    net = to_cents(priced.total / TAX)
    return {
        "amount": net,
        "amountTTC": priced.total,
        "amountTVA": priced.total - net,
        "productCode": priced.offer.code,
    }


def write_event(scan: Scan) -> Json:
    return {
        "code": CATALOGUE.statuses.code(scan.status),
        "eventDate": scan.at.isoformat(timespec="seconds"),
        "eventLabel": scan.description,
        "officeLabel": f"{scan.city.upper()} CHRONOPOST",
    }


def draw(sale: Sale) -> bytes:
    booking, number = sale.booking, sale.identifier
    name, mark = CATALOGUE.table("products")[booking.service]
    to = booking.recipient
    return draw_parcels(
        booking,
        [number],
        booking.label,
        "CHRONOPOST",
        name,
        groups=(2, 4, 4, 1),
        mark=mark,
        routing=f"{to.country}-{to.postal_code}",
        postal_barcode=f"%{to.postal_code:0>7}{number[:-2]}",  # the code of the partners' sorting centres
    )
