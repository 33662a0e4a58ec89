"""A day of several machines with one store in PostgreSQL: two servers, two workers and a command line.

Each machine has a home of its own; they share the store, the master key and nothing else. SHIPCLI_DAY_ROWS
says how many labels they buy.
"""

from __future__ import annotations

import json
import os
import signal
import subprocess
import threading
from collections import Counter
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, closing, contextmanager
from pathlib import Path
from typing import Any

import pytest

from shipcli.features.core.app import App
from shipcli.models.basics.store_url import add_schema
from tests.api.running import answers
from tests.cluster import MISSING, find_programs
from tests.engines import CHOICE
from tests.engines.house import CARRIERS, SERVERS, WORKERS, SharedHouse
from tests.factories import body
from tests.features.conftest import live_labels
from tests.features.files.rows import file_content, row
from tests.processes import PATIENCE_S, wait_for
from tests.worker.receiver import Receiver, receiving

pytestmark = [pytest.mark.slow, pytest.mark.skipif(find_programs() is None, reason=MISSING)]
ROWS = int(os.environ.get("SHIPCLI_DAY_ROWS", "120"))
PATIENT_S = PATIENCE_S + ROWS  # a busy machine buys one a second at least
BOX = {f"Parcel {side}": "20" for side in ("length", "width", "height")} | {"Parcel dimension unit": "CM"}


@pytest.fixture
def house(tmp_path: Path) -> SharedHouse:
    socket = CHOICE.find_socket()
    url = add_schema(f"postgresql://shipcli@/postgres?host={socket}", f"day_{os.getpid()}")
    return SharedHouse(tmp_path, url, PATIENT_S)


@pytest.fixture
def receiver() -> Iterator[Receiver]:
    with receiving() as each:
        yield each


def split_rows(prefix: str, count: int) -> list[dict[str, Any]]:
    """Bodies that buy, in turns from each carrier."""
    slugs = [list(CARRIERS)[number % len(CARRIERS)] for number in range(count)]
    return [
        body(reference=f"{prefix}-{number}", carrier_ids=[slug], service=CARRIERS[slug])
        for number, slug in enumerate(slugs)
    ]


def write_file(path: Path, count: int) -> list[str]:
    """A file for the import; the references in it."""
    names = [f"FILE-{number}" for number in range(count)]
    carriers = list(CARRIERS)
    rows = [row(0, Carrier=carriers[at % 2], Reference=name, **BOX) for at, name in enumerate(names)]
    path.write_bytes(file_content(list(rows)))
    return names


def buy_at_once(house: SharedHouse) -> list[str]:
    """Buy from all sides: batches, single requests and a file; the references."""
    some = ROWS // 6
    shares = {server: split_rows(server, some) for server in SERVERS}
    loads = {server: split_rows(f"batch-{server}", some) for server in SERVERS}
    path = house.folder / "rows.csv"
    names = write_file(path, ROWS - 4 * some)
    words = ("import", "shipments", str(path), "--buy", "cheapest", "--yes")
    with ThreadPoolExecutor(5) as pool:
        waiting = [pool.submit(house.run, "desk", *words)]
        for server in SERVERS:
            house.ask(server, "POST", "/v1/batches/shipments", {"shipments": loads[server]})
            waiting += [
                pool.submit(buy_each, house, server, part)
                for part in (shares[server][::2], shares[server][1::2])
            ]
        for each in waiting:
            each.result()
    house.run("desk", *words)  # a second time: nothing is left to buy
    return names + [
        str(each["reference"]) for part in (shares, loads) for rows in part.values() for each in rows
    ]


def buy_each(house: SharedHouse, server: str, bodies: Sequence[dict[str, Any]]) -> None:
    for each in bodies:
        assert house.ask(server, "POST", "/v1/shipments", each)["status"] == "purchased"


def test_a_day_of_two_servers_two_workers_and_a_command_line(house: SharedHouse, receiver: Receiver) -> None:
    with closing(house.open("desk")) as app:
        house.set_up(app, receiver.url())
        with ExitStack() as programs:
            running = [programs.enter_context(start(house, name)) for name in (*SERVERS, *WORKERS)]
            said = [listen_to(process) for process in running]
            wait_for(lambda: all(answers(port) for port in house.ports.values()))
            references = buy_at_once(house)
            wait_for(lambda: not app.jobs.find(), PATIENT_S)
            check_purchases(app, references)
            close_the_day(house, app)
            wait_for(lambda: not app.jobs.find(), PATIENT_S)
            for process in running:
                process.send_signal(signal.SIGTERM)
            assert [process.wait(PATIENCE_S) for process in running] == [0] * len(running)
        check_events(app, receiver)
        assert app.store.check() == []
    assert [text for each in said for text in each() if "Traceback" in text] == []


@contextmanager
def start(house: SharedHouse, machine: str) -> Iterator[subprocess.Popen[str]]:
    with subprocess.Popen(
        house.write_start(machine), stderr=subprocess.PIPE, env=house.environ, text=True
    ) as process:
        try:
            yield process
        finally:
            process.kill()  # does nothing to a process that has ended


def listen_to(process: subprocess.Popen[str]) -> Any:
    """Read what a program says, so that it never waits for a reader; call the result for the lines."""
    lines: list[str] = []
    assert process.stderr is not None
    thread = threading.Thread(target=lines.extend, args=(process.stderr,))
    thread.start()

    def finish() -> list[str]:
        thread.join(PATIENCE_S)
        return lines

    return finish


def check_purchases(app: App, references: Sequence[str]) -> None:
    """Every row has one label at the carriers, one shipment and one tracker here."""
    sold = live_labels(app)
    assert len(references) == ROWS
    assert sorted(sold) == sorted(references)
    assert {len(numbers) for numbers in sold.values()} == {1}
    assert app.store.count("shipment") == app.store.count("tracker") == ROWS
    numbers = app.store.columns("shipments", ("tracking_number",), {"status": "purchased"})
    assert sorted(number for (number,) in numbers) == sorted(
        number for each in sold.values() for number in each
    )


def close_the_day(house: SharedHouse, app: App) -> None:
    """The end of day closes all labels, once."""
    closed = json.loads(house.run("desk", "eod", "-y", "--json"))
    assert [each["state"] for each in closed] == ["closed"] * len(closed)
    assert sum(each["count"] for each in closed) == ROWS
    assert app.store.count("manifest") == len(closed) > 1
    house.run("desk", "eod", "-y")
    assert app.store.count("manifest") == len(closed)


def check_events(app: App, receiver: Receiver) -> None:
    """Everything that happened was said of once, and delivered once."""
    happened = Counter((each["type"], each["data"]["id"]) for each in app.store.each("event"))
    kinds = Counter(kind for kind, _ in happened)
    assert (kinds["shipment_purchased"], kinds["tracker_created"]) == (ROWS, ROWS)
    assert set(happened.values()) == {1}
    arrived = receiver.ids()
    assert set(arrived) == {each["id"] for each in app.store.each("event")}
    assert set(arrived.values()) == {1}
