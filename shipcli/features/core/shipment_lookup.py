"""Look up stored shipments by id or tracking number, and the account each was bought with."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from operator import itemgetter
from typing import TYPE_CHECKING, Any, Protocol, TypeVar

from shipcli.features.core.idempotency_key import IdempotencyKey, list_key_locks
from shipcli.features.core.merge import merge_keys
from shipcli.features.core.repository import save
from shipcli.models import Address, Shipment
from shipcli.store.query import contains, equal, one_of

if TYPE_CHECKING:
    from shipcli.features.core.app import App
    from shipcli.store.queries import Reader
    from shipcli.store.query import Filter
    from shipcli.store.transaction import Transaction


class Seller(Protocol):
    """The account that a shipment was bought with."""

    @property
    def id(self) -> str: ...
    @property
    def carrier_id(self) -> str: ...


SellerT = TypeVar("SellerT", bound=Seller)
HELD_BY = "pickup_id"  # in a shipment's meta: the pickup it is booked on
LISTED_IN = "manifest_id"  # in a shipment's meta: the manifest it is on
NUMBERS_AT_ONCE = 500
SHORTEST_NUMBER = 8  # of a carrier
PLACE = ("address_line1", "postal_code", "city", "country_code")


def find_shipments(app: App, words: Iterable[str]) -> dict[str, Shipment]:
    """Return shipments keyed by the id or tracking number given for each; unknown ones are left out.

    If a carrier has issued a tracking number twice, the newest shipment is returned.
    """
    unique_words = list(dict.fromkeys(words))
    numbers: dict[str, str] = {}
    for start in range(0, len(unique_words), NUMBERS_AT_ONCE):
        numbers |= _find_ids(app, unique_words[start : start + NUMBERS_AT_ONCE])
    documents = (
        (word, app.store.get("shipment", numbers.get(word, word), app.test_mode)) for word in unique_words
    )
    return {word: Shipment.model_validate(document) for word, document in documents if document}


def _find_ids(app: App, numbers: Sequence[str]) -> dict[str, str]:
    """Return shipment ids by tracking number, the newest if a number was used twice.

    Mode and order are handled here: in the query they would make SQLite scan all shipments.
    """
    rows = app.store.select("shipments", [one_of("tracking_number", numbers)])
    of_mode = sorted((row for row in rows if row["test_mode"] == app.test_mode), key=itemgetter("seq"))
    return {str(row["tracking_number"]): str(row["id"]) for row in of_mode}


def list_with_number(app: App, reader: Reader, number: str) -> Iterator[dict[str, Any]]:
    """The shipments of this mode with a number, the newest first: their own, else of a further parcel."""
    rows = reader.select("shipments", [equal("tracking_number", number)], "-seq")
    documents = (reader.get("shipment", row["id"], app.test_mode) for row in rows)
    own = [document for document in documents if document]
    yield from own
    if not own and len(number) >= SHORTEST_NUMBER:
        alike = reader.each("shipment", [contains("tracking_number", number)], app.test_mode)
        yield from (document for document in alike if number in _list_further_numbers(document))


def _list_further_numbers(shipment: Mapping[str, Any]) -> Sequence[str]:
    return (shipment.get("meta") or {}).get("tracking_numbers") or ()


def list_purchased(app: App, *where: Filter) -> list[Shipment]:
    """Return the purchased shipments that have not been collected as far as we know, oldest first."""
    documents = app.store.each("shipment", [equal("status", "purchased"), *where], app.test_mode)
    return [Shipment.model_validate(document) for document in documents][::-1]


def is_return(shipment: Shipment) -> bool:
    """Return whether a customer sends it back: it leaves from there, and is nothing of ours to hand over."""
    return bool(shipment.options.get("is_return"))


def find_connection_id(shipment: Shipment) -> str | None:
    """Return the id of the connection a shipment was bought with."""
    meta = (shipment.selected_rate.meta if shipment.selected_rate else None) or {}
    return meta.get("carrier_connection_id")


def find_account(shipment: Shipment, accounts: Sequence[SellerT]) -> SellerT | None:
    """Return the account a shipment was bought with, matched by carrier id if its connection is gone."""
    connection_id = find_connection_id(shipment)
    by_id = (account for account in accounts if account.id == connection_id)
    by_name = (account for account in accounts if account.carrier_id == shipment.carrier_id)
    return next(by_id, None) or next(by_name, None)


def list_sellers(shipment: Shipment) -> set[str]:
    """Return all names of the carrier a shipment was bought with: its slug, the carrier behind a hub and the
    shipment's carrier name.
    """
    meta = shipment.meta or {}
    names = {meta.get("ext"), meta.get("rate_provider"), shipment.carrier_name}
    return {str(name) for name in names if name}


def make_place_key(address: Address) -> tuple[str, ...]:
    """Return a key that is equal for addresses of the same place, ignoring case and spacing."""
    return tuple("".join(str(getattr(address, name) or "").casefold().split()) for name in PLACE)


def format_place(address: Address) -> str:
    """Format name, street and town of an address on one line."""
    town = " ".join(part for part in (address.postal_code, address.city) if part)
    parts = (address.company_name or address.person_name, address.address_line1, town)
    return ", ".join(part for part in parts if part)


def note_in_meta(
    app: App, tx: Transaction, shipment_id: str, key: str, value: Any, **columns: Any
) -> dict[str, Any] | None:
    """Set a key in a stored shipment's meta, or remove it if the value is None; `columns` are filter columns
    to set. Return the updated document, or None if the shipment no longer exists.
    """
    document = tx.get("shipment", shipment_id, app.test_mode)
    if document is None:
        return None
    document["meta"] = merge_keys(document.get("meta") or {}, {key: value})
    save(app, tx, "shipment", document, "noted", columns=columns)
    return document


def find_order_ids(reader: Reader, line_ids: Iterable[str]) -> set[str]:
    """Return the ids of the orders that these lines belong to."""
    ids = sorted(set(line_ids))
    rows = reader.select("members", [one_of("id", ids)]) if ids else []
    return {row["owner_id"] for row in rows if row["owner_kind"] == "order"}


def list_linked_orders(reader: Reader, shipment_id: str) -> list[str]:
    """Return the ids of the orders that a shipment is linked with."""
    return [row["order_id"] for row in reader.select("order_shipments", {"shipment_id": shipment_id})]


def list_shipment_locks(reader: Reader, shipment: Shipment, once: IdempotencyKey | None = None) -> list[str]:
    """What a transaction that saves a shipment declares: it, its orders, the request that waits for it."""
    orders = list_linked_orders(reader, shipment.id)
    return [*list_draft_locks(reader, shipment, once), *(f"order/{order_id}" for order_id in orders)]


def list_draft_locks(reader: Reader, draft: Shipment, once: IdempotencyKey | None = None) -> list[str]:
    """The same of a draft that is new, which no order is linked with yet."""
    orders = find_order_ids(reader, draft.order_line_ids)
    return [f"shipment/{draft.id}", *(f"order/{order_id}" for order_id in orders), *list_key_locks(once)]


def list_line_quantities(shipments: Iterable[Mapping[str, Any]]) -> Iterator[tuple[str, int]]:
    """Yield the order line id and quantity of each parcel item that belongs to an order."""
    for shipment in shipments:
        for parcel in shipment.get("parcels") or []:
            for item in parcel.get("items") or []:
                if item.get("parent_id"):
                    yield item["parent_id"], item.get("quantity") or 0


def list_order_shipments(reader: Reader, order_id: str) -> list[dict[str, Any]]:
    """Return the shipments of an order, newest first."""
    rows = reader.select("order_shipments", {"order_id": order_id})
    shipments = [shipment for row in rows if (shipment := reader.get("shipment", row["shipment_id"]))]
    return sorted(shipments, key=itemgetter("created_at", "id"), reverse=True)


def add_shipments(reader: Reader, order: Mapping[str, Any]) -> dict[str, Any]:
    """Return the REST form of a stored order, with its shipments read from the store."""
    return {**order, "shipments": list_order_shipments(reader, order["id"])}
