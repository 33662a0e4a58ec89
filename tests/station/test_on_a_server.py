"""The same station on a server: its store is there, the printer here."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest

from shipcli.bootstrap import open_app
from shipcli.features.core.app import App
from shipcli.gateway.client import RemoteServer
from shipcli.gateway.http import HttpGateway
from shipcli.gateway.remote_versions import VERSIONS
from shipcli.workflows.station.loads import Phase
from shipcli.workflows.station.scans import StationCommand
from shipcli.workflows.station.steps import PrintLabel
from tests.api.running import Running
from tests.features.conftest import live_labels
from tests.gateway.conftest import between
from tests.station.bench import Bench, add_zebra, make_order
from tests.station.terminals import run_station

BUY, REPRINT = StationCommand.BUY, StationCommand.REPRINT
Connect = Callable[..., Bench]


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Running, App]]:
    """A server in a process of its own, and its store."""
    home = tmp_path_factory.mktemp("server") / "home"
    words = ("sandbox", "up", "--carriers", "fedex,ups", "--keep", "--port", "0", "--json")
    with Running("--home", str(home), *words) as running:
        app = open_app(home, sandbox=True, environ={})
        yield running, app
        app.close()
        assert running.stop() == 0


@pytest.fixture
def connect(server: tuple[Running, App], tmp_path: Path) -> Iterator[Connect]:
    """A station of a machine with a store of its own; the answers of `lost` operations do not arrive."""
    running, _ = server
    with ExitStack() as stack:
        own = open_app(tmp_path / "own", sandbox=True, environ={}, carriers="ups")
        stack.callback(own.close)
        add_zebra(own, tmp_path)

        def make_bench(lost: Collection[str] = ()) -> Bench:
            port = stack.enter_context(between(running.port, [], lost=lost))
            remote = RemoteServer(f"http://127.0.0.1:{port}", running.said["api_key"])
            gateway = HttpGateway(remote, VERSIONS, own.config, lambda: own)
            stack.callback(gateway.close)
            return Bench(own, gateway=gateway)

        yield make_bench


def test_an_order_of_a_server_is_bought_there_and_printed_here(
    server: tuple[Running, App], connect: Connect, tmp_path: Path
) -> None:
    make_order(server[1], "S-1")
    bench = connect()
    bench.scan("S-1")
    assert bench.load.phase is Phase.PRICED, bench.station.news
    bench.press(BUY)
    assert len(live_labels(server[1])["S-1"]) == 1
    assert len(list((tmp_path / "printed").iterdir())) == 1
    bench.scan(str(bench.station.last and bench.station.last.tracking_number))
    assert "F5 prints another copy" in bench.station.news


def test_what_was_bought_before_a_crash_is_offered_at_the_next_start(
    server: tuple[Running, App], connect: Connect, tmp_path: Path
) -> None:
    make_order(server[1], "S-2")
    bench = connect()
    bench.scan("S-2")
    bench.waits = lambda effect: isinstance(effect, PrintLabel)
    bench.press(BUY)
    assert bench.station.phase is Phase.BOUGHT, bench.station.news
    after = connect()
    after.open()
    assert "S-2" in after.station.news
    after.press(REPRINT)
    assert len(live_labels(server[1])["S-2"]) == 1
    assert len(list((tmp_path / "printed").iterdir())) == len(after.done)


def test_a_purchase_whose_answer_was_lost_on_the_line_is_found(
    server: tuple[Running, App], connect: Connect
) -> None:
    make_order(server[1], "S-3")
    bench = connect(lost=["buyOrder"])
    bench.scan("S-3")
    bench.press(BUY)
    bench.press(BUY)
    assert list(live_labels(server[1])["S-3"]), (bench.station.news, bench.station.phase)
    assert bench.station.count == 1


def test_a_server_that_is_away_is_said(connect: Connect) -> None:
    bench = connect(lost=["listOrders", "retrieveOrder", "findIds"])
    bench.scan("S-1")
    assert bench.station.is_bad
    assert bench.station.load is None


def test_pty_the_screen_works_on_a_server(server: tuple[Running, App], tmp_path: Path) -> None:
    running, app = server
    make_order(app, "S-4")
    own = open_app(tmp_path / "own", sandbox=True, environ={}, carriers="ups")
    add_zebra(own, tmp_path)
    own.close()
    key = tmp_path / "key.txt"
    key.write_text(str(running.said["api_key"]))
    words = ("--sandbox", "--api-url", str(running.said["url"]), "--api-key-file", str(key), "station")
    with run_station(tmp_path / "own", *words) as terminal:
        terminal.wait_for("SCAN")
        terminal.scan("S-4")
        terminal.wait_for("READY")
        terminal.scan("CMD-BUY")
        terminal.wait_for("is printed on zebra")
    assert len(live_labels(app)["S-4"]) == 1
    assert len(list((tmp_path / "printed").iterdir())) == 1
