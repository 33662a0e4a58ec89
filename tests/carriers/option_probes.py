"""Options of a carrier, tried one by one until one makes a difference to what is sent."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import product
from typing import Any

from shipcli.carrier import Option, Reply, Request
from shipcli.carrier.sending.jobs import FlowOutcome
from shipcli.carrier.sending.ports import MemoryTokens
from tests.carriers.bench import AnyCarrier, Bench, address, lane, said
from tests.carriers.errands import ERRANDS, lane_abroad, run_errand, verbs_of
from tests.carriers.tap import Tap, Wire, wire_of

TEXTS = ("7", "2025-03-05", "2025-03-05T09:00:00", "probe@example.com", "GB", "EUR", "10:00", "true")


# Words that give others a meaning: a place to hold a parcel at, an amount to collect.
COMPANY: Mapping[str, Any] = {
    "signature_confirmation": True,
    "insurance": 100,
    "cash_on_delivery": 100,
    "hold_at_location": True,
    "email_notification": True,
    "paperless_trade": True,
}


def values(row: Option) -> list[Any]:
    """Values an option may have, until one makes a difference."""
    if row.values:
        return list(row.values)
    if row.example:
        return [row.example]
    kinds: Mapping[str, list[Any]] = {
        "boolean": [True, False],
        "float": [55, 7],
        "integer": [7, 1],
        "string": list(TEXTS),
        "list": [["7"], [{"doc_id": "7"}]],
        "object": [{"probe": "7"}, address("US", "Probe").model_dump()],
    }
    return kinds.get(row.type_name, kinds["object"])


def names(row: Option, value: Any, outcome: FlowOutcome[Any]) -> bool:
    """Whether an option is refused by its name, and not for the value that was tried."""
    words = " ".join([said(outcome), *(str(one.details) for one in outcome.messages)])
    named = any(f"options.{word}" in words for word in (row.slug, *row.aliases))
    return outcome.failed and named and repr(value) not in words


def with_options(request: Any, options: Mapping[str, Any]) -> Any:
    """The request with more options."""
    return request.model_copy(update={"options": {**request.options, **options}})


class Place:
    """One verb on one lane with other options for company, and what goes out without the one in question.

    The carrier is asked once; later questions are given the same answers, as far as they are the same.
    """

    def __init__(
        self, carrier_class: AnyCarrier, where: tuple[str, str], verb: str, company: Mapping[str, Any]
    ) -> None:
        self.verb, self.bench = verb, Bench(carrier_class, where)
        self.request = with_options(ERRANDS[verb](self.bench), company)
        self.known: dict[Wire, Reply] = {}
        self.tap = Tap(self.bench, after=self.keep)
        self.plain, _ = self.ask({})
        self.tap.instead = lambda request: self.known.get(wire_of(request), Reply(500))

    def keep(self, request: Request, reply: Reply) -> Reply:
        self.known[wire_of(request)] = reply
        return reply

    def ask(self, options: Mapping[str, Any]) -> tuple[list[Wire], FlowOutcome[Any]]:
        """What goes out with these options too, and what comes of it."""
        self.tap.sent.clear()
        self.bench.driver.tokens = MemoryTokens()
        outcome = run_errand(self.bench, self.verb, with_options(self.request, options))
        return self.tap.wires(), outcome

    def shows(self, row: Option, value: Any) -> bool:
        """Whether an option makes a difference to what is sent, or is refused by its name."""
        sent, outcome = self.ask({row.slug: value})
        return bool(sent and sent != self.plain) or names(row, value, outcome)


class Prober:
    """Tries the options of a carrier one after the other, in the places that most of them need first."""

    def __init__(self, carrier_class: AnyCarrier) -> None:
        self.carrier_class = carrier_class
        lanes = (lane(carrier_class), lane_abroad(carrier_class))
        self.lanes = [one for one in lanes if one]
        self.made: list[Place] = []

    def places(self) -> Iterator[Place]:
        yield from self.made
        for company, verb, where in self.wanted()[len(self.made) :]:
            self.made.append(Place(self.carrier_class, where, verb, company))
            yield self.made[-1]

    def wanted(self) -> list[tuple[Mapping[str, Any], str, tuple[str, str]]]:
        return [*product(({}, COMPANY), verbs_of(self.carrier_class), self.lanes)]

    def reaches(self, row: Option) -> bool:
        """Whether one of its values makes a difference anywhere."""
        return any(place.shows(row, value) for value in values(row) for place in self.places())

    def close(self) -> None:
        for place in self.made:
            place.bench.close()


def find_silent_options(carrier_class: AnyCarrier) -> list[str]:
    """The options that make no difference to what is sent, though nothing says that they are local."""
    prober = Prober(carrier_class)
    rows = [row for row in carrier_class.options if row.local is None]
    silent = [row.slug for row in rows if not prober.reaches(row)]
    prober.close()
    return silent
