"""Which scenarios there are, and for which carriers each of them holds."""

from __future__ import annotations

from dataclasses import asdict
from functools import cache
from typing import TYPE_CHECKING, Any

from shipcli.carrier import registry
from shipcli.carrier.simulation.scenarios import SERVICE_PREFIX, Scenario, list_scenarios

if TYPE_CHECKING:
    from shipcli.features.core.app import App

# They buy parcel by parcel and can cancel none: what was bought before a refusal needs attention.
KEEP_PARTS = frozenset({"hermes"})
NUMBERED_BY_CLIENTS = frozenset({"tge"})  # carriers whose numbers are chosen before they are asked


def list_matrix(app: App) -> list[dict[str, Any]]:
    """All scenarios with their magic values, what they do, and the carriers that can do it."""
    return [describe(scenario) for scenario in list_scenarios().values()]


def describe(scenario: Scenario) -> dict[str, Any]:
    """A scenario as it is shown."""
    facts = {key: value for key, value in asdict(scenario).items() if key != "verbs" and value}
    return {**facts, "magic": get_magic(scenario), "carriers": list_carriers(scenario)}


def get_magic(scenario: Scenario) -> str:
    """The magic value as it is written in a request; empty for a scenario that a name alone chooses."""
    if scenario.kind == "number":
        return f"{scenario.magic}nnnnnnnn"
    return SERVICE_PREFIX + scenario.name if scenario.kind == "service" else scenario.magic


def list_carriers(scenario: Scenario) -> list[str]:
    """The slugs of the carriers for which a scenario holds."""
    return [
        facts.slug
        for facts in registry.list_facts()
        if set(scenario.verbs) <= set(facts.operations) and not _is_beyond(scenario.name, facts.slug)
    ]


@cache
def _is_beyond(name: str, slug: str) -> bool:
    """Whether a scenario asks of a carrier what it does not have at all."""
    if name == "own_number":
        return slug in NUMBERED_BY_CLIENTS
    return name == "partial" and (slug in KEEP_PARTS or registry.get(slug).one_parcel)
