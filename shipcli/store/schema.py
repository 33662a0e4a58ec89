"""What the store holds, declared in one place: kinds of REST documents, and free tables beside them.

A kind has a narrow table of filter columns, a table of JSON documents with the same `seq`, an optional text
index and rows in `entries`, `totals` and `tallies`. Definitions, filters, checks and migrations all read
these rows. Later additions name the version they came with (`since`); its step adds them to existing stores.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cache, cached_property
from operator import methodcaller
from typing import Any, Literal

from shipcli.store.codecs import find_encoder, fold_lines, write_search_value

Type = Literal["text", "integer", "real", "blob", "json", "flag", "time"]
Document = Mapping[str, Any]
ColumnReader = Callable[[Document], Any]
Source = str | ColumnReader | None

# One name per step, oldest first; their number is the version of a store.
STEPS = ("0001_first", "0002_rules", "0003_portable_index", "0004_mails", "0005_slots")
VERSION = len(STEPS)
_LASTING = 1_000_000  # later than any version

# The mode of kinds that live and test share, in `entries`, `totals` and `tallies` (0 is live, 1 is test).
SHARED = 2


@dataclass(frozen=True)
class Column:
    """One column. `source` says where a kind finds it in the document; None means the writer passes it in."""

    name: str
    type: Type = "text"
    source: Source = None
    since: int = 1

    @cached_property
    def read(self) -> ColumnReader:
        """The function that reads the column's value from a document."""
        return self.source if callable(self.source) else read_path(self.source or self.name)

    @cached_property
    def encode(self) -> Callable[[Any], Any]:
        """The function that encodes a value other than None for this column."""
        return find_encoder(self.type)

    @cached_property
    def empty(self) -> int | None:
        """How a missing value is stored: a flag is off, anything else is empty."""
        return 0 if self.type == "flag" else None


@dataclass(frozen=True)
class Index:
    """One index of a table; `only` is the condition on the rows it holds, empty for all.

    Versions before `until` have it.
    """

    columns: tuple[str, ...]
    unique: bool = False
    since: int = 1
    only: str = ""
    until: int = _LASTING


@dataclass(frozen=True)
class Table:
    """One table. `clustered` ones keep small rows in key order; `age` is the column that pruning looks at."""

    name: str
    columns: tuple[Column, ...]
    key: tuple[str, ...]
    indexes: tuple[Index, ...] = ()
    clustered: bool = False
    age: str | None = None
    since: int = 1

    @cached_property
    def types(self) -> dict[str, str]:
        """Type by column name."""
        return {column.name: column.type for column in self.columns}

    def list_columns(self, version: int) -> list[Column]:
        """The columns that the table has in a version."""
        return [column for column in self.columns if column.since <= version]

    def list_key(self, version: int) -> list[str]:
        """The key of the table in a version."""
        names = {column.name for column in self.list_columns(version)}
        return [name for name in self.key if name in names]

    def type_of(self, column: str) -> str:
        """The type of a column; LookupError if the table has no such column."""
        if column not in self.types:
            raise LookupError(f"{self.name} has no column {column}, only {', '.join(self.types)}")
        return self.types[column]

    def encode(self, row: Mapping[str, Any]) -> tuple[Any, ...]:
        """Encode the values of a row, or of some of its columns, as the columns store them.

        Errors: LookupError if the table has no such column.
        """
        pairs = zip(_list_encoders(self.name, tuple(row)), row.values(), strict=True)
        return tuple([None if value is None else encode(value) for encode, value in pairs])


@dataclass(frozen=True)
class Kind:
    """One kind of document.

    `text` names the searched fields and their paths, `scopes` which fields a named search looks at; `pairs`
    are the objects whose top-level keys and values are searched; `tally` is the column counted in `totals`,
    `counted` are the flags that are counted in `tallies` where set; `lookups` are the columns by which people
    name an object; `live_first` lists live before test.
    """

    name: str
    plural: str
    prefix: str
    columns: tuple[Column, ...] = ()
    indexes: tuple[tuple[str, ...] | Index, ...] = ()
    text: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    scopes: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    pairs: tuple[str, ...] = ()
    tally: str | None = None
    counted: tuple[str, ...] = ()
    lookups: tuple[str, ...] = ()
    moded: bool = True
    live_first: bool = False
    since: int = 1

    @cached_property
    def table(self) -> Table:
        """The narrow table."""
        newest = ("test_mode", "created_at") if self.moded else ("created_at",)
        orders = (each if isinstance(each, Index) else Index(each) for each in (newest, *self.indexes))
        indexes = (Index(("id",), unique=True), *orders)
        return Table(self.plural, (*_COMMON, *self.columns), ("seq",), indexes, since=self.since)

    @property
    def documents(self) -> str:
        """The name of the table of documents."""
        return f"{self.plural}_json"

    @property
    def words(self) -> str:
        """The name of the text index."""
        return f"{self.plural}_text"

    @cached_property
    def extra_columns(self) -> tuple[str, ...]:
        """Columns that are not read from the document."""
        return tuple(column.name for column in self.columns if column.source is None)

    def fields(self, scope: str) -> tuple[str, ...]:
        """The searched fields of a scope; LookupError if the kind has no such search."""
        if scope not in self.scopes:
            raise LookupError(f"{self.plural} have no {scope} search")
        return self.scopes[scope]

    def texts(self, document: Document) -> tuple[str, ...]:
        """The texts that the text index stores for a document, field by field."""
        return tuple([fold_lines([read(document) for read in field]) for field in self._fields])

    @cached_property
    def _fields(self) -> tuple[tuple[ColumnReader, ...], ...]:
        return tuple(tuple(map(read_path, paths)) for paths in self.text.values())

    def pairs_of(self, document: Document) -> Iterator[tuple[str, str, str]]:
        """Yield scope, key and comparable text of every top-level value; of equal keys, the last wins."""
        for scope in self.pairs:
            values = {write_search_value(key): value for key, value in (document.get(scope) or {}).items()}
            for key, value in values.items():
                yield scope, key, write_search_value(value)

    def order_of(self, column: str, *, partial: bool = False) -> Index | None:
        """The index that holds the documents for each value of a column in list order, or None."""
        start = (*(("test_mode",) if self.moded else ()), column, "created_at")
        lasting = (each for each in self.table.indexes if each.until > VERSION)
        fitting = (each for each in lasting if each.columns[: len(start)] == start)
        return next((each for each in fitting if partial or not each.only), None)


def read_path(path: str) -> ColumnReader:
    """Make a function that reads the value at a dotted path; None if the path ends early."""
    first, _, remainder = path.partition(".")
    if not remainder:
        return methodcaller("get", first)
    further = read_path(remainder)

    def read(document: Document) -> Any:
        value = document.get(first)
        return further(value) if isinstance(value, dict) else None

    return read


def _read_meta(document: Document) -> Document:
    return document.get("meta") or {}


_COMMON = (
    Column("seq", "integer"),
    Column("id"),
    Column("created_at", "time"),
    Column("updated_at", "time"),
    Column("test_mode", "flag"),
)


def _list_address_fields(path: str, *fields: str) -> tuple[str, ...]:
    return tuple(f"{path}{name}" for name in (*_ADDRESS, *fields))


_ADDRESS = (
    "address_line1",
    "address_line2",
    "postal_code",
    "person_name",
    "company_name",
    "city",
    "email",
    "phone_number",
)
_BY_STATUS = ("test_mode", "status", "created_at")
_BY_CARRIER = ("test_mode", "carrier_name", "created_at")
# Most labels are sold by the carrier itself, so this holds few rows; `carrier_name` saves a read.
_PROVIDER_ORDER = ("test_mode", "rate_provider", "created_at", "seq", "carrier_name")
_BY_PROVIDER = (
    Index(_PROVIDER_ORDER, only="rate_provider is not carrier_name", until=3),  # only SQLite understands this
    Index(_PROVIDER_ORDER, only="coalesce(rate_provider, '') <> coalesce(carrier_name, '')", since=3),
)

KINDS: dict[str, Kind] = {
    kind.name: kind
    for kind in (
        Kind(
            "address", "addresses", "adr_",
            columns=(Column("attached", "flag"),),
            indexes=(("attached", "created_at"),),
            text={"address": _list_address_fields("", "country_code")},
            scopes={"address": ("address",), "keyword": ("address",)},
            tally="attached", moded=False,
        ),
        Kind(
            "parcel", "parcels", "pcl_",
            columns=(Column("attached", "flag"),),
            indexes=(("attached", "created_at"),),
            tally="attached", moded=False,
        ),
        Kind("customs", "declarations", "cst_", moded=False),
        Kind(
            "connection", "connections", "car_",
            columns=(
                Column("carrier_name", source="carrier_name"),
                Column("carrier_id", source="carrier_id"),
                Column("active", "flag", "active"),
                Column("is_system", "flag", "is_system"),
            ),
            indexes=(("carrier_id",),),
            pairs=("metadata",), lookups=("carrier_id",), live_first=True,
        ),
        Kind(
            "shipment", "shipments", "shp_",
            columns=(
                Column("status", source="status"),
                Column("carrier_name", source="carrier_name"),
                Column("rate_provider", source="meta.rate_provider"),
                Column("service", source="selected_rate.service"),
                Column("reference", source="reference"),
                Column("tracking_number", source="tracking_number"),
                Column("has_tracker", "flag", lambda document: bool(document.get("tracker_id"))),
                Column("has_manifest", "flag"),
                Column("printed", "flag"),
                Column("has_pickup", "flag", lambda document: bool(_read_meta(document).get("pickup_id"))),
            ),
            indexes=(
                _BY_STATUS, _BY_CARRIER, ("tracking_number",), ("reference",), *_BY_PROVIDER,
                Index(("test_mode", "has_tracker", "created_at")),
                Index(("test_mode", "has_manifest", "created_at")),
                Index(("test_mode", "status", "has_manifest", "created_at")),
                Index(("test_mode", "status", "has_pickup", "created_at")),
            ),
            text={
                "address": _list_address_fields("recipient.", "country_code"),
                "id": ("id",),
                "tracking_number": ("tracking_number", "meta.tracking_numbers"),  # of every parcel
                "reference": ("reference",),
            },
            scopes={
                "address": ("address", "id"),
                "keyword": ("address", "id", "tracking_number", "reference"),
            },
            pairs=("metadata", "options", "meta"), tally="status", counted=("has_tracker", "has_manifest"),
            lookups=("tracking_number", "reference"),
        ),
        Kind(
            "tracker", "trackers", "trk_",
            columns=(
                Column("tracking_number", source="tracking_number"),
                Column("carrier_name", source="carrier_name"),
                Column("status", source="status"),
                Column("delivered", "flag", "delivered"),
                Column("connection_id", source="meta.connection_id"),
                Column("asked_at", "time"),
            ),
            indexes=(_BY_STATUS, ("tracking_number",), ("delivered", "updated_at")),
            text={"tracking_number": ("tracking_number",)}, scopes={"keyword": ("tracking_number",)},
            pairs=("metadata",), tally="status", lookups=("tracking_number",),
        ),
        Kind(
            "order", "orders", "ord_",
            columns=(
                Column("order_id", source="order_id"),
                Column("source", source="source"),
                Column("status", source="status"),
            ),
            indexes=(_BY_STATUS, ("order_id",)),
            text={
                "address": _list_address_fields("shipping_to."),
                "order_id": ("order_id",),
                "source": ("source",),
                "id": ("id",),
            },
            scopes={"address": ("address",), "keyword": ("address", "order_id", "source", "id")},
            pairs=("metadata", "options"), tally="status", lookups=("order_id",),
        ),
        Kind(
            "pickup", "pickups", "pck_",
            columns=(
                Column("carrier_name", source="carrier_name"),
                Column("confirmation_number", source="confirmation_number"),
                Column(
                    "cancelled", "flag", lambda document: _read_meta(document).get("status") == "cancelled"
                ),
            ),
            indexes=(("confirmation_number",),),
            pairs=("metadata",), lookups=("confirmation_number",),
        ),
        Kind(
            "manifest", "manifests", "manf_",
            columns=(Column("carrier_name", source="carrier_name"), Column("reference", source="reference")),
            indexes=(_BY_CARRIER, ("reference",)), pairs=("metadata",), lookups=("reference",),
        ),
        Kind(
            "webhook", "webhooks", "weh_",
            columns=(Column("disabled", "flag", "disabled"), Column("streak", "integer")),
        ),
        Kind(
            "batch", "batches", "batch_",
            columns=(Column("status", source="status"), Column("resource_type", source="resource_type")),
            indexes=(_BY_STATUS,), tally="status",
        ),
        Kind(
            "template", "templates", "doc_",
            columns=(
                Column("slug", source="slug"),
                Column("related_object", source="related_object"),
                Column("active", "flag", "active"),
            ),
            indexes=(("slug",),), pairs=("metadata",), lookups=("slug",), moded=False,
        ),
        Kind(
            "data_template", "data_templates", "data_",
            columns=(Column("slug", source="slug"), Column("resource_type", source="resource_type")),
            indexes=(("slug",),), lookups=("slug",), moded=False,
        ),
        Kind(
            "product", "products", "prd_", columns=(Column("sku", source="sku"),), indexes=(("sku",),),
            lookups=("sku",), moded=False,
        ),
        Kind(
            "upload", "uploads", "uprec_",
            columns=(
                Column("shipment_id"),
                Column("carrier_name", source="carrier_name"),
                Column("reference", source="reference"),
            ),
            indexes=(("shipment_id",), ("reference",)), lookups=("reference",), moded=False,
        ),
        Kind(
            "event", "events", "evt_",
            columns=(Column("type", source="type"), Column("object_id", source="data.id")),
            indexes=(("test_mode", "type", "created_at"), ("object_id",)), tally="type",
        ),
    )
}  # fmt: skip

TABLES: dict[str, Table] = {
    table.name: table
    for table in (
        Table(
            "files",
            (
                Column("id"), Column("owner_id"), Column("name"), Column("format"), Column("media_type"),
                Column("content", "blob"), Column("created_at", "time"),
            ),
            ("id",), (Index(("owner_id", "name"), unique=True),), age="created_at",
        ),
        Table(
            "entries",
            (
                Column("kind"), Column("scope"), Column("key"), Column("test_mode", "integer"),
                Column("at", "integer"), Column("seq", "integer"), Column("value"),
            ),
            ("kind", "scope", "key", "test_mode", "at", "seq"),
            (Index(("kind", "scope", "value", "test_mode", "at", "seq")),), clustered=True,
        ),
        Table(
            "tallies",
            (
                Column("kind"), Column("test_mode", "integer"), Column("scope"), Column("key"),
                Column("n", "integer"), Column("slot", "integer", since=5),
            ),
            ("kind", "test_mode", "scope", "key", "slot"), clustered=True,
        ),
        Table(
            "totals",
            (
                Column("kind"), Column("test_mode", "integer"), Column("status"), Column("n", "integer"),
                Column("slot", "integer", since=5),
            ),
            ("kind", "test_mode", "status", "slot"), clustered=True,
        ),
        Table(
            "secrets",
            (Column("id"), Column("name"), Column("sealed", "blob")), ("id", "name"), clustered=True,
        ),
        Table(
            "intents",
            (
                Column("key"), Column("shipment_id"), Column("test_mode", "flag"), Column("state"),
                Column("carrier_slug"), Column("connection_id"), Column("draft", "json"),
                Column("claimed_by"), Column("claimed_until", "real"), Column("created_at", "time"),
                Column("updated_at", "time"), Column("detail", "json"),
                # The action: the purchase of a shipment, or something else, for this object.
                Column("kind"), Column("object_id"),
            ),
            ("key",), (Index(("state", "created_at")), Index(("shipment_id",))),
        ),
        Table(
            "idempotency",
            (
                Column("caller"), Column("test_mode", "flag"), Column("operation"), Column("key"),
                Column("digest"), Column("state"), Column("status", "integer"), Column("response", "json"),
                Column("created_at", "time"), Column("expires_at", "time"),
            ),
            ("caller", "test_mode", "operation", "key"), (Index(("expires_at",)),), age="expires_at",
        ),
        Table(
            "tokens",
            (Column("connection_id"), Column("name"), Column("sealed", "blob"), Column("expires_at", "time")),
            ("connection_id", "name"), clustered=True, age="expires_at",
        ),
        Table(
            "traces",
            (
                Column("id"), Column("connection_id"), Column("carrier_name"), Column("carrier_id"),
                Column("object_id"), Column("test_mode", "flag"), Column("verb"), Column("request", "json"),
                Column("response", "json"), Column("status", "integer"), Column("started_at", "time"),
                Column("duration_ms", "real"),
            ),
            ("id",), (Index(("started_at",)), Index(("object_id", "started_at"))), age="started_at",
        ),
        Table(
            "logs",
            (
                Column("id"), Column("method"), Column("path"), Column("status", "integer"),
                Column("object_id"), Column("test_mode", "flag"), Column("caller"),
                Column("started_at", "time"), Column("duration_ms", "real"), Column("request_id"),
                Column("request", "json"), Column("response", "json"),
            ),
            ("id",), (Index(("started_at",)), Index(("object_id", "started_at")), Index(("request_id",))),
            age="started_at",
        ),
        Table(
            "import_rows",
            (
                Column("test_mode", "flag"), Column("resource"), Column("key"), Column("digest"),
                Column("row_number", "integer"), Column("shipment_id"), Column("state"),
                Column("total_charge"), Column("currency"), Column("updated_at", "time"),
            ),
            ("test_mode", "resource", "key"), (Index(("digest", "row_number")), Index(("shipment_id",))),
            age="updated_at",
        ),
        Table(
            "batch_resources",
            (
                Column("batch_id"), Column("position", "integer"), Column("resource_id"), Column("service"),
                Column("state"), Column("errors", "json"),
            ),
            ("batch_id", "position"), (Index(("batch_id", "state")), Index(("resource_id",))), clustered=True,
        ),
        Table(
            "batch_work",
            (Column("batch_id"), Column("position", "integer"), Column("body", "json")),
            ("batch_id", "position"),
        ),
        Table(
            "named",
            (
                Column("terminal"), Column("seq", "integer"), Column("kind"), Column("id"),
                Column("at", "time"),
            ),
            ("terminal", "seq"), clustered=True, age="at",
        ),
        Table(
            "members",
            (Column("id"), Column("kind"), Column("owner_kind"), Column("owner_id")),
            ("id",), (Index(("owner_id",)),), clustered=True,
        ),
        Table(
            "order_shipments",
            (Column("order_id"), Column("shipment_id")),
            ("order_id", "shipment_id"), (Index(("shipment_id",)),), clustered=True,
        ),
        Table(
            "told_numbers",
            (
                Column("shop"), Column("shipment_id"), Column("state"), Column("test_mode", "flag"),
                Column("at", "time"),
            ),
            ("shop", "shipment_id"), (Index(("shop", "at")), Index(("shipment_id",))), clustered=True,
            since=2,
        ),
        Table(
            "sales",
            (
                Column("shipment_id"), Column("sku"), Column("test_mode", "flag"), Column("status"),
                Column("seen_at", "time"), Column("day"), Column("carrier"), Column("service"),
                Column("zone"), Column("country"), Column("currency"), Column("is_void", "flag"),
                Column("parcels", "integer"), Column("charge", "integer"), Column("quoted", "integer"),
                Column("billed", "integer"),
            ),
            ("shipment_id", "sku"), (Index(("test_mode", "day")),), clustered=True, since=2,
        ),
        Table(
            "mails",
            (
                Column("shipment_id"), Column("event"), Column("id"), Column("test_mode", "flag"),
                Column("address"), Column("state"), Column("reason"), Column("content", "json"),
                Column("created_at", "time"), Column("ended_at", "time"),
            ),
            ("shipment_id", "event"),
            (Index(("id",), unique=True), Index(("test_mode", "created_at"))), since=4,
        ),
        Table(
            "locks", (Column("name"), Column("owner"), Column("until", "real")), ("name",), clustered=True,
        ),
        Table(
            "presence",
            (Column("process"), Column("machine"), Column("since", "real"), Column("seen", "real")),
            ("process",), clustered=True, since=2,
        ),
        Table(
            "jobs",
            (
                Column("id"), Column("queue"), Column("name"), Column("args", "json"), Column("state"),
                Column("rank", "integer"), Column("run_at", "time"), Column("attempts", "integer"),
                Column("losses", "integer"), Column("max_attempts", "integer"), Column("held_key"),
                Column("again", "flag"), Column("owner"), Column("until", "real"), Column("error"),
                Column("created_at", "time"), Column("failed_at", "time"),
                Column("put_off_at", "time"),
            ),
            ("id",),
            (Index(("state", "queue", "rank", "run_at")), Index(("held_key",), unique=True)),
            clustered=True, age="failed_at",
        ),
        Table(
            "machine_starts", (Column("boot"), Column("began", "real")), ("boot",), clustered=True,
        ),
        Table(
            "schedules",
            (
                Column("name"), Column("queue"), Column("job"), Column("args", "json"),
                Column("every_s", "real"), Column("next_at", "time"), Column("last_at", "time"),
            ),
            ("name",), clustered=True,
        ),
        Table(
            "workers",
            (Column("id"), Column("queues"), Column("started_at", "real"), Column("seen_at", "real")),
            ("id",), clustered=True,
        ),
        Table(
            "deliveries",
            (
                Column("id"), Column("webhook_id"), Column("event_id"), Column("type"),
                Column("test_mode", "flag"), Column("attempt", "integer"), Column("ok", "flag"),
                Column("status", "integer"), Column("error"), Column("latency_ms", "integer"),
                Column("response"), Column("at", "time"),
            ),
            ("id",), (Index(("webhook_id", "at")), Index(("event_id",)), Index(("at",))),
            clustered=True, age="at",
        ),
        Table(
            "api_keys",
            (
                Column("id"), Column("digest"), Column("name"), Column("test_mode", "flag"), Column("scope"),
                Column("created_at", "time"), Column("revoked_at", "time"),
            ),
            ("id",), (Index(("digest",), unique=True),),
        ),
        Table(
            "users",
            (
                Column("id"), Column("email"), Column("name"), Column("password"),
                Column("two_steps", "flag"), Column("last_step", "integer"), Column("generation", "integer"),
                Column("created_at", "time"), Column("disabled_at", "time"),
            ),
            ("id",), (Index(("email",), unique=True),),
        ),
        Table(
            "attempts", (Column("name"), Column("n", "integer"), Column("at", "real")), ("name",),
            (Index(("at",)),), clustered=True,
        ),
        Table(
            "oauth_clients",
            (
                Column("id"), Column("name"), Column("digest"), Column("redirect_uris", "json"),
                Column("scope"), Column("created_at", "time"),
            ),
            ("id",),
        ),
        Table(
            "oauth_codes",
            (
                Column("digest"), Column("family"), Column("client_id"), Column("user_id"), Column("scope"),
                Column("redirect_uri"), Column("challenge"), Column("nonce"), Column("created_at", "time"),
                Column("expires_at", "time"), Column("used_at", "time"),
            ),
            ("digest",), (Index(("client_id", "nonce")), Index(("user_id",))), age="expires_at",
        ),
        Table(
            "oauth_tokens",
            (
                Column("access"), Column("refresh"), Column("family"), Column("client_id"),
                Column("user_id"), Column("scope"), Column("created_at", "time"),
                Column("expires_at", "time"), Column("revoked_at", "time"),
            ),
            ("access",),
            (
                Index(("refresh",), unique=True), Index(("family",)), Index(("client_id", "expires_at")),
                Index(("user_id",)),
            ),
            age="revoked_at",
        ),
        Table(
            "printers",
            (
                Column("name"), Column("target"), Column("format"), Column("dpi", "integer"), Column("size"),
                Column("copies", "integer"), Column("kinds", "json"), Column("bench"),
                Column("created_at", "time"),
                Column("updated_at", "time"),
            ),
            ("name",),
        ),
        Table(
            "print_jobs",
            (
                Column("number", "integer"), Column("test_mode", "flag"), Column("kind"), Column("object_id"),
                Column("title"), Column("printer"), Column("target"), Column("format"), Column("state"),
                Column("copy", "integer"), Column("reason"), Column("error"), Column("caller"),
                Column("bench"), Column("owner"), Column("created_at", "time"), Column("sent_at", "time"),
                Column("ended_at", "time"), Column("until", "real"),
            ),
            ("number",),
            (Index(("object_id", "kind")), Index(("test_mode", "state", "number"))), age="ended_at",
        ),
        Table("counters", (Column("name"), Column("value", "integer")), ("name",), clustered=True),
        Table("store_facts", (Column("name"), Column("value", "json")), ("name",)),
        Table("boxes", (Column("name"), Column("box", "json")), ("name",)),
        Table("methods", (Column("name"), Column("method"), Column("service")), ("name",)),
        Table(
            "rules", (Column("id"), Column("position", "integer"), Column("rule", "json")), ("id",), since=2,
        ),
        Table("nicknames", (Column("name"), Column("address_id")), ("name",)),
        Table("cursors", (Column("name"), Column("position", "json")), ("name",)),
        Table("purchase_lists", (Column("name"), Column("ids", "json")), ("name",)),
        Table("closing_printers", (Column("target"),), ("target",)),
    )
}  # fmt: skip

_BY_PLURAL = {kind.plural: kind for kind in KINDS.values()}

# Documents are counted in several rows, whose sum is the count: two that count at once use different slots.
SLOTTED = ("totals", "tallies")

# Tables the store maintains itself; they change only by writing documents.
MAINTAINED = ("entries", "totals", "tallies")


def find_kind(name: str) -> Kind:
    """A kind by name; LookupError if there is none."""
    if name not in KINDS:
        raise LookupError(f"the store has no kind {name}, only {', '.join(KINDS)}")
    return KINDS[name]


def find_table(name: str) -> Table:
    """A free table by name, or the narrow table of a kind by its plural; LookupError if there is none."""
    if name in TABLES:
        return TABLES[name]
    if name not in _BY_PLURAL:
        raise LookupError(f"the store has no table {name}")
    return _BY_PLURAL[name].table


@cache
def _list_encoders(table: str, columns: tuple[str, ...]) -> tuple[Callable[[Any], Any], ...]:
    shape = find_table(table)
    return tuple(find_encoder(shape.type_of(name)) for name in columns)


def find_writable(name: str) -> Table:
    """A free table that may be written row by row; LookupError for those the store maintains itself."""
    if name not in TABLES or name in MAINTAINED:
        raise LookupError(f"{name} is no free table; documents are written with put and delete")
    return TABLES[name]
