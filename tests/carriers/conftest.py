"""Each contract test runs for the carriers that have the verbs it needs."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from shipcli.carrier import registry
from tests.carriers.bench import AnyCarrier, Bench, close_drivers, lane


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    if "carrier_class" not in metafunc.fixturenames:
        return
    wanted = metafunc.config.getoption("--carrier")
    verbs, network = getattr(metafunc.function, "needs", ()), getattr(metafunc.function, "network", False)
    when = getattr(metafunc.function, "when", None) or (lambda carrier: True)
    able = [
        one
        for one in registry.list_working()
        if (not wanted or one.slug in wanted) and all(map(one.can, verbs)) and (one.hosts or not network)
    ]
    fitting = [one for one in able if when(one)]
    metafunc.parametrize("carrier_class", fitting, ids=[one.slug for one in fitting])


@pytest.fixture(autouse=True)
def _no_driver_stays_open() -> Iterator[None]:
    yield
    close_drivers()


@pytest.fixture
def bench(carrier_class: AnyCarrier) -> Bench:
    return Bench(carrier_class, lane(carrier_class))


@pytest.fixture
def impatient(monkeypatch: pytest.MonkeyPatch) -> None:
    """A call that may be repeated is repeated at once."""
    monkeypatch.setattr("shipcli.carrier.sending.call_sender.BACKOFF_S", (0.0, 0.0))


@pytest.fixture
def witness_seed(request: pytest.FixtureRequest) -> int:
    """The seed of the random mixtures: fixed, unless one is given."""
    seed: int = request.config.getoption("--witness-seed")
    return seed
