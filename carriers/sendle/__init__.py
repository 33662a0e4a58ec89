"""Sendle: prices, an order for each parcel with its label, tracking. Its service ended in January 2026."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from urllib.parse import quote

from pydantic import SecretStr

from shipcli.carrier import (
    Bought,
    Call,
    Carrier,
    CarrierConfig,
    Credentials,
    DoneBefore,
    Flow,
    Reply,
    Token,
    ask_all,
    ask_strictly,
    basic_auth,
    buy_each,
    combine_labels,
    make_label,
    sum_parcels,
    void_each,
)
from shipcli.carrier.wire.label_files import encode_file, merge_papers
from shipcli.carrier.wire.rows import read_replies
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

from . import wire


class SendleAccount(Credentials):
    """The id and key of the account."""

    sendle_id: str
    api_key: SecretStr
    account_country_code: str | None = None


class Sendle(Carrier[SendleAccount, CarrierConfig]):
    """Sendle."""

    slug = "sendle"
    name = "Sendle"
    values_each = True
    tells_payer = False
    hosts = {True: "https://sandbox.sendle.com", False: "https://api.sendle.com"}
    Credentials, Config = SendleAccount, CarrierConfig
    catalogue = wire.CATALOGUE
    references_packaging = False
    retired = ""  # Sendle took no bookings any more from 2026-01-11 on
    done_before = (DoneBefore(verb="void", text="already (?:been )?cancell?ed"),)
    tracking_link = "https://track.sendle.com/tracking?ref={}"
    sample_account = {"sendle_id": "sandbox", "api_key": "sandbox-key", "account_country_code": "AU"}

    def headers(self, call: Call, tokens: Mapping[str, Token]) -> Mapping[str, str]:
        login = basic_auth(self.account.sendle_id, self.account.api_key)
        return {"Accept": "application/json", "Authorization": login}

    def read_messages(self, reply: Reply) -> Sequence[Message]:
        return wire.read_messages(reply.json)

    def is_refusal(self, reply: Reply) -> bool:
        return reply.status >= 400 or bool(self.read_messages(reply))

    # -- verbs ---------------------------------------------------------------------------------

    def rate(self, request: RateRequest) -> Flow[list[Quote]]:
        queries = [wire.write_rate(request, parcel) for parcel in request.parcels]
        replies = yield from ask_all([Call("GET", "/api/products", query=query) for query in queries])
        return sum_parcels([wire.read_rates(reply.json) if reply.ok else [] for reply in replies])

    def ship(self, request: ShipmentRequest) -> Flow[Label]:
        """An order for each parcel, all or none; the keys keep an order from being made twice."""
        bodies = [
            wire.write_order(request, parcel, self.options_of(request, parcel)) for parcel in request.parcels
        ]
        calls = [
            Call("POST", "/api/orders", json=body, headers={"Idempotency-Key": self.reference(at)})
            for at, body in enumerate(bodies)
        ]
        labels = yield from buy_each(
            calls,
            lambda reply: wire.read_order(reply.json, request.service),
            lambda label: _cancel(label.shipment_identifier or ""),
        )
        sold = combine_labels(labels)
        bought = Bought(
            sold.tracking_number,
            sold.shipment_identifier,
            selected_rate=sold.selected_rate,
            meta=sold.meta,
        )
        yield bought
        return (yield from self.fetch_label(bought, request))

    def fetch_label(self, bought: Bought, request: ShipmentRequest) -> Flow[Label]:
        orders = bought.meta.get("shipment_identifiers") or [bought.shipment_identifier]
        paths = [f"/api/orders/{quote(str(order), safe='')}/labels/a4.pdf" for order in orders]
        replies = yield from ask_strictly([Call("GET", path, file=True) for path in paths])
        files = [encode_file(reply.content) for reply in replies]
        return make_label(bought, "PDF", merge_papers({"label": files}))

    def void(self, request: CancelRequest) -> Flow[Confirmation]:
        calls = [_cancel(order) for order in self.identifiers_of(request)]
        return void_each(self, calls, lambda reply: reply.json.get("state") == "Cancelled")

    def track(self, request: TrackingRequest) -> Flow[list[Tracking]]:
        numbers = request.tracking_numbers
        replies = yield from ask_all([_ask_for(number) for number in numbers])
        pairs = zip(numbers, replies, strict=True)
        return read_replies(
            pairs, lambda number, reply: wire.read_tracking(reply.json, number, self.link(number))
        )


def _cancel(order: str) -> Call:
    return Call("DELETE", f"/api/orders/{quote(order, safe='')}", about={"order_id": order})


def _ask_for(number: str) -> Call:
    path = f"/api/tracking/{quote(number, safe='')}"
    return Call("GET", path, about={"tracking_number": number})
