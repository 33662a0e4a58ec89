"""Buy drafts and new shipments: plan, ask for consent, buy, show."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import TYPE_CHECKING, Any

from shipcli.cli.arguments import rate_options
from shipcli.cli.arguments.selectors import remember, settle_interrupted
from shipcli.cli.console.output import show_some
from shipcli.cli.console.stderr import note
from shipcli.cli.current_run import get_run
from shipcli.cli.flows.for_each import run_each
from shipcli.cli.flows.repeated_lines import buy_with_kept_key, forget_keys, guard_output, list_places
from shipcli.cli.gateway import ask

if TYPE_CHECKING:
    from shipcli.features.shipments.ship import RateCriteria
    from shipcli.features.shipments.unconfirmed import PurchaseKey
    from shipcli.models import Message, Rate, Shipment, ShipmentData
    from shipcli.workflows.fulfil import FulfilPlan

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
class Purchase:
    """A purchase: its name, its draft, and the function that buys it with a key.

    Shapes: `asked` is plain data, everything two equal purchases share; `draft` refuses what has a label.
    """

    name: str
    criteria: RateCriteria
    options: PurchaseOptions
    asked: Mapping[str, Any]
    draft: Callable[[], Shipment]
    ship: Callable[[str | None], Shipment]

    def plan(self) -> Rate:
        """The rate at which it would be bought."""
        from shipcli.features.shipments.ship import plan_purchase

        draft = self.draft()
        rate = plan_purchase(
            get_run().ship_defaults, draft, self.criteria, rate_options.choose_without_buying
        )
        rate_options.would_buy(draft, rate)
        return rate

    def buy(self, position: Mapping[str, Any], keys: list[PurchaseKey]) -> Shipment:
        """The shipment with its label; the key of its place in the line is added to those."""
        before, key = self.options.state.accepted, self.options.key
        bought = self.ship(key) if key else buy_with_kept_key(position, self.ship, keys)
        if self.options.state.accepted == before:
            note(f"{self.name} was bought before and is shown again; nothing was bought now")
        return bought


def make_draft_purchases(
    ids: Sequence[str],
    criteria: RateCriteria,
    options: PurchaseOptions,
    parcel: Mapping[str, Any] | None = None,
) -> list[Purchase]:
    """Purchases of stored drafts; weight and size of their parcel are replaced if they are given."""
    from shipcli.features.shipments.ship import read_stored_draft
    from shipcli.workflows.ship import ship_stored

    rate_options.check_key(options.key, len(ids))
    gateway, prompter = get_run().gateway, rate_options.make_prompter(options.state, again=options.again)
    return [
        Purchase(
            shipment_id,
            criteria,
            options,
            {"id": shipment_id, "parcel": dict(parcel or {}), "wish": criteria.plain()},
            lambda shipment_id=shipment_id: _check_unbought(
                ask(read_stored_draft, shipment_id, parcel), options
            ),  # type: ignore[misc]
            lambda key, shipment_id=shipment_id: ship_stored(
                gateway, shipment_id, criteria, prompter, parcel=parcel, key=key
            ),  # type: ignore[misc]
        )
        for shipment_id in ids
    ]


def make_order_purchase(order_id: str, plan: FulfilPlan, options: PurchaseOptions) -> Purchase:
    """The purchase of an order's unshipped part."""
    from shipcli.workflows.ship_order import plan_order, ship_order, write_plain_request

    prompter = rate_options.make_prompter(options.state, again=options.again)
    gateway = get_run().gateway
    return Purchase(
        order_id,
        plan.criteria,
        options,
        write_plain_request(order_id, plan),
        partial(plan_order, gateway, order_id, plan, again=options.again),
        partial(ship_order, gateway, order_id, plan, prompter),
    )


def _check_unbought(draft: Shipment, options: PurchaseOptions) -> Shipment:
    """The draft itself.

    Errors: AlreadyBought if its reference has a label and no second one is wanted.
    """
    from shipcli.features.shipments.second_labels import check_reference

    ask(check_reference, draft, again=options.again)
    return draft


def make_new_purchases(
    bodies: Sequence[ShipmentData], criteria: RateCriteria, options: PurchaseOptions
) -> list[Purchase]:
    """Purchases of new shipments, which are created when they are bought."""
    from shipcli.features.shipments.ship import make_rated_draft
    from shipcli.workflows.ship import ship_new

    rate_options.check_key(options.key, len(bodies))
    gateway, prompter = get_run().gateway, rate_options.make_prompter(options.state, again=options.again)
    return [
        Purchase(
            body.reference or f"shipment {number}",
            criteria,
            options,
            {"shipment": body.plain(), "wish": criteria.plain()},
            lambda body=body: _check_unbought(ask(make_rated_draft, body), options),  # type: ignore[misc]
            partial(ship_new, gateway, body, criteria, prompter),
        )
        for number, body in enumerate(bodies, 1)
    ]


def carry_out(work: Sequence[Purchase], after: Callable[[list[Shipment]], None] | None = None) -> None:
    """Buy, or with `--dry-run` say what would be bought; `after` receives what was bought.

    What was bought counts as seen once the line has bought all that it names, and `after` is over, done or
    failed. Till then the same line shows it again and buys the rest.
    """
    keys: list[PurchaseKey] = []

    def finish(bought: list[Shipment]) -> None:
        remember("shipment", *(shipment.id for shipment in bought))
        messages = [message for shipment in bought for message in _list_said(shipment)]
        for purchase in work[:1]:  # all share their prompt state
            rate_options.show_messages(messages, purchase.options.state.shown)
        with guard_output(bought):
            show_some(bought, COLUMNS, "purchase")
        try:
            if after:
                after(bought)
        finally:
            if len(bought) == len(work):
                forget_keys(keys)

    if get_run().options.dry_run:
        run_each(
            work,
            Purchase.plan,
            lambda rates: show_some(rates, PLAN_COLUMNS, "rate"),
            name=lambda purchase: purchase.name,
        )
    else:
        settle_interrupted()
        places = list_places([purchase.asked for purchase in work])
        run_each(
            list(zip(work, places, strict=True)),
            lambda pair: pair[0].buy(pair[1], keys),
            finish,
            name=_name_purchase,
        )


def _list_said(bought: Shipment) -> list[Message]:
    return rate_options.list_messages(bought, [bought.selected_rate] if bought.selected_rate else [])


def _name_purchase(pair: tuple[Purchase, Any]) -> str:
    return pair[0].name
