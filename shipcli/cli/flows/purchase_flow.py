"""Buy drafts and new shipments: plan, ask for consent, buy, show."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from shipcli.cli.arguments import rate_options
from shipcli.cli.arguments.selectors import remember, settle_interrupted
from shipcli.cli.console.output import show_some
from shipcli.cli.console.stderr import note
from shipcli.cli.current_run import get_run
from shipcli.cli.flows.for_each import run_each
from shipcli.cli.flows.repeated_lines import forget_keys, guard_output, keep_key, list_places
from shipcli.cli.gateway import ask

if TYPE_CHECKING:
    from shipcli.features.shipments.ship import Prompter, RateCriteria
    from shipcli.features.shipments.unconfirmed import PurchaseKey
    from shipcli.models import Message, Rate, Shipment, ShipmentData
    from shipcli.workflows.order_proposals import FulfilPlan

COLUMNS = ("id", "status", "carrier_id", "service", "tracking_number", "selected_rate.total_charge",
           "selected_rate.currency", "recipient.person_name", "recipient.city", "reference")  # fmt: skip
PLAN_COLUMNS = ("service", "carrier_id", "total_charge", "currency", "transit_days")


@dataclass(frozen=True)
class PurchaseOptions:
    """How a command buys: with which key, whether again for a reference with a label; and what it showed."""

    key: str | None = None
    again: bool = False
    state: rate_options.PromptState = field(default_factory=rate_options.PromptState)


def make_purchase_options(key: str | None, again: bool, printer: str | None = None) -> PurchaseOptions:
    """The options of a command that buys; `printer` prints the labels."""
    return PurchaseOptions(key, again, rate_options.PromptState(next_step="and print" if printer else ""))


@dataclass(frozen=True)
class Purchase(ABC):
    """A purchase of a command: what it is called, by which criteria it is made, and how."""

    name: str
    criteria: RateCriteria
    options: PurchaseOptions

    @property
    @abstractmethod
    def asked(self) -> Mapping[str, Any]:
        """Plain data: everything that two equal purchases share."""

    @abstractmethod
    def make_draft(self) -> Shipment:
        """The draft that would be bought.

        Errors: AlreadyBought for what has a label.
        """

    @abstractmethod
    def ship(self, key: str | None) -> Shipment:
        """The shipment, bought once for a key."""

    @property
    def prompter(self) -> Prompter:
        """What asks the user."""
        return rate_options.make_prompter(self.options.state, again=self.options.again)

    def plan(self) -> Rate:
        """The rate at which it would be bought."""
        from shipcli.features.shipments.ship import plan_purchase

        draft = self.make_draft()
        rate = plan_purchase(
            get_run().ship_defaults, draft, self.criteria, rate_options.choose_without_buying
        )
        rate_options.would_buy(draft, rate)
        return rate

    def check_unbought(self, draft: Shipment) -> Shipment:
        """The draft itself.

        Errors: AlreadyBought if its reference has a label and no second one is wanted.
        """
        from shipcli.workflows.ship import check_reference

        check_reference(get_run().gateway, draft, again=self.options.again)
        return draft


@dataclass(frozen=True)
class NewPurchase(Purchase):
    """The purchase of a new shipment."""

    body: ShipmentData

    @property
    def asked(self) -> Mapping[str, Any]:
        """What is shipped, and by which criteria."""
        return {"shipment": self.body.model_dump(), "request": self.criteria.to_dict()}

    def make_draft(self) -> Shipment:
        """A draft with rates that is not stored."""
        from shipcli.features.shipments.ship import make_rated_draft

        return self.check_unbought(ask(make_rated_draft, self.body))

    def ship(self, key: str | None) -> Shipment:
        """The new shipment, bought."""
        from shipcli.workflows.ship import ship_new

        return ship_new(get_run().gateway, self.body, self.criteria, self.prompter, key)


@dataclass(frozen=True)
class DraftPurchase(Purchase):
    """The purchase of a stored draft; weight and size of its parcel are replaced if they are given."""

    shipment_id: str
    parcel: Mapping[str, Any] | None = None

    @property
    def asked(self) -> Mapping[str, Any]:
        """Which draft is bought, as which parcel, and by which criteria."""
        return {"id": self.shipment_id, "parcel": dict(self.parcel or {}), "request": self.criteria.to_dict()}

    def make_draft(self) -> Shipment:
        """The draft with rates, as it would be bought."""
        from shipcli.workflows.ship import read_draft

        return self.check_unbought(read_draft(get_run().gateway, self.shipment_id, self.parcel))

    def ship(self, key: str | None) -> Shipment:
        """The draft, bought."""
        from shipcli.workflows.ship import ship_stored

        gateway = get_run().gateway
        return ship_stored(
            gateway, self.shipment_id, self.criteria, self.prompter, parcel=self.parcel, key=key
        )


@dataclass(frozen=True)
class OrderPurchase(Purchase):
    """The purchase of an order's unshipped part."""

    order_id: str
    order_plan: FulfilPlan

    @property
    def asked(self) -> Mapping[str, Any]:
        """Which order is shipped, and how."""
        from shipcli.workflows.ship_order import write_plain_request

        return write_plain_request(self.order_id, self.order_plan)

    def make_draft(self) -> Shipment:
        """A draft of the unshipped part that is not stored."""
        from shipcli.workflows.ship_order import plan_order

        return plan_order(get_run().gateway, self.order_id, self.order_plan, again=self.options.again)

    def ship(self, key: str | None) -> Shipment:
        """The shipment of the order, bought."""
        from shipcli.workflows.ship_order import ship_order

        return ship_order(get_run().gateway, self.order_id, self.order_plan, self.prompter, key)


def make_draft_purchases(
    ids: Sequence[str],
    criteria: RateCriteria,
    options: PurchaseOptions,
    parcel: Mapping[str, Any] | None = None,
) -> list[Purchase]:
    """Purchases of stored drafts; weight and size of their parcel are replaced if they are given."""
    rate_options.check_key(options.key, len(ids))
    return [DraftPurchase(shipment_id, criteria, options, shipment_id, parcel) for shipment_id in ids]


def make_new_purchases(
    bodies: Sequence[ShipmentData], criteria: RateCriteria, options: PurchaseOptions
) -> list[Purchase]:
    """Purchases of new shipments, which are created when they are bought."""
    rate_options.check_key(options.key, len(bodies))
    return [
        NewPurchase(body.reference or f"shipment {number}", criteria, options, body)
        for number, body in enumerate(bodies, 1)
    ]


def carry_out(work: Sequence[Purchase], after: Callable[[list[Shipment]], None] | None = None) -> None:
    """Buy, or with `--dry-run` say what would be bought; `after` receives what was bought."""
    if get_run().options.dry_run:
        run_each(work, Purchase.plan, _show_plan, name=_get_name)
        return
    settle_interrupted()
    line = PurchaseLine(work, after)
    run_each(range(len(work)), line.buy, line.finish, name=line.get_name)


def _show_plan(rates: Sequence[Rate]) -> None:
    show_some(rates, PLAN_COLUMNS, "rate")


def _get_name(purchase: Purchase) -> str:
    return purchase.name


class PurchaseLine:
    """The purchases of a command line, each known by its place in it.

    What was bought counts as seen once the line has bought all that it names, and `after` is over, done or
    failed. Till then the same line shows it again and buys the rest.
    """

    def __init__(
        self, work: Sequence[Purchase], after: Callable[[list[Shipment]], None] | None = None
    ) -> None:
        self._work, self._after = work, after
        self._places = list_places([purchase.asked for purchase in work])
        self._keys: list[PurchaseKey] = []

    def get_name(self, place: int) -> str:
        """The name of the purchase at a place."""
        return self._work[place].name

    def buy(self, place: int) -> Shipment:
        """The shipment of the purchase at a place, with its label."""
        purchase = self._work[place]
        state = purchase.options.state
        before = state.accepted
        with keep_key(self._places[place], self._keys, purchase.options.key) as key:
            bought = purchase.ship(key)
        if state.accepted == before:
            note(f"{purchase.name} was bought before and is shown again; nothing was bought now")
        return bought

    def finish(self, bought: list[Shipment]) -> None:
        """Show what was bought, do what comes after it, and forget the keys if all was bought."""
        remember("shipment", *(shipment.id for shipment in bought))
        messages = [message for shipment in bought for message in _list_said(shipment)]
        for purchase in self._work[:1]:  # all share their prompt state
            rate_options.show_messages(messages, purchase.options.state.shown)
        with guard_output(bought):
            show_some(bought, COLUMNS, "purchase")
        try:
            if self._after:
                self._after(bought)
        finally:
            if len(bought) == len(self._work):
                forget_keys(self._keys)


def _list_said(bought: Shipment) -> list[Message]:
    return rate_options.list_messages(bought, [bought.selected_rate] if bought.selected_rate else [])
