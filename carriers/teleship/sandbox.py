"""Teleship in the sandbox: log-in, prices, duties, labels, tracking, collections, manifests."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime, timedelta
from decimal import Decimal

from shipcli.carrier import Reply, Request, load_catalogue
from shipcli.carrier.simulation.bookings import PICKUP, Booking, PricedOffer, Sale, measure_parcel
from shipcli.carrier.simulation.mappings import read_items, read_party
from shipcli.carrier.simulation.papers import draw_booking, draw_format, draw_invoice, group_text
from shipcli.carrier.simulation.simulator import Refusal, Simulator, route
from shipcli.carrier.simulation.tracking import Scan
from shipcli.carrier.wire.json_paths import Json, drop_empty
from shipcli.carrier.wire.label_files import encode_file
from shipcli.carrier.wire.rounding import round_half_up
from shipcli.models.basics.units import convert_weight

CATALOGUE = load_catalogue(__file__)
PRICED, LABELLED, TAXED = (CATALOGUE.rules(name) for name in ("order", "label", "duties"))
COLLECTED, CLOSED = CATALOGUE.rules("pickup"), CATALOGUE.rules("manifest")
PARTY, ITEM = CATALOGUE.paths("party"), CATALOGUE.paths("item")
EXTRAS = {
    "signatureRequired": "signature", "deliveryWarranty": "warranty", "deliveryPUDO": "pudo",
    "lowCarbon": "carbon",
}  # fmt: skip
DUTY, TAX = Decimal("0.05"), Decimal("0.20")
SHIPMENT, FORMATS = "shipment", ("PDF", "ZPL", "PNG")
ECHOED = (
    "shipTo", "shipFrom", "returnTo", "billTo", "weight", "dimensions", "packageType", "description",
    "customs", "additionalServices", "customerReference", "commercialInvoiceReference",
)  # fmt: skip


class TeleshipSimulator(Simulator):
    """Teleship in a sandbox."""

    slug = "teleship"
    tariffs = CATALOGUE.tariffs
    surcharges = CATALOGUE.surcharges
    limits = CATALOGUE.limits
    local_money = True
    auth_scheme = "bearer"
    open_paths = ("/oauth/token",)
    refusals = {
        "bad_login": ("401", "Unauthorized", 401),
        "invalid": ("400", "Bad Request", 400),
        "no_service": ("422", "No service is available for this shipment", 400),
        "unknown_label": ("404", "No shipment found: {}", 404),
        "voided_before": ("409", "Shipment {} has already been cancelled", 400),
        "too_late": ("409", "Shipment {} is in transit", 400),
        "closed_before": ("409", "Shipment {} has already been manifested", 400),
        "unknown_pickup": ("404", "No pickup found: {}", 404),
        "bad_day": ("400", "The pickup is to be on a working day in the future", 400),
        "unknown_number": ("404", "Tracking number not found", 404),
    }

    def refuse(self, refusal: Refusal) -> Reply:
        row = {
            "code": refusal.status,
            "level": "error",
            "timestamp": self._now(),
            "message": refusal.text,
            "details": [refusal.path] if refusal.path else [],
        }
        return self.json({"messages": [row]}, refusal.status)

    def _now(self) -> str:
        return write_moment(self.clock())

    def make_number(self, booking: Booking, serial: int) -> str:
        return f"TELESHIP{10_000_000_000 + serial:011d}"

    def make_identifier(self, booking: Booking, numbers: object) -> str:
        return self._make_uuid(SHIPMENT, "4d04")

    def make_form_number(self, serial: int) -> str:
        return write_uuid(serial, "4f0a")

    def make_pickup_number(self, serial: int) -> str:
        return write_uuid(serial, "4c11")

    def _make_uuid(self, name: str, group: str) -> str:
        return write_uuid(self.next_number(name), group)

    @route("POST", "/oauth/token")
    def log_in(self, request: Request, path: dict[str, str]) -> Reply:
        if not self.is_valid_client(request.json["clientId"], request.json["clientSecret"]):
            raise Refusal("401", "Invalid client credentials", 401)
        life = self.token_life_s * 1000
        return self.json({"accessToken": self.issue_token(), "expiresIn": life, "tokenType": "Bearer"})

    # -- prices --------------------------------------------------------------------------------

    @route("POST", "/api/rates/quotes")
    def price(self, request: Request, path: dict[str, str]) -> Reply:
        self.enforce(PRICED, request.json)
        booking = read_booking(request.json)
        rates = [self._write_rate(priced) for priced in self.backend.quote(booking)]
        return self.json({"messages": [], "rates": rates})

    def _write_rate(self, priced: PricedOffer) -> Json:
        offer, money = priced.offer, priced.currency
        lines = [("base", offer.total), *self._name_extras(priced)]
        return {
            "price": priced.total,
            "currency": money,
            "transit": offer.days,
            "estimatedDelivery": write_moment(self.clock() + timedelta(days=offer.days)),
            "service": {"name": name_service(offer.code), "code": offer.code, "transit": offer.days},
            "charges": [{"name": name, "amount": amount, "currency": money} for name, amount in lines],
        }

    def _name_extras(self, priced: PricedOffer) -> Iterable[tuple[str, Decimal]]:
        return ((self.surcharges[name].code, amount) for name, amount in priced.extras.items())

    @route("POST", "/api/trade-engine/duties-taxes")
    def price_duties(self, request: Request, path: dict[str, str]) -> Reply:
        """A part of what the goods are worth, in the currency of the first of them."""
        self.enforce(TAXED, request.json)
        goods = request.json["commodities"]
        money = request.json.get("currency") or goods[0]["value"]["currency"]
        worth = sum((Decimal(str(row["value"]["amount"])) * row["quantity"] for row in goods), Decimal(0))
        duty = round_half_up(worth * DUTY)
        lines = {"Duty": (duty, DUTY), "VAT": (round_half_up((worth + duty) * TAX), TAX)}
        charges = [
            {"name": name, "amount": amount, "currency": money, "rate": rate}
            for name, (amount, rate) in lines.items()
        ]
        total = sum((amount for amount, _ in lines.values()), Decimal(0))
        return self.json({"messages": [], "price": total, "currency": money, "charges": charges})

    # -- labels --------------------------------------------------------------------------------

    @route("POST", "/api/shipments/labels")
    def order(self, request: Request, path: dict[str, str]) -> Reply:
        body = request.json
        self.enforce(PRICED, body)
        self.enforce(LABELLED, body)
        sale = self.backend.buy(read_booking(body), body={name: body.get(name) for name in ECHOED})
        return self.json({"messages": [], "shipment": self._write_shipment(sale, body)}, 201)

    def _write_shipment(self, sale: Sale, body: Json) -> Json:
        rate, now, number = self._write_rate(sale.priced), self._now(), sale.numbers[0]
        shipment = {
            **{name: body.get(name) for name in ECHOED},
            "shipmentId": sale.identifier,
            "trackingNumber": number,
            "status": "label_created",
            "shipDate": body.get("shipDate") or now,
            "estimatedDelivery": rate["estimatedDelivery"],
            "rate": rate,
            "trackingURL": f"https://track.teleship.com/{number}",
            "createdAt": now,
            "updatedAt": now,
            **dict.fromkeys(("scaleWeight", "dimWeight", "billWeight"), body["weight"]),
        }
        lists = {"commodities": body.get("commodities", []), "events": [], "surcharges": []}
        return {**drop_empty(shipment), **lists, "documents": draw_papers(sale)}

    @route("POST", "/api/shipments/labels/{shipment}/void")
    def cancel(self, request: Request, path: dict[str, str]) -> Reply:
        [label] = self.backend.void(path["shipment"])
        answer = {"shipmentId": path["shipment"], "trackingNumber": label["number"], "status": "cancelled"}
        return self.json(answer)

    @route("GET", "/api/tracking/{number}")
    def track(self, request: Request, path: dict[str, str]) -> Reply:
        number = path["number"]
        seen = self.require_tracking(number, country="GB")
        label = self.find_sold(number) or {}
        body = label.get("body") or {}
        estimated = seen.estimated or seen.scans[-1].at
        answer = {
            "trackingNumber": number,
            "shipmentId": label.get("identifier") or write_uuid(0, "4d04"),
            "status": name_status(CATALOGUE.statuses.code(seen.status)),
            "customerReference": body.get("customerReference"),
            "shipDate": write_moment(seen.scans[0].at),
            "estimatedDelivery": write_moment(estimated),
            "shipFrom": body.get("shipFrom") or write_stranger("Sender", "GB"),
            "shipTo": body.get("shipTo") or write_stranger("Recipient", "US"),
            "events": [write_event(scan) for scan in seen.scans],
        }
        return self.json(drop_empty(answer))

    # -- the desk ------------------------------------------------------------------------------

    @route("POST", "/api/pickups")
    def collect(self, request: Request, path: dict[str, str]) -> Reply:
        body = request.json
        self.enforce(COLLECTED, body)
        booked = self.backend.schedule_pickup(body["startAt"][:10])
        kept = {name: body.get(name) for name in ("startAt", "endAt", "address", "reference")}
        pickup = {"id": booked["number"], "status": "created", **kept, "createdAt": self._now()}
        return self.json({"messages": [], "pickup": drop_empty(pickup)}, 201)

    @route("POST", "/api/pickups/{pickup}/cancel")
    def call_off(self, request: Request, path: dict[str, str]) -> Reply:
        booked = self.ledger.get(self.slug, PICKUP, path["pickup"])
        if booked and booked["cancelled_at"]:
            raise Refusal("404", f"Pickup {path['pickup']} has already been cancelled", 404)
        self.backend.cancel_pickup(path["pickup"])
        return self.json({"id": path["pickup"], "status": "cancelled", "cancelledAt": self._now()})

    @route("POST", "/api/manifests")
    def close(self, request: Request, path: dict[str, str]) -> Reply:
        body = request.json
        self.enforce(CLOSED, body)
        number, _ = self.backend.manifest(body["shipmentIds"])
        form = {"id": number, "status": "created", "reference": body.get("reference")}
        return self.json({**drop_empty(form), "createdAt": self._now()}, 201)


def read_booking(body: Json) -> Booking:
    weight, unit = Decimal(str(body["weight"]["value"])), body["weight"]["unit"].upper()
    size_unit = (body.get("dimensions") or {}).get("unit", "cm").upper()
    return Booking(
        shipper=read_party(body["shipFrom"], PARTY),
        recipient=read_party(body["shipTo"], PARTY),
        weights=(convert_weight(weight, unit, "KG"),),
        parcels=(measure_parcel(weight, unit, read_sides(body), size_unit, "0.1"),),
        service=body.get("serviceCode", ""),
        reference=body.get("customerReference"),
        items=read_items(body.get("commodities") or (), ITEM),
        extras=tuple(list_extras(body)),
    )


def read_sides(body: Json) -> list[Decimal]:
    size = body.get("dimensions") or {}
    return [Decimal(str(size[name])) for name in ("length", "width", "height") if name in size]


def list_extras(body: Json) -> list[str]:
    """What is billed on top; duties and taxes where the sender pays them."""
    services = body.get("additionalServices") or {}
    extras = [extra for member, extra in EXTRAS.items() if services.get(member)]
    is_paid = (body.get("customs") or {}).get("incoterms") == "DDP"
    return [*extras, *(("duty", "tax") if is_paid else ())]


def draw_papers(sale: Sale) -> list[Json]:
    """The label in every format, and the invoice of goods that are declared."""
    booking, number = sale.booking, sale.numbers[0]
    mark = "X" if "EXPEDITED" in booking.service else "S"
    spec = draw_booking(
        booking, number, 0, "TELESHIP", name_service(booking.service), mark=mark,
        routing=f"{booking.recipient.country} {booking.recipient.postal_code}",
        caption=group_text(number, 8, 3, 4, 4),
    )  # fmt: skip
    files = [("LABEL", kind, draw_format(spec, kind)) for kind in FORMATS]
    if booking.abroad and booking.items:
        files.append(("INVOICE", "PDF", draw_invoice("Commercial invoice", booking, {"Shipment": number})))
    place = f"https://api.teleship.com/api/shipments/labels/{sale.identifier}"
    return [
        {
            "type": name,
            "format": kind,
            "url": f"{place}/{name.lower()}.{kind.lower()}",
            "base64String": encode_file(file),
        }
        for name, kind, file in files
    ]


def name_service(code: str) -> str:
    return code.replace("-", " ").title()


def name_status(code: str) -> str:
    """The word for a whole shipment, of which there are fewer than for events."""
    return {"pending": "label_created", "out_for_delivery": "in_transit", "delivery_failed": "failed"}.get(
        code, code
    )


def write_event(scan: Scan) -> Json:
    return {
        "timestamp": write_moment(scan.at),
        "code": CATALOGUE.statuses.code(scan.status),
        "description": scan.description,
        "location": f"{scan.city}, {scan.country}",
    }


def write_stranger(name: str, country: str) -> Json:
    """A party of a shipment that was never ordered here."""
    return {"name": name, "address": {"line1": "1 Main Street", "city": "London", "country": country}}


def write_moment(at: datetime) -> str:
    return f"{at:%Y-%m-%dT%H:%M:%S}.000Z"


def write_uuid(serial: int, group: str) -> str:
    return f"{serial:08x}-71d4-{group}-bf63-{serial:012x}"
