"""HayPost's servers in the sandbox: the log-in and the orders."""

from __future__ import annotations

from decimal import Decimal
from typing import Any

from shipcli.carrier import Reply, Request, load_catalogue
from shipcli.carrier.simulation.bookings import Booking, Party, Refusal
from shipcli.carrier.simulation.price_list import PER_DOLLAR, to_cents
from shipcli.carrier.simulation.simulator import Simulator, route
from shipcli.carrier.simulation.tracking import Scan
from shipcli.carrier.wire.json_paths import Json
from shipcli.models.basics.check_digits import compute_postal_check_digit

CATALOGUE = load_catalogue(__file__)
PRICED, BOUGHT = CATALOGUE.rules("order", "tariff"), CATALOGUE.rules("order", "label")
COUNTRIES = {number: code for code, number in CATALOGUE.table("countries").items()}
CURRENCIES = {number: code for code, number in CATALOGUE.table("currencies").items()}
HOME, HOME_NUMBER, FIRST_ORDER = "AM", 11, 15022782


class HayPostSimulator(Simulator):
    """HayPost in a sandbox."""

    slug = "hay_post"
    tariffs = CATALOGUE.tariffs
    surcharges = CATALOGUE.surcharges
    local_money = True
    auth_scheme = "bearer"  # though without the word
    open_paths = ("/api/Connect/Token",)
    refusals = {
        "bad_login": ("error", "unauthorized", 401),
        "no_service": ("error", "tariff_not_found", 400),
        "unknown_number": ("error", "order_not_found", 404),
    }

    def refuse(self, refusal: Refusal) -> Reply:
        return self.json({"key": refusal.text, "name": refusal.code}, refusal.status)

    def make_number(self, booking: Booking, serial: int) -> str:
        digits = f"{10575940 + serial:08}"
        return f"PAS{digits}{compute_postal_check_digit(digits)}{HOME}"

    def make_identifier(self, booking: Booking, numbers: Any) -> str:
        return str(FIRST_ORDER + self.next_number("order"))

    @route("POST", "/api/Connect/Token")
    def log_in(self, request: Request, path: dict[str, str]) -> Reply:
        body = request.json
        if not self.is_valid_client(body["username"], body["password"]):
            raise Refusal("error", "wrong_username_or_password", 400)
        return self.json({"accessToken": self.issue_token(), "expDate": self.token_life_s, "navigation": 1})

    @route("POST", "/Api/Order/CalculateTariff")
    def calculate(self, request: Request, path: dict[str, str]) -> Reply:
        total = Decimal(0)
        for order in request.json:
            self.enforce(PRICED, order)
            priced = self.backend.price(read_booking(order))
            rate = PER_DOLLAR[CURRENCIES[order["currencyId"]]] / PER_DOLLAR[priced.currency]
            total += to_cents(priced.total * rate)
        return self.json(total)

    @route("POST", "/Api/Order/CreateOrderByCustomerShort")
    def create(self, request: Request, path: dict[str, str]) -> Reply:
        body = request.json
        self.enforce(BOUGHT, body)
        sale = self.backend.buy(read_booking(body), order=body)
        number = int(sale.identifier)
        back = {"revertOrderId": number + 1, "revertBarcode": f"A{sale.numbers[0]}"}
        return self.json({"id": number, "barcode": sale.numbers[0], **back, "postalcode": None})

    @route("GET", "/Api/Order/Tracking/{number}")
    def track(self, request: Request, path: dict[str, str]) -> Reply:
        seen = self.require_tracking(path["number"], country=HOME)
        states = [write_state(at, scan) for at, scan in enumerate(seen.scans, 1)]
        order = {
            "id": FIRST_ORDER,
            "trackingId": path["number"],
            "stateId": states[-1]["stateId"],
            "comment": seen.scans[0].description,
            "createDate": states[0]["createDate"],
            "service": {"id": 4, "name": "Parcel"},
        }
        return self.json({"order": order, "customer": None, "orderStateHistories": states})


def write_state(at: int, scan: Scan) -> Json:
    state = int(CATALOGUE.statuses.code(scan.status))
    return {"id": at, "stateId": state, "createDate": f"{scan.at:%Y-%m-%dT%H:%M:%S}", "isActive": True}


def read_booking(order: Json) -> Booking:
    codes = order.get("additionalServices") or ()
    return Booking(
        shipper=read_party(order["returnAddress"]),
        recipient=read_party(order["destinationAddress"]),
        weights=(Decimal(order["weight"]),),
        service=str(order["serviceCategoryDirectionId"]),
        account=str(order["customerId"]),
        extras=tuple(row.slug for row in CATALOGUE.options if int(row.code) in codes),
    )


def read_party(address: Json) -> Party:
    return Party(
        country=COUNTRIES[address.get("countryId", HOME_NUMBER)],
        name=address["receiverInfo"].get("firstName") or "",
        lines=(str(address.get("street") or address.get("address")),),
        city=address["cityVillage"],
        postal_code=address.get("postalCode") or "",
    )
