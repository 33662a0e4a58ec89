"""SAPIENT's server in the sandbox: log-in, shipments, collections."""

from __future__ import annotations

from datetime import date
from decimal import Decimal

from shipcli.carrier import Reply, Request, load_catalogue
from shipcli.carrier.simulation.bookings import BookedItem, Booking, Party, Sale
from shipcli.carrier.simulation.papers import draw_parcels
from shipcli.carrier.simulation.simulator import Refusal, Simulator, route
from shipcli.carrier.wire.json_paths import Json, as_list, get_path
from shipcli.carrier.wire.label_files import encode_file
from shipcli.models.basics.check_digits import compute_postal_check_digit

CATALOGUE = load_catalogue(__file__)
SHIPPED, CHANGED, COLLECTED = (CATALOGUE.rules(name) for name in ("shipment", "status", "collection"))
COLLECTION, SHIPMENT = "collection", "shipment"
PAGE = "https://www.royalmail.com/track-your-item#/tracking-results/"
NAMES = {"RM": "Royal Mail", "EVRI": "Evri", "DX": "DX", "UPS": "UPS", "YODEL": "Yodel"}


class SapientSimulator(Simulator):
    """SAPIENT in a sandbox."""

    slug = "sapient"
    tariffs = CATALOGUE.tariffs
    currency = "GBP"
    auth_scheme = "bearer"
    open_paths = ("/connect/token",)
    refusals = {
        "bad_login": ("E0401", "The access token is not valid.", 401),
        "no_service": ("E1003", "The service does not carry this shipment.", 400),
        "unknown_label": ("E1404", "The shipment {} does not exist.", 400),
        "voided_before": ("E1409", "The shipment {} is already cancelled.", 400),
        "too_late": ("E1410", "The shipment {} is under way.", 400),
        "unknown_pickup": ("E2404", "The collection does not exist or is already cancelled.", 400),
        "bad_day": ("E2003", "Nothing is collected on that day.", 400),
    }

    def refuse(self, refusal: Refusal) -> Reply:
        error = {"Message": refusal.text, "Cause": refusal.path, "ErrorCode": refusal.code}
        return self.json({"Message": "Invalid Request", "Errors": [error]}, refusal.status)

    def make_number(self, booking: Booking, serial: int) -> str:
        digits = f"{serial % 100_000_000:08d}"
        return f"TT{digits}{compute_postal_check_digit(digits)}GB"

    def make_identifier(self, booking: Booking, numbers: object) -> str:
        serial = self.next_number(SHIPMENT)
        return f"{serial:08x}-2687-4b38-ba18-{serial:012x}"

    def make_pickup_number(self, serial: int) -> str:
        return f"CC-W307-{serial:09d}"

    @route("POST", "/connect/token")
    def log_in(self, request: Request, path: dict[str, str]) -> Reply:
        if not self.is_valid_client(request.form.get("client_id", ""), request.form.get("client_secret", "")):
            return self.json({"error": "invalid_client"}, 400)
        token = {"access_token": self.issue_token(), "token_type": "Bearer"}
        return self.json({**token, "expires_in": str(self.token_life_s)})

    @route("POST", "/v4/shipments/{carrier}")
    def ship(self, request: Request, path: dict[str, str]) -> Reply:
        self.enforce(SHIPPED, request.json)
        booking = read_booking(request.json)
        if booking.abroad and not request.json.get("Items"):
            raise Refusal("E1001", "The items are required.", 400, "Items")
        sale = self.backend.buy(booking)
        return self.json(write_sale(sale, path["carrier"], request.json))

    @route("PUT", "/v4/shipments/status")
    def cancel(self, request: Request, path: dict[str, str]) -> Reply:
        self.enforce(CHANGED, request.json)
        for number in request.json["ShipmentIds"]:
            self.backend.void(number)
        return Reply(200)

    @route("POST", "/v4/collections/{carrier}/{shipment}")
    def collect(self, request: Request, path: dict[str, str]) -> Reply:
        self.enforce(COLLECTED, request.json)
        self.backend.find_labels(path["shipment"])
        booked = self.backend.schedule_pickup(request.json["SlotDate"], shipment=path["shipment"])
        self.ledger.put(self.slug, COLLECTION, path["shipment"], {"number": booked["number"]})
        return self.json({"CollectionOrderId": booked["number"], "CollectionDate": booked["day"]})

    @route("PUT", "/v4/collections/{carrier}/{shipment}/cancel")
    def call_off(self, request: Request, path: dict[str, str]) -> Reply:
        stored = self.ledger.get(self.slug, COLLECTION, path["shipment"]) or {}
        self.backend.cancel_pickup(str(stored.get("number")))
        return self.json({})


def read_booking(body: Json) -> Booking:
    about = body["ShipmentInformation"]
    extras = get_path(body, "CarrierSpecifics/ServiceEnhancements")
    kind = about["LabelFormat"]
    return Booking(
        shipper=_party(body["Shipper"]["Address"]),
        recipient=_party(body["Destination"]["Address"]),
        weights=tuple(Decimal(str(package["DeclaredWeight"])) for package in as_list(body["Packages"])),
        service=about["ServiceCode"],
        account=body["Shipper"]["ShippingAccountId"],
        reference=body["Shipper"].get("Reference1"),
        extras=tuple(extra["Code"] for extra in as_list(extras)),
        items=tuple(_item(item, about["CurrencyCode"]) for item in as_list(body.get("Items"))),
        label="ZPL" if kind.startswith("ZPL") else kind,
        ship_date=date.fromisoformat(about["ShipmentDate"]),
    )


def _party(address: Json) -> Party:
    return Party(
        name=address["ContactName"],
        company=address.get("CompanyName") or "",
        lines=tuple(line for name in ("Line1", "Line2") if (line := address.get(name))),
        city=address["Town"],
        postal_code=address.get("Postcode") or "",
        country=address["CountryCode"],
    )


def _item(item: Json, currency: str) -> BookedItem:
    return BookedItem(
        description=item["Description"],
        quantity=int(item["Quantity"]),
        value=Decimal(str(item.get("Value") or 0)),
        currency=currency,
        code=item.get("HSCode") or "",
    )


def write_sale(sale: Sale, carrier: str, body: Json) -> Json:
    """One file for all packages, and the number of each."""
    packages = [
        {
            "ShipmentId": sale.identifier,
            "PackageOccurrence": at,
            "TrackingNumber": number,
            "CarrierTrackingUrl": PAGE + number,
        }
        for at, number in enumerate(sale.numbers, 1)
    ]
    kind = body["ShipmentInformation"]["LabelFormat"]
    return {"Labels": encode_file(draw(sale, carrier)), "LabelFormat": kind, "Packages": packages}


def draw(sale: Sale, carrier: str) -> bytes:
    """The labels as the carrier behind the hub prints them."""
    booking, name = sale.booking, NAMES.get(carrier, carrier)
    row = CATALOGUE.services.of_code(booking.service)
    title = row.slug.partition("royal_mail_")[2] if row else booking.service
    service = title.replace("_", " ").upper()
    return draw_parcels(booking, sale.numbers, booking.label, name, service, groups=(2, 4, 4, 3))
