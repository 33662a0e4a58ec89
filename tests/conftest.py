"""Options and fixtures of all tests."""

from __future__ import annotations

import os
import signal
from collections.abc import Iterator
from contextlib import suppress

import pytest

from tests import guarded_transactions
from tests.engines import CHOICE, POSTGRES, SQLITE
from tests.processes import children, wait_for

if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    # Ignored in a run in the background, and so in every process that a test starts and interrupts.
    signal.signal(signal.SIGINT, signal.default_int_handler)


guarded_transactions.install()


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--carrier", action="append", default=[], metavar="SLUG",
                     help="run the carrier suites for this carrier only; may be repeated")  # fmt: skip
    parser.addoption("--witness-seed", type=int, default=20241206, metavar="N",
                     help="of the random requests that are held against what carriers publish")  # fmt: skip
    parser.addoption("--engine", choices=(SQLITE, POSTGRES), default=SQLITE,
                     help="the engine of all stores; a server is started for PostgreSQL")  # fmt: skip


def pytest_configure(config: pytest.Config) -> None:
    CHOICE.begin(config)


def pytest_unconfigure() -> None:
    CHOICE.end()


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    CHOICE.mark(config, items)


@pytest.fixture(scope="module", autouse=True)
def _no_database_of_a_module_stays() -> Iterator[None]:
    yield
    if CHOICE.databases:
        CHOICE.databases.drop_all()


@pytest.fixture(autouse=True)
def _no_database_of_a_test_stays(request: pytest.FixtureRequest) -> Iterator[None]:
    folder = request.getfixturevalue("tmp_path") if CHOICE.databases else None
    yield
    if CHOICE.databases and folder:
        CHOICE.databases.drop_below(folder)


@pytest.fixture(scope="module", autouse=True)
def _no_process_stays() -> Iterator[None]:
    """A module whose tests leave a process running fails, and the process is ended."""
    before = set(children())
    yield
    with suppress(AssertionError):  # one that was just told to end may need a moment
        wait_for(lambda: before.issuperset(children()), 5)
    left = {id: command for id, command in children().items() if id not in before}
    for id in left:
        os.kill(id, signal.SIGKILL)
    assert left == {}, "these processes were left running"
