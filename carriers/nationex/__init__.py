"""Nationex: prices, labels and tracking inside Canada, by REST."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Literal

from pydantic import SecretStr

from shipcli.carrier import (
    ANYBODY,
    DESTINATION_NOT_SERVICED,
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
    basic_auth,
    make_label,
    read_cost,
)
from shipcli.carrier.wire.label_files import encode_file
from shipcli.carrier.wire.rows import read_each
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


class NationexAccount(Credentials):
    api_key: SecretStr
    customer_id: str
    billing_account: str | None = None
    language: Literal["en", "fr"] | None = "en"


class Nationex(Carrier[NationexAccount, CarrierConfig]):
    """Nationex."""

    slug = "nationex"
    name = "Nationex"
    option_currency = "CAD"
    integration_status = "beta"
    hosts = {True: "https://apidev.nationex.com/api/v4", False: "https://api.nationex.com/api/v4"}
    Credentials, Config = NationexAccount, CarrierConfig
    catalogue = wire.CATALOGUE
    bills = ANYBODY
    also_reads = frozenset({"signature_confirmation"})
    home_country = wire.COUNTRY
    needs_weight = True
    references_services = False
    references_options = False
    references_packaging = False
    done_before = (DoneBefore(verb="void", text=r"(?i)already (?:been )?(?:deleted|cancell?ed)"),)
    tracking_link = "https://www.nationex.com/{language}/search?id={}"
    sample_account = {"api_key": "sandbox-key", "customer_id": "113300", "billing_account": "165556"}

    # -- what the driver asks ------------------------------------------------------------------

    def headers(self, call: Call, tokens: Mapping[str, Token]) -> Mapping[str, str]:
        return {"Authorization": basic_auth(self.account.customer_id, self.account.api_key)}

    def read_messages(self, reply: Reply) -> Sequence[Message]:
        return wire.read_problem(reply.json)

    def is_refusal(self, reply: Reply) -> bool:
        return reply.status >= 400 or bool(self.read_messages(reply))

    # -- verbs ---------------------------------------------------------------------------------

    def rate(self, request: RateRequest) -> Flow[list[Quote]]:
        self._check_destination(request)
        customer, options = self.account.customer_id, self.options_of(request)
        day = options.ship_date() or self.today_at(request.shipper)
        body = wire.write_rate(request, options, customer, day)
        path = f"/Customers/{customer}/rates"
        reply = yield from self.ask("POST", path, json=body, repeatable=True)
        service = wire.CATALOGUE.services.slug(body["ShipmentType"])
        return read_each([reply.json], wire.read_price, service, self.language)

    def _check_destination(self, request: wire.Request) -> None:
        """Errors: CarrierError for what leaves Canada."""
        country = request.recipient.country_code
        if country and country != wire.COUNTRY:
            raise self.refuse(DESTINATION_NOT_SERVICED, f"Destination country {country} is not serviced")

    def ship(self, request: ShipmentRequest) -> Flow[Label]:
        self._check_destination(request)
        account, options = self.account, self.options_of(request)
        day = options.ship_date() or self.today_at(request.shipper)
        body = wire.write_shipment(request, options, account.customer_id, account.billing_account, day)
        reply = yield from self.ask("POST", "/Shipments", json=body)
        bought = self._read_bought(reply, request)
        yield bought
        return (yield from self.fetch_label(bought, request))

    def _read_bought(self, reply: Reply, request: ShipmentRequest) -> Bought:
        """Errors: KeyError when the answer names no shipment."""
        number, rates = str(reply.json["ShipmentId"]), reply.json.get("RatesDetail")
        return Bought(
            number,
            number,
            selected_rate=read_cost(wire.read_price, rates, request.service, self.language)
            if rates
            else None,
            meta={
                "parcel_ids": [str(parcel_id) for parcel_id in reply.json.get("ParcelIds") or ()],
            },
        )

    def fetch_label(self, bought: Bought, request: ShipmentRequest) -> Flow[Label]:
        kind = wire.label_type(request)
        path, query = f"/Shipments/{bought.shipment_identifier}/labels", {"type": kind, **wire.PAGE}
        reply = yield from self.ask("GET", path, query=query, file=True)
        return make_label(bought, kind, {"label": encode_file(reply.content)})

    def void(self, request: CancelRequest) -> Flow[Confirmation]:
        yield from self.ask("DELETE", f"/Shipments/{request.shipment_identifier}")
        return Confirmation(success=True, operation="Cancel Shipment")

    def track(self, request: TrackingRequest) -> Flow[list[Tracking]]:
        calls = [
            Call("GET", f"/Shipments/{number}", query={"tracking": "true"}, about={"tracking_number": number})
            for number in request.tracking_numbers
        ]
        replies = yield from ask_all(calls)
        shipments = [reply.json for reply in replies if reply.ok]
        return read_each(shipments, wire.read_tracking, self.language, self.link)
