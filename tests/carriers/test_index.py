"""What is asked of every carrier costs none of them a load."""

from __future__ import annotations

import subprocess
import sys

from shipcli.carrier import registry
from shipcli.carrier.api_state import API_STATES
from shipcli.carrier.index import CarrierFacts, gather_facts, parse_facts
from tests.carriers.index import FILE, list_lines

NAMED = """
import sys
from shipcli.carrier import registry
assert len(registry.list_facts()) == len(registry.list_slugs())
loaded = sorted(name for name in sys.modules if name.startswith("shipcli.carriers."))
print(loaded)
"""


def test_the_index_says_what_the_classes_say() -> None:
    hint = "write it anew: python -m tests.carriers.index"
    written = FILE.read_text("utf-8").splitlines(keepends=True)
    # Slugs first: a difference of whole carriers is told in one line, not in a page of facts.
    assert [parse_facts(line.encode()).slug for line in written] == sorted(registry._find_folders()), hint
    for line, expected in zip(written, list_lines(), strict=True):
        assert line == expected, hint


def test_the_state_of_every_api_is_a_known_word() -> None:
    for facts in registry.list_facts():
        assert facts.api_state in API_STATES, facts.slug


def test_a_carrier_that_is_refused_live_has_an_api_that_is_out_of_use() -> None:
    refused = [kind for kind in registry.list_working() if kind.retired is not None]
    assert {kind.api.state for kind in refused} <= {"off", "retiring", "superseded"}
    assert all(kind.retired in ("", *registry.list_slugs()) for kind in refused)


def test_naming_all_carriers_loads_none() -> None:
    out = subprocess.run(
        [sys.executable, "-c", NAMED], capture_output=True, text=True, check=True, timeout=60
    )
    assert out.stdout.strip() == "[]"


def test_the_index_is_read_into_what_the_class_gives() -> None:
    for slug in registry.list_slugs():
        assert isinstance(registry.get_facts(slug), CarrierFacts)
        assert registry.get_facts(slug) == gather_facts(registry.get(slug))
