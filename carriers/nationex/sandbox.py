"""Nationex's server in the sandbox."""

from __future__ import annotations

from datetime import date
from decimal import Decimal

from shipcli.carrier import Reply, Request, load_catalogue
from shipcli.carrier.simulation.bookings import Booking, PricedOffer, Refusal
from shipcli.carrier.simulation.mappings import read_party
from shipcli.carrier.simulation.papers import draw_parcels
from shipcli.carrier.simulation.price_list import find_arrival_day
from shipcli.carrier.simulation.rules import Rules
from shipcli.carrier.simulation.simulator import Simulator, route
from shipcli.carrier.simulation.tracking import Scan
from shipcli.carrier.wire.json_paths import Json
from shipcli.models.basics.units import convert_weight

CATALOGUE = load_catalogue(__file__)
RATE, SHIPMENT = CATALOGUE.rules("rate", "parcels"), CATALOGUE.rules("shipment", "parcels")
MEDIA = {"PDF": "application/pdf", "ZPL": "application/zpl"}
BASE = "/api/v4"
Path = dict[str, str]


class NationexSimulator(Simulator):
    """Nationex in a sandbox."""

    slug = "nationex"
    tariffs = CATALOGUE.tariffs
    limits = CATALOGUE.limits
    surcharges = CATALOGUE.surcharges
    currency = "CAD"
    auth_scheme = "basic"
    refusals = CATALOGUE.refusals

    def refuse(self, refusal: Refusal) -> Reply:
        return self.json({"code": refusal.status, "message": refusal.text}, refusal.status)

    def make_number(self, booking: Booking, serial: int) -> str:
        return str(501_000_000 + serial)

    def _read(self, request: Request, rules: Rules) -> Json:
        body: Json = request.json
        self.enforce(rules, body)
        return body

    @route("POST", BASE + "/Customers/{customer}/rates")
    def rates(self, request: Request, path: Path) -> Reply:
        body = self._read(request, RATE)
        booking = read_booking(
            body, *({"PostalCode": body[f"{end}PostalCode"]} for end in ("Source", "Destination"))
        )
        return self.json(write_rates(self.backend.price(booking), self.clock().date()))

    @route("POST", BASE + "/Shipments")
    def ship(self, request: Request, path: Path) -> Reply:
        body = self._read(request, SHIPMENT)
        booking = read_booking(body, body["Sender"], body["Destination"])
        sale = self.backend.buy(booking, order=body)
        draw(booking, sale.identifier, "PDF")  # what can't be printed must not be sold
        return self.json(
            {
                "ShipmentId": sale.identifier,
                "ParcelIds": [f"{sale.identifier}{at:02d}" for at, _ in enumerate(sale.numbers, 1)],
                "RatesDetail": write_rates(sale.priced, self.clock().date()),
            }
        )

    @route("GET", BASE + "/Shipments/{shipment}/labels")
    def labels(self, request: Request, path: Path) -> Reply:
        order = self.backend.find_labels(path["shipment"])[0]["order"]
        kind = request.query.get("type", "PDF")
        booking = read_booking(order, order["Sender"], order["Destination"])
        return self.file(draw(booking, path["shipment"], kind), MEDIA[kind])

    @route("DELETE", BASE + "/Shipments/{shipment}")
    def delete(self, request: Request, path: Path) -> Reply:
        self.backend.void(path["shipment"])
        return self.json({})

    @route("GET", BASE + "/Shipments/{shipment}")
    def track(self, request: Request, path: Path) -> Reply:
        seen = self.require_tracking(path["shipment"], country="CA")
        histories = [write_status(scan) for scan in reversed(seen.scans)]
        shipment = {"ShipmentId": path["shipment"], "ShipmentStatus": histories[0]["ShipmentStatus"]}
        return self.json({**shipment, "StatusHistories": histories})


def read_booking(body: Json, sender: Json, recipient: Json) -> Booking:
    """A question, whose ends are postal codes alone, or an order."""
    unit = next(name for name, code in CATALOGUE.table("units").items() if code == body["UnitsOfMeasurement"])
    extras = body.get("Accessory") or {}
    chosen = {"insurance": "InsuranceAmount", "frozen": "FrozenProtection", "dangerous": "DangerousGoods"}
    return Booking(
        shipper=read_party(sender, CATALOGUE.paths("party"), "CA"),
        recipient=read_party(recipient, CATALOGUE.paths("party"), "CA"),
        weights=tuple(convert_weight(Decimal(parcel["Weight"]), unit, "KG") for parcel in body["Parcels"]),
        service=body["ShipmentType"],
        reference=body.get("ReferenceNumber"),
        extras=tuple(name for name, member in chosen.items() if extras.get(member)),
        ship_date=date.fromisoformat(body["ExpeditionDate"]),
        billing=str(body.get("BillingAccount", "")),
    )


def write_rates(priced: PricedOffer, day: date) -> Json:
    offer, surcharges = priced.offer, CATALOGUE.surcharges
    charges = {surcharges[name].code: amount for name, amount in priced.extras.items()}
    return {
        "BasePrice": offer.base,
        "FuelCharge": offer.fuel,
        "AccessoryCharges": [
            {"Charge": amount, "NameFr": name, "NameEn": name} for name, amount in charges.items()
        ],
        "Total": priced.total,
        "DelayTransitDays": offer.days,
        "EstimatedDeliveryDate": find_arrival_day(day, offer.days).isoformat(),
    }


def write_status(scan: Scan) -> Json:
    return {
        "ShipmentStatus": CATALOGUE.statuses.code(scan.status),
        "ShipmentStatusFr": scan.description,
        "ShipmentStatusEn": scan.description,
        "StatusDate": f"{scan.at:%Y-%m-%dT%H:%M:%SZ}",
        "LastLocation": scan.city,
    }


def draw(booking: Booking, number: str, kind: str) -> bytes:
    """A label for each parcel, all with the number of the shipment."""
    numbers, postal_code = [number] * len(booking.weights), booking.recipient.postal_code
    return draw_parcels(
        booking, numbers, kind, "NATIONEX", "DELIVERY", groups=(3, 3), mark="N", routing=postal_code
    )
