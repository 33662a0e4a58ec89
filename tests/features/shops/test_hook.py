"""The command of one's own: once per shipment, never in the way of a purchase, its failures visible."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from shipcli.bootstrap import open_app
from shipcli.features.core.app import App
from shipcli.features.shops import hook
from tests.features.orders.samples import bought, covering, made
from tests.homes import copy_sandbox


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


def test_a_folder_can_not_name_the_command(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "shipcli.toml").write_text('on_shipped = "touch taken"\n')
    monkeypatch.chdir(tmp_path)
    app = open_app(copy_sandbox(tmp_path / "home"), sandbox=True, environ={})
    try:
        assert (app.config["on_shipped"], hook.find_command(app)) == ("touch taken", "")
    finally:
        app.close()
