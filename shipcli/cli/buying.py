"""Purchases of drafts and of new shipments: planned, agreed, bought, shown."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from shipcli.cli import choosing
from shipcli.cli.asking import ask
from shipcli.cli.context import current
from shipcli.cli.output import show, show_list
from shipcli.cli.selectors import remember
from shipcli.cli.several import each_of

if TYPE_CHECKING:
    from shipcli.models import Rate, Shipment, ShipmentData
    from shipcli.services.bench import Wish

COLUMNS = ("id", "status", "carrier_id", "service", "tracking_number", "selected_rate.total_charge",
           "selected_rate.currency", "recipient.person_name", "recipient.city", "reference")  # fmt: skip
PLAN_COLUMNS = ("service", "carrier_id", "total_charge", "currency", "transit_days")


@dataclass(frozen=True)
class Work:
    """One purchase: what it is called, the draft it is about, and how it is made."""

    name: str
    wish: Wish
    told: set[str]
    draft: Callable[[], Shipment]
    buy: Callable[[], Shipment]

    def plan(self) -> Rate:
        """The rate it would be bought at."""
        from shipcli.services.bench import planned

        draft = self.draft()
        rate = planned(current().known, draft, self.wish, choosing.choose)
        choosing.would_buy(draft, rate)
        return rate


def of_drafts(
    ids: Sequence[str], wish: Wish, key: str | None, parcel: Mapping[str, Any] | None = None
) -> list[Work]:
    """Purchases of stored drafts, their parcel weighed anew when facts of it are given."""
    from shipcli.services import bench

    told = set[str]()
    desk = choosing.desk(told)
    choosing.one_key(key, len(ids))
    return [
        Work(
            one,
            wish,
            told,
            lambda one=one: ask(bench.stored_draft, one, parcel),  # type: ignore[misc]  # bound now
            lambda one=one: ask(bench.ship_stored, one, wish, desk, parcel=parcel, key=key),  # type: ignore[misc]
        )
        for one in ids
    ]


def of_new(given: Sequence[ShipmentData], wish: Wish, key: str | None) -> list[Work]:
    """Purchases of shipments that are made with them."""
    from shipcli.services import bench

    told = set[str]()
    desk = choosing.desk(told)
    choosing.one_key(key, len(given))
    return [
        Work(
            one.reference or f"shipment {place}",
            wish,
            told,
            lambda one=one: ask(bench.new_draft, one),  # type: ignore[misc]  # bound now
            lambda one=one: ask(bench.ship_new, one, wish, desk, key),  # type: ignore[misc]
        )
        for place, one in enumerate(given, 1)
    ]


def carry_out(work: Sequence[Work], after: Callable[[list[Shipment]], None] | None = None) -> None:
    """Buy, or with `--dry-run` say what would be bought; `after` is given what was bought."""

    def finish(bought: list[Shipment]) -> None:
        remember("shipment", *(one.id for one in bought))
        choosing.tell([message for one in bought for message in one.messages], work[0].told)
        show_some(bought, COLUMNS)
        if after:
            after(bought)

    if current().options.dry_run:
        each_of(work, Work.plan, lambda rates: show_some(rates, PLAN_COLUMNS), name=_name)
    else:
        each_of(work, lambda one: one.buy(), finish, name=_name)


def _name(work: Work) -> str:
    return work.name


def show_some(values: Sequence[Any], columns: Sequence[str]) -> None:
    """One as an object, several as a list, in both cases with these columns only."""
    if len(values) == 1:
        show(values[0], columns)
    else:
        show_list(values, columns)
