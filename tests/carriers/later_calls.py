"""The later calls of a carrier, tried in every order that may happen."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from shipcli.carrier.preparation.flows import fetch_flow
from shipcli.carrier.sending.jobs import CarrierJob, FlowOutcome
from shipcli.carrier.simulation.simulator import LABEL, MANIFEST, PICKUP
from shipcli.models import Model
from tests.carriers.bench import AnyCarrier, Bench, lane, said
from tests.carriers.errands import ERRANDS, KEY, run_errand
from tests.carriers.tap import FAULTS, Fault, Tap

GONE = ("voided_at", "cancelled_at", "cancelled")


Standing = dict[tuple[str, str], Any]


Errands = Mapping[str, Callable[[Bench], Model]]


def standing(bench: Bench) -> Standing:
    """The labels, collections and forms that stand at the carrier."""
    kinds, slug = (LABEL, PICKUP, MANIFEST), bench.carrier_class.slug
    records = ((kind, key, one) for owner, kind, key, one in bench.ledger.everything() if owner == slug)
    return {
        (kind, key): one
        for kind, key, one in records
        if kind in kinds and not any(one.get(name) for name in GONE)
    }


@dataclass(frozen=True)
class Errand:
    """One verb with its request, on a bench of its own."""

    bench: Bench
    verb: str
    request: Model

    @classmethod
    def of(cls, carrier_class: AnyCarrier, verb: str, errands: Errands) -> Errand:
        bench = Bench(carrier_class, lane(carrier_class))
        return cls(bench, verb, errands[verb](bench))

    def run(self) -> FlowOutcome[Any]:
        return run_errand(self.bench, self.verb, self.request)


@dataclass(frozen=True)
class Attempt:
    """What an errand came to, and what stood at the carrier before it, after it, and after a good one."""

    name: str
    errand: Errand
    outcome: FlowOutcome[Any]
    before: Standing
    good: Standing

    def problem(self) -> str | None:
        """What is wrong with what the caller was told; None if it is true."""
        outcome, after = self.outcome, standing(self.errand.bench)
        if succeeded(outcome):
            return None if after == self.good else "success, though it is not done at the carrier"
        if not outcome.messages:
            return "it failed without a word"
        if outcome.paid:
            return self.paper_problem()
        if outcome.unknown:
            return self.search_problem(after)
        if after == self.before or self.is_half_void(after):
            return None
        return f"refused, though it is done at the carrier ({said(outcome)})"

    def is_half_void(self, after: Standing) -> bool:
        """Whether one parcel of two was taken back: when it is asked again the rest may be, too."""
        return self.errand.verb == "void" and self.good.keys() < after.keys() < self.before.keys()

    def is_half_sold(self, after: Standing) -> bool:
        """Whether one parcel of two was bought of a carrier that takes none back: a person has to say."""
        can_void = self.errand.bench.carrier_class.can("void")
        return not can_void and self.before.keys() < after.keys() < self.good.keys()

    def paper_problem(self) -> str | None:
        """What is wrong with a label that was bought without its paper."""
        bench, bought = self.errand.bench, self.outcome.paid
        assert bought
        labels = {key: record for (kind, key), record in standing(bench).items() if kind == LABEL}
        identifiers = {record.get("identifier") for record in labels.values()}
        if bought.tracking_number not in {*labels, None} or bought.name not in {*labels, *identifiers}:
            return f"bought as {bought.name}, which the carrier does not know"
        carrier = bench.carrier(KEY)
        flow: Any = fetch_flow(carrier, bought, self.errand.request)  # type: ignore[arg-type]
        later = bench.driver.run(CarrierJob(carrier, "fetch_label", flow))
        return None if later.result and later.result.docs.get("label") else f"no paper later: {said(later)}"

    def search_problem(self, after: Standing) -> str | None:
        """What is wrong with what the carrier tells of a purchase of unknown outcome."""
        bench = self.errand.bench
        if self.errand.verb != "ship" or not bench.carrier_class.can("recover"):
            return None
        found = bench.ask("recover", self.errand.request, key=KEY)
        if found.failed:
            if self.is_half_sold(after):
                return None
            return f"unknown, and it can't be asked for: {said(found)}"
        if found.result is None:
            return None if standing(bench) == self.before else "unknown, and not found though it stands"
        return None if after == self.good else "unknown, and found though it does not stand"


def succeeded(outcome: FlowOutcome[Any]) -> bool:
    return outcome.result is not None and bool(getattr(outcome.result, "success", True))


def attempts(carrier_class: AnyCarrier, verb: str, errands: Errands) -> Iterator[Attempt]:
    """The errand with each of its calls going wrong in each way, one at a time."""
    clean = Errand.of(carrier_class, verb, errands)
    before, tap = standing(clean.bench), Tap(clean.bench)
    outcome = clean.run()
    assert succeeded(outcome), said(outcome)
    good, count = standing(clean.bench), len(set(tap.wires()))
    clean.bench.close()
    for index in range(count):
        for kind in FAULTS:
            yield faulty(Errand.of(carrier_class, verb, errands), kind, index, before, good)


def faulty(errand: Errand, kind: str, index: int, before: Standing, good: Standing) -> Attempt:
    fault, tap = Fault(errand.bench, kind, index), Tap(errand.bench)
    tap.instead, tap.after = fault.instead, fault.after
    outcome = errand.run()
    tap.instead, tap.after = lambda request: None, lambda request, reply: reply
    hit = next(one for one in tap.sent if fault.hits(one))
    name = f"call {index} ({hit.method} {hit.path}) {kind}"
    return Attempt(name, errand, outcome, before, good)


def problems(carrier_class: AnyCarrier, verb: str, errands: Errands = ERRANDS) -> list[str]:
    found = []
    for attempt in attempts(carrier_class, verb, errands):
        problem = attempt.problem()
        attempt.errand.bench.close()
        if problem:
            found.append(f"{attempt.name}: {problem}")
    return found
