"""Dicom (GLS Canada): tracking."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from urllib.parse import quote

from pydantic import SecretStr

from shipcli.carrier import (
    Call,
    Carrier,
    CarrierConfig,
    Credentials,
    Flow,
    Reply,
    Token,
    ask_all,
    basic_auth,
)
from shipcli.carrier.wire.json_paths import fill_member
from shipcli.carrier.wire.rows import read_replies
from shipcli.models import Message, Tracking, TrackingRequest

from .wire import CATALOGUE, find_shipment, read_problem, read_shipment


class DicomAccount(Credentials):
    """The access to Smart4i, and the account that is billed."""

    username: str
    password: SecretStr
    billing_account: str | None = None


class Dicom(Carrier[DicomAccount, CarrierConfig]):
    """Dicom."""

    slug = "dicom"
    name = "Dicom"
    integration_status = "beta"
    hosts = {True: "https://sandbox-smart4i.dicom.com", False: "https://smart4i.dicom.com"}
    Credentials, Config = DicomAccount, CarrierConfig
    catalogue = CATALOGUE
    references_services = False
    sample_account = {"username": "sandbox", "password": "sandbox-secret"}

    def headers(self, call: Call, tokens: Mapping[str, Token]) -> Mapping[str, str]:
        who = basic_auth(self.account.username, self.account.password)
        return {"Accept": "application/json", "Authorization": who}

    def read_messages(self, reply: Reply) -> Sequence[Message]:
        return read_problem(reply.json)

    def is_refusal(self, reply: Reply) -> bool:
        return reply.status >= 400 or bool(read_problem(reply.json))

    def track(self, request: TrackingRequest) -> Flow[list[Tracking]]:
        """One call for each number."""
        paths = [f"/v1/tracking/{quote(number, safe='')}" for number in request.tracking_numbers]
        replies = yield from ask_all([Call("GET", path) for path in paths])
        return read_replies(
            zip(request.tracking_numbers, replies, strict=True),
            lambda number, reply: read_shipment(
                fill_member(find_shipment(reply.json), "trackingNumber", number)
            ),
        )
