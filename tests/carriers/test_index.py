"""What is asked of every carrier costs none of them a load."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from shipcli.carrier import registry
from shipcli.carrier.catalogue import API_STATES
from shipcli.carrier.index import CarrierFacts, gather_facts
from tests.carriers.index import indexes

NAMED = """
import sys
from shipcli.carrier import registry
assert len(registry.list_facts()) == len(registry.list_slugs())
loaded = sorted(name for name in sys.modules if name.startswith("shipcli.carriers."))
print(loaded)
"""


@pytest.mark.parametrize(("path", "text"), [pytest.param(*one, id=one[0].parent.name) for one in indexes()])
def test_the_index_of_a_carrier_says_what_its_class_says(path: Path, text: str) -> None:
    hint = "write it anew: python -m tests.carriers.index"
    assert path.is_file(), hint
    assert path.read_text() == text, hint


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
