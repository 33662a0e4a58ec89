"""The spine of every purchase: choose a rate, reserve its price, confirm it, buy.

`ship`, stored drafts, orders and the rows of files are bought by `buy_draft`; a `LabelSale` says how each of
these steps is done for them. A rate that its carrier refuses for good gives way to the next one, where any
may be taken. Nobody is asked anything while a lock or an idempotency key is held: they are held by what buys,
in the process that has the store.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from shipcli.features.shipments.budget import exceeds_ceiling, limit_draft
from shipcli.models import (
    Invalid,
    LimitReached,
    Message,
    OutcomeUnknown,
    Rate,
    Refused,
    Shipment,
    Unreachable,
)

if TYPE_CHECKING:
    from shipcli.features.shipments.budget import Budget

RATE_REFUSED = "rate_refused"
# statuses, where a carrier says nothing else
PASSING = frozenset({"401", "403", "429", "502", "503", "unreachable"})


class LabelSale(ABC):
    """How a draft is bought: the steps of `buy_draft`, in their order."""

    @property
    @abstractmethod
    def budget(self) -> Budget:
        """What may be spent, with what else is bought meanwhile."""

    @property
    @abstractmethod
    def is_open(self) -> bool:
        """Whether another rate may be taken if the carrier refuses the first one."""

    @abstractmethod
    def choose(self, draft: Shipment) -> Rate:
        """The rate to buy, of those that the draft has.

        Errors: Invalid when none of them fits.
        """

    @abstractmethod
    def confirm(self, draft: Shipment, rate: Rate) -> None:
        """Ask whether to buy, where there is somebody to ask; what is raised here ends the purchase."""

    @abstractmethod
    def buy(self, draft: Shipment, rate: Rate) -> Shipment:
        """The draft, bought at a rate for no more than its ceiling, while its locks and key are held."""

    @abstractmethod
    def take_back(self, shipment_id: str, most: str) -> Shipment:
        """Void a label that passes the budget together with others; its shipment if it has to be kept.

        Errors: BilledAbove when it is voided.
        """


def buy_draft(sale: LabelSale, draft: Shipment) -> Shipment:
    """Buy a rated draft at the rate that is chosen, else at the next one that is sold.

    Errors: those of the steps; the first refusal when no other rate is left, or within the budget.
    """
    attempts = Attempts(draft, sale.budget, is_open=sale.is_open)
    while attempts.bought is None:
        with attempts.next():
            rate = sale.choose(attempts.draft)
            limited = attempts.reserve(rate)
            sale.confirm(limited, rate)
            bought = sale.buy(limited, rate)
            attempts.bought = _settle_price(sale, rate, bought)
    return add_refusals(attempts.draft, attempts.bought)


def _settle_price(sale: LabelSale, rate: Rate, bought: Shipment) -> Shipment:
    """Count what was billed; a label that passes the budget, as others cost more meanwhile, is taken back.

    One that is above its own ceiling is kept: that it could not be taken back is known.
    """
    budget = sale.budget
    if budget.correct(rate, bought.selected_rate):
        return bought
    if not exceeds_ceiling(bought):
        bought = sale.take_back(bought.id, str(budget.find_most(rate)))
    if billed := bought.selected_rate:
        budget.count_spent(billed.total_charge - rate.total_charge, billed.currency)
    return bought


class Attempts:
    """The rates of a draft, tried one after the other until a carrier sells one.

    Shapes: `draft` has the rates that are left, and a message for each that was refused.
    """

    def __init__(self, draft: Shipment, budget: Budget, *, is_open: bool) -> None:
        self.draft, self._budget, self._is_open = draft, budget, is_open
        self.bought: Shipment | None = None
        self._rate: Rate | None = None  # whose price is reserved
        self._refusal: Refused | None = None

    @contextmanager
    def next(self) -> Iterator[None]:
        """Try a rate in the block. If it is refused for good, the next try is without it.

        Its price stays reserved if the outcome is unknown, as the money may have been spent.
        Errors: those of the block; the first refusal in place of the reason why no other rate can be bought.
        """
        self._rate = None
        try:
            yield
        except (OutcomeUnknown, Unreachable):
            raise
        except Refused as error:
            self._release()
            if self._rate is None or not self._is_open or is_passing(error):
                raise
            self._refusal = self._refusal or error
            self.draft = leave_out(self.draft, self._rate, error)
        except BaseException as error:
            self._release()
            if self._refusal and self._rate is None and isinstance(error, Invalid | LimitReached):
                raise self._refusal from None
            raise

    def reserve(self, rate: Rate) -> Shipment:
        """Reserve the price of a rate; returns the draft with the most that its label may cost.

        Errors: LimitReached if the price exceeds what is left.
        """
        self._budget.reserve(rate)
        self._rate = rate
        return limit_draft(self.draft, self._budget, rate)

    def _release(self) -> None:
        if self._rate:
            self._budget.release(self._rate)


def is_passing(error: Refused) -> bool:
    """Whether a carrier answers nobody for now, or not us: that says nothing about the rate."""
    return any(message.code in PASSING for message in error.messages)


def add_refusals(draft: Shipment, bought: Shipment) -> Shipment:
    """Return what was bought with the messages of refused rates, if another server does not know them."""
    refused = [
        message
        for message in draft.messages
        if message.code == RATE_REFUSED and message not in bought.messages
    ]
    return bought.model_copy(update={"messages": [*bought.messages, *refused]}) if refused else bought


def leave_out(draft: Shipment, rate: Rate, error: Refused) -> Shipment:
    """Return a draft without a rate that its carrier did not sell; a message names it."""
    text = f"{rate.carrier_id} refused {rate.service}, so another rate was taken: {error.message}"
    note = Message(
        code=RATE_REFUSED, message=text, carrier_name=rate.carrier_name, carrier_id=rate.carrier_id
    )
    others = [offer for offer in draft.rates if offer.id != rate.id]
    return draft.model_copy(update={"rates": others, "messages": [*draft.messages, note]})
