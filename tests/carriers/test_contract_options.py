"""What every carrier promises of its options: each is sent, is refused by name, or says why it is local."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from shipcli.carrier import Option
from shipcli.carrier.flow_runner import FlowOutcome
from tests.carriers.bench import AnyCarrier, Bench, address, lane, said
from tests.carriers.errands import ERRANDS, lane_abroad, run_errand, verbs_of
from tests.carriers.promises import needs
from tests.carriers.tap import Tap

Wires = list[tuple[str, str, bytes]]
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
    kinds: Mapping[str, list[Any]] = {
        "boolean": [True, False],
        "float": [55, 7],
        "integer": [7, 1],
        "string": list(TEXTS),
        "list": [["7"], [{"doc_id": "7"}]],
        "object": [{"probe": "7"}, address("US", "Probe").plain()],
    }
    return kinds.get(row.type_name, kinds["object"])


def asked(
    carrier_class: AnyCarrier, where: tuple[str, str], verb: str, options: Mapping[str, Any]
) -> tuple[Wires, FlowOutcome[Any]]:
    """What goes out when a verb is asked with these options, on a bench where nothing happened before."""
    bench = Bench(carrier_class, where)
    try:
        request: Any = ERRANDS[verb](bench)
        request = request.changed(options={**request.options, **options})
        tap = Tap(bench)
        outcome = run_errand(bench, verb, request)
        return tap.wires(), outcome
    finally:
        bench.close()


def names(row: Option, outcome: FlowOutcome[Any]) -> bool:
    """Whether a refusal names an option."""
    words = " ".join([said(outcome), *(str(one.details) for one in outcome.messages)])
    return outcome.failed and any(f"options.{word}" in words for word in (row.slug, *row.aliases))


class Prober:
    """Asks a carrier with one option after the other, and knows what it sends without any."""

    def __init__(self, carrier_class: AnyCarrier) -> None:
        self.carrier_class = carrier_class
        lanes = (lane(carrier_class), lane_abroad(carrier_class))
        self.lanes = [one for one in lanes if one]
        self.plain: dict[Any, Wires] = {}

    def without(self, place: tuple[Any, ...], company: Mapping[str, Any]) -> Wires:
        key = (*place, bool(company))
        if key not in self.plain:
            self.plain[key] = asked(self.carrier_class, *place, company)[0]
        return self.plain[key]

    def places(self) -> Iterator[tuple[tuple[str, str], str, Mapping[str, Any]]]:
        """Lane, verb and other options, those first that most options need."""
        for company in ({}, COMPANY):
            for verb in verbs_of(self.carrier_class):
                for where in self.lanes:
                    yield where, verb, company

    def reaches(self, row: Option) -> bool:
        """Whether an option makes a difference to what is sent, or is refused by its name."""
        tried = values(row)
        for where, verb, company in self.places():
            without = self.without((where, verb), company)
            answers = [
                asked(self.carrier_class, where, verb, {**company, row.slug: value}) for value in tried
            ]
            if any(sent and sent != without for sent, _ in answers):
                return True
            if names(row, answers[0][1]):
                return True
        return False


@needs(network=True)
def test_every_option_reaches_the_wire_or_says_why_not(carrier_class: AnyCarrier) -> None:
    prober = Prober(carrier_class)
    rows = [row for row in carrier_class.options if row.local is None]
    assert [row.slug for row in rows if not prober.reaches(row)] == []


def test_an_option_that_is_local_says_why(carrier_class: AnyCarrier) -> None:
    silent = [row.slug for row in carrier_class.options if row.local is not None and not row.local.strip()]
    assert silent == []
