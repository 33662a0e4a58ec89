"""A row of a file whose shipment is bought: what is to be done, where, by which rule; what became of it."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from decimal import Decimal
from typing import Any, Protocol

from shipcli.features.files.engine import ImportPlan
from shipcli.features.shipments.budget import Budget
from shipcli.features.shipments.rate_selection import choose_rate
from shipcli.features.shipments.rule_choice import find_rule, narrow_by_rules
from shipcli.features.shipments.sale import LabelSale
from shipcli.features.shipments.ship import list_own_messages
from shipcli.models import Rate, ShipcliError, Shipment
from shipcli.models.purchase_steps import DraftRows

SUMMARY = (
    "row", "reference", "shipment_id", "status", "carrier", "service", "total_charge", "currency",
    "tracking_number", "message",
)  # fmt: skip
BOUGHT = frozenset({"purchased", "shipped", "in_transit", "out_for_delivery", "delivered", "delivery_failed"})
KnownRows = dict[str, dict[str, Any]]  # of `import_rows`, by key


@dataclass(frozen=True)
class RowResult:
    """What became of a row."""

    row: int
    key: str
    reference: str | None
    status: str  # as the shipment's, or failed, shipped, waiting
    shipment_id: str | None = None
    carrier: str | None = None
    service: str | None = None
    total_charge: Decimal | None = None
    currency: str | None = None
    tracking_number: str | None = None
    message: str | None = None
    earlier: bool = False  # was finished before this run
    differs: bool = False  # is not the parcel that its label was bought for
    lines: int = 1

    def to_dict(self) -> dict[str, Any]:
        return {name: getattr(self, name) for name in SUMMARY}


@dataclass(frozen=True)
class ImportItem:
    """A row whose shipment is to be rated and, if the plan says so, bought."""

    number: int
    key: str
    shipment_id: str | None
    is_shipped: bool = False
    is_changed: bool = False  # its shipment is of an earlier file, and another parcel

    def result(self, status: str, message: str | None = None) -> RowResult:
        """The result if there is no shipment."""
        return RowResult(self.number, self.key, None, status, self.shipment_id, message=message)


class ShipmentStore(Protocol):
    """Where shipments are stored, rated and bought.

    Shapes: `workers` is how many at once, `unsure` the errors after which something may have been bought.
    """

    workers: int
    unsure: tuple[type[ShipcliError], ...]

    def known_rows(self, keys: Iterable[str]) -> KnownRows:
        """What earlier runs did with the rows that have these keys."""

    def settle(self, earlier: KnownRows) -> None:
        """Settle what an interrupted run left open for these rows."""

    def store_drafts(self, drafts: DraftRows) -> set[int]:
        """Store the drafts of rows that have none; the numbers of those that differ from their shipments."""

    def open(self, item: ImportItem) -> Shipment | None:
        """The shipment of a row in its present state; None if it was removed."""

    def rate(self, item: ImportItem, draft: Shipment) -> Shipment:
        """A draft with rates."""

    def keep(self, item: ImportItem, draft: Shipment) -> Shipment:
        """A rated draft that is not to be bought."""

    def buy(self, item: ImportItem, draft: Shipment, rate: Rate) -> Shipment:
        """A rated draft, bought."""

    def take_back(self, shipment_id: str, most: str) -> Shipment:
        """A label that passes the budget together with others, voided; its shipment if it has to be kept.

        Errors: BilledAbove when it is voided.
        """

    def look_again(self, item: ImportItem) -> Shipment | None:
        """The shipment of a row after another run has finished with it; None if there is no wait."""

    def list_labelled(self, rows: Iterable[RowResult]) -> list[Shipment]:
        """The shipments of the rows that have a label, in file order."""


@dataclass(frozen=True)
class RowSale(LabelSale):
    """The purchase of a row, by the rule of its import."""

    shipments: ShipmentStore
    plan: ImportPlan
    item: ImportItem

    @property
    def budget(self) -> Budget:
        """The budget of the import."""
        return self.plan.budget

    @property
    def is_open(self) -> bool:
        """Whether another rate may be taken: unless the row names its service."""
        return self.plan.buy != "service"

    def choose(self, draft: Shipment) -> Rate:
        """The rate that the plan chooses."""
        rule, by_rules = self.plan.buy or "cheapest", find_rule(draft)
        if by_rules:
            draft, rule = narrow_by_rules(draft), by_rules if rule == "service" else rule
        return choose_rate(draft, rule, currency=self.plan.currency)

    def confirm(self, draft: Shipment, rate: Rate) -> None:
        """Nobody is asked: the whole import was agreed to."""

    def buy(self, draft: Shipment, rate: Rate) -> Shipment:
        """The draft of the row, bought."""
        return self.shipments.buy(self.item, draft, rate)

    def take_back(self, shipment_id: str, most: str) -> Shipment:
        """Void a label that passes the budget together with others."""
        return self.shipments.take_back(shipment_id, most)


def make_row_result(item: ImportItem, shipment: Shipment) -> RowResult:
    """The result for a row, from its shipment."""
    rate = shipment.selected_rate
    messages = list_own_messages(shipment, [rate] if rate else []) if shipment.status != "draft" else []
    notes = [str(message.message) for message in messages if message.message]
    return RowResult(
        item.number,
        item.key,
        shipment.reference,
        "purchased" if shipment.status in BOUGHT else shipment.status,
        shipment.id,
        rate.carrier_name if rate else None,
        rate.service if rate else None,
        rate.total_charge if rate else None,
        rate.currency if rate else None,
        shipment.tracking_number,
        "; ".join(notes) or None,
    )
