"""bpost: orders with their labels, cancellation and tracking by XML; prices by a rate sheet."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Literal
from urllib.parse import quote

from pydantic import SecretStr

from shipcli.carrier import (
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
    basic_auth,
)
from shipcli.carrier.number_forms import BPOST, POSTAL
from shipcli.carrier.ratesheet import rate_by_sheet
from shipcli.carrier.sample_sheets import make_sample_sheet
from shipcli.carrier.service_level import OwnLevels
from shipcli.carrier.wire.rows import read_replies
from shipcli.carrier.wire.xml import every, find
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
from .parts import CATALOGUE, LANGUAGE, Piece

HOST, TRACKING_HOST = "https://shm-rest.bpost.cloud", "https://api.parcel.bpost.cloud"
TRACKING, NOT_FOUND = "tracking", 404
ORDER, UPDATE, LABELS = "shm-order-v5", "shm-orderUpdate-v3", "shm-labelRequest-v5"
# What goes wrong on the side of bpost has no code of its own.
EXCEPTIONS = {"systemException": "500", "businessException": None}


class BpostAccount(Credentials):
    """The account of the Shipping Manager."""

    account_id: str
    passphrase: SecretStr
    services: OwnLevels = CATALOGUE.to_dict("service_levels")  # type: ignore[assignment]  # read as levels


class BpostConfig(CarrierConfig):
    """Settings of a connection; the language is that of notices to recipients."""

    cost_center: str | None = None
    shipping_options: list[str] | None = None
    shipping_services: list[str] | None = None
    lang: Literal["FR", "EN"] | None = None


class Bpost(Carrier[BpostAccount, BpostConfig]):
    """The Belgian post."""

    slug = "bpost"
    name = "Belgian Post"
    option_currency = "EUR"
    integration_status = "beta"
    tells_tax_number = False
    tells_payer = False
    hosts = {True: HOST, False: HOST}
    other_hosts = {TRACKING: {True: TRACKING_HOST, False: TRACKING_HOST}}
    Credentials, Config = BpostAccount, BpostConfig
    catalogue = CATALOGUE
    also_reads = frozenset({"declared_value", "hold_at_location_address"})
    needs_weight = True
    references_packaging = False
    done_before = (DoneBefore(verb="void", code="409", text="CANCELLED state"),)
    number_forms = (BPOST, POSTAL)
    tracking_link = "https://track.bpost.cloud/btr/web/#/search?itemCode={}&lang=EN"
    sample_account = {
        "account_id": "123456",
        "passphrase": "sandbox-secret",
        "services": make_sample_sheet(CATALOGUE, "sample_levels"),
    }

    # -- what the driver asks ------------------------------------------------------------------

    def headers(self, call: Call, tokens: Mapping[str, Token]) -> Mapping[str, str]:
        return {"Authorization": basic_auth(self.account.account_id, self.account.passphrase)}

    def read_messages(self, reply: Reply) -> Sequence[Message]:
        if not reply.content.strip():
            return []
        return [
            Message(code=find(error, "code") or code, message=find(error, "message"))
            for name, code in EXCEPTIONS.items()
            for error in every(reply.xml, name)
        ]

    def is_refusal(self, reply: Reply) -> bool:
        return reply.status >= 400 or bool(self.read_messages(reply))

    # -- verbs ---------------------------------------------------------------------------------

    def rate(self, request: RateRequest) -> Flow[list[Quote]]:
        return rate_by_sheet(self, request)

    def ship(self, request: ShipmentRequest) -> Flow[Label]:
        """The order, whose answer is empty, then its labels.

        The numbers stand on the labels alone: whoever misses them finds the order by its reference.
        """
        reference = self._reference(request)
        language = self.config.lang or LANGUAGE
        pieces = [
            Piece(request, parcel, self.options_of(request, parcel), language) for parcel in request.parcels
        ]
        order = shipments.write_order(self.account.account_id, reference, self.config.cost_center, pieces)
        yield from self.ask("POST", self._path(), xml=order, headers=write_media(ORDER))
        reply = yield self._labels(reference, request)
        return shipments.read_labels(reply.xml, reference, self.link)

    def ship_return(self, request: ShipmentRequest) -> Flow[Label]:
        """The customer is the sender of a product that brings goods back, from home or from abroad."""
        return self.ship(request)

    def recover(self, request: ShipmentRequest) -> Flow[Label | None]:
        """The labels of the order under the reference of this purchase.

        Errors: CarrierError where the caller gave the reference: the order may be an older one of that name.
        """
        if request.parcels[0].reference_number:
            text = "An older order may have the same reference: look the shipment up in the Shipping Manager"
            raise self.refuse("reference_not_unique", text)
        reference = self._reference(request)
        reply = yield replace(self._labels(reference, request), tolerant=True)
        if reply.ok:
            return shipments.read_labels(reply.xml, reference, self.link)
        if reply.status == NOT_FOUND or self._says_not_found(reply):
            return None
        raise CarrierError()

    def void(self, request: CancelRequest) -> Flow[Confirmation]:
        path = self._path(request.shipment_identifier)
        body = shipments.write_cancellation()
        yield from self.ask("POST", path, xml=body, headers=write_media(UPDATE))
        return Confirmation(success=True, operation="Cancel Shipment")

    def track(self, request: TrackingRequest) -> Flow[list[Tracking]]:
        """One call for each number, at another host."""
        replies = yield from ask_all([_question(number) for number in request.tracking_numbers])
        return read_replies(
            zip(request.tracking_numbers, replies, strict=True),
            lambda number, reply: tracking.read_tracking(reply.xml, number, str(self.tracking_link)),
        )

    # -- what they are made of -----------------------------------------------------------------

    def _reference(self, request: ShipmentRequest) -> str:
        """What names the order at bpost: the caller's word, else this purchase's own key."""
        return request.parcels[0].reference_number or f"ref_{self.context.key}"

    def _path(self, reference: str = "") -> str:
        account = quote(self.account.account_id, safe="")
        return f"/services/shm/{account}/orders/{quote(reference, safe='')}"

    def _says_not_found(self, reply: Reply) -> bool:
        """Whether a refusal of any status says that there is no such order."""
        readable = reply.definite and reply.structured
        return readable and any(message.code == str(NOT_FOUND) for message in self.read_messages(reply))

    def _labels(self, reference: str, request: ShipmentRequest) -> Call:
        size, media = shipments.label_sheet(request.label_type)
        headers = {**write_media(LABELS), "Accept": media}
        return Call("GET", f"{self._path(reference)}/labels/{size}", headers=headers)


def write_media(kind: str) -> dict[str, str]:
    return {"Content-Type": f"application/vnd.bpost.{kind}+XML"}


def _question(number: str) -> Call:
    path = f"/services/trackedmail/item/{quote(number, safe='')}/trackingInfo"
    return Call("GET", path, host=TRACKING, about={"tracking_number": number})
