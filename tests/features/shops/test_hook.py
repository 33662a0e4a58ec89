"""The command of one's own: once per shipment, never in the way of a purchase, its failures visible."""

from __future__ import annotations

import json
import os
import shlex
import signal
import tracemalloc
from collections.abc import Iterator
from pathlib import Path

import pytest

from shipcli.bootstrap import open_app
from shipcli.features.core.app import App
from shipcli.features.core.commands import KEPT_BYTES, run_command
from shipcli.features.shipments import voids
from shipcli.features.shops import hook
from shipcli.worker import Worker
from tests.features.orders.samples import bought, covering, made
from tests.homes import copy_sandbox
from tests.processes import PATIENCE_S


@pytest.fixture
def seen(tmp_path: Path) -> Path:
    return tmp_path / "seen.json"


@pytest.fixture
def hooked(tmp_path: Path, seen: Path) -> Iterator[App]:
    opened = open_app(
        copy_sandbox(tmp_path / "home"), sandbox=True, environ={"SHIPCLI_ON_SHIPPED": f"cat >> {seen}"}
    )
    yield opened
    opened.close()


def list_waiting(app: App) -> list[str]:
    return [str(row["args"]["shipment_id"]) for row in app.store.select("jobs", {"queue": hook.QUEUE})]


def test_a_purchase_queues_the_command_once(hooked: App, seen: Path) -> None:
    sold = bought(hooked, covering(hooked, made(hooked, source="web"), 2, 1))
    assert (list_waiting(hooked), seen.exists()) == ([sold.id], False)
    hook.run_hook(hooked, sold.id)
    told = json.loads(seen.read_text())
    assert (told["type"], told["test_mode"], told["shipment"]["id"]) == ("shipped", True, sold.id)
    (number,) = told["numbers"]
    assert (number["order_number"], number["tracking_number"]) == ("1001", sold.tracking_number)
    assert [(line["sku"], line["quantity"]) for line in number["lines"]] == [("L-1", 2), ("B-1", 1)]


def test_without_the_setting_nothing_is_queued(app: App) -> None:
    bought(app, covering(app, made(app), 2, 1))
    assert list_waiting(app) == []


@pytest.mark.parametrize(
    ("command", "said"),
    [
        ("echo no such shop >&2; exit 3", "ended with 3: no such shop"),
        ("sleep 60", "did not end"),
        ("exit 1", "said nothing"),
    ],
)
def test_a_command_that_fails_is_named(tmp_path: Path, command: str, said: str) -> None:
    app = open_app(copy_sandbox(tmp_path / "home"), sandbox=True, environ={"SHIPCLI_ON_SHIPPED": command})
    try:
        sold = bought(app, covering(app, made(app), 2, 1))
        with pytest.raises(hook.HookFailed, match=said):
            hook.run_hook(app, sold.id, patience_s=0.3)
    finally:
        app.close()


def test_a_voided_label_is_not_told(hooked: App, seen: Path) -> None:
    sold = bought(hooked, covering(hooked, made(hooked, source="web"), 2, 1))
    voids.cancel_shipment(hooked, sold.id)
    hook.run_hook(hooked, sold.id)
    assert not seen.exists()


def test_a_command_that_never_stops_talking_takes_no_memory() -> None:
    tracemalloc.start()
    try:
        code, said = run_command("head -c 40000000 /dev/zero >&2; echo done >&2; exit 3", b"", PATIENCE_S)
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert (code, said.endswith("done"), len(said) <= KEPT_BYTES, peak < 2_000_000) == (3, True, True, True)


def test_what_a_command_leaves_running_is_not_waited_for(tmp_path: Path) -> None:
    note = tmp_path / "pid"
    assert run_command(f"sleep 600 & echo $! > {note}", b"{}", PATIENCE_S) == (0, "")
    os.kill(int(note.read_text()), signal.SIGKILL)


def test_a_command_need_not_read_what_it_is_told() -> None:
    assert run_command("true", bytes(1_000_000), PATIENCE_S) == (0, "")


def test_the_program_may_be_in_a_folder_with_blanks_and_quotes(tmp_path: Path) -> None:
    program = tmp_path / "tell the 'shop'.sh"
    program.write_text("#!/bin/sh\necho no such shop >&2\nexit 4\n")
    program.chmod(0o755)
    assert run_command(shlex.quote(str(program)), b"", PATIENCE_S) == (4, "no such shop")


def test_the_worker_tells_what_a_command_said_in_one_line(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    environ = {"SHIPCLI_ON_SHIPPED": "echo no such shop >&2; exit 3"}
    app = open_app(copy_sandbox(tmp_path / "home"), sandbox=True, environ=environ)
    try:
        bought(app, covering(app, made(app), 2, 1))
        worker = Worker(app, queues=(hook.QUEUE,), periodic=())
        worker.run_due()
        worker.close()
        (job,) = app.jobs.find(queue=hook.QUEUE)
    finally:
        app.close()
    assert (job.state, job.attempts, job.error) == ("ready", 1, "the command ended with 3: no such shop")
    assert [record.exc_info for record in caplog.records] == [None]


def test_a_folder_can_not_name_the_command(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "shipcli.toml").write_text('on_shipped = "touch taken"\n')
    monkeypatch.chdir(tmp_path)
    app = open_app(copy_sandbox(tmp_path / "home"), sandbox=True, environ={})
    try:
        assert (app.config["on_shipped"], hook.find_command(app)) == ("touch taken", "")
    finally:
        app.close()
