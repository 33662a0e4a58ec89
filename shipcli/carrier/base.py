"""The base class of carriers: what a carrier states about itself.

A carrier sends nothing. Its verbs are flows (generators of calls); the driver sends. The verbs a class
overrides are its capabilities, its two models give the connection fields, its tables give services and
options.
"""

from __future__ import annotations

import base64
import re
from collections.abc import Generator, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, date, datetime, tzinfo
from typing import TYPE_CHECKING, Any, ClassVar, Generic, Literal, Self, TypeVar
from zoneinfo import ZoneInfo

from pydantic import SecretStr

from shipcli.carrier.address_form import AddressForm
from shipcli.carrier.api_state import ApiState
from shipcli.carrier.catalogue import OptionTable, RowTable, ServiceTable
from shipcli.carrier.catalogue_file import Catalogue, take_from_catalogue
from shipcli.carrier.catalogue_rows import CatalogueRow, DoneBefore, Preset
from shipcli.carrier.fields import (
    FORMER,
    NEEDED,
    SERVER_URL,
    describe_field,
    explain_credential,
    list_types,
    read_model,
)
from shipcli.carrier.limits import ServiceLimits
from shipcli.carrier.number_forms import NumberForm
from shipcli.carrier.request_options import RequestOptions, share_amounts
from shipcli.carrier.wire.calls import Bought, Call, Flow, Reply, Request, Token, ask, read_origin
from shipcli.models import (
    Address,
    AddressValidationDetails,
    AddressValidationRequest,
    CancelRequest,
    Confirmation,
    DocumentUploadRequest,
    Invalid,
    Label,
    Location,
    LocationRequest,
    ManifestDetails,
    ManifestRequest,
    Message,
    Model,
    Parcel,
    PickupCancelRequest,
    PickupDetails,
    PickupRequest,
    PickupUpdateRequest,
    Quote,
    RateRequest,
    ShipmentRequest,
    Tracking,
    TrackingRequest,
    TransitTime,
    UploadDetails,
    find_nearest,
)
from shipcli.models.basics.reference import find_time_zone

if TYPE_CHECKING:
    from shipcli.carrier.service_level import ServiceLevel

NOT_SUPPORTED = "SHIPPING_SDK_NON_SUPPORTED_ERROR"
RETIRED = "carrier_retired"
ORIGIN_NOT_SERVICED = "SHIPPING_SDK_ORIGIN_NOT_SERVICED_ERROR"
DESTINATION_NOT_SERVICED = "SHIPPING_SDK_DESTINATION_NOT_SERVICED_ERROR"
NOT_SERVICED = frozenset({ORIGIN_NOT_SERVICED, DESTINATION_NOT_SERVICED})
FIELD_ERROR = "SHIPPING_SDK_FIELD_ERROR"
SENDER_ALONE, ANYBODY = frozenset({"sender"}), frozenset({"sender", "recipient", "third_party"})

# Fields of credentials with the number of the account that is billed.
ACCOUNT_NUMBER = re.compile(r"(?:^|_)(?:account|customer|contract|meter)(?:_(?:number|id|code))?$")

CAPABILITIES: Mapping[str, str] = {
    "rate": "rating",
    "ship": "shipping",
    "track": "tracking",
    "schedule_pickup": "pickup",
    "manifest": "manifest",
    "upload_document": "paperless",
}  # the capability that a verb gives

OPERATIONS: Mapping[str, str] = {
    "rate": "rate",
    "ship": "ship",
    "ship_return": "return",
    "void": "void",
    "track": "track",
    "schedule_pickup": "pickup",
    "manifest": "manifest",
    "upload_document": "document",
    "validate_address": "address",
    "find_locations": "locations",
    "estimate_transit": "transit",
}  # what people call the verbs that they can use


class CarrierError(Exception):
    """The carrier refused, or its reply could not be read. `messages` say why.

    `definite` is for a flow that undid what it had done: nothing is left at the carrier.
    """

    def __init__(self, *messages: Message, definite: bool = False) -> None:
        super().__init__("; ".join(f"{m.code}: {m.message}" for m in messages))
        self.messages, self.definite = list(messages), definite


class Credentials(Model):
    """The secrets and account numbers of a connection.

    Order, types and defaults of the fields feed the API, the prompts and the stored form.
    """


class CarrierConfig(Model):
    """The settings of a connection. The ones here apply to all carriers and are not listed per carrier."""

    timezone: str | None = None
    sandbox: bool = False
    sandbox_scenario: str | None = None


AccountT = TypeVar("AccountT", bound=Credentials)
ConfigT = TypeVar("ConfigT", bound=CarrierConfig)


@dataclass(frozen=True)
class Context:
    """What a carrier gets from outside: it reads no clock, no environment and no random numbers itself.

    Shapes: `key` is the purchase's own key (32 hex digits), the same when the purchase is recovered;
            `sent_at` is when that purchase was sent, None for just now;
            `scenario` and `numbers` (tracking numbers that the caller chose) are for simulators;
            a `zone` of None is the machine's time zone; `sample` asks for labels that say SAMPLE;
            `exchange_rates` are those of the settings, `JPY=0.0068USD`;
            `rate_sheet` is the user's own, bound to the connection.
    """

    now: datetime
    key: str = "0" * 32
    sent_at: datetime | None = None
    test_mode: bool = False
    carrier_id: str = ""
    connection_id: str = ""
    zone: tzinfo | None = UTC
    scenario: str | None = None
    numbers: tuple[str, ...] = ()
    sample: bool = False
    metadata: Mapping[str, Any] = field(default_factory=dict)
    exchange_rates: str = ""
    rate_sheet: tuple[ServiceLevel, ...] = ()


class Carrier(Generic[AccountT, ConfigT]):
    """One connection of one carrier.

    A subclass states `slug`, `name`, `hosts` (test_mode -> base address), `Credentials`, `Config` and its
    tables, and overrides the verbs it can do.
    """

    slug: ClassVar[str]
    name: ClassVar[str]
    integration_status: ClassVar[str] = "production-ready"
    retired: ClassVar[str | None] = None  # if its API is off: the carrier to use instead, "" without one
    retired_because: ClassVar[str] = "has been switched off"  # what happened to that API
    hosts: ClassVar[Mapping[bool, str]] = {}
    other_hosts: ClassVar[Mapping[str, Mapping[bool, str]]] = {}
    Credentials: type[AccountT]
    Config: type[ConfigT]
    catalogue: ClassVar[Catalogue | None] = None  # the data file, from which the defaults below are taken
    api: ClassVar[ApiState] = take_from_catalogue(ApiState())
    credential_help: ClassVar[Mapping[str, str]] = take_from_catalogue({})  # where to find each one
    addresses: ClassVar[AddressForm] = take_from_catalogue(AddressForm())  # how it wants them
    label_formats: ClassVar[tuple[str, ...]] = take_from_catalogue(())
    services: ClassVar[ServiceTable] = take_from_catalogue(ServiceTable())
    service_levels: ClassVar[Sequence[ServiceLevel]] = take_from_catalogue(())
    options: ClassVar[OptionTable] = take_from_catalogue(OptionTable())
    also_reads: ClassVar[frozenset[str]] = take_from_catalogue(frozenset())  # options that are in no table
    refused_options: ClassVar[Mapping[str, str]] = take_from_catalogue({})  # with the reason
    refused_alone: ClassVar[Mapping[str, str]] = take_from_catalogue({})  # with the reason
    limits: ClassVar[ServiceLimits] = take_from_catalogue(ServiceLimits())  # what its services do not take
    packaging: ClassVar[RowTable[CatalogueRow]] = take_from_catalogue(RowTable())
    presets: ClassVar[RowTable[Preset]] = take_from_catalogue(RowTable())
    tokens: ClassVar[tuple[str, ...]] = ()  # logins that every call needs
    labels: ClassVar[Literal["theirs", "ours"]] = "theirs"  # ours: the carrier has none, the kit draws them
    no_file: ClassVar[frozenset[str]] = frozenset()  # types of labels that come without a file
    home_country: ClassVar[str | None] = None  # the only country it collects in; None: any
    stays_home: ClassVar[bool] = False  # it delivers in that country alone, too
    one_parcel_back: ClassVar[bool] = False  # a return is one parcel: more are neither priced nor bought
    why_returns_stay: ClassVar[str | None] = None  # why no return label is taken back, where none is
    returns_from_abroad: ClassVar[bool] = False  # to that country, or the account's, from any
    sells_at_home: ClassVar[bool] = False  # labels only for shippers in the country of its account
    needs_weight: ClassVar[bool] = False  # of every parcel that is priced or bought
    needs_sides: ClassVar[frozenset[type[Model]]] = frozenset()  # requests whose parcels need all three sides
    hub: ClassVar[bool] = False
    number_forms: ClassVar[Sequence[NumberForm]] = ()  # of its tracking numbers; without any, all texts are
    fills_in_quotes: ClassVar[Sequence[str]] = ()  # fields of addresses that are priced as "N/A" if missing
    not_serviced: ClassVar[str | None] = None  # pattern of a message ("code: text") that it lacks a route
    done_before: ClassVar[Sequence[DoneBefore]] = take_from_catalogue(())  # refusals of a repeated request
    trackable: ClassVar[bool] = True  # accepted as the carrier of a tracker
    fixed_in_pickups: ClassVar[frozenset[str]] = frozenset()  # fields that can't be changed once booked
    bills: ClassVar[frozenset[str]] = SENDER_ALONE  # who can pay for a shipment
    tells_payer: ClassVar[bool] = True  # its forms say who pays the duties
    tells_tax_number: ClassVar[bool] = True  # its forms have the tax number of a recipient abroad
    goods_currencies: ClassVar[tuple[str, ...]] = ()  # in which its forms declare goods; none: in any one
    values_each: ClassVar[bool] = False  # its forms name a currency with each of the goods
    values_at_home: ClassVar[bool] = False  # it is told what goods are worth that cross no border too
    declares_at_home: ClassVar[bool] = False  # its orders keep a declaration that nothing seems to need
    option_currency: ClassVar[str | None] = None  # of amounts to insure or collect; None: the form names it
    one_parcel: ClassVar[bool] = False  # a shipment is one parcel: more are neither priced nor bought
    numbers_per_call: ClassVar[int] = 1  # how many tracking numbers fit into one call
    lookup_lag_s: ClassVar[float] = 0.0  # how long `recover` may not know of what was bought
    tracking_link: ClassVar[str | None] = None  # "{}" is the number, "{language}" that of the account
    concurrency: ClassVar[int] = 8  # most calls at once, per carrier and process
    spacing_s: ClassVar[float] = 0.0  # least time between the starts of two calls
    timeout_s: ClassVar[float] = 30.0
    references_services: ClassVar[bool] = True  # shown in /v1/references
    references_options: ClassVar[bool] = True
    references_packaging: ClassVar[bool] = True
    references_presets: ClassVar[bool] = True
    references_levels: ClassVar[bool] = True
    sample_account: ClassVar[Mapping[str, Any]] = {}  # credentials of the simulated connection

    def __init__(self, account: AccountT, config: ConfigT, context: Context) -> None:
        self.account, self.config, self.context = account, config, context

    @classmethod
    def open(cls, credentials: Mapping[str, Any], config: Mapping[str, Any], context: Context) -> Self:
        """Return a connection from plain credentials and config.

        Errors: Invalid naming the fields that are missing or wrong, never their values.
        """
        return cls(cls.read_credentials(credentials), cls.read_config(config), context)

    @classmethod
    def read_credentials(cls, credentials: Mapping[str, Any]) -> AccountT:
        return read_model(cls.Credentials, credentials, "")

    @classmethod
    def read_config(cls, config: Mapping[str, Any]) -> ConfigT:
        return read_model(cls.Config, config, "config.")

    @classmethod
    def explain_credential(cls, name: str) -> str:
        """Return a sentence on where people find a credential."""
        return explain_credential(name, cls.name, cls.credential_help)

    @classmethod
    def check_setting_names(cls, names: Iterable[str]) -> None:
        """Errors: Invalid naming the settings a connection does not have, and the nearest it has."""
        fields = sorted(cls.Config.model_fields)
        unknown = [name for name in names if name not in fields]
        if unknown:
            raise Invalid.many(
                [(f"config.{name}", _explain_unknown(cls.name, name, fields)) for name in unknown]
            )

    # -- what the driver uses ------------------------------------------------------------------

    def login(self, name: str) -> Flow[Token]:
        """Get the token called `name`."""
        raise self.explain_unsupported(f"login {name}")
        yield  # a generator, as every verb

    def headers(self, call: Call, tokens: Mapping[str, Token]) -> Mapping[str, str]:
        """Return the headers of every call, including the authorisation."""
        return {"Authorization": f"Bearer {tokens['access'].value}"} if "access" in tokens else {}

    def complete(self, call: Call, tokens: Mapping[str, Token]) -> Call:
        """Return the call with what a log-in adds to its body; most log-ins add to the headers."""
        return call

    def sign(self, request: Request) -> Request:
        """Return the request with whatever must be computed over its bytes."""
        return request

    def read_messages(self, reply: Reply) -> Sequence[Message]:
        """Return the errors and warnings in a reply."""
        raise NotImplementedError(self.slug)

    def is_refusal(self, reply: Reply) -> bool:
        """Whether a reply is a refusal. Carriers that refuse with status 200 say so from the body."""
        return reply.status >= 400

    def rejects_token(self, reply: Reply) -> bool:
        """Whether a reply says that the token of its call is no longer valid."""
        return reply.status == 401

    def is_definite(self, reply: Reply) -> bool:
        """Whether a refusal means that nothing was done; after a server error something may have been.

        A SOAP fault has status 500 even where it is a plain refusal: it says itself whose fault it is, and
        one of the server may come with status 200 as well.
        """
        if b"Fault" not in reply.content or 400 <= reply.status < 500:
            return reply.status < 500
        from shipcli.carrier.wire.soap import is_senders_fault  # loads lxml, which few need

        blames_sender = is_senders_fault(reply)
        return reply.status < 500 if blames_sender is None else blames_sender

    # -- verbs ---------------------------------------------------------------------------------

    def rate(self, request: RateRequest) -> Flow[list[Quote]]:
        """Return the prices of the services that can carry the shipment."""
        raise self.explain_unsupported("rating")
        yield

    def ship(self, request: ShipmentRequest) -> Flow[Label]:
        """Buy the label."""
        raise self.explain_unsupported("shipping")
        yield

    def ship_return(self, request: ShipmentRequest) -> Flow[Label]:
        """Buy the label with which a customer sends goods back.

        The shipper of the request is that customer, its recipient the holder of the account, who pays.
        """
        raise self.explain_unsupported("return labels")
        yield

    def recover(self, request: ShipmentRequest) -> Flow[Label | None]:
        """Return the label that this purchase (`context.key`) made, or None if the carrier knows of none."""
        raise self.explain_unsupported("recovery of a purchase")
        yield

    def fetch_label(self, bought: Bought, request: ShipmentRequest) -> Flow[Label]:
        """Return the label of a bought shipment, for carriers that hand out labels in a call of its own.

        `ship` ends with it, and it is called again when that call failed.
        """
        raise self.explain_unsupported("labels of earlier purchases")
        yield

    def void(self, request: CancelRequest) -> Flow[Confirmation]:
        """Cancel a label."""
        raise self.explain_unsupported("cancellation of a shipment")
        yield

    def track(self, request: TrackingRequest) -> Flow[list[Tracking]]:
        """Return the tracking of numbers; those without data are left out and named in the messages."""
        raise self.explain_unsupported("tracking")
        yield

    def schedule_pickup(self, request: PickupRequest) -> Flow[PickupDetails]:
        """Book a pickup."""
        raise self.explain_unsupported("pickup")
        yield

    def recover_pickup(self, request: PickupRequest, others: Sequence[str]) -> Flow[PickupDetails | None]:
        """Return the pickup that such a request booked, or None when the carrier knows of none.

        `others` are the confirmation numbers of other pickups.
        """
        raise self.explain_unsupported("recovery of a pickup")
        yield

    def update_pickup(self, request: PickupUpdateRequest) -> Flow[PickupDetails]:
        """Change a booked pickup."""
        raise self.explain_unsupported("a change of a pickup: cancel it and schedule another")
        yield

    def cancel_pickup(self, request: PickupCancelRequest) -> Flow[Confirmation]:
        """Cancel a booked pickup."""
        raise self.explain_unsupported("cancellation of a pickup")
        yield

    def manifest(self, request: ManifestRequest) -> Flow[ManifestDetails]:
        """Put the day's labels on the carrier's manifest."""
        raise self.explain_unsupported("manifest")
        yield

    def recover_manifest(self, request: ManifestRequest) -> Flow[ManifestDetails | None]:
        """Return the manifest that lists these labels, or None when the carrier knows of none."""
        raise self.explain_unsupported("recovery of a manifest")
        yield

    def upload_document(self, request: DocumentUploadRequest) -> Flow[UploadDetails]:
        """Upload trade documents."""
        raise self.explain_unsupported("upload of documents")
        yield

    def validate_address(self, request: AddressValidationRequest) -> Flow[AddressValidationDetails]:
        """Return whether an address exists."""
        raise self.explain_unsupported("address validation")
        yield

    def find_locations(self, request: LocationRequest) -> Flow[list[Location]]:
        """Return the places near an address where parcels are handed in or fetched, or the one with an id."""
        raise self.explain_unsupported("a search for its locations")
        yield

    def estimate_transit(self, request: RateRequest) -> Flow[list[TransitTime]]:
        """Return how long services take, for carriers whose prices do not say it.

        The services of the request are those that were priced, at least one.
        """
        raise self.explain_unsupported("delivery times in a call of their own")
        yield

    # -- what flows use ------------------------------------------------------------------------

    def ask(self, method: str, path: str, **call: Any) -> Generator[Call, Reply, Reply]:
        """Send one call: `reply = yield from self.ask("POST", "/rates", json=body)`."""
        return ask(Call(method, path, **call))

    def batches(self, numbers: Sequence[str]) -> list[Sequence[str]]:
        """Return tracking numbers in groups of as many as one call can carry."""
        most = self.numbers_per_call
        return [numbers[at : at + most] for at in range(0, len(numbers), most)]

    def today_at(self, address: Address | None) -> date:
        """Return the date at an address."""
        return self.now_at(address).date()

    def now_at(self, address: Address | None) -> datetime:
        """Return the time at an address, in the country's own zone, else the config's, else the machine's."""
        return self.context.now.astimezone(self._zone(address))

    @property
    def today(self) -> date:
        return self.today_at(None)

    @property
    def now(self) -> datetime:
        """The instant, aware UTC."""
        return self.context.now

    def _zone(self, address: Address | None) -> tzinfo | None:
        name = find_time_zone(address.country_code) if address and address.country_code else None
        name = name or self.config.timezone
        return ZoneInfo(name) if name else self.context.zone

    def reference(self, index: int = 0) -> str:
        """Return an identifier for request number `index` of this purchase; the same when it is recovered."""
        key = self.context.key
        return key if index == 0 else f"{key[:-2]}{int(key[-2:], 16) ^ index:02x}"

    def options_of(self, request: Any, parcel: Parcel | None = None) -> RequestOptions:
        """Return the options of a request in their types, or those of one parcel, whose own come first."""
        return RequestOptions.of(self, request, parcel)

    def options_of_each(self, request: RateRequest | ShipmentRequest) -> list[RequestOptions]:
        """Return the options of each parcel: amounts are its own, else its share of those of the shipment."""
        shares = share_amounts(self.options, request.options, len(request.parcels))
        pairs = zip(request.parcels, shares, strict=True)
        return [
            RequestOptions.of(self, request.model_copy(update={"options": parcel_options}), parcel)
            for parcel, parcel_options in pairs
        ]

    def identifiers_of(self, request: CancelRequest) -> list[str]:
        """Return the identifiers of the labels of a shipment that is to be cancelled, each once."""
        others = self.options_of(request).items("shipment_identifiers")
        return list(dict.fromkeys([request.shipment_identifier, *map(str, others)]))

    def own_origins(self) -> frozenset[str]:
        """Return the origins (`https://host`) that get the credentials of the connection."""
        urls = [url for hosts in (self.hosts, *self.other_hosts.values()) for url in hosts.values()]
        return frozenset(map(read_origin, [*urls, self.server_url] if self.server_url else urls))

    @classmethod
    def stated_origins(cls) -> frozenset[str]:
        """Return the origins that the class itself states: no setting and no answer can change them.

        Where another author computes `hosts` from settings, it states none.
        """
        groups = [cls.hosts, *cls.other_hosts.values()]
        stated = [hosts for hosts in groups if isinstance(hosts, Mapping)]
        return frozenset(read_origin(url) for hosts in stated for url in hosts.values())

    @property
    def server_url(self) -> str | None:
        """The address that a connection names in place of the carrier's, where its settings can.

        A setting that becomes a host has the type `ServerUrl`, whatever its name.
        """
        return getattr(self.config, SERVER_URL, None) or None

    @property
    def home(self) -> str | None:
        """The country of the account, where the credentials say it."""
        return getattr(self.account, "account_country_code", None)

    @property
    def language(self) -> str:
        """The language in which the carrier answers, where the credentials name one; else English."""
        return getattr(self.account, "language", None) or "en"

    def name_option_currency(self, request: RateRequest | ShipmentRequest) -> str | None:
        """Return the currency in which amounts are insured and collected; None where the form names it."""
        return self.option_currency

    def levels(self) -> Sequence[ServiceLevel]:
        """Return the service levels of this connection: the account's own, else the carrier's.

        Those of the user's rate sheet replace them.
        """
        from shipcli.carrier.service_level import override_levels

        account_levels: Sequence[ServiceLevel] | None = getattr(self.account, "services", None)
        return override_levels(account_levels or self.service_levels, self.context.rate_sheet)

    def list_offered(self) -> list[str]:
        """Return the services of this connection: the carrier's own and those of its rate sheet."""
        return list(dict.fromkeys([*self.services.slugs(), *(level.service_code for level in self.levels())]))

    def link(self, number: str) -> str | None:
        """Return the carrier's public tracking page of a number."""
        return self.tracking_link.format(number, language=self.language) if self.tracking_link else None

    def explain_unsupported(self, what: str) -> CarrierError:
        return CarrierError(Message(code=NOT_SUPPORTED, message=f"{self.name} does not offer {what}"))

    def refuse(self, code: str, message: str, **details: Any) -> CarrierError:
        """Return a refusal of our own, before or after a call: `raise self.refuse(code, text)`."""
        return CarrierError(Message(code=code, message=message, details=details or None))

    # -- what the product uses -----------------------------------------------------------------

    @classmethod
    def can(cls, verb: str) -> bool:
        return getattr(cls, verb) is not getattr(Carrier, verb)

    @classmethod
    def takes_number(cls, number: str) -> bool:
        """Whether a text has the form of one of its tracking numbers."""
        return not cls.number_forms or any(form.fits(number) for form in cls.number_forms)

    @classmethod
    def says_not_serviced(cls, message: Message) -> bool:
        """Whether a message says that the carrier does not serve the origin or the destination."""
        text = f"{message.code}: {message.message}"
        return message.code in NOT_SERVICED or bool(cls.not_serviced and re.search(cls.not_serviced, text))

    @classmethod
    def says_done_before(cls, verb: str, messages: Sequence[Message]) -> bool:
        """Whether a refusal says that all it was asked for is done already."""
        return bool(messages) and all(
            any(row.fits(verb, message) for row in cls.done_before) for message in messages
        )

    @classmethod
    def capabilities(cls) -> list[str]:
        return [name for verb, name in CAPABILITIES.items() if cls.can(verb)]

    @classmethod
    def operations(cls) -> list[str]:
        """Return what people can ask the carrier for, in a word each."""
        return [name for verb, name in OPERATIONS.items() if cls.can(verb)]

    @classmethod
    def successor(cls) -> str | None:
        """Return what replaced its API: a carrier's slug, or a name for people."""
        return cls.retired or cls.api.successor

    @classmethod
    def connection_fields(cls) -> dict[str, dict[str, Any]]:
        """Return the credential fields as `/v1/carriers` shows them."""
        return {
            name: {"name": name, **describe_field(info)}
            for name, info in cls.Credentials.model_fields.items()
        }

    @classmethod
    def asked_fields(cls) -> dict[str, dict[str, Any]]:
        """Return the credential fields as people are asked for them: those that its API needs today."""
        fields, rows = cls.Credentials.model_fields, cls.connection_fields()
        return {
            name: {**row, "required": row["required"] or NEEDED in fields[name].metadata}
            for name, row in rows.items()
            if FORMER not in fields[name].metadata
        }

    @classmethod
    def list_lacking(cls, account: AccountT) -> list[str]:
        """Return the credentials that its API needs today and a connection does not have."""
        fields = cls.Credentials.model_fields.items()
        return [name for name, info in fields if NEEDED in info.metadata and not getattr(account, name)]

    @classmethod
    def config_fields(cls) -> dict[str, dict[str, Any]]:
        fields = {k: v for k, v in cls.Config.model_fields.items() if k not in CarrierConfig.model_fields}
        return {name: {"name": name, "code": name, **describe_field(info)} for name, info in fields.items()}

    @classmethod
    def secret_fields(cls) -> set[str]:
        """Return the names of the credential fields that are never shown."""
        fields = cls.Credentials.model_fields.items()
        return {name for name, info in fields if SecretStr in list_types(info)}

    def secrets(self) -> list[str]:
        """Return the secret values of this connection, for the masks of traces."""
        values = (getattr(self.account, name) for name in type(self.account).model_fields)
        return [value.get_secret_value() for value in values if isinstance(value, SecretStr)]

    def account_numbers(self) -> list[str]:
        """Return the account numbers, for the masks of traces: whoever knows one could have it billed."""
        names = (name for name in type(self.account).model_fields if ACCOUNT_NUMBER.search(name))
        values = (getattr(self.account, name) for name in names)
        return [value for value in values if isinstance(value, str) and value]


def _explain_unknown(carrier: str, name: str, fields: Sequence[str]) -> str:
    near = find_nearest(name, fields)
    hint = f"did you mean {near}?" if near else f"it has {', '.join(fields)}"
    return f"{carrier} has no such setting; {hint}"


def basic_auth(user: str, password: str | SecretStr) -> str:
    """Return the value of a Basic authorisation header."""
    secret = password.get_secret_value() if isinstance(password, SecretStr) else password
    return "Basic " + base64.b64encode(f"{user}:{secret}".encode()).decode()
