"""Each contract test runs for the carriers that have the verbs it needs."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

import pytest

from shipcli.carrier import registry
from tests.carriers.bench import AnyCarrier, Bench, lane

# Tests that carriers in the shape of before do not pass; the list only gets shorter.
NOT_YET: Mapping[str, set[str]] = {}
NOT_YET_MARK = pytest.mark.xfail(strict=True, raises=AssertionError, reason="to be rebuilt")


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    if "carrier_class" not in metafunc.fixturenames:
        return
    wanted = metafunc.config.getoption("--carrier")
    verbs, network = getattr(metafunc.function, "needs", ()), getattr(metafunc.function, "network", False)
    fitting = [
        one
        for one in registry.working()
        if (not wanted or one.slug in wanted) and all(map(one.can, verbs)) and (one.hosts or not network)
    ]
    late = NOT_YET.get(metafunc.function.__name__, set())
    marks = {one.slug: [NOT_YET_MARK] * (one.slug in late) for one in fitting}
    cases = [pytest.param(one, id=one.slug, marks=marks[one.slug]) for one in fitting]
    metafunc.parametrize("carrier_class", cases)


@pytest.fixture
def bench(carrier_class: AnyCarrier) -> Iterator[Bench]:
    made = Bench(carrier_class, lane(carrier_class))
    yield made
    made.close()


@pytest.fixture
def impatient(monkeypatch: pytest.MonkeyPatch) -> None:
    """A call that may be repeated is repeated at once."""
    monkeypatch.setattr("shipcli.carrier.flow_runner.BACKOFF_S", (0.0, 0.0))
