"""Processes that add shipments while the server is killed, restarted, promoted, or loses its connections."""

from __future__ import annotations

import random
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import psycopg

from shipcli.store.store import Store
from tests.cluster import USER, PostgresServer, run_server

WRITERS, PATIENCE_S = 2, 60
WRITE = "from tests.engines.work import add_and_note; add_and_note({!r}, {!r}, {!r})"
CUT = "select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'shipcli'"


class Writers:
    """Processes that add shipments, and what was acknowledged to them."""

    def __init__(self, folder: Path, place: str) -> None:
        self._folder, self.place, self._count = folder, place, 0
        self._running: list[subprocess.Popen[bytes]] = []
        for _ in range(WRITERS):
            self.add()

    def add(self) -> None:
        """Start one more."""
        noted = str(self._folder / f"noted{self._count}")
        code = WRITE.format(self.place, f"w{self._count}n", noted)
        self._running.append(subprocess.Popen([sys.executable, "-c", code]))
        self._count += 1

    def kill_one(self) -> None:
        """End one as a crash would, and start another."""
        process = self._running.pop(0)
        process.send_signal(signal.SIGKILL)
        process.wait()
        self.add()

    def list_acknowledged(self) -> list[str]:
        """The ids whose transactions were acknowledged."""
        texts = (file.read_text() for file in self._folder.glob("noted*"))
        return [line for text in texts for line in text.splitlines()]

    def wait_for_more(self) -> None:
        """Wait until something more was acknowledged: all goes on by itself."""
        before, end = len(self.list_acknowledged()), time.monotonic() + PATIENCE_S
        while len(self.list_acknowledged()) <= before:
            assert time.monotonic() < end, "nothing goes on"
            assert all(process.poll() is None for process in self._running), "a writer gave up"
            time.sleep(0.02)

    def stop(self) -> None:
        """End all."""
        for process in self._running:
            process.kill()
            process.wait()


@contextmanager
def run_writers(server: PostgresServer, place: str) -> Iterator[Writers]:
    """Writers that have begun."""
    with tempfile.TemporaryDirectory() as folder:
        Store.open(place, clock=_clock).close()
        writers = Writers(Path(folder), place)
        try:
            writers.wait_for_more()
            yield writers
        finally:
            writers.stop()


def _clock() -> datetime:
    return datetime.now(UTC)


def measure_crashes(kind: str, times: int) -> dict[str, int]:
    """Do this to the server or the writers so often; what was lost or is damaged."""
    with run_server() as server, run_writers(server, _write_url(server)) as writers:
        for _ in range(times):
            time.sleep(random.uniform(0, 0.2))
            CRASHES[kind](server, writers)
            writers.wait_for_more()
        writers.stop()
        return _compare(writers)


def _compare(writers: Writers) -> dict[str, int]:
    acknowledged = writers.list_acknowledged()
    with Store.open(writers.place, clock=_clock) as store:
        kept = [document["id"] for document in store.each("shipment")]
        return {
            "acknowledged": len(acknowledged), "lost": len(set(acknowledged) - set(kept)),
            "twice": len(kept) - len(set(kept)), "wrong in db check": len(store.check()),
        }  # fmt: skip


def _write_url(*servers: PostgresServer) -> str:
    return f"postgresql://{USER}@/postgres?host={','.join(str(server.folder) for server in servers)}"


def _kill_postgres(server: PostgresServer, writers: Writers) -> None:
    server.kill()
    server.start()


def _connect(server: PostgresServer) -> psycopg.Connection[Any]:
    return psycopg.connect(host=str(server.folder), user=USER, dbname="postgres", autocommit=True)


def _cut(server: PostgresServer, writers: Writers) -> None:
    with psycopg.connect(
        host=str(server.folder), user=USER, dbname="postgres", autocommit=True
    ) as connection:
        connection.execute(CUT)


def _kill_writer(server: PostgresServer, writers: Writers) -> None:
    writers.kill_one()


CRASHES: dict[str, Callable[[PostgresServer, Writers], Any]] = {
    "postgres": _kill_postgres,
    "cut": _cut,
    "worker": _kill_writer,
}


def measure_promotion() -> dict[str, int]:
    """Kill a server that has a synchronous standby, and promote that."""
    with ExitStack() as stack:
        server = stack.enter_context(run_server())
        standby = server.make_standby(
            Path(stack.enter_context(tempfile.TemporaryDirectory(dir=server.folder.parent)))
        )
        standby.start()
        stack.callback(standby.stop)
        with psycopg.connect(
            host=str(server.folder), user=USER, dbname="postgres", autocommit=True
        ) as connection:
            connection.execute("alter system set synchronous_standby_names = '*'")
            connection.execute("select pg_reload_conf()")
        writers = stack.enter_context(run_writers(server, _write_url(server, standby)))
        server.kill()
        standby.promote()
        writers.wait_for_more()
        writers.stop()
        server.start()  # so that it can be stopped
        with psycopg.connect(
            host=str(standby.folder), user=USER, dbname="postgres", autocommit=True
        ) as connection:
            connection.execute("alter system set synchronous_standby_names = ''")
            connection.execute("select pg_reload_conf()")
        writers.place = _write_url(standby)
        return _compare(writers)
