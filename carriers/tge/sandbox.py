"""TGE's facade in the sandbox: prices, labels under the client's own numbers, manifests."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from decimal import Decimal
from typing import Any
from zlib import crc32

from shipcli.carrier import Reply, Request, load_catalogue
from shipcli.carrier.simulation.bookings import Booking, Sale
from shipcli.carrier.simulation.mappings import read_party
from shipcli.carrier.simulation.papers import draw_booking, group_text
from shipcli.carrier.simulation.simulator import Refusal, Simulator, route
from shipcli.carrier.wire.json_paths import Json
from shipcli.carrier.wire.label_files import encode_file

CATALOGUE = load_catalogue(__file__)
PRICED, PRINTED = CATALOGUE.rules("enquiry"), CATALOGUE.rules("print")
PARTY = CATALOGUE.paths("party")
SECRETS = ("x-mytoll-identity", "x-mytoll-token", "x-api-key")
TAX_SHARE = 11


class TgeSimulator(Simulator):
    """TGE in a sandbox."""

    slug = "tge"
    tariffs = CATALOGUE.tariffs
    currency = "AUD"
    auth_scheme = "basic"
    refusals = {
        "bad_login": ("AUTH00401", "The log-in or a token is not valid.", 401),
        "no_service": ("RATE00404", "No service carries this item there."),
        "unknown_label": ("PRINT00404", "The shipment {} is not known."),
        "closed_before": ("PRINT00409", "The shipment {} is on a manifest: it was already manifested."),
    }

    def refuse(self, refusal: Refusal) -> Reply:
        error = {"ErrorMessage": refusal.text, "ErrorNumber": {"Value": refusal.code}}
        body = {"Header": {"DocumentType": "ErrorMessage"}, "ErrorMessages": {"ErrorMessage": [error]}}
        return self.json({"TollMessage": body}, refusal.status)

    def is_authorised(self, request: Request) -> bool:
        tokens = ["auth"] if request.path == "/calculatePrice" else SECRETS
        return super().is_authorised(request) and all(
            (value := request.header(name)) and not self.refuses_credentials(value) for name in tokens
        )

    def make_number(self, booking: Booking, serial: int) -> str:
        """The client's."""
        return str(booking.key)

    @route("POST", "/calculatePrice")
    def price(self, request: Request, path: dict[str, str]) -> Reply:
        enquiry = request.json["TollMessage"]["RateEnquiry"]["Request"]
        self.enforce(PRICED, enquiry)
        item = enquiry["ShipmentItems"]["ShipmentItem"][0]
        booking = Booking(
            shipper=read_party(enquiry["ConsignorParty"], PARTY),
            recipient=read_party(enquiry["ConsigneeParty"], PARTY),
            weights=(Decimal(item["Dimensions"]["Weight"]),),
            service=enquiry["ShipmentService"]["ServiceCode"],
        )
        priced = self.backend.price(booking)
        amounts = {
            "BaseAmount": priced.offer.base,
            "TotalSurcharges": priced.offer.fuel,
            "GSTAmount": round(priced.total / TAX_SHARE, 2),
            "TotalChargeAmount": priced.total,
        }
        response: Json = {name: {"Currency": "AUD", "Value": str(value)} for name, value in amounts.items()}
        days = {"UOM": "Day(s)", "Value": str(priced.offer.days)}
        response |= {"TransitTime": days, "EnquiryID": str(crc32(request.content))}
        return self.json({"TollMessage": {"RateEnquiry": {"Response": response}}})

    @route("POST", "/printlabel")
    def label(self, request: Request, path: dict[str, str]) -> Reply:
        message = request.json["TollMessage"]["Print"]
        self.enforce(PRINTED, message)
        parcels = message["ShipmentCollection"]["Shipment"]
        if any(self.find_sold(parcel["ShipmentID"]) for parcel in parcels):
            raise Refusal("PRINT00400", "The combination of MessageSender, Shipment Number was invalid.")
        sales = [self.backend.buy(read_booking(message, parcel)) for parcel in parcels]
        kind = "ZPL" if message["PrintSettings"]["IsZPLRawResponseRequired"] == "true" else "PDF"
        return self._printed(draw(sales, parcels, kind))

    @route("POST", "/printmanifest")
    def manifest(self, request: Request, path: dict[str, str]) -> Reply:
        message = request.json["TollMessage"]["Print"]
        self.enforce(PRINTED, message)
        ids = [parcel["ShipmentID"] for parcel in message["ShipmentCollection"]["Shipment"]]
        number, labels = self.backend.manifest(ids, name=message["ManifestID"]["Value"])
        return self._printed(draw_manifest(number, labels))

    def _printed(self, content: bytes) -> Reply:
        entry = {"ResponseID": {"Value": "200"}, "ResponseMessage": encode_file(content)}
        return self.json({"TollMessage": {"ResponseMessages": {"ResponseMessage": [entry]}}})


def read_booking(message: Json, parcel: Json) -> Booking:
    item = parcel["ShipmentItemCollection"]["ShipmentItem"][0]
    return Booking(
        shipper=read_party(message["ConsignorParty"], PARTY),
        recipient=read_party(parcel["ConsigneeParty"], PARTY),
        weights=(Decimal(str(item["Dimensions"]["Weight"])),),
        service=item["ShipmentService"]["ServiceCode"],
        key=parcel["ShipmentID"],
    )


def draw(sales: Sequence[Sale], parcels: Sequence[Json], kind: str) -> bytes:
    """A page for each parcel: its barcode holds the number of the shipment, the square code its SSCC."""
    from shipcli.drawing import draw_labels

    specs = []
    for sale, parcel in zip(sales, parcels, strict=True):
        number, to = sale.numbers[0], sale.booking.recipient
        sscc = parcel["ShipmentItemCollection"]["ShipmentItem"][0]["IDs"]["ID"][0]["Value"]
        furniture = {
            "mark": "RD",
            "routing": f"{to.state} {to.postal_code}",
            "banner": f"SSCC {sscc}",
            "caption": group_text(number, 6, 7),
            "code2d": ("datamatrix", sscc),
        }
        specs.append(draw_booking(sale.booking, number, 0, "TGE", "ROAD EXPRESS", **furniture))
    return draw_labels(specs, kind)


def draw_manifest(number: str, labels: Sequence[Mapping[str, Any]]) -> bytes:
    from shipcli.drawing import draw_form

    rows = [
        (str(label["number"]), str(label["weight_kg"]), str(label["recipient_postal_code"]))
        for label in labels
    ]
    columns = ("Shipment", "kg", "To")
    return draw_form("TGE manifest", rows, columns=columns, details=(("Manifest", number),), sample=True)
