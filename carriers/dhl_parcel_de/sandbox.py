"""The server of DHL Parcel DE as a simulator: orders, cancellations, and the group's tracking."""

from __future__ import annotations

from dataclasses import replace
from datetime import date
from decimal import Decimal
from urllib.parse import parse_qsl, urlsplit

from shipcli.carrier import Reply, Request, load_catalogue
from shipcli.carrier.limits import MeasuredParcel
from shipcli.carrier.simulation.bookings import Booking, Party, Sale, measure_parcel
from shipcli.carrier.simulation.mappings import read_items, read_party
from shipcli.carrier.simulation.papers import draw_invoice, draw_parcels, group_text
from shipcli.carrier.simulation.simulator import Refusal, read_basic, route
from shipcli.carrier.wire.json_paths import Json, drop_empty, get_path
from shipcli.carrier.wire.label_files import encode_file
from shipcli.models.basics.check_digits import compute_check_digit
from shipcli.models.basics.reference import find_table

from ..dhl_universal.sandbox import DhlUniversalSandbox

CATALOGUE = load_catalogue(__file__)
ORDER_RULES = CATALOGUE.rules("order")
DROP_POINTS = {"lockerID": "Packstation", "retailID": "Postfiliale", "poBoxID": "Postfach"}
CONSIGNEE_RULES = {name: CATALOGUE.rules(name) for name in ("contact", *DROP_POINTS)}
PARTY, ITEM = CATALOGUE.paths("party"), CATALOGUE.paths("item")
COUNTRIES = {three: two for two, three in find_table("country_iso3").items()}
ORDERS = "/parcel/de/shipping/v2/orders"
RETURNS = "/parcel/de/shipping/returns/v1/orders"
RETURN_PRODUCT, LONGEST_DETAIL = "V01PAK", 80
RETURN_RULES = CATALOGUE.rules("return")
WAREHOUSE = Party(  # of the receiver that an account keeps
    name="Retourenlager", company="", lines=("Lagerstr. 1",), city="Leipzig", state="", postal_code="04158",
    country="DE",
)  # fmt: skip
PER_KG = {"kg": 1, "g": 1000}
OK = {"title": "OK", "statusCode": 200, "detail": "The Webservice call ran successfully."}


class DhlParcelDeSandbox(DhlUniversalSandbox):
    """DHL Parcel DE in a sandbox; its tracking is that of the whole group."""

    slug = "dhl_parcel_de"
    tariffs = CATALOGUE.tariffs
    limits = CATALOGUE.limits
    currency = "EUR"
    refusals = {
        **DhlUniversalSandbox.refusals,
        "no_service": ("Bad Request", "The product does not carry this shipment there.", 400),
        "unknown_label": ("Not Found", "Unknown shipment number {}.", 404),
        "voided_before": ("Bad Request", "The shipment {} is already cancelled.", 400),
        "too_late": ("Bad Request", "The shipment {} is manifested already.", 400),
    }

    def refuse(self, refusal: Refusal) -> Reply:
        """The returns API says it in the body, the others in its status."""
        title = "Bad Request" if refusal.code.isdigit() else refusal.code
        if self.request.path == RETURNS:
            problem = {"title": title, "status": refusal.status, "detail": refusal.text[:LONGEST_DETAIL]}
            return self.json(problem, refusal.status)
        status = {"title": title, "statusCode": refusal.status, "detail": refusal.text}
        return self.json({"status": status}, refusal.status)

    def authorise(self, request: Request) -> Reply | None:
        if request.path in (ORDERS, RETURNS) and not self.is_valid_client(*read_basic(request)):
            raise self.refusal("bad_login")
        return super().authorise(request)

    def make_number(self, booking: Booking, serial: int) -> str:
        """A licence plate of 20 digits."""
        body = f"0034043{410_000_000_000 + serial:012d}"
        return f"{body}{compute_check_digit(body)}"

    @route("POST", ORDERS)
    def order(self, request: Request, path: dict[str, str]) -> Reply:
        self.enforce(ORDER_RULES, request.json)
        for shipment in request.json["shipments"]:
            consignee = shipment.get("consignee") or {}
            self.enforce(CONSIGNEE_RULES[find_drop_point(consignee) or "contact"], consignee)
        kind = request.query.get("docFormat", "PDF")
        orders = request.json["shipments"]
        return self._answer(
            [self._sell(order, kind, (at, len(orders))) for at, order in enumerate(orders, 1)]
        )

    @route("POST", RETURNS)
    def order_return(self, request: Request, path: dict[str, str]) -> Reply:
        """A return costs what a parcel inside Germany does."""
        body = request.json
        self.enforce(RETURN_RULES, body)
        sender = replace(read_somebody(body["shipper"]), country="DE")
        booking = Booking(
            shipper=sender,
            recipient=WAREHOUSE,
            weights=(_kilograms(body["itemWeight"]),),
            service=RETURN_PRODUCT,
            reference=body.get("customerReference"),
            key=body.get("shipmentReference"),
        )
        sale = self.backend.buy(booking)
        label = {"b64": encode_file(draw(sale))}
        routing = route_code(booking)
        sold = {"title": "Created", "status": 201}
        return self.json(
            {"sstatus": sold, "shipmentNo": sale.identifier, "label": label, "routingCode": routing}, 201
        )

    @route("DELETE", ORDERS)
    def cancel(self, request: Request, path: dict[str, str]) -> Reply:
        query = parse_qsl(urlsplit(request.url).query)
        return self._answer([self._cancel(number) for name, number in query if name == "shipment"])

    def _sell(self, shipment: Json, kind: str, position: tuple[int, int]) -> Json:
        number, product = shipment["billingNumber"], shipment["product"]
        try:
            if number[10:12] != product[1:3]:
                raise Refusal("Bad Request", f"The billing number {number} is not one for {product}.", 400)
            sale = self.backend.buy(replace(read_booking(shipment, kind), position=position))
        except Refusal as no:
            return write_fault(no)
        return write_sale(sale, shipment, kind)

    def _cancel(self, number: str) -> Json:
        try:
            self.backend.void(number)
        except Refusal as no:
            return {"shipmentNo": number, **write_fault(no)}
        return {"shipmentNo": number, "sstatus": OK}

    def _answer(self, items: list[Json]) -> Reply:
        """All well, all wrong, or some of each."""
        bad = [item["sstatus"] for item in items if item["sstatus"] is not OK]
        if not bad:
            return self.json({"status": OK, "items": items})
        code = 207 if len(bad) < len(items) else bad[0]["statusCode"]
        status = {"title": bad[0]["title"], "statusCode": code, "detail": bad[0]["detail"]}
        return self.json({"status": status, "items": items}, code)


def read_booking(shipment: Json, kind: str) -> Booking:
    weight = shipment["details"]["weight"]
    return Booking(
        shipper=read_somebody(shipment["shipper"]),
        recipient=read_somebody(shipment["consignee"]),
        weights=(_kilograms(weight),),
        parcels=(_measure(shipment["details"]),),
        service=shipment["product"],
        account=shipment["billingNumber"],
        reference=shipment.get("refNo"),
        items=read_items(get_path(shipment, "customs/items") or (), ITEM),
        label="ZPL" if kind.startswith("ZPL") else "PDF",
        ship_date=date.fromisoformat(shipment["shipDate"]),
    )


def _kilograms(weight: Json) -> Decimal:
    return Decimal(weight["value"]) / PER_KG[weight["uom"]]


def _measure(details: Json) -> MeasuredParcel:
    size = details.get("dim") or {}
    factor = Decimal("0.1") if size.get("uom") == "mm" else 1
    sides = [size[name] * factor for name in ("length", "width", "height") if name in size]
    return measure_parcel(_kilograms(details["weight"]), "KG", sides, rounding="1")


def read_somebody(party: Json) -> Party:
    """Somebody; countries have three letters on the wire."""
    contact = read_party(party, PARTY)
    if member := find_drop_point(party):
        lines = (str(party.get("postNumber") or ""), f"{DROP_POINTS[member]} {party[member]}")
        contact = replace(contact, lines=tuple(filter(None, lines)))
    return replace(contact, country=COUNTRIES.get(contact.country, contact.country))


def find_drop_point(party: Json) -> str | None:
    return next((member for member in DROP_POINTS if member in party), None)


def write_fault(refusal: Refusal) -> Json:
    fault = {"property": "shipment", "validationMessage": refusal.text, "validationState": "Error"}
    status = {"title": refusal.code, "statusCode": refusal.status, "detail": refusal.text}
    return {"sstatus": status, "validationMessages": [fault]}


def write_sale(sale: Sale, shipment: Json, kind: str) -> Json:
    number, booking = sale.identifier, sale.booking
    content = draw(sale)
    file = {"b64": encode_file(content)} if booking.label == "PDF" else {"zpl2": content.decode()}
    invoice = (
        draw_invoice("Customs declaration CN23", booking, {"Shipment": number}) if booking.items else None
    )
    answer = {
        "shipmentNo": number,
        "returnShipmentNo": f"9{number[1:]}" if get_path(shipment, "services/dhlRetoure") else None,
        "sstatus": OK,
        "shipmentRefNo": shipment.get("refNo"),
        "label": {**file, "fileFormat": kind},
        "customsDoc": {"b64": encode_file(invoice), "fileFormat": "PDF"} if invoice else None,
    }
    return dict(drop_empty(answer))


def draw(sale: Sale) -> bytes:
    booking, number = sale.booking, sale.identifier
    name, mark = CATALOGUE.table("products")[booking.service]
    furniture = {"mark": mark, "routing": route_code(booking)}
    return draw_parcels(booking, [number], booking.label, "DHL", name, groups=(2, 1, 7, 9), **furniture)


def route_code(booking: Booking) -> str:
    """Where the parcel goes, for the sorting machines: in Germany the Leitcode, abroad the country."""
    to = booking.recipient
    if to.country != "DE":
        return f"{to.country} {to.postal_code}"
    body = f"{to.postal_code:0<5}00000010"
    total = sum(int(digit) * (9 if at % 2 else 4) for at, digit in enumerate(body))
    return f"{group_text(body, 5, 3, 3)} {-total % 10}".replace(" ", ".")
