"""DHL24's server as a simulator: orders, deletions, tracking, at one address."""

from __future__ import annotations

from decimal import Decimal

from shipcli.carrier import Reply, Request, load_catalogue
from shipcli.carrier.simulation.bookings import Booking, Sale
from shipcli.carrier.simulation.mappings import read_items, read_party
from shipcli.carrier.simulation.papers import draw_booking, draw_invoice, group_text
from shipcli.carrier.simulation.simulator import Refusal, Simulator, route
from shipcli.carrier.simulation.tracking import Scan
from shipcli.carrier.wire.json_paths import Json, as_list, get_path
from shipcli.carrier.wire.label_files import encode_file
from shipcli.carrier.wire.nillable import spell_nils
from shipcli.carrier.wire.soap import make_soap_fault, make_soap_reply, read_body
from shipcli.carrier.wire.xml import element, find

CATALOGUE = load_catalogue(__file__)
RULES = CATALOGUE.rules("order")
PARTY, ITEM = CATALOGUE.paths("party"), CATALOGUE.paths("item")
NAMESPACE = "https://dhl24.com.pl/webapi2/provider/service.html?ws=1"
PATH = "/webapi2/provider/service.html"
PRINTER_LABEL = "ZBLP"
SHAPES = CATALOGUE.table("shapes")


class DhlPolandSandbox(Simulator):
    """DHL Parcel Poland in a sandbox; its faults have a number."""

    slug = "dhl_poland"
    tariffs = CATALOGUE.tariffs
    currency = "EUR"
    auth_scheme = "body"
    refusals = {
        "bad_login": ("10", "Wrong user or password"),
        "no_service": ("110", "The product does not carry these pieces there"),
        "over_limit": ("111", "{}"),
        "unknown_label": ("120", "There is no shipment {}"),
        "voided_before": ("121", "Shipment {} is already deleted"),
        "too_late": ("122", "Shipment {} is under way"),
        "unknown_number": ("130", "There is no such shipment"),
        "invalid": ("99", "The request is not valid"),
    }

    def refuse(self, refusal: Refusal) -> Reply:
        return make_soap_fault(refusal.code, refusal.text)

    def is_authorised(self, request: Request) -> bool:
        body = read_body(request)
        return self.is_valid_client(find(body, "authData/username", ""), find(body, "authData/password", ""))

    def make_number(self, booking: Booking, serial: int) -> str:
        return f"{24_000_000_000 + serial:011d}"

    def _answer(self, name: str, result: Json) -> Reply:
        return make_soap_reply(element(f"{name}Response", {f"{name}Result": result}, NAMESPACE))

    @route("POST", PATH, root="createShipment")
    def order(self, request: Request, path: dict[str, str]) -> Reply:
        body = self.read_soap(request, RULES)
        mode = body["shipment"]["shipmentInfo"]["labelType"]
        sale = self.backend.buy(read_order(body["shipment"], "ZPL" if mode == PRINTER_LABEL else "PDF"))
        sold = {
            "shipmentNotificationNumber": sale.identifier,
            "shipmentTrackingNumber": sale.identifier,
            "packagesTrackingNumbers": ",".join(sale.numbers),
            "label": {"labelType": mode, "labelContent": encode_file(draw(sale)), **draw_papers(sale)},
        }
        return self._answer("createShipment", spell_nils(sold, SHAPES["sold"]))

    @route("POST", PATH, root="deleteShipment")
    def delete(self, request: Request, path: dict[str, str]) -> Reply:
        number = get_path(self.read_soap(request), "shipment/shipmentIdentificationNumber") or ""
        self.backend.void(number)
        return self._answer("deleteShipment", spell_nils({"id": number, "result": True}, SHAPES["deleted"]))

    @route("POST", PATH, root="getTrackAndTraceInfo")
    def track(self, request: Request, path: dict[str, str]) -> Reply:
        number = self.read_soap(request).get("shipmentId", "")
        seen = self.require_tracking(number, country="PL")
        details = {
            "shipmentId": number,
            "receivedBy": "S. AMPLE" if seen.delivered else "",
            "events": {"item": [write_event(scan) for scan in reversed(seen.scans)]},
        }
        return self._answer("getTrackAndTraceInfo", details)


def read_order(order: Json, label: str) -> Booking:
    customs = order.get("customs") or {}
    return Booking(
        shipper=read_party(order["ship"]["shipper"], PARTY, "PL"),
        recipient=read_party(order["ship"]["receiver"], PARTY),
        weights=tuple(Decimal(item["weight"]) for item in as_list(order["pieceList"]["item"])),
        service=order["shipmentInfo"]["serviceType"],
        account=order["shipmentInfo"]["billing"]["billingAccountNumber"],
        reference=order.get("reference") or None,
        items=read_items(as_list(get_path(customs, "customsItem/item")), ITEM, customs.get("currency", "")),
        label=label,
    )


def write_event(scan: Scan) -> Json:
    return {
        "status": CATALOGUE.statuses.code(scan.status),
        "description": scan.description,
        "terminal": scan.city,
        "timestamp": f"{scan.at:%Y-%m-%d %H:%M:%S}",
    }


def draw(sale: Sale) -> bytes:
    """A label for each piece; all have the number of the shipment."""
    from shipcli.drawing import draw_labels

    booking, to = sale.booking, sale.booking.recipient
    name, mark = CATALOGUE.table("products")[booking.service]
    specs = [
        draw_booking(
            booking,
            sale.identifier,
            at,
            "DHL PARCEL",
            name,
            mark=mark,
            routing=f"{to.country} {to.postal_code}",
            postal_barcode=f"JJPL{number}",  # the licence plate of the piece
            caption=group_text(sale.identifier, 3, 4, 4),
        )
        for at, number in enumerate(sale.numbers)
    ]
    return draw_labels(specs, booking.label)


def draw_papers(sale: Sale) -> Json:
    """The proforma invoice of goods that leave the country."""
    if not sale.booking.items:
        return {}
    paper = draw_invoice("Faktura proforma", sale.booking, {"Shipment": sale.identifier})
    return {"fvProformaContent": encode_file(paper), "fvProformaMimeType": "application/pdf"}
