"""A small carrier for the tests of the runner and the kit."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from pydantic import SecretStr

from shipcli.carrier import (
    Call,
    Carrier,
    CarrierConfig,
    Credentials,
    Flow,
    Reply,
    Service,
    ServiceTable,
    Token,
    ask_all,
)
from shipcli.models import (
    CancelRequest,
    Confirmation,
    Label,
    Message,
    Quote,
    RateRequest,
    ShipmentRequest,
    Tracking,
    TrackingRequest,
)


class FakeAccount(Credentials):
    user: str
    api_key: SecretStr
    site: str | None = None


class Fake(Carrier[FakeAccount, CarrierConfig]):
    slug = "fake"
    name = "Fake"
    hosts = {True: "https://test.fake.example", False: "https://fake.example"}
    Credentials = FakeAccount
    Config = CarrierConfig
    services = ServiceTable([Service(slug="fake_ground", code="GND")])
    tokens = ("access",)

    def login(self, name: str) -> Flow[Token]:
        reply = yield Call("POST", f"/login/{name}", form={"key": self.account.api_key.get_secret_value()})
        return Token(str(reply.json["access_token"]))

    def is_refusal(self, reply: Reply) -> bool:
        return reply.status >= 400 or "error" in reply.json

    def read_messages(self, reply: Reply) -> Sequence[Message]:
        error = reply.json.get("error")
        return [Message(code=error["code"], message=error["text"])] if error else []

    def rate(self, request: RateRequest) -> Flow[list[Quote]]:
        calls = [
            Call("POST", "/rates", json={"kg": parcel.weight_in("KG")}, headers={"X-User": self.account.user})
            for parcel in request.parcels
        ]
        replies = yield from ask_all(calls)
        rows: list[dict[str, Any]] = [row for reply in replies if reply.ok for row in reply.json["rates"]]
        return [
            Quote(carrier_name=self.slug, service=row["service"], total_charge=row["price"], currency="USD")
            for row in rows
        ]

    def ship(self, request: ShipmentRequest) -> Flow[Label]:
        bought = yield Call("POST", "/labels", json={"service": self.services.code(request.service)})
        file = yield Call("GET", f"/labels/{bought.json['number']}.pdf", query={"size": "4x6"})
        return Label(
            tracking_number=bought.json["number"],
            shipment_identifier=bought.json["number"],
            label_type="PDF",
            docs={"label": file.text},
        )

    def void(self, request: CancelRequest) -> Flow[Confirmation]:
        yield Call("DELETE", f"/labels/{request.shipment_identifier}")
        return Confirmation(success=True, operation="Cancel Shipment")

    def track(self, request: TrackingRequest) -> Flow[list[Tracking]]:
        replies = yield from ask_all([Call("GET", f"/track/{one}") for one in request.tracking_numbers])
        pairs = zip(request.tracking_numbers, replies, strict=True)
        return [
            Tracking(
                tracking_number=number,
                events=reply.json["events"],
                status=reply.json["status"],
                delivered=False,
            )
            for number, reply in pairs
            if reply.ok
        ]
