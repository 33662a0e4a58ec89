"""GEODIS: labels and their cancellation, tracking, prices by a rate sheet. Every call is signed."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from hashlib import sha256
from typing import Literal

from pydantic import SecretStr

from shipcli.carrier import (
    Call,
    Carrier,
    CarrierConfig,
    Credentials,
    DoneBefore,
    Flow,
    Reply,
    Request,
    Token,
    ask_all,
)
from shipcli.carrier.ratesheet import rate_by_sheet
from shipcli.carrier.sample_sheets import make_sample_sheet
from shipcli.carrier.service_level import OwnLevels
from shipcli.carrier.wire.json_paths import fill_member
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

SIGNATURE = "X-GEODIS-Service"


class GeodisAccount(Credentials):
    """The key and the identifier of the web services, and the number of the customer."""

    api_key: SecretStr
    identifier: str
    code_client: str | None = None
    language: Literal["fr", "en"] = "fr"
    services: OwnLevels = wire.CATALOGUE.to_dict("service_levels")  # type: ignore[assignment]  # read as levels


class GeodisConfig(CarrierConfig):
    """The agency that hands the parcels on."""

    agency_code: str | None = None


class Geodis(Carrier[GeodisAccount, GeodisConfig]):
    """GEODIS, in France."""

    slug = "geodis"
    name = "GEODIS"
    integration_status = "beta"
    tells_tax_number = False
    hosts = {
        True: "https://espace-client.geodis.com/services/services-mock",
        False: "https://espace-client.geodis.com/services",
    }
    Credentials, Config = GeodisAccount, GeodisConfig
    catalogue = wire.CATALOGUE
    home_country = "FR"
    references_packaging = False
    done_before = (DoneBefore(verb="void", text=r"(?i)déjà (été )?supprimé"),)
    sample_account = {
        "api_key": "sandbox-secret",
        "identifier": "sandbox",
        "code_client": "601911",
        "services": [
            *wire.CATALOGUE.to_dict("service_levels"),
            *make_sample_sheet(wire.CATALOGUE, "sample_levels"),
        ],
    }

    # -- what the driver asks ------------------------------------------------------------------

    def headers(self, call: Call, tokens: Mapping[str, Token]) -> Mapping[str, str]:
        return {"Accept": "*/*"}

    def sign(self, request: Request) -> Request:
        """The request with its signature, which covers the body byte by byte."""
        stamp, account = int(self.now.timestamp() * 1000), self.account
        signed = write_signature(
            account.api_key.get_secret_value(), account.identifier, stamp, account.language, request
        )
        return replace(request, headers={**request.headers, SIGNATURE: signed})

    def read_messages(self, reply: Reply) -> Sequence[Message]:
        return wire.read_messages(reply.json)

    def is_refusal(self, reply: Reply) -> bool:
        return reply.status >= 400 or wire.is_refused(reply.json)

    # -- verbs ---------------------------------------------------------------------------------

    def rate(self, request: RateRequest) -> Flow[list[Quote]]:
        return rate_by_sheet(self, request)

    def ship(self, request: ShipmentRequest) -> Flow[Label]:
        options = self.options_of(request)
        day = options.ship_date() or self.today_at(request.shipper)
        sender = {"codeSa": self.config.agency_code, "codeClient": self.account.code_client}
        body = wire.write_order(request, options, day, sender)
        reply = yield from self.ask("POST", "/api/wsclient/enregistrement-envois", json=body)
        return wire.read_label(reply.json, wire.label_name(request.label_type))

    def ship_return(self, request: ShipmentRequest) -> Flow[Label]:
        """The customer is the sender of a product that brings goods back."""
        return self.ship(request)

    def void(self, request: CancelRequest) -> Flow[Confirmation]:
        body = {"listNosSuivis": [request.shipment_identifier]}
        yield from self.ask("POST", "/api/wsclient/suppression-envois", json=body)
        return Confirmation(success=True, operation="Cancel Shipment")

    def track(self, request: TrackingRequest) -> Flow[list[Tracking]]:
        """One call for each number."""
        replies = yield from ask_all([_question(number) for number in request.tracking_numbers])
        return read_replies(
            zip(request.tracking_numbers, replies, strict=True),
            lambda number, reply: wire.read_tracking(fill_member(reply.json["contenu"], "noSuivi", number)),
        )


def _question(number: str) -> Call:
    return Call(
        "POST",
        "/api/zoomclient/recherche-envoi",
        json={"noSuivi": number},
        repeatable=True,
        about={"tracking_number": number},
    )


def write_signature(key: str, identifier: str, stamp: int, language: str, request: Request) -> str:
    """The header that signs a request: who, when in milliseconds, the language, and the hash.

    The service in the hash is the path from `api` on, as on the mock host so on the real one.
    """
    service = "api/" + request.path.partition("/api/")[2]
    parts = (key, identifier, str(stamp), language, service, request.content.decode())
    return ";".join([*parts[1:4], sha256(";".join(parts).encode()).hexdigest()])
