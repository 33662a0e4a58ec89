"""The nouns whose list, get and delete are made from a description: see `stored_nouns`.

They stand here so that these commands load no module of the noun's others.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from shipcli.cli.current_run import get_run
from shipcli.features.connections import service as connections
from shipcli.features.core import shipment_lookup as lookup
from shipcli.features.files.batches import items as batch_items
from shipcli.features.webhooks import service as webhooks
from shipcli.security import master_key

MASK = "***"
Change = Callable[[dict[str, Any]], Any]  # a stored document as it is shown


class Secrets(NamedTuple):
    """What only `--reveal` shows: how a stored document is read with it, and how it is hidden otherwise."""

    reveal: Change
    hide: Change
    help: str


class Removal(NamedTuple):
    """How an object is deleted: use-case, verb, its name in the question, and what is shown afterwards."""

    use: str
    verb: str = "delete"
    describe: str = "{id}"
    columns: Sequence[str] = ()


@dataclass(frozen=True)
class StoredNoun:
    """A noun whose objects are stored.

    Shapes: use-cases and tables stand as `module.name` below `shipcli`; they are imported when a command
            needs them. `get` is asked for what is not shown as it is stored, `filters` is the table of the
            list's options, `alone` gives what the list is narrowed to without them. `change` turns a stored
            document into its REST form. `examples` are options of the list. `help` has the sentences, by
            verb, that say more than the usual ones. `card` gives the lines by which a terminal shows one.
            Where only objects in the states `open` are listed, they come oldest first.
    """

    name: str
    kind: str
    columns: Sequence[str]
    examples: tuple[str, ...]
    get: str = ""
    removal: Removal | None = None
    filters: str = ""
    alone: str = ""
    change: Change | None = None
    secrets: Secrets | None = None
    help: Mapping[str, str] = field(default_factory=dict)
    open: frozenset[str] = frozenset()
    card: str = ""

    def lists_oldest_first(self, filters: Mapping[str, Any]) -> bool:
        """Whether a list with these filters is of open objects only."""
        states = [word for text in filters.get("status") or () for word in text.split(",") if word]
        return bool(states) and self.open.issuperset(states)

    @property
    def is_shown_as_stored(self) -> bool:
        """Whether the stored text of an object is what is shown."""
        return self.change is None and self.secrets is None

    @property
    def verbs(self) -> tuple[str, ...]:
        """The verbs whose commands are made."""
        return ("list", "get", self.removal.verb) if self.removal else ("list", "get")


def _add_shipments(order: dict[str, Any]) -> Any:
    return lookup.add_shipments(get_run().app.store, order)


def _add_resources(batch: dict[str, Any]) -> Any:
    return batch_items.assemble_batch(get_run().app.store, batch)


def _reveal_connection(document: dict[str, Any]) -> dict[str, Any]:
    return connections.reveal_connection(get_run().app, document).model_dump()


def reveal_if_possible(document: dict[str, Any]) -> dict[str, Any]:
    """A stored connection in full; a missing master key must not hide which connections there are."""
    try:
        return _reveal_connection(document)
    except master_key.MasterKeyError:
        return document


def mask_credentials(connection: dict[str, Any]) -> dict[str, Any]:
    """The REST form with every credential that is set replaced by stars."""
    credentials = connection.get("credentials")
    if not credentials:
        return connection
    hidden = {name: None if value is None else MASK for name, value in credentials.items()}
    return {**connection, "credentials": hidden}


def _reveal_webhook(document: dict[str, Any]) -> Any:
    return webhooks.reveal_webhook(get_run().app, document)


def mask_secret(webhook: dict[str, Any]) -> dict[str, Any]:
    """The REST form with stars for the secret."""
    return {**webhook, "secret": "whsec_***"}


SHIPMENTS = StoredNoun(
    "shipments", "shipment",
    ("id", "status", "carrier_name", "service", "tracking_number", "recipient.person_name", "recipient.city",
     "recipient.country_code", "reference", "created_at", "selected_rate.total_charge",
     "selected_rate.currency"),
    ("--status draft", "--keyword boston --json=id,tracking_number", "--all --csv -o shipments.csv"),
    "features.shipments.stored.get_shipment", filters="features.shipments.filters.SHIPMENTS",
    card="cli.console.shipment_card.write_shipment_card",
)  # fmt: skip
ADDRESSES = StoredNoun(
    "addresses", "address",
    ("id", "person_name", "company_name", "address_line1", "city", "state_code", "postal_code",
     "country_code"),
    ("", "--sort city --columns person_name,city", "--all --csv -o addresses.csv"),
    "features.book.addresses.get_address", Removal("features.book.addresses.discard_address"),
    alone="gateway.where.select_standalone", help={"list": "List the stored addresses, newest first."},
)  # fmt: skip
PARCELS = StoredNoun(
    "parcels", "parcel",
    ("id", "weight", "weight_unit", "length", "width", "height", "dimension_unit", "packaging_type",
     "package_preset", "reference_number"),
    ("", "--sort -weight --columns id,weight,weight_unit"),
    "features.book.parcels.get_parcel", Removal("features.book.parcels.discard_parcel"),
    alone="gateway.where.select_standalone", help={"list": "List the stored parcels, newest first."},
)  # fmt: skip
ORDERS = StoredNoun(
    "orders", "order",
    ("id", "order_id", "source", "status", "order_date", "shipping_to.person_name", "shipping_to.city",
     "shipping_to.country_code", "created_at"),
    ("--status unfulfilled --age 2d", "--number 1042,1043 --json=order_id,status", "--sku MUG-1 --ids"),
    "features.orders.service.get_order", filters="features.orders.filters.AT_BENCH", change=_add_shipments,
    help={
        "list": "List the orders, newest first; the oldest first if all are open.",
        "get": "Show orders with their shipments.",
    },
    open=frozenset({"unfulfilled", "partial"}),
    card="cli.flows.order_returns.write_card",
)  # fmt: skip
PRODUCTS = StoredNoun(
    "products", "product",
    ("sku", "title", "weight", "weight_unit", "value_amount", "value_currency", "hs_code", "origin_country",
     "length", "width", "height", "dimension_unit"),
    ("", "--all --sort sku"), "features.book.products.get_product",
    Removal("features.book.products.discard_product", describe="{sku}"),
)  # fmt: skip
BATCHES = StoredNoun(
    "batches", "batch", ("id", "resource_type", "status", "created_at", "updated_at"),
    ("--status failed,completed_with_errors", "--type orders"),
    "features.files.batches.service.get_batch", filters="features.files.filters.BATCHES",
    change=_add_resources,
    help={"get": "Show batches with the outcome of each element."},
)  # fmt: skip
TRACKERS = StoredNoun(
    "trackers", "tracker",
    ("id", "tracking_number", "carrier_name", "status", "delivered", "estimated_delivery",
     "info.customer_name"),
    ("--status in_transit,out_for_delivery", "--carrier ups --json=tracking_number,status"),
    "features.trackers.service.get_tracker",
    Removal("features.trackers.service.remove_tracker", "remove", "{tracking_number}"),
    "features.trackers.filters.TRACKERS",
    help={"get": "Show trackers, as they are stored.",
          "remove": "Stop tracking numbers; their shipments stay."},
)  # fmt: skip
PICKUPS = StoredNoun(
    "pickups", "pickup",
    ("id", "carrier_id", "confirmation_number", "pickup_date", "ready_time", "closing_time", "meta.status",
     "package_location", "address.city", "parcels"),
    ("", "--sort -pickup_date --json=pickup_date,carrier_id"),
    "features.pickups.service.get_pickup", alone="gateway.where.select_all_pickups",
)  # fmt: skip
MANIFESTS = StoredNoun(
    "manifests", "manifest",
    ("id", "carrier_id", "meta.manifest_date", "shipment_identifiers", "reference", "address.city",
     "manifest_url"),
    ("--carrier ups", "--created-after 2026-11-01 --json=id,manifest_url"),
    "features.pickups.manifests.get_manifest", filters="features.pickups.filters.MANIFESTS",
)  # fmt: skip
TEMPLATES = StoredNoun(
    "templates", "template", ("id", "slug", "name", "related_object", "active", "description"),
    ("", "--json=slug,related_object"),
    "features.paper.templates.get_template", Removal("features.paper.templates.delete_template"),
)  # fmt: skip
UPLOADS = StoredNoun(
    "uploads", "upload", ("id", "carrier_id", "documents", "reference"),
    ("", "--created-after 2026-11-01 --ids"),
    "features.paper.uploads.get_upload", filters="features.paper.filters.UPLOADS",
)  # fmt: skip
CONNECTIONS = StoredNoun(
    "connections", "connection",
    ("id", "carrier_name", "carrier_id", "active", "test_mode", "capabilities"),
    ("--carrier ups", "--inactive", "--json=id,carrier_id,capabilities"),
    "features.connections.service.get_connection",
    Removal("features.connections.service.remove_connection", "remove", "{carrier_id} ({id})"),
    "features.connections.filters.CONNECTIONS", change=reveal_if_possible,
    secrets=Secrets(_reveal_connection, mask_credentials, "Show credentials in clear."),
    help={"list": "List the connections; credentials are masked.",
          "get": "Show connections; credentials are masked.",
          "remove": "Remove connections; what was bought with them stays."},
)  # fmt: skip
WEBHOOKS = StoredNoun(
    "webhooks", "webhook", ("id", "url", "enabled_events", "disabled", "last_event_at", "description"),
    ("", "--reveal --json=url,secret"),
    "features.webhooks.service.get_webhook",
    Removal("features.webhooks.service.delete_webhook", columns=("id", "success")),
    secrets=Secrets(_reveal_webhook, mask_secret, "Show secrets."),
    help={"list": "List the webhooks; secrets are masked.", "get": "Show webhooks; secrets are masked.",
          "delete": "Delete webhooks and their pending deliveries."},
)  # fmt: skip
EVENTS = StoredNoun(
    "events", "event", ("id", "type", "data.id", "pending_webhooks", "created_at"),
    ("--type shipment_purchased,tracker_updated", "--json=type,created_at"),
    filters="features.webhooks.filters.EVENTS", get="features.sandbox.tools.get_event",
)  # fmt: skip

STORED_NOUNS = {
    noun.name: noun
    for noun in (
        SHIPMENTS, ADDRESSES, PARCELS, ORDERS, PRODUCTS, BATCHES, TRACKERS, PICKUPS, MANIFESTS, TEMPLATES,
        UPLOADS, CONNECTIONS, WEBHOOKS, EVENTS,
    )
}  # fmt: skip
