"""The steps of a purchase, as they go to the store that carries them out: in this process, or on a server."""

from typing import Literal

from shipcli.models.base import Model
from shipcli.models.order import Order, OrderData
from shipcli.models.rate import Rate
from shipcli.models.shipment import Shipment, ShipmentData

KeyedOperation = Literal["create_shipment", "purchase_shipment", "ship_order"]
OnKnown = Literal["skip", "update", "error"]


class KeyedRequest(Model):
    """An operation, its idempotency key and the digest of the request made with it."""

    operation: KeyedOperation
    key: str
    digest: str


class BoughtBefore(Model):
    """What was bought with a key; None if nothing was."""

    shipment: Shipment | None = None


class RatePurchase(Model):
    """A rated draft, and the rate to buy it at.

    `again` allows another label for a reference that has one. With `has_others` another rate may be bought
    with the key after a refusal, which is not remembered then.
    """

    draft: Shipment
    rate: Rate
    again: bool = False
    keyed: KeyedRequest | None = None
    has_others: bool = False


class Proposal(Model):
    """The shipment for the rest of an order, its draft and the rate to buy it at; none of it is stored.

    The key and `has_others` are as those of a `RatePurchase`.
    """

    order: Order
    draft: Shipment
    rate: Rate
    keyed: KeyedRequest | None = None
    has_others: bool = False


class RowKeys(Model):
    """The keys of rows of a file."""

    keys: list[str]


class RowDraft(Model):
    """A row of a file, and the shipment that it describes."""

    key: str
    number: int
    data: ShipmentData


class DraftRows(Model):
    """Rows of a file whose drafts are to be stored; with `update` known drafts take what the rows say."""

    digest: str
    on_duplicate: OnKnown = "skip"
    rows: list[RowDraft]


class ChangedRows(Model):
    """The numbers of rows that ask for another parcel than their shipments of an earlier file."""

    numbers: list[int]


class ImportedOrder(Model):
    """An order of a file, and the fields that the file has a column for."""

    data: OrderData
    fields: list[str]


class ImportedOrders(Model):
    """Orders of a file to be stored."""

    on_duplicate: OnKnown = "skip"
    orders: list[ImportedOrder]


class SavedOrder(Model):
    """What became of an order of a file."""

    status: str  # created, existing, updated, cancelled
    id: str
    message: str | None = None


class SavedOrders(Model):
    """What became of orders of a file, in their order."""

    orders: list[SavedOrder]
