"""Who is alive: processes of this machine, of another one, and of another container."""

from __future__ import annotations

import os
import socket
import subprocess
import sys
from pathlib import Path

import pytest

from shipcli.features.core import processes
from shipcli.features.core.app import App
from shipcli.features.core.presence import TABLE, ProcessPresence, is_gone
from shipcli.features.core.processes import is_alive, is_running, name_process
from shipcli.features.shipments import unconfirmed
from tests.engines import name_store
from tests.features.core.neighbours import dead_neighbour, neighbour

ELSEWHERE = f"{'0' * 36}.1/1/1"
HOLD = """
import sys
from pathlib import Path
from shipcli.bootstrap import open_app
from shipcli.features.core.locks import hold_locks
with hold_locks(open_app(Path(sys.argv[1]), sandbox=True), ["manifest/ups"], "taken"):
    print("holds", flush=True)
    sys.stdin.readline()
"""
NAMESPACE = ["unshare", "--user", "--map-root-user", "--pid", "--fork", "--mount-proc"]


def test_a_process_that_can_be_seen_is_alive_or_dead() -> None:
    machine, number, started = name_process().rsplit("/", 2)
    assert is_running(name_process())
    assert is_running(neighbour())
    assert is_running(dead_neighbour()) is False
    for owner in (
        f"{number}/{started}0",
        f"0000/{started}",
        f"-1/{started}",
        f"{'9' * 30}/{started}",
        "x",
        "",
    ):
        assert not is_alive(f"{machine}/{owner}")


def test_a_process_that_can_not_be_seen_is_alive_until_its_lease_runs_out() -> None:
    machine, _, process = name_process().partition("/")
    boot, _, namespace = machine.partition(".")
    for other in (f"0{boot[1:]}x.{namespace}", f"{boot}.{namespace}0", "", "localhost@boot"):
        assert is_running(f"{other}/{process}") is None
        assert is_alive(f"{other}/{process}")


def test_the_name_of_the_host_is_no_part_of_an_identity(monkeypatch: pytest.MonkeyPatch) -> None:
    assert socket.gethostname() not in name_process()


def test_a_process_whose_start_is_hidden_is_alive(monkeypatch: pytest.MonkeyPatch) -> None:
    owner = neighbour()
    monkeypatch.setattr(processes, "_read_start", lambda pid: None)
    assert is_running(owner)


def test_presence_decides_about_processes_that_can_not_be_seen(
    app: App, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert is_gone(app.store, ELSEWHERE)
    now = app.store.steady()
    with app.store.transaction() as tx:
        tx.insert(TABLE, {"process": ELSEWHERE, "machine": "another", "since": now, "seen": now})
    assert not is_gone(app.store, ELSEWHERE)
    monkeypatch.setattr(app.store, "steady", lambda: now + 91)
    assert is_gone(app.store, ELSEWHERE)
    assert not is_gone(app.store, name_process()), "seen with its own eyes"


def test_presence_lasts_while_something_is_held(app: App) -> None:
    presence = ProcessPresence(app.store)
    presence.begin()
    presence.begin()
    assert not presence.release(1)
    assert [row["process"] for row in app.store.select(TABLE)] == [name_process()]
    assert presence.release(1)
    with app.store.transaction() as tx:
        presence.leave(tx)
    assert app.store.select(TABLE) == []


def test_the_key_of_a_purchase_belongs_to_a_process_elsewhere_while_it_is_present(app: App) -> None:
    key = unconfirmed.take_key(app, {"a": 1})
    now = app.store.steady()
    with app.store.transaction() as tx:
        tx.update("locks", {"name": key.name}, {"owner": ELSEWHERE})
        tx.insert(TABLE, {"process": ELSEWHERE, "machine": "another", "since": now, "seen": now})
    other = unconfirmed.take_key(app, {"a": 1})
    assert other != key
    with app.store.transaction() as tx:
        tx.remove(TABLE, {"process": ELSEWHERE})
    assert unconfirmed.take_key(app, {"a": 1}) == key
    unconfirmed.drop_keys(app, [key, other, key])


@pytest.mark.skipif(
    not sys.platform.startswith("linux")
    or subprocess.run([*NAMESPACE, "true"], capture_output=True).returncode != 0,
    reason="namespaces of process ids can't be made here",
)
def test_a_lock_held_in_another_namespace_of_process_ids_is_refused(app: App) -> None:
    environ = {**os.environ, **name_store(app.home)}
    holder = subprocess.Popen(
        [*NAMESPACE, sys.executable, "-c", HOLD, str(app.home)],
        stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, cwd=Path.cwd(), env=environ,
    )  # fmt: skip
    assert holder.stdin
    assert holder.stdout
    with holder:
        assert holder.stdout.readline() == "holds\n"
        words = [*NAMESPACE, sys.executable, "-c", HOLD, str(app.home)]
        second = subprocess.run(words, input="\n", capture_output=True, text=True, env=environ)
        assert "Conflict: taken" in second.stderr
        assert second.stdout == ""
        holder.stdin.write("\n")
        holder.stdin.flush()
        assert holder.wait() == 0
