"""Spring: parcels across borders and in countries of Europe; prices by a rate sheet, labels, tracking."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
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
    Token,
    ask_all,
    buy_each,
    combine_labels,
    void_each,
)
from shipcli.carrier.contents import list_currencies_of
from shipcli.carrier.currencies import list_every_goods
from shipcli.carrier.preparation.returns import is_return, turn_around
from shipcli.carrier.ratesheet import rate_by_sheet
from shipcli.carrier.service_level import OwnLevels
from shipcli.carrier.wire.json_paths import Json
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

HOST = "https://mtapi.net"


class SpringAccount(Credentials):
    """The key of an account, and what its contract sells."""

    api_key: SecretStr
    account_country_code: str | None = None
    services: OwnLevels = wire.CATALOGUE.to_dict("service_levels")  # type: ignore[assignment]  # read as levels


class SpringConfig(CarrierConfig):
    """Habits of a connection: what its printers take where a purchase does not say."""

    label_format: Literal["PDF", "PNG", "ZPL", "ZPL200", "ZPL300"] | None = None


class Spring(Carrier[SpringAccount, SpringConfig]):
    """Spring; one host, a word of the query says whether a label is a test."""

    slug = "spring"
    name = "Spring"
    integration_status = "beta"
    values_at_home = returns_from_abroad = True
    needs_weight = True
    hosts = {True: HOST, False: HOST}
    Credentials, Config = SpringAccount, SpringConfig
    catalogue = wire.CATALOGUE
    also_reads = frozenset({"currency", "declared_value"})
    done_before = (DoneBefore(verb="void", text=r"(?i)already (been )?(void(ed)?|cancell?ed)"),)
    tracking_link = "https://www.mailingtechnology.com/tracking/?tn={}"
    sample_account = {"api_key": "sandbox-key", "account_country_code": "DE"}

    # -- what the driver asks ------------------------------------------------------------------

    def headers(self, call: Call, tokens: Mapping[str, Token]) -> Mapping[str, str]:
        return {"Content-Type": "text/json"}

    def read_messages(self, reply: Reply) -> Sequence[Message]:
        return wire.read_errors(reply.json)

    def is_refusal(self, reply: Reply) -> bool:
        return reply.status >= 400 or wire.is_refused(reply.json)

    def name_option_currency(self, request: RateRequest | ShipmentRequest) -> str | None:
        """Return the currency of the goods, the only one that an order names."""
        return next(iter(list_currencies_of(list_every_goods(request))), None)

    def _command(self, name: str, shipment: Json, **call: object) -> Call:
        body = {"Apikey": self.account.api_key.get_secret_value(), "Command": name, "Shipment": shipment}
        query = {"testMode": 1} if self.context.test_mode else {}
        return Call("POST", "/", json=body, query=query, **call)  # type: ignore[arg-type]

    # -- verbs ---------------------------------------------------------------------------------

    def rate(self, request: RateRequest) -> Flow[list[Quote]]:
        """The zones of what brings goods back are the countries that they come from."""
        return rate_by_sheet(self, turn_around(request) if is_return(request, self) else request)

    def ship(self, request: ShipmentRequest) -> Flow[Label]:
        """An order for each parcel, all or none."""
        kind = self._choose_kind(request)
        pairs = zip(request.parcels, self.options_of_each(request), strict=True)
        orders = [
            wire.write_order(request, parcel, options, self._name(request, at), kind)
            for at, (parcel, options) in enumerate(pairs, 1)
        ]
        labels = yield from buy_each(
            [self._command(wire.ORDER, order) for order in orders],
            lambda reply: wire.read_label(reply.json, self.link(reply.json["Shipment"]["TrackingNumber"])),
            lambda label: self._void(label.tracking_number),
        )
        is_picture = labels[0].label_type == "PNG" and len(labels) > 1  # a picture holds one label
        whole = combine_labels(labels, "PDF" if is_picture else None)
        return whole.model_copy(update={"label_type": "PDF"}) if is_picture else whole

    def _choose_kind(self, request: ShipmentRequest) -> str:
        kinds = wire.CATALOGUE.table("label_types")
        names = (request.label_type, self.config.label_format)
        return next((name for name in names if name and name in kinds), "PDF")

    def _name(self, request: ShipmentRequest, number: int) -> str:
        if not request.reference:
            return self.reference(number - 1)
        return f"{request.reference}-{number}" if len(request.parcels) > 1 else request.reference

    def ship_return(self, request: ShipmentRequest) -> Flow[Label]:
        """A parcel of the customer to the holder of the account, by a service for returns."""
        return self.ship(request)

    def void(self, request: CancelRequest) -> Flow[Confirmation]:
        """Each label is cancelled by itself; what was done with errors is not cancelled for sure."""
        calls = [self._void(number) for number in self.identifiers_of(request)]
        return void_each(self, calls, lambda reply: wire.read_level(reply.json) == wire.DONE)

    def _void(self, number: str) -> Call:
        return self._command(wire.VOID, {"TrackingNumber": number})

    def track(self, request: TrackingRequest) -> Flow[list[Tracking]]:
        numbers = request.tracking_numbers
        replies = yield from ask_all([self._ask_for(number) for number in numbers])
        pairs = zip(numbers, replies, strict=True)
        return read_replies(pairs, lambda number, reply: wire.read_tracking(reply.json, number))

    def _ask_for(self, number: str) -> Call:
        about = {"tracking_number": number}
        return self._command(wire.TRACK, {"TrackingNumber": number}, repeatable=True, about=about)
