"""Several processes on one file: no error, no loss, nothing half done."""

from __future__ import annotations

import multiprocessing
import os
import signal
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from shipcli.store.ledger import LedgerFile
from shipcli.store.query import equal
from shipcli.store.store import Store
from tests.processes import PATIENCE_S

SPAWN = multiprocessing.get_context("spawn")


def _now() -> datetime:
    return datetime.now(UTC)


def _write(path: str, worker: int, count: int, start: Any) -> None:
    start.wait()
    with Store.open(path, clock=_now) as store:
        for number in range(count):
            document = {
                "id": store.new_id("shp_"),
                "status": "draft",
                "reference": f"{worker}-{number}",
                "metadata": {"worker": worker},
            }
            with store.transaction(durable=number % 50 == 0) as tx:
                tx.put("shipment", document, test_mode=True)
                tx.put("shipment", document | {"status": "purchased"})
                tx.next_number("labels")


def _draw_number(store: Store) -> int:
    with store.transaction() as tx:
        return tx.next_number("labels")


def _die_halfway(path: str, ready: Any) -> None:
    store = Store.open(path, clock=_now)
    with store.transaction() as tx:
        for number in range(300):
            tx.put(
                "shipment", {"id": f"shp_lost{number}", "status": "draft", "meta": {"a": "b"}}, test_mode=True
            )
        tx.put_file("shp_lost0", "label", b"x" * 3_000_000, format="PDF", media_type="application/pdf")
        ready.set()
        signal.pause()


def _buy_labels(path: str, count: int, start: Any) -> None:
    start.wait()
    ledger = LedgerFile(path)
    for _ in range(count):
        with ledger.transaction():
            number = ledger.next_number("ups")
            ledger.put("ups", "label", str(number), {"process": os.getpid()})
    ledger.close()


def _run(target: Callable[..., None], arguments: list[tuple[Any, ...]]) -> list[int | None]:
    start = SPAWN.Event()
    processes = [SPAWN.Process(target=target, args=(*some, start)) for some in arguments]
    for process in processes:
        process.start()
    start.set()
    for process in processes:
        process.join(PATIENCE_S)
        process.kill()
        process.join()
    return [process.exitcode for process in processes]


def test_two_processes_make_and_write_one_store_at_once(path: Path) -> None:
    assert _run(_write, [(str(path), worker, 500) for worker in (1, 2)]) == [0, 0]
    with Store.open(path, clock=_now) as store:
        assert store.count("shipment", [equal("status", "purchased")], True) == 1000
        assert _draw_number(store) == 1001
        assert store.check() == []


@pytest.mark.skipif(os.name != "posix", reason="kill -9 is a POSIX matter")
def test_a_process_killed_in_the_middle_leaves_nothing_half_done(store: Store, path: Path, keep: Any) -> None:
    id, ready = keep(), SPAWN.Event()
    process = SPAWN.Process(target=_die_halfway, args=(str(path), ready))
    process.start()
    assert ready.wait(PATIENCE_S)
    process.kill()
    process.join(PATIENCE_S)
    assert (process.exitcode, store.count("shipment"), store.select("files")) == (-signal.SIGKILL, 1, [])
    keep()
    assert store.get("shipment", id) is not None
    assert store.check() == []


@pytest.mark.skipif(not hasattr(os, "fork"), reason="needs fork")
def test_a_forked_child_uses_connections_of_its_own(store: Store, keep: Any) -> None:
    keep()
    reading, writing = os.pipe()
    child = os.fork()
    if child == 0:
        os.write(writing, str(_draw_number(store)).encode())
        os._exit(0)
    os.waitpid(child, 0)
    os.close(writing)
    with os.fdopen(reading) as answer:
        assert answer.read() == "1"
    assert _draw_number(store) == 2


def test_simulators_of_two_processes_share_their_numbers(tmp_path: Path) -> None:
    path = tmp_path / "ledger.db"
    assert _run(_buy_labels, [(str(path), 200)] * 2) == [0, 0]
    ledger = LedgerFile(path)
    assert sorted(int(key) for _, _, key, _ in ledger.everything()) == list(range(1, 401))
    assert len({record["process"] for _, _, _, record in ledger.everything("label")}) == 2
    ledger.close()
