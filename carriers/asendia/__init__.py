"""Asendia: parcels across borders from Europe; prices by a rate sheet, labels, manifests, tracking."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import timedelta
from typing import Literal
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
    ask,
    ask_all,
    ask_strictly,
    buy_each,
    combine_labels,
    make_label,
    void_each,
)
from shipcli.carrier.preparation.returns import is_return, turn_around
from shipcli.carrier.ratesheet import rate_by_sheet
from shipcli.carrier.sample_sheets import make_sample_sheet
from shipcli.carrier.service_level import OwnLevels
from shipcli.carrier.wire.label_files import encode_file, merge_papers
from shipcli.carrier.wire.rows import read_replies
from shipcli.models import (
    CancelRequest,
    Confirmation,
    Invalid,
    Label,
    ManifestDetails,
    ManifestRequest,
    Message,
    Quote,
    RateRequest,
    ShipmentRequest,
    Tracking,
    TrackingRequest,
)

from . import wire

HOST, PARCELS, MANIFESTS = "https://www.asendia-sync.com", "/api/parcels", "/api/manifests"
TOKEN_LASTS = timedelta(hours=22, minutes=30)  # Asendia does not say; it is good for a day


class AsendiaAccount(Credentials):
    """A user of Asendia Sync, and the customer it works for."""

    username: str
    password: SecretStr
    customer_id: str | None = None
    account_country_code: str | None = None
    services: OwnLevels = wire.CATALOGUE.to_dict("service_levels")  # type: ignore[assignment]  # read as levels


class AsendiaConfig(CarrierConfig):
    """Habits of a connection."""

    label_type: Literal["PDF", "ZPL", "PNG"] | None = None
    shipping_options: list[str] | None = None
    shipping_services: list[str] | None = None


class Asendia(Carrier[AsendiaAccount, AsendiaConfig]):
    """Asendia; one host, the user decides whether a label is a test."""

    slug = "asendia"
    name = "Asendia"
    integration_status = "beta"
    tells_payer = False
    values_each = values_at_home = returns_from_abroad = True
    needs_weight = True
    option_currency = "EUR"
    hosts = {True: HOST, False: HOST}
    Credentials, Config = AsendiaAccount, AsendiaConfig
    catalogue = wire.CATALOGUE
    tokens = ("access",)
    done_before = (
        DoneBefore(verb="void", text=r"(?i)already (been )?(deleted|cancell?ed)"),
        DoneBefore(verb="manifest", text=r"(?i)already (been )?(on a manifest|manifested)"),
    )
    tracking_link = "https://tracking.asendia.com/tracking/{}"
    sample_account = {
        "username": "sandbox",
        "password": "sandbox-secret",
        "customer_id": "CH12345678",
        "account_country_code": "CH",
        "services": make_sample_sheet(wire.CATALOGUE),
    }

    # -- what the driver asks ------------------------------------------------------------------

    def login(self, name: str) -> Flow[Token]:
        secret = self.account.password.get_secret_value()
        body = {"username": self.account.username, "password": secret}
        reply = yield from self.ask("POST", "/api/authenticate", json=body, tokens=(), repeatable=True)
        return Token(str(reply.json["id_token"]), self.now + TOKEN_LASTS)

    def headers(self, call: Call, tokens: Mapping[str, Token]) -> Mapping[str, str]:
        return {**super().headers(call, tokens), **call.headers}

    def read_messages(self, reply: Reply) -> Sequence[Message]:
        return wire.read_errors(reply.json)

    def is_refusal(self, reply: Reply) -> bool:
        """What names a parcel or a manifest made it, whatever else it says."""
        body = reply.json
        return (
            reply.status >= 400
            or wire.is_problem(body)
            or bool(wire.read_faults(body) and not body.get("id"))
        )

    # -- verbs ---------------------------------------------------------------------------------

    def rate(self, request: RateRequest) -> Flow[list[Quote]]:
        """The zones of what brings goods back are the countries that they come from."""
        return rate_by_sheet(self, turn_around(request) if is_return(request, self) else request)

    def ship(self, request: ShipmentRequest) -> Flow[Label]:
        """An order for each parcel, all or none; then their files."""
        kind = self._choose_kind(request)
        customer, word = self.account.customer_id, wire.choose_format(kind)
        bodies = [
            wire.write_parcel(request, parcel, options, customer, word)
            for parcel, options in zip(request.parcels, self.options_of_each(request), strict=True)
        ]
        labels = yield from buy_each(
            [Call("POST", PARCELS, json=body) for body in bodies],
            lambda reply: wire.read_label(reply.json, kind, self.link(reply.json["trackingNumber"])),
            lambda label: _delete(label.shipment_identifier or ""),
        )
        sold = combine_labels(labels)
        bought = Bought(sold.tracking_number, sold.shipment_identifier, meta=sold.meta)
        yield bought
        return (yield from self.fetch_label(bought, request))

    def _choose_kind(self, request: ShipmentRequest) -> str:
        kinds = wire.CATALOGUE.table("label_types")
        names = (request.label_type, self.config.label_type)
        return next((name for name in names if name and name in kinds), "PDF")

    def fetch_label(self, bought: Bought, request: ShipmentRequest) -> Flow[Label]:
        """The labels, then those of the way back; one of these that can't be had is told, and no more."""
        kind = self._choose_kind(request)
        accept = {"Accept": f"application/{wire.choose_format(kind).lower()}"}
        parcels = bought.meta.get("shipment_identifiers") or [bought.shipment_identifier]
        paths = [f"{PARCELS}/{quote(str(parcel), safe='')}" for parcel in parcels]
        labels = [Call("GET", f"{path}/label", headers=accept, file=True) for path in paths]
        replies = yield from ask_strictly(labels)
        back = yield from ask_all(
            [
                Call("GET", f"{path}/return-label", headers=accept, file=True, tolerant=True)
                for path, options in zip(paths, self.options_of_each(request), strict=False)
                if wire.write_return_label(options)
            ]
        )
        replies = [*replies, *(reply for reply in back if reply.ok)]
        kind = "PDF" if kind == "PNG" and len(replies) > 1 else kind  # a picture holds one label
        files = [encode_file(reply.content) for reply in replies]
        return make_label(bought, kind, merge_papers({"label": files}, kind))

    def ship_return(self, request: ShipmentRequest) -> Flow[Label]:
        """A parcel of the customer to the holder of the account, by a product for returns."""
        return self.ship(request)

    def void(self, request: CancelRequest) -> Flow[Confirmation]:
        return void_each(self, [_delete(parcel) for parcel in self.identifiers_of(request)])

    def manifest(self, request: ManifestRequest) -> Flow[ManifestDetails]:
        """The form is fetched too; a manifest whose form can't be had is closed all the same."""
        body = {"parcelIds": list(request.shipment_identifiers)}
        reply = yield from self.ask("POST", MANIFESTS, json=body)
        number = quote(str(reply.json["id"]), safe="")
        form = yield from ask(Call("GET", f"{MANIFESTS}/{number}/document", file=True, tolerant=True))
        return wire.read_manifest(reply.json, encode_file(form.content) if form.ok else None)

    def track(self, request: TrackingRequest) -> Flow[list[Tracking]]:
        """Errors: Invalid without the number of the customer, which is part of the address."""
        if not self.account.customer_id:
            raise Invalid(
                "customer_id", "Asendia asks for it when a parcel is tracked: add it to the connection"
            )
        customer, numbers = quote(self.account.customer_id, safe=""), request.tracking_numbers
        replies = yield from ask_all(
            [
                Call(
                    "GET",
                    f"/api/customers/{customer}/tracking/{quote(number, safe='')}",
                    about={"tracking_number": number},
                )
                for number in numbers
            ]
        )
        pairs = zip(numbers, replies, strict=True)
        return read_replies(pairs, lambda number, reply: wire.read_tracking(reply.json, number))


def _delete(parcel: str) -> Call:
    return Call("DELETE", f"{PARCELS}/{quote(parcel, safe='')}")
