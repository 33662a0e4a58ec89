"""SmartKargo: parcels in the holds of airlines, from door to door; prices, labels, cancellation, tracking."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

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
    ServerUrl,
    Token,
    ask_all,
    ask_strictly,
    buy_each,
    combine_labels,
    keep_whole,
    make_label,
    sum_parcels,
    void_each,
)
from shipcli.carrier.wire.json_paths import Json, as_list, drop_empty
from shipcli.carrier.wire.label_files import merge_papers
from shipcli.carrier.wire.rows import read_each, read_replies
from shipcli.carrier.wire.times import find_office_time
from shipcli.models import (
    CancelRequest,
    Confirmation,
    Invalid,
    Label,
    Message,
    Quote,
    RateRequest,
    ShipmentRequest,
    Tracking,
    TrackingRequest,
)

from . import parts, rates, shipments, tracking

BOOK, VERSION = "/exchange/single", {"version": "2.0"}
JSON, DOLLARS = {"Content-Type": "application/json"}, "USD"


class SmartkargoAccount(Credentials):
    """A subscription to the API, and the account that is billed."""

    api_key: SecretStr
    account_number: str
    account_country_code: str | None = None


class SmartkargoConfig(CarrierConfig):
    """Who ships from where, and whose tracking is asked."""

    primary_id: str | None = None
    site_id: str | None = None
    additional_id: str | None = None
    origin: str | None = None
    destination: str | None = None
    currency: str | None = None
    partner_tracking_url: ServerUrl = None
    partner_tracking_api_code: str | None = None
    shipping_options: list[str] | None = None
    shipping_services: list[str] | None = None


class Smartkargo(Carrier[SmartkargoAccount, SmartkargoConfig]):
    """SmartKargo."""

    slug = "smartkargo"
    name = "SmartKargo"
    integration_status = "beta"
    hosts = {
        True: "https://uatihub.smartkargo.com/ihub-uat-mt-api-function",
        False: "https://ihub.smartkargo.com/ihub-prod-mt-api-function",
    }
    Credentials, Config = SmartkargoAccount, SmartkargoConfig
    catalogue = parts.CATALOGUE
    also_reads = frozenset({"prefix", "air_waybill", "user_name", "reason"})
    needs_weight = True
    needs_sides = frozenset({RateRequest, ShipmentRequest})  # required of every package
    fills_in_quotes = ("person_name", "address_line1", "city")
    values_each = True
    done_before = (DoneBefore(verb="void", text=r"(?i)already (been )?(void(ed)?|cancell?ed)"),)
    tracking_link = "https://www.deliverdirect.com/tracking?ref={}"
    sample_account = {
        "api_key": "sandbox-key",
        "account_number": "SK001234",
        "account_country_code": "US",
    }

    # -- what the driver asks ------------------------------------------------------------------

    def headers(self, call: Call, tokens: Mapping[str, Token]) -> Mapping[str, str]:
        site = {"SiteId": self.config.site_id} if self.config.site_id else {}
        return {**JSON, "code": self.account.api_key.get_secret_value(), **site}

    def read_messages(self, reply: Reply) -> Sequence[Message]:
        return parts.read_errors(reply)

    def is_refusal(self, reply: Reply) -> bool:
        if reply.status >= 400 or parts.read_text(reply):
            return True
        return parts.is_refused(parts.read_body(reply))

    def name_option_currency(self, request: RateRequest | ShipmentRequest) -> str | None:
        """Return the money of the account, in which parcels are insured."""
        return self._currency

    @property
    def _currency(self) -> str:
        return self.config.currency or DOLLARS

    @property
    def _account(self) -> Json:
        """How the holder of the account is told among the participants."""
        number, config = self.account.account_number, self.config
        primary = config.primary_id or number
        return {"primaryId": primary, "additionalId": config.additional_id or primary, "account": number}

    # -- verbs ---------------------------------------------------------------------------------

    def rate(self, request: RateRequest) -> Flow[list[Quote]]:
        names = [parcel.reference_number or f"PKG-{at}" for at, parcel in enumerate(request.parcels, 1)]
        header = request.reference or self.reference()
        orders = self._write_orders(request, header, names, rates.write_question)
        calls = [Call("POST", "/quotation", json=order, repeatable=True) for order in orders]
        replies = yield from ask_all(calls)
        rows = [as_list(parts.read_body(reply)["details"]) if reply.ok else [] for reply in replies]
        return sum_parcels([read_each(prices, rates.read_price, self._currency) for prices in rows])

    def _write_orders(
        self, request: parts.RequestT, header: str, names: Sequence[str], write: parts.Writer[parts.RequestT]
    ) -> list[Json]:
        """An order for each parcel, of one package that `write` completes."""
        at = self.options_of(request).ship_time() or find_office_time(self.now_at(request.shipper))
        stations = drop_empty({"origin": self.config.origin, "destination": self.config.destination})
        parcels = zip(request.parcels, self.options_of_each(request), names, strict=True)
        packages = [
            (parts.write_package(request, parcel, options, self._account, name), options)
            for parcel, options, name in parcels
        ]
        return [
            parts.write_order(header, at, {**write(request, package, options), **stations})
            for package, options in packages
        ]

    def ship(self, request: ShipmentRequest) -> Flow[Label]:
        """A booking for each parcel, all or none; then their labels."""
        header, names = self._header(request), self._names(request)
        orders = self._write_orders(request, header, names, shipments.write_booking)
        labels = yield from buy_each(
            [Call("POST", BOOK, json=order, query=VERSION) for order in orders],
            lambda reply: shipments.read_booking(reply, self._currency),
            lambda label: _void(label.tracking_number),
        )
        return (yield from self._finish(labels, request))

    def _header(self, request: ShipmentRequest) -> str:
        return parts.write_reference(request.reference or self.reference())

    def _names(self, request: ShipmentRequest) -> list[str]:
        """How each package is named: by its own reference, else by one that no other package has."""
        own = [parcel.reference_number for parcel in request.parcels]
        return [name if name and own.count(name) == 1 else self.reference(at) for at, name in enumerate(own)]

    def _finish(self, labels: Sequence[Label], request: ShipmentRequest) -> Flow[Label]:
        sold = combine_labels(labels)
        bought = Bought(
            sold.tracking_number, sold.shipment_identifier, selected_rate=sold.selected_rate, meta=sold.meta
        )
        yield bought
        return (yield from self.fetch_label(bought, request))

    def fetch_label(self, bought: Bought, request: ShipmentRequest) -> Flow[Label]:
        kind = "ZPL" if request.label_type == "ZPL" else "PDF"
        numbers = bought.meta.get("tracking_numbers") or [bought.name]
        replies = yield from ask_strictly([_ask_label(str(number), kind) for number in numbers])
        files = [shipments.read_file(reply) for reply in replies]
        return make_label(bought, kind, merge_papers({"label": files}, kind))

    def recover(self, request: ShipmentRequest) -> Flow[Label | None]:
        """The packages that this purchase booked, by their references, and their labels.

        A purchase of which only some packages were booked is taken back and counts as not made.
        Source: IHUB Swagger 1.0.0, shipment by packageReference. Errors: CarrierError for any refusal.
        """
        names, header = self._names(request), self._header(request)
        replies = yield from ask_strictly(
            [Call("GET", "/shipment", query={"packageReference": name}) for name in names]
        )
        sent_at = self.context.sent_at or self.now
        pairs = zip(names, replies, strict=True)
        rows = [shipments.find_bought(reply, header, name, sent_at, self._currency) for name, reply in pairs]
        labels = [label for label in rows if label]
        whole = yield from keep_whole(labels, len(names), lambda label: _void(label.tracking_number))
        return (yield from self._finish(whole, request)) if whole else None

    def void(self, request: CancelRequest) -> Flow[Confirmation]:
        """Each package is cancelled by its waybill.

        Errors: Invalid for what is no waybill: other shipments may have the same reference.
        """
        options = self.options_of(request)
        numbers = [str(number) for number in options.items("tracking_numbers")]
        if not numbers and options.text("prefix") and options.text("air_waybill"):
            numbers = [f"{options.text('prefix')}{options.text('air_waybill')}"]
        numbers = numbers or self.identifiers_of(request)
        if not all(tracking.WAYBILL.match(number) for number in numbers):
            text = "SmartKargo cancels by the waybill: three letters and a number"
            raise Invalid("shipment_identifier", text)
        told = {"userName": options.text("user_name"), "reason": options.text("reason")}
        calls = [_void(number, told) for number in dict.fromkeys(numbers)]
        return void_each(self, calls, lambda reply: shipments.is_void(parts.read_body(reply)))

    def track(self, request: TrackingRequest) -> Flow[list[Tracking]]:
        numbers = request.tracking_numbers
        replies = yield from ask_all([self._ask_for(number, request) for number in numbers])
        pairs = zip(numbers, replies, strict=True)
        return read_replies(pairs, lambda number, reply: tracking.read_tracking(reply.json, number))

    def _ask_for(self, number: str, request: TrackingRequest) -> Call:
        """The question for a number: of the partner who delivers where the settings name one."""
        details = request.options.get(number) or request.options
        query = tracking.write_query(number, details if isinstance(details, dict) else {})
        call = Call("GET", "/tracking", query=query, about={"tracking_number": number})
        partner = self.config.partner_tracking_url
        if not partner:
            return call
        code = self.config.partner_tracking_api_code or self.account.api_key.get_secret_value()
        path = f"{partner.rstrip('/')}/api/tracking"
        return replace(call, path=path, headers={**JSON, "code": code})


def _ask_label(number: str, kind: str) -> Call:
    """The label by its waybill: a link of an answer may lead anywhere, and the key goes along."""
    return Call("GET", "/label", query={**_name(number), "format": "zpl" if kind == "ZPL" else None})


def _void(number: str, told: Json | None = None) -> Call:
    return Call("GET", "/shipment/void", query={**_name(number), **(told or {})}, repeatable=False)


def _name(number: str) -> Json:
    prefix, waybill = parts.split_waybill("".join(filter(str.isalnum, number)))
    return {"prefix": prefix, "airWaybill": waybill}
