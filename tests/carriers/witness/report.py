"""What the witness holds and what departs, carrier by carrier and verb by verb."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from shipcli.carrier import registry
from tests.carriers import deviations
from tests.carriers.bench import AnyCarrier
from tests.carriers.witness.holding import find_witness, hold_carrier

HEAD = f"{'carrier':24}{'verb':18}{'members held':>14}{'departures':>12}{'declared':>10}"


@dataclass(frozen=True)
class Account:
    """One row of the table: how many members are held, depart, and depart as declared."""

    slug: str
    verb: str
    held: int
    departures: int
    declared: int

    def write(self) -> str:
        return f"{self.slug:24}{self.verb:18}{self.held:>14}{self.departures:>12}{self.declared:>10}"


def list_held_carriers() -> list[AnyCarrier]:
    return [one for one in registry.list_working() if one.hosts and find_witness(one)]


def count_members(carrier_class: AnyCarrier, seed: int) -> Iterator[Account]:
    """A row for each verb, and one for all of them, in which every member counts once."""
    slug, verdicts = carrier_class.slug, hold_carrier(carrier_class, seed).verdicts
    rows = deviations.of_operation(slug, deviations.PUBLISHED)
    held: set[str] = set()
    faults: dict[str, str] = {}
    for verb, verdict in verdicts.items():
        held |= verdict.held
        faults |= verdict.faults
        yield count(slug, verb, verdict.held, verdict.faults, rows)
    yield count(slug, "all", held, faults, rows)


def count(
    slug: str, verb: str, held: set[str], faults: dict[str, str], rows: list[deviations.Deviation]
) -> Account:
    lines = [f"{place}: {text}" for place, text in faults.items()]
    undeclared = deviations.undeclared(lines, rows)
    return Account(slug, verb, len(held), len(lines), len(lines) - len(undeclared))


def write_table(seed: int) -> Iterator[str]:
    yield HEAD
    for carrier_class in list_held_carriers():
        accounts = list(count_members(carrier_class, seed))
        yield from (one.write() for one in accounts)
        share = 100 * accounts[-1].departures / max(accounts[-1].held, 1)
        yield f"{carrier_class.slug:24}{share:.1f} % of its members depart"
