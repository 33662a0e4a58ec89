"""A commit whose answer was lost: the server is asked what became of it, and nothing is written twice."""

from __future__ import annotations

import os
import signal
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing, suppress
from pathlib import Path
from typing import Any

import psycopg
import pytest

from shipcli.models.basics.store_url import add_schema
from shipcli.store.errors import CommitUnknown, StoreBusy
from shipcli.store.jobs import Jobs
from shipcli.store.postgres import connections as module
from shipcli.store.postgres import outcomes
from shipcli.store.postgres.connections import ConnectionPool
from shipcli.store.postgres.url import read_url
from shipcli.store.store import Store
from tests.cluster import USER, PostgresServer, run_server
from tests.engines.wire import Wire, run_wire
from tests.processes import wait_for


@pytest.fixture
def wire(server: str, tmp_path: Path) -> Iterator[Wire]:
    with run_wire(tmp_path / "wire", Path(server.rpartition("=")[2])) as wire:
        yield wire


@pytest.fixture
def place(wire: Wire, request: pytest.FixtureRequest) -> str:
    """The URL of a schema of its own, at the end of the wire."""
    address = f"postgresql://shipcli@/postgres?host={wire.folder}"
    return add_schema(address, f"t{abs(hash(request.node.name)) % 10**12}")


def note(store: Store, name: str, *, durable: bool = False) -> None:
    with store.transaction(durable=durable) as tx:
        tx.insert("store_facts", {"name": name, "value": 1})


def list_names(store: Store) -> set[str]:
    return {row["name"] for row in store.select("store_facts")}


def test_what_was_saved_before_its_answer_was_lost_is_taken_as_saved(store: Store, wire: Wire) -> None:
    for number in range(8):  # from a commit that was sent as text to one that was prepared
        wire.cut_at_answer(1)
        note(store, f"saved {number}")
        assert wire.is_cut.is_set()
    assert {f"saved {number}" for number in range(8)} <= list_names(store)


def test_jobs_whose_claim_was_not_answered_are_held(store: Store, wire: Wire, clock: Any) -> None:
    jobs = Jobs(store, clock, lambda: "here", lambda name: True)
    with store.transaction() as tx:
        jobs.enqueue(tx, "mail", "send", {})
    wire.cut_at_answer(1)
    assert [job.name for job in jobs.claim({"mail": 1})] == ["send"]
    assert jobs.claim({"mail": 1}) == []


def test_what_was_not_saved_is_said_to_be_and_can_be_repeated(store: Store, wire: Wire) -> None:
    def note_and_cut() -> None:
        with store.transaction() as tx:
            tx.insert("store_facts", {"name": "lost", "value": 1})
            wire.cut_all()

    with pytest.raises(StoreBusy, match="nothing was saved"):
        note_and_cut()
    assert "lost" not in list_names(store)
    note(store, "lost")
    assert "lost" in list_names(store)


def test_a_user_without_other_rights_may_ask(server: str, wire: Wire, clock: Any, tmp_path: Path) -> None:
    name = f"clerk_{abs(hash(str(tmp_path))) % 10**12}"
    with psycopg.connect(server, autocommit=True) as connection:
        connection.execute(f"create role {name} login")
        connection.execute(f"grant create on database postgres to {name}")
        try:
            place = add_schema(f"postgresql://{name}@/postgres?host={wire.folder}", name)
            with Store.open(place, clock=clock) as store:
                wire.cut_at_answer(1)
                note(store, "saved")
                assert "saved" in list_names(store)
        finally:
            connection.execute(f"drop owned by {name} cascade")
            connection.execute(f"drop role {name}")


def ask(server: str, number: str, life: str) -> None:
    with closing(ConnectionPool(read_url(server), 5, lambda: None)) as pool:
        outcomes.check_saved(pool, f"{number}/{life}", psycopg.OperationalError("gone"))


@pytest.fixture
def number(server: str) -> str:
    """The number of a transaction that was saved."""
    with psycopg.connect(server) as connection:
        row = connection.execute("select pg_current_xact_id()::text").fetchone()
    assert row is not None
    return str(row[0])


def test_a_server_that_was_restarted_since_has_given_the_number_to_another(server: str, number: str) -> None:
    with pytest.raises(CommitUnknown):
        ask(server, number, "before")


def test_a_number_that_nobody_has_after_a_restart_was_not_saved(server: str, number: str) -> None:
    with pytest.raises(StoreBusy, match="nothing was saved"):
        ask(server, str(int(number) + 10**9), "before")


@pytest.fixture
def returning(wire: Wire, monkeypatch: pytest.MonkeyPatch) -> Callable[[], int]:
    """The server is away until somebody waits for it; how often that was."""
    waits: list[float] = []

    def come_back(seconds: float) -> None:
        waits.append(seconds)
        wire.open()

    monkeypatch.setattr(module.time, "sleep", come_back)
    wire.close()
    return lambda: len(waits)


def test_what_must_not_be_lost_waits_for_a_server_that_is_away(
    store: Store, wire: Wire, returning: Callable[[], int]
) -> None:
    with pytest.raises(StoreBusy):
        note(store, "may be told to come again")
    assert returning() == 0
    note(store, "bought", durable=True)
    assert returning() == 1
    assert list_names(store) & {"bought", "may be told to come again"} == {"bought"}


def test_all_threads_go_on_when_every_connection_was_lost(store: Store, wire: Wire) -> None:
    for turn in range(2):
        with ThreadPoolExecutor(4) as pool:
            for each in [pool.submit(note, store, f"thread {4 * turn + number}") for number in range(4)]:
                each.result()
        wire.cut_all()
    assert {f"thread {number}" for number in range(8)} <= list_names(store)


def test_one_life_of_a_server_ends_with_a_crash_of_any_of_its_processes() -> None:
    with run_server() as server:
        before = read_life(server)
        with psycopg.connect(host=str(server.folder), user=USER, dbname="postgres") as connection:
            os.kill(connection.info.backend_pid, signal.SIGKILL)
        wait_for(lambda: read_life(server) not in ("", before))


def read_life(server: PostgresServer) -> str:
    """The life that a server is in; empty while it recovers."""
    with (
        suppress(psycopg.OperationalError),
        psycopg.connect(host=str(server.folder), user=USER, dbname="postgres") as connection,
    ):
        row = connection.execute(f"select {outcomes.MARK}".encode()).fetchone()
        return str((row or ("",))[0]).partition("/")[2]
    return ""
