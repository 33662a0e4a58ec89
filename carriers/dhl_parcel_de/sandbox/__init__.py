"""The server of DHL Parcel DE as a simulator: orders, cancellations, collections, the group's tracking."""

from __future__ import annotations

from dataclasses import replace
from urllib.parse import parse_qsl, urlsplit

from shipcli.carrier import Reply, Request, load_catalogue
from shipcli.carrier.simulation.bookings import PICKUP, Booking, Party
from shipcli.carrier.simulation.simulator import Refusal, read_basic, route
from shipcli.carrier.wire.json_paths import Json, get_path
from shipcli.carrier.wire.label_files import encode_file
from shipcli.models.basics.check_digits import compute_check_digit

from ...dhl_universal.sandbox import DhlUniversalSandbox
from . import answers
from .bookings import COUNTRIES, DROP_POINTS, find_drop_point, read_booking, read_kilograms, read_somebody

CATALOGUE = load_catalogue(__file__)
ORDER_RULES = CATALOGUE.rules("order")
CONSIGNEE_RULES = {name: CATALOGUE.rules(name) for name in ("contact", *DROP_POINTS)}
ORDERS = "/parcel/de/shipping/v2/orders"
RETURNS = "/parcel/de/shipping/returns/v1/orders"
LOGIN = "/parcel/de/account/auth/ropc/v1/token"
PICKUPS = "/parcel/de/transportation/pickup/v3/orders"
PICKUP_RULES = CATALOGUE.rules("pickup")
RETURN_PRODUCT, ABROAD_PRODUCT, LONGEST_DETAIL = "V01PAK", "V53WPAK", 80
RETURN_RULES = CATALOGUE.rules("return")
WAREHOUSE = Party(  # of the receiver that an account keeps
    name="Retourenlager", company="", lines=("Lagerstr. 1",), city="Leipzig", state="", postal_code="04158",
    country="DE",
)  # fmt: skip


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
        "unknown_pickup": ("40011", "There is no pickup order {}."),
        "bad_day": ("40012", "DHL does not collect on that day."),
    }

    def refuse(self, refusal: Refusal) -> Reply:
        """The returns API says it in the body, that of pickups in a list, the others in its status."""
        if self.request.path == PICKUPS and refusal.code.isdigit():
            problem = {"errorCode": int(refusal.code), "title": "Validation failed", "detail": refusal.text}
            return self.json([problem], 422)
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

    def is_authorised(self, request: Request) -> bool:
        if request.path == PICKUPS:
            return self.is_fresh(request.header("authorization").removeprefix("Bearer "))
        return request.path == LOGIN or super().is_authorised(request)

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
        """A return costs what a parcel the other way does; its receiver tells where it comes from."""
        body = request.json
        self.enforce(RETURN_RULES, body)
        origin = COUNTRIES.get(body["receiverId"].upper(), "DE")
        sender = replace(read_somebody(body["shipper"]), country=origin)
        booking = Booking(
            shipper=sender,
            recipient=WAREHOUSE,
            weights=(read_kilograms(body["itemWeight"]),),
            service=RETURN_PRODUCT if origin == "DE" else ABROAD_PRODUCT,
            reference=body.get("customerReference"),
            key=body.get("shipmentReference"),
        )
        sale = self.backend.buy(booking)
        label = {"b64": encode_file(answers.draw(sale))}
        routing = answers.route_code(booking)
        sold = {"title": "Created", "status": 201}
        return self.json(
            {"sstatus": sold, "shipmentNo": sale.identifier, "label": label, "routingCode": routing}, 201
        )

    @route("DELETE", ORDERS)
    def cancel(self, request: Request, path: dict[str, str]) -> Reply:
        query = parse_qsl(urlsplit(request.url).query)
        return self._answer([self._cancel(number) for name, number in query if name == "shipment"])

    # -- collections ---------------------------------------------------------------------------

    @route("POST", LOGIN)
    def log_in(self, request: Request, path: dict[str, str]) -> Reply:
        form = request.form
        names = ("username", "password", "client_id", "client_secret")
        is_known = all(form.get(name) for name in names) and not self.refuses_credentials(*form.values())
        if form.get("grant_type") != "password" or not is_known:
            raise self.refusal("bad_login")
        return self.json({
            "access_token": self.issue_token(), "token_type": "Bearer", "expires_in": self.token_life_s,
        })  # fmt: skip

    def make_pickup_number(self, serial: int) -> str:
        return f"{serial:08x}{'5d4c3b2a1f0e9d8c7b6a5f4e':>24}"

    @route("POST", PICKUPS)
    def collect(self, request: Request, path: dict[str, str]) -> Reply:
        order = request.json
        self.enforce(PICKUP_RULES, order)
        if any(hours["timeFrom"] >= hours["timeUntil"] for hours in order.get("businessHours") or ()):
            raise Refusal("40006", "The place closes before it opens.")
        at = self.clock()
        day = get_path(order, "pickupDetails/pickupDate/value") or at.date().isoformat()
        booked = self.backend.schedule_pickup(day, order=order, at=f"{at:%Y-%m-%dT%H:%M:%S}")
        return self.json(
            {"confirmation": {"type": "Confirmation", "value": answers.write_collection(booked)}}
        )

    @route("GET", PICKUPS)
    def collections(self, request: Request, path: dict[str, str]) -> Reply:
        """Those of a day, or the one by its number."""
        query = request.query
        if not query.get("pickupDate") and not query.get("orderID"):
            raise Refusal("40010", "pickupDate or orderID is needed.")
        wanted = {"day": query.get("pickupDate"), "number": query.get("orderID")}
        rows = self.ledger.find(self.slug, PICKUP, **{name: value for name, value in wanted.items() if value})
        return self.json([answers.write_collection_status(row) for row in rows])

    @route("DELETE", PICKUPS)
    def call_off(self, request: Request, path: dict[str, str]) -> Reply:
        """Each of them, told one by one."""
        done: list[Json] = []
        failed: list[Json] = []
        for name, number in parse_qsl(urlsplit(request.url).query):
            if name == "orderID":
                self._call_off(number, done, failed)
        return self.json({"confirmedCancellations": done, "failedCancellations": failed})

    def _call_off(self, number: str, done: list[Json], failed: list[Json]) -> None:
        state = {"orderState": answers.CANCELLED}
        try:
            self.backend.cancel_pickup(number)
        except Refusal as refusal:
            is_booked = self.ledger.get(self.slug, PICKUP, number) is not None
            failed.append({"orderID": number, **(state if is_booked else {}), "message": refusal.text})
        else:
            done.append({"orderID": number, **state, "message": "Cancelled."})

    # -- what the handlers share ---------------------------------------------------------------

    def _sell(self, shipment: Json, kind: str, position: tuple[int, int]) -> Json:
        number, product = shipment["billingNumber"], shipment["product"]
        try:
            if number[10:12] != product[1:3]:
                raise Refusal("Bad Request", f"The billing number {number} is not one for {product}.", 400)
            sale = self.backend.buy(replace(read_booking(shipment, kind), position=position))
        except Refusal as no:
            return answers.write_fault(no)
        return answers.write_sale(sale, shipment, kind)

    def _cancel(self, number: str) -> Json:
        try:
            self.backend.void(number)
        except Refusal as no:
            return {"shipmentNo": number, **answers.write_fault(no)}
        return {"shipmentNo": number, "sstatus": answers.OK}

    def _answer(self, items: list[Json]) -> Reply:
        """All well, all wrong, or some of each."""
        bad = [item["sstatus"] for item in items if item["sstatus"] is not answers.OK]
        if not bad:
            return self.json({"status": answers.OK, "items": items})
        code = 207 if len(bad) < len(items) else bad[0]["statusCode"]
        status = {"title": bad[0]["title"], "statusCode": code, "detail": bad[0]["detail"]}
        return self.json({"status": status, "items": items}, code)
