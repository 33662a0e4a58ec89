"""Royal Mail: tracking. Its labels are bought through Sapient."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from urllib.parse import quote

from pydantic import SecretStr

from shipcli.carrier import Call, Carrier, CarrierConfig, Credentials, Flow, Reply, Token, ask_all
from shipcli.carrier.number_forms import POSTAL, ROYAL_MAIL
from shipcli.carrier.wire.json_paths import Json, fill_member
from shipcli.carrier.wire.rows import read_replies
from shipcli.models import Message, Tracking, TrackingRequest

from .wire import CATALOGUE, read_mail_piece, read_problem

HOST = "https://api.royalmail.net"


class RoyalmailAccount(Credentials):
    """An application of the developer portal."""

    client_id: str
    client_secret: SecretStr


class Royalmail(Carrier[RoyalmailAccount, CarrierConfig]):
    """Royal Mail."""

    slug = "royalmail"
    name = "Royal Mail"
    integration_status = "beta"
    hosts = {True: HOST, False: HOST}
    Credentials, Config = RoyalmailAccount, CarrierConfig
    catalogue = CATALOGUE
    number_forms = (POSTAL, ROYAL_MAIL)
    tracking_link = "https://www.royalmail.com/track-your-item#/tracking-results/{}"
    sample_account = {"client_id": "sandbox", "client_secret": "sandbox-secret"}

    def headers(self, call: Call, tokens: Mapping[str, Token]) -> Mapping[str, str]:
        """Royal Mail answers only those who accept its terms."""
        return {
            "Accept": "application/json",
            "X-IBM-Client-Id": self.account.client_id,
            "X-IBM-Client-Secret": self.account.client_secret.get_secret_value(),
            "X-Accept-RMG-Terms": "yes",
        }

    def read_messages(self, reply: Reply) -> Sequence[Message]:
        return read_problem(reply.json)

    def is_refusal(self, reply: Reply) -> bool:
        return reply.status >= 400 or "mailPieces" not in reply.json

    def track(self, request: TrackingRequest) -> Flow[list[Tracking]]:
        """One call for each number."""
        numbers = request.tracking_numbers
        paths = [f"/mailpieces/v2/{quote(number, safe='')}/events" for number in numbers]
        replies = yield from ask_all([Call("GET", path) for path in paths])
        pairs = zip(numbers, replies, strict=True)
        return read_replies(pairs, lambda number, reply: self._read_piece(reply.json["mailPieces"], number))

    def _read_piece(self, piece: Json, number: str) -> Tracking:
        piece = fill_member(piece, "mailPieceId", number)
        return read_mail_piece(piece, self.link(piece["mailPieceId"]))
