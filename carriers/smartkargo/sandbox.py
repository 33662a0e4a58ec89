"""SmartKargo's server in the sandbox: prices, bookings and their labels, cancellation, tracking."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import timedelta
from decimal import Decimal
from typing import Any

from shipcli.carrier import Reply, Request, load_catalogue
from shipcli.carrier.simulation.bookings import LABEL, Booking, PricedOffer, Sale, measure_parcel
from shipcli.carrier.simulation.mappings import read_items, read_party
from shipcli.carrier.simulation.papers import draw_booking, draw_format, group_text
from shipcli.carrier.simulation.simulator import Refusal, Simulator, route
from shipcli.carrier.simulation.tracking import Scan
from shipcli.carrier.wire.json_paths import Json
from shipcli.carrier.wire.label_files import encode_file
from shipcli.models.basics.units import convert_weight

CATALOGUE = load_catalogue(__file__)
ORDERED, BOOKED = CATALOGUE.rules("order"), CATALOGUE.rules("booking")
PARTY, ITEM = CATALOGUE.paths("party"), CATALOGUE.paths("item")
BOOKING = "/exchange/single"
MEDIA = {"PDF": "application/pdf", "ZPL": "application/zpl"}


class SmartkargoSimulator(Simulator):
    """SmartKargo in a sandbox; the first part of every path says whether it is the test or the live host."""

    slug = "smartkargo"
    tariffs = CATALOGUE.tariffs
    surcharges = CATALOGUE.surcharges
    limits = CATALOGUE.limits
    currency = "USD"
    auth_scheme = "token"
    token_header = "code"
    refusals = {
        "bad_login": ("401", "Access denied due to an invalid subscription key", 401),
        "invalid": ("Error", "The request is not valid"),
        "no_service": ("Error", "No service carries this package there"),
        "unknown_label": ("Error", "The air waybill {} was not found"),
        "voided_before": ("Error", "The air waybill {} is already voided"),
        "too_late": ("Error", "The air waybill {} has left the booking status"),
        "unknown_number": ("Error", "Tracking information not found"),
    }

    def refuse(self, refusal: Refusal) -> Reply:
        """In the form of what was asked; what only reads is refused by a text."""
        if refusal.status == 401:
            return self.json({"statusCode": "401", "message": refusal.text}, 401)
        if self.request.path.endswith("/void"):
            return self.json({"result": {"cancelled": False, "messages": refusal.text}})
        if self.request.method == "GET":
            return self.json(refusal.text, 400)
        fault = {"validations": [{"type": "Error", "message": refusal.text}]}
        is_booking = self.request.path.endswith(BOOKING)
        return self.json(
            {"status": "Rejected", "valid": "No", **fault} if is_booking else {"status": "Error", **fault}
        )

    def make_number(self, booking: Booking, serial: int) -> str:
        return f"AXB{serial:08d}"

    def make_identifier(self, booking: Booking, numbers: object) -> str:
        return str(numbers[0])  # type: ignore[index]

    @route("POST", "/{host}/quotation")
    def quote(self, request: Request, path: dict[str, str]) -> Reply:
        self.enforce(ORDERED, request.json)
        package = request.json["packages"][0]
        codes = [package["serviceType"]] if package.get("serviceType") else []
        offers = self.backend.quote(read_booking(request.json), codes)
        if not offers:
            raise self.refusal("no_service")
        rows = [self._price(offer) for offer in offers]
        return self.json({**name(request.json), "status": "Quoted", "details": rows, "validations": []})

    def _price(self, priced: PricedOffer) -> Json:
        day = self.clock() + timedelta(days=priced.offer.days)
        return {
            "slaInDays": priced.offer.days,
            "deliveryDateBasedOnShipment": f"{day:%Y-%m-%dT21:00:00+00:00}",
            "serviceType": priced.offer.code,
            **split_price(priced),
        }

    @route("POST", f"/{{host}}{BOOKING}")
    def book(self, request: Request, path: dict[str, str]) -> Reply:
        self.enforce(ORDERED, request.json)
        self.enforce(BOOKED, request.json)
        names = name(request.json)
        known = self.ledger.find(self.slug, LABEL, package=names["packageReference"])
        if any(label["header"] == names["headerReference"] and not label["voided_at"] for label in known):
            raise Refusal("Error", f"The reference '{names['packageReference']}' already exists.")
        sale = self.backend.buy(
            read_booking(request.json),
            body=request.json,
            header=names["headerReference"],
            package=names["packageReference"],
            created=f"{self.clock():%Y-%m-%dT%H:%M:%S}",
        )
        draw(read_booking(request.json), sale.numbers[0], "PDF")  # what cannot be drawn is not sold
        row = {**self._describe(sale.records[0]), **split_price(sale.priced), **self._name_charges(sale)}
        return self.json(
            {
                **self._name_exchange(sale),
                "status": "Processed",
                "valid": "Yes",
                "shipments": [row],
                "validations": [],
            }
        )

    def _name_exchange(self, sale: Sale) -> Json:
        return {
            "exchangeId": f"{self.next_number('exchange'):08x}-4406-441e-388d-08da11b2954a",
            "siteId": self.request.header("siteid") or "SANDBOX",
            "inputType": "StandardJson",
            "createdOn": sale.records[0]["created"],
        }

    def _describe(self, label: Mapping[str, Any]) -> Json:
        prefix, number = label["number"][:3], label["number"][3:]
        host = self.request.url.partition("?")[0].removesuffix(BOOKING).removesuffix("/shipment")
        return {
            "headerReference": label["header"],
            "packageReference": label["package"],
            "prefix": prefix,
            "airWaybill": number,
            "serviceType": label["service"],
            "currency": label["currency"],
            "status": "Cancelled" if label["voided_at"] else "Booked",
            "createdOn": label["created"],
            "labelUrl": f"{host}/label?prefix={prefix}&airWaybill={number}",
        }

    def _name_charges(self, sale: Sale) -> Json:
        insured = sum(sale.priced.extras.values(), Decimal(0))
        return {"shippingFee": sale.priced.offer.base, "insurance": insured, "barCode": sale.numbers[0]}

    @route("GET", "/{host}/shipment")
    def show(self, request: Request, path: dict[str, str]) -> Reply:
        labels = self.ledger.find(self.slug, LABEL, package=request.query.get("packageReference", ""))
        return self.json([self._describe(label) for label in labels])

    @route("GET", "/{host}/label")
    def label(self, request: Request, path: dict[str, str]) -> Reply:
        [label] = self.backend.find_labels(read_waybill(request))
        kind = request.query.get("format", "pdf").upper()
        content = encode_file(draw(read_booking(label["body"]), label["number"], kind))
        return self.json([{"base64Content": f"data:{MEDIA[kind]};base64,{content}"}])

    @route("GET", "/{host}/shipment/void")
    def cancel(self, request: Request, path: dict[str, str]) -> Reply:
        self.backend.void(read_waybill(request))
        return self.json({"result": {"cancelled": True, "messages": ""}})

    @route("GET", "/{host}/tracking")
    def track(self, request: Request, path: dict[str, str]) -> Reply:
        number = read_waybill(request) or request.query.get("packageReference", "")
        known = self.ledger.find(self.slug, LABEL, package=number)
        number = known[0]["number"] if known else number
        seen = self.require_tracking(number, country="US")
        shared = describe_tracked(self.find_sold(number))
        if seen.estimated:
            shared["estimatedDeliveryDate"] = f"{seen.estimated:%Y-%m-%dT%H:%M:%S}"
        return self.json([{**shared, **write_event(number, scan)} for scan in reversed(seen.scans)])


def read_waybill(request: Request) -> str:
    query = {name.lower(): value for name, value in request.query.items()}
    return query.get("prefix", "") + query.get("airwaybill", "")


def name(body: Json) -> Json:
    return {"headerReference": body["reference"], "packageReference": body["packages"][0]["reference"]}


def split_price(priced: PricedOffer) -> Json:
    """The price without its taxes, and those."""
    return {"total": priced.total - priced.offer.fuel, "totalTax": priced.offer.fuel}


def read_booking(body: Json) -> Booking:
    package = body["packages"][0]
    size, weight = package["dimensions"][0], package["totalGrossWeight"]
    unit, size_unit = ("LB", "IN") if package["grossWeightUnityMeasure"] == "LBR" else ("KG", "CM")
    sides = [size[name] for name in ("length", "width", "height")]
    shipper, recipient = (read_party(party, PARTY) for party in package["participants"][:2])
    return Booking(
        shipper=shipper,
        recipient=recipient,
        weights=(convert_weight(Decimal(str(weight)), unit, "KG"),),
        parcels=(measure_parcel(weight, unit, sides, size_unit, rounding="0.01"),),
        service=package.get("serviceType", ""),
        reference=body["reference"],
        references=(package["reference"],),
        items=read_items(map(read_piece, package.get("customItems", ())), ITEM),
        extras=("insured",) if package["hasInsurance"] else (),
    )


def read_piece(item: Json) -> Json:
    """Goods with the value of one piece."""
    return {**item, "commercialValue": Decimal(str(item["commercialValue"])) / item["quantity"]}


def describe_tracked(label: Mapping[str, Any] | None) -> Json:
    """What every event says of a package that was sold here; numbers of scenarios were sold nowhere."""
    if label is None:
        return {}
    return {
        "headerReference": label["header"],
        "packageReference": label["package"],
        "pieces": 1,
        "weight": round(label["weight_kg"], 2),
        "flightNumber": "SK042",
        "flightDate": label["created"],
        "flightSegmentOrigin": label["origin"],
        "flightSegmentDestination": label["destination"],
        "subEventType": "",
    }


def write_event(number: str, scan: Scan) -> Json:
    return {
        "prefix": number[:3],
        "airWaybill": number[3:],
        "eventType": CATALOGUE.statuses.code(scan.status),
        "eventDate": f"{scan.at:%Y-%m-%dT%H:%M:%S}",
        "eventLocation": scan.city,
        "description": scan.description,
    }


def draw(booking: Booking, number: str, kind: str) -> bytes:
    title = CATALOGUE.table("titles")[booking.service]
    routing = f"{booking.recipient.country} {booking.recipient.postal_code}"
    furniture = {"mark": "SK", "routing": routing, "caption": group_text(number, 3, 4, 4)}
    return draw_format(draw_booking(booking, number, 0, "SMARTKARGO", title, **furniture), kind)
