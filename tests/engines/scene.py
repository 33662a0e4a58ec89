"""A house whose programs and whose database end as a crash ends them, and start again."""

from __future__ import annotations

import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any, TypeVar

import psycopg

from shipcli import bootstrap
from shipcli.features.core.app import App
from shipcli.store.errors import CommitUnknown, StoreBusy
from tests.api.running import answers
from tests.cluster import USER, PostgresServer, run_server
from tests.engines.house import SERVERS, WORKERS, SharedHouse
from tests.engines.program import use_ledger
from tests.engines.wire import Wire, run_wire
from tests.processes import wait_for
from tests.worker.receiver import Receiver, receiving

PATIENCE_S = 180.0  # longer than any lease that a try waits for
ResultT = TypeVar("ResultT")


class Scene:
    """The house, its running programs, and the servers of its database: the first is the primary."""

    def __init__(self, house: SharedHouse, databases: list[PostgresServer], wire: Wire | None) -> None:
        self.house, self.databases, self.wire = house, databases, wire
        self.receiver = Receiver()
        self.running: dict[str, subprocess.Popen[bytes]] = {}

    def start(self, machine: str) -> None:
        """Start the program of a machine; what it says is kept in a file."""
        with (self.house.folder / f"{machine}.log").open("ab") as log:
            line = self.house.write_start(machine)
            self.running[machine] = subprocess.Popen(line, env=self.house.environ, stderr=log, stdout=log)

    def start_all(self) -> None:
        """Start all programs, and wait until the servers answer."""
        for machine in (*SERVERS, *WORKERS):
            self.start(machine)
        wait_for(lambda: all(answers(port) for port in self.house.ports.values()), PATIENCE_S)

    def restart(self, machine: str) -> None:
        """End the program of a machine as a crash would, and start it again."""
        self.running[machine].send_signal(signal.SIGKILL)
        self.running[machine].wait()
        self.start(machine)

    def stop(self) -> None:
        """End all programs."""
        for process in self.running.values():
            process.kill()
            process.wait()

    def list_surprises(self) -> list[str]:
        """The first lines of errors that no program expected."""
        texts = (file.read_text("utf-8", "replace") for file in self.house.folder.glob("*.log"))
        return [line for text in texts for line in text.splitlines() if line.startswith("Traceback")]

    def do_sql(self, *statements: str) -> Any:
        """Tell the primary something, past all that may be cut; the value that the last statement gives."""
        place = str(self.databases[0].folder)
        with psycopg.connect(host=place, user=USER, dbname="postgres", autocommit=True) as connection:
            cursors = [connection.execute(statement.encode()) for statement in statements]
            row = cursors[-1].fetchone()
        return row[0] if row else None

    def renew_standby(self) -> None:
        """Let the other server follow the first one anew."""
        primary, other = self.databases
        shutil.rmtree(other.folder / "data", ignore_errors=True)
        self.databases = [primary, primary.make_standby(other.folder)]
        self.databases[1].start()


@contextmanager
def open_scene(*, with_standby: bool = False) -> Iterator[tuple[Scene, App]]:
    """A house that works; its carriers keep their ledger apart."""
    with ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="shipcli-house-")))
        databases, hosts, wire = [stack.enter_context(run_server())], list[Path](), None
        if with_standby:
            second = Path(tempfile.mkdtemp(dir=databases[0].folder.parent, prefix="shipcli-pg-"))
            stack.callback(shutil.rmtree, second, ignore_errors=True)
            databases.append(PostgresServer(second, databases[0].programs))
            stack.callback(databases[1].stop)
            hosts = [database.folder for database in databases]
        else:
            wire = stack.enter_context(run_wire(folder / "wire", databases[0].folder))
            hosts = [wire.folder]
        url = f"postgresql://{USER}@/postgres?host={','.join(map(str, hosts))}"
        program = (sys.executable, "-m", "tests.engines.program", str(folder / "ledger.db"))
        scene = Scene(SharedHouse(folder, url, PATIENCE_S, program), databases, wire)
        stack.callback(setattr, bootstrap, "choose_ledger_place", bootstrap.choose_ledger_place)
        use_ledger(folder / "ledger.db")
        scene.receiver = stack.enter_context(receiving())
        app = scene.house.open("desk")
        stack.callback(app.close)
        scene.house.set_up(app, scene.receiver.url())
        stack.callback(scene.stop)
        scene.start_all()
        yield scene, app


def be_patient(read: Callable[[], ResultT]) -> ResultT:
    """Read from the store; once more while it is away."""
    end = time.monotonic() + PATIENCE_S
    while True:
        try:
            return read()
        except (StoreBusy, CommitUnknown):
            assert time.monotonic() < end, "the store does not come back"
            time.sleep(0.1)
