"""What a carrier's class and catalogue say agrees with its fact sheet, beyond what `/v1/references` shows.

A departure is declared in `deviations.json` under the operation `facts`, by the start of a line here.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any
from urllib.parse import urlsplit

import pytest

from shipcli.models import json as plain_json
from tests.carriers import deviations
from tests.carriers.bench import AnyCarrier
from tests.carriers.places import find_recorded
from tests.carriers.scaffold import VERBS
from tests.shared import find_shared

TABLES = {
    "services": "services",
    "options": "options",
    "packaging_types": "packaging",
    "package_presets": "presets",
}
ALIASED = ("options", "packaging_types", "package_presets")  # aliases of services are rows of their own
CHOICE = re.compile(r"\{([^}]*)\}")


def differences(carrier: AnyCarrier, facts: Mapping[str, Any]) -> Iterator[str]:
    yield from _standing(carrier, facts)
    yield from _hosts(carrier, facts["hosts"])
    for section in TABLES:
        yield from _members(carrier, section, (facts.get(section) or {}).get("members") or {})
    for section in ALIASED:
        yield from _aliases(carrier, section, (facts.get(section) or {}).get("aliases") or {})
    yield from _statuses(carrier, facts.get("tracking") or {})


def _standing(carrier: AnyCarrier, facts: Mapping[str, Any]) -> Iterator[str]:
    """Its verbs, as far as the kit has them, whether it is a hub, and whether trackers take it."""
    missing = [one for one in facts["operations"] if one in VERBS and not carrier.can(VERBS[one][0])]
    yield from (f"operations/{one}: missing" for one in missing)
    for name, ours, theirs in (
        ("hub", carrier.hub, facts["is_hub"]),
        ("trackable", carrier.trackable, facts["in_tracking_set"]),
    ):
        if ours != theirs:
            yield f"{name}: {ours}, in the facts {theirs}"


def _hosts(carrier: AnyCarrier, hosts: Mapping[str, str]) -> Iterator[str]:
    """The host alone: what stands behind it in a fact sheet is the start of the paths."""
    for name, ours in (("live", carrier.hosts.get(False)), ("test", carrier.hosts.get(True))):
        theirs = {_origin(one) for one in _choices(hosts.get(name) or "")}
        if _origin(ours or "") not in theirs:
            yield f"hosts/{name}: {ours}, in the facts {hosts.get(name)}"


def _choices(host: str) -> list[str]:
    found = CHOICE.search(host)
    return [host.replace(found[0], one) for one in found[1].split("|")] if found else [host]


def _origin(url: str) -> tuple[str, str]:
    return urlsplit(url)[:2]


def _members(carrier: AnyCarrier, section: str, members: Mapping[str, Any]) -> Iterator[str]:
    rows = {row.slug: row for row in getattr(carrier, TABLES[section])}
    for slug, value in members.items():
        code = value.get("code") if isinstance(value, dict) else value
        if slug not in rows:
            yield f"{section}/{slug}: missing"
        elif section != "package_presets" and (rows[slug].code or None) != (str(code) if code else None):
            yield f"{section}/{slug}: {rows[slug].code!r}, in the facts {code!r}"


def _aliases(carrier: AnyCarrier, section: str, aliases: Mapping[str, str]) -> Iterator[str]:
    table = getattr(carrier, TABLES[section])
    for alias, slug in aliases.items():
        row = table.get(alias)
        if row is None or slug not in {one.slug for one in table if alias in (one.slug, *one.aliases)}:
            yield f"aliases/{section}/{alias}: {row.slug if row else None}, in the facts {slug}"


def _statuses(carrier: AnyCarrier, tracking: Mapping[str, Any]) -> Iterator[str]:
    """A carrier knows more codes than the facts; those that are words of ours are a place holder there."""
    statuses = carrier.catalogue.statuses if carrier.catalogue else None
    for code, status in (tracking.get("status_map") or {}).items():
        ours = statuses.read(code) if statuses and code in statuses.codes else None
        if ours != status and code.replace(" ", "_") != status:
            yield f"statuses/{code}: {ours}, in the facts {status}"


def test_the_catalogue_agrees_with_the_facts(carrier_class: AnyCarrier) -> None:
    find_shared("carriers")
    path = find_recorded(carrier_class.slug) / "facts.json"
    if not path.is_file():
        pytest.skip("there is no fact sheet of this carrier")
    found = list(differences(carrier_class, plain_json.loads(path.read_bytes())))
    every = deviations.of_carrier(carrier_class.slug)
    declared = [one for one in every if one.operation == deviations.FACTS]
    assert deviations.covering(found, declared) == declared, "take out what departs no more"
    assert deviations.undeclared(found, declared) == []
