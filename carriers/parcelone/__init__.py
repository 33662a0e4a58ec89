"""ParcelOne: its own parcels, and those of DHL and UPS; prices by a rate sheet, labels, returns, tracking.

Prices come from the rate sheet of the connection and ask nobody: the only call that might tell one registers
the shipment, and says of its charges that they are for future use. What is registered is what was bought.
Source: Parcel.One Shipping REST API 1.0.0, POST /shipment: ReturnCharges.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Literal
from urllib.parse import quote

from pydantic import SecretStr

from shipcli.carrier import (
    Bought,
    Call,
    Carrier,
    CarrierConfig,
    CarrierError,
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
    keep_whole,
    make_label,
    void_each,
)
from shipcli.carrier.ratesheet import rate_by_sheet
from shipcli.carrier.sample_sheets import make_sample_sheet
from shipcli.carrier.service_level import OwnLevels
from shipcli.carrier.wire.label_files import merge_papers
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

from . import shipments, tracking
from .parts import CATALOGUE, is_refused, read_messages

SHIPMENTS, TRACKING = "/shipment", "tracking"
BY_ID, BY_REFERENCE = "shipmentid", "shipmentref"
INTERNAL = frozenset({"3000", "3001"})  # something at ParcelOne failed: the shipment may be there
NOT_FOUND = 404


class ParceloneAccount(Credentials):
    """A user of ParcelOne, the mandator it works for, and whose parcels they are."""

    username: str
    password: SecretStr
    mandator_id: str
    consigner_id: str
    account_country_code: str | None = None
    services: OwnLevels = CATALOGUE.to_dict("service_levels")  # type: ignore[assignment]  # read as levels


class ParceloneConfig(CarrierConfig):
    """Habits of a connection."""

    cep_id: str | None = None
    product_id: str | None = None
    label_format: Literal["PDF", "ZPL", "PNG"] | None = None
    label_size: Literal["A6", "A4"] | None = None
    shipping_services: list[str] | None = None
    shipping_options: list[str] | None = None


class Parcelone(Carrier[ParceloneAccount, ParceloneConfig]):
    """ParcelOne."""

    slug = "parcelone"
    name = "ParcelOne"
    integration_status = "beta"
    hub = True
    tells_payer = False
    needs_weight = True
    hosts = {
        True: "https://sandbox.parcelone.io/shippingapi/v1",
        False: "https://production.parcelone.io/shippingapi/v1",
    }
    other_hosts = {
        TRACKING: {
            True: "https://sandboxapi.parcel.one/v1/tracklmc",
            False: "https://api.parcel.one/v1/tracklmc",
        }
    }
    Credentials, Config = ParceloneAccount, ParceloneConfig
    catalogue = CATALOGUE
    also_reads = frozenset({"currency", "email_notification", "email_notification_to", "sms_notification"})
    done_before = (DoneBefore(verb="void", text=r"(?i)already (been )?cancell?ed"),)
    tracking_link = "https://tracking.parcel.one/?trackingNumber={}"
    sample_account = {
        "username": "sandbox",
        "password": "sandbox-secret",
        "mandator_id": "1",
        "consigner_id": "2",
        "account_country_code": "DE",
        "services": make_sample_sheet(CATALOGUE),
    }

    # -- what the driver asks ------------------------------------------------------------------

    def headers(self, call: Call, tokens: Mapping[str, Token]) -> Mapping[str, str]:
        account = self.account
        return {"Authorization": basic_auth(account.username, account.password.get_secret_value())}

    def read_messages(self, reply: Reply) -> Sequence[Message]:
        return read_messages(reply.json)

    def is_refusal(self, reply: Reply) -> bool:
        return reply.status >= 400 or is_refused(reply.json)

    def is_definite(self, reply: Reply) -> bool:
        codes = {message.code for message in read_messages(reply.json)} if reply.structured else set()
        return super().is_definite(reply) and codes.isdisjoint(INTERNAL)

    # -- verbs ---------------------------------------------------------------------------------

    def rate(self, request: RateRequest) -> Flow[list[Quote]]:
        return rate_by_sheet(self, request)

    def ship(self, request: ShipmentRequest) -> Flow[Label]:
        """Every parcel is a shipment of its own, all or none."""
        return self._order(request, is_return=False)

    def ship_return(self, request: ShipmentRequest) -> Flow[Label]:
        return self._order(request, is_return=True)

    def _order(self, request: ShipmentRequest, *, is_return: bool) -> Flow[Label]:
        kind = self._choose_kind(request)
        order = shipments.Order(
            mandator=self.account.mandator_id,
            consigner=self.account.consigner_id,
            kind=kind,
            size=self.config.label_size or "A6",
            is_return=is_return,
        )
        bodies = [
            shipments.write_order(request, parcel, options, order, self.reference(at))
            for at, (parcel, options) in enumerate(
                zip(request.parcels, self.options_of_each(request), strict=True)
            )
        ]
        labels = yield from buy_each(
            [Call("POST", SHIPMENTS, json=body) for body in bodies],
            lambda reply: shipments.read_label(reply.json, kind, self.link),
            _cancel,
        )
        return combine_labels(labels, kind)

    def _choose_kind(self, request: ShipmentRequest) -> str:
        """A picture holds one label: those of several parcels are PDF."""
        kind = shipments.choose_kind(request.label_type, self.config.label_format)
        return "PDF" if kind == shipments.PICTURE and len(request.parcels) > 1 else kind

    def recover(self, request: ShipmentRequest) -> Flow[Label | None]:
        """The labels of the shipments with the keys of this purchase as their references, printed again.

        A purchase of which only some shipments were registered is taken back and counts as not made.
        Source: GET /shipment/label/shipmentref: as long as the reference is unique, which a key is.
        """
        kind = self._choose_kind(request)
        calls = [self._reprint(BY_REFERENCE, self.reference(at), kind) for at in range(len(request.parcels))]
        replies = yield from ask_all(calls)
        if any(not reply.ok and reply.status != NOT_FOUND for reply in replies):
            raise CarrierError()
        labels = [shipments.read_reprint(reply.json, kind, self.link) for reply in replies if reply.ok]
        whole = yield from keep_whole(labels, len(replies), _cancel)
        return combine_labels(whole, kind) if whole else None

    def fetch_label(self, bought: Bought, request: ShipmentRequest) -> Flow[Label]:
        kind = self._choose_kind(request)
        numbers = bought.meta.get("shipment_identifiers") or [bought.shipment_identifier]
        replies = yield from ask_strictly([self._reprint(BY_ID, str(number), kind) for number in numbers])
        labels = [shipments.read_reprint(reply.json, kind, self.link) for reply in replies]
        files = [label.docs["label"] for label in labels]
        return make_label(bought, kind, merge_papers({"label": files}, kind))

    def _reprint(self, field: str, value: str, kind: str) -> Call:
        query = {"FormatType": CATALOGUE.table("label_types")[kind]}
        return Call("GET", _path(f"label/{field}", value), query=query, tolerant=field == BY_REFERENCE)

    def void(self, request: CancelRequest) -> Flow[Confirmation]:
        paths = [_path(shipments.name_field(number), number) for number in self.identifiers_of(request)]
        return void_each(self, [Call("DELETE", path) for path in paths], shipments.is_cancelled)

    def track(self, request: TrackingRequest) -> Flow[list[Tracking]]:
        """One call for each number, which names the carrier that it is of."""
        numbers = request.tracking_numbers
        replies = yield from ask_all([_question(request, number) for number in numbers])
        pairs = zip(numbers, replies, strict=True)
        return read_replies(
            pairs, lambda number, reply: tracking.read_tracking(reply.json, number, self.link(number))
        )


def _question(request: TrackingRequest, number: str) -> Call:
    carrier = quote(tracking.choose_carrier(request, number), safe="")
    path = f"/tracking/{carrier}/{quote(number, safe='')}"
    return Call("GET", path, host=TRACKING, about={"tracking_number": number})


def _cancel(label: Label) -> Call:
    return Call("DELETE", _path(BY_ID, str(label.shipment_identifier)))


def _path(field: str, value: str) -> str:
    return f"{SHIPMENTS}/{field}/{quote(value, safe='')}"
