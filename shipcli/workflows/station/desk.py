"""Carries out what the station asks for: over the gateway, and on the printers of this machine."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from shipcli.features.shipments.ship import settle_interrupted
from shipcli.models.basics.errors import IdempotencyConflict, OutcomeUnknown, ShipcliError, Unreachable
from shipcli.workflows.ship import void_label
from shipcli.workflows.station.label_sales import buy_label, price_job
from shipcli.workflows.station.lookups import look_up
from shipcli.workflows.station.steps import (
    BuyLabel,
    Effect,
    Event,
    FetchRates,
    LabelBought,
    LookedUp,
    LookUp,
    Opened,
    Priced,
    PrintBegan,
    Printed,
    PrintLabel,
    Voided,
    VoidLabel,
)

if TYPE_CHECKING:
    from shipcli.gateway.gateway import Gateway
    from shipcli.workflows.station.label_printing import LabelPrinting

STILL_OPEN = IdempotencyConflict().code


@dataclass(frozen=True)
class StationDesk:
    """Where a station works: its gateway, its printers, and the name of the bench."""

    gateway: Gateway
    printing: LabelPrinting
    bench: str

    def open(self) -> Opened:
        """How much was bought here today, and what was never printed; purchases that a killed process
        left open are settled before.

        Errors: those of the gateway.
        """
        self.gateway.ask(settle_interrupted)
        unprinted, count = self.printing.list_unprinted(self.bench)
        return Opened(tuple(unprinted), count)

    def carry_out(self, effect: Effect) -> Iterator[Event]:
        """Do what is asked for, and say what became of it; what fails is said, too."""
        try:
            yield from CARRIERS[type(effect)](self, effect)
        except ShipcliError as error:
            yield report_failure(effect, describe(error), is_doubtful=is_doubtful(error))


def carry_look_up(desk: StationDesk, effect: LookUp) -> Iterator[Event]:
    """Find what an entry names."""
    yield LookedUp(effect.entry, look_up(desk.gateway, desk.printing, effect.entry))


def carry_rates(desk: StationDesk, effect: FetchRates) -> Iterator[Event]:
    """Ask for rates, and choose one."""
    priced = price_job(desk.gateway, effect.job, effect.facts, desk.printing.label_type)
    yield Priced(effect.key, priced.job, effect.facts, priced.draft, priced.rate, priced.trouble)


def carry_purchase(desk: StationDesk, effect: BuyLabel) -> Iterator[Event]:
    """Buy a label, once for its intent."""
    packed = {"packed_at": desk.bench} | ({"packed_by": effect.packer} if effect.packer else {})
    draft = effect.draft.model_copy(update={"metadata": {**effect.draft.metadata, **packed}})
    yield LabelBought(effect.key, buy_label(desk.gateway, replace(effect, draft=draft)))


def is_doubtful(error: ShipcliError) -> bool:
    """Whether a label may have been bought although the purchase failed."""
    return isinstance(error, OutcomeUnknown | Unreachable) or error.code == STILL_OPEN


def carry_print(desk: StationDesk, effect: PrintLabel) -> Iterator[Event]:
    """Print a label."""
    if effect.unless_printed and desk.printing.is_printed(effect.shipment):
        yield Printed(effect.key, effect.shipment)
        return
    yield PrintBegan(effect.key)
    yield Printed(effect.key, effect.shipment, desk.printing.print_label(effect.shipment, again=effect.again))


def carry_void(desk: StationDesk, effect: VoidLabel) -> Iterator[Event]:
    """Void a label."""
    void_label(desk.gateway, effect.shipment.id)
    yield Voided(
        effect.shipment, was_counted=desk.printing.is_of_today(effect.shipment.model_dump(), desk.bench)
    )


def report_failure(effect: Effect, trouble: str, *, is_doubtful: bool) -> Event:
    """What is said of an effect that failed: nothing waits for it any more.

    Shapes: `is_doubtful` tells whether a label may have been bought all the same.
    """
    match effect:
        case LookUp():
            return LookedUp(effect.entry, trouble=trouble)
        case FetchRates():
            return Priced(effect.key, effect.job, effect.facts, trouble=trouble)
        case BuyLabel():
            return LabelBought(effect.key, trouble=trouble, is_doubtful=is_doubtful)
        case PrintLabel():
            return Printed(effect.key, effect.shipment, trouble=trouble)
        case VoidLabel():
            return Voided(effect.shipment, trouble)


def describe(error: ShipcliError) -> str:
    """An error with what can be done about it, in one line."""
    text, hint = error.describe().rstrip("."), str(getattr(error, "hint", "") or "")
    return f"{text}; {hint}" if hint else text


CARRIERS: Mapping[type, Callable[[StationDesk, Any], Iterator[Event]]] = {
    LookUp: carry_look_up,
    FetchRates: carry_rates,
    BuyLabel: carry_purchase,
    PrintLabel: carry_print,
    VoidLabel: carry_void,
}
