"""The Post-Labelcenter in the sandbox: orders with their labels, and cancellations."""

from __future__ import annotations

from decimal import Decimal

from shipcli.carrier import Reply, Request, load_catalogue
from shipcli.carrier.limits import MeasuredParcel
from shipcli.carrier.simulation.bookings import Booking, Sale, measure_parcel
from shipcli.carrier.simulation.mappings import read_items, read_party
from shipcli.carrier.simulation.papers import draw_parcels
from shipcli.carrier.simulation.simulator import Refusal, Simulator, find_root, route
from shipcli.carrier.wire.json_paths import Json, as_list, get_path
from shipcli.carrier.wire.label_files import encode_file
from shipcli.carrier.wire.soap import make_soap_reply
from shipcli.carrier.wire.xml import element
from shipcli.models.basics.check_digits import compute_check_digit

CATALOGUE = load_catalogue(__file__)
ORDERED, VOIDED = CATALOGUE.rules("order"), CATALOGUE.rules("void")
PARTY, ITEM = CATALOGUE.paths("party"), CATALOGUE.paths("item")
PATH, NAMESPACE = "/Post.Webservice/ShippingService.svc/secure", "http://post.ondot.at"
KINDS = {"PDF": "PDF", "ZPL2": "ZPL"}


class PostatSimulator(Simulator):
    """Austrian Post in a sandbox."""

    slug = "postat"
    tariffs = CATALOGUE.tariffs
    limits = CATALOGUE.limits
    currency = "EUR"
    auth_scheme = "body"
    refusals = {
        "bad_login": ("AuthenticationFailed", "The organisation unit is unknown, or its GUID is wrong."),
        "invalid": ("ValidationError", "The row is not valid."),
        "no_service": ("NoService", "The delivery service does not carry this shipment there."),
        "unknown_label": ("ShipmentNotFound", "The shipment {} was not found."),
        "voided_before": ("ShipmentCancelled", "The shipment {} is already cancelled."),
        "too_late": ("ShipmentClosed", "The shipment {} is on its way."),
    }

    def refuse(self, refusal: Refusal) -> Reply:
        if find_root(self.request) != "VoidShipment":
            return self._answer({"errorMessage": refusal.text})
        result = {"Success": False, "ErrorMessage": refusal.text, "ErrorCode": refusal.code}
        return self._answer({"VoidShipmentResult": result})

    def _answer(self, result: Json) -> Reply:
        return make_soap_reply(element(f"{find_root(self.request)}Response", result, NAMESPACE))

    def is_authorised(self, request: Request) -> bool:
        row = self.read_soap(request).get("row") or {}
        return self.is_valid_client(row.get("OrgUnitID", ""), row.get("OrgUnitGuid", ""))

    def make_number(self, booking: Booking, serial: int) -> str:
        body = f"10000005001132{serial % 10_000_000:07d}"
        return f"{body}{compute_check_digit(body)}"

    @route("POST", PATH, root="ImportShipment")
    def order(self, request: Request, path: dict[str, str]) -> Reply:
        sale = self.backend.buy(read_booking(self.read_soap(request, ORDERED)["row"]))
        rows = [write_parcel(sale, at) for at in range(len(sale.numbers))]
        content = draw(sale)
        printed = sale.booking.label == "ZPL"
        files = {
            "pdfData": "" if printed else encode_file(content),
            "zplLabelData": content.decode() if printed else "",
        }
        return self._answer({"ImportShipmentResult": {"ColloRow": rows}, **files})

    @route("POST", PATH, root="VoidShipment")
    def cancel(self, request: Request, path: dict[str, str]) -> Reply:
        number = self.read_soap(request, VOIDED)["row"]["TrackingNumber"]
        self.backend.void(number)
        return self._answer({"VoidShipmentResult": {"Success": True, "TrackingNumber": number}})


def read_booking(row: Json) -> Booking:
    parcels = as_list(get_path(row, "ColloList/ColloRow"))
    articles = [
        article
        for parcel in parcels
        for article in as_list(get_path(parcel, "ColloArticleList/ColloArticleRow"))
    ]
    return Booking(
        shipper=read_party(row["OUShipperAddress"], PARTY),
        recipient=read_party(row["OURecipientAddress"], PARTY),
        weights=tuple(Decimal(parcel["Weight"]) for parcel in parcels),
        parcels=tuple(measure(parcel) for parcel in parcels),
        service=row["DeliveryServiceThirdPartyID"],
        account=row["ClientID"],
        reference=row.get("OUShipperReference1") or None,
        items=read_items(articles, ITEM),
        label=KINDS[row["PrinterObject"]["LanguageID"]],
    )


def measure(parcel: Json) -> MeasuredParcel:
    sides = [parcel[name] for name in ("Length", "Width", "Height") if name in parcel]
    return measure_parcel(parcel["Weight"], "KG", sides, rounding="0.01")


def write_parcel(sale: Sale, at: int) -> Json:
    code = {"Code": sale.numbers[at], "NumberTypeID": "213", "OUCarrierThirdPartyID": "OEPAG-DEF"}
    return {"Weight": sale.booking.weights[at], "ColloCodeList": {"ColloCodeRow": code}}


def draw(sale: Sale) -> bytes:
    booking = sale.booking
    title, mark = CATALOGUE.table("products")[booking.service]
    routing = f"{booking.recipient.country} {booking.recipient.postal_code}"
    furniture = {"mark": mark, "routing": routing}
    return draw_parcels(
        booking, sale.numbers, booking.label, "POST AT", title, groups=(4, 4, 4, 4, 4), **furniture
    )
