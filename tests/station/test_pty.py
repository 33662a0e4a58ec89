"""The station in a real pseudo-terminal, with a scanner, a scale and a printer that are played."""

from __future__ import annotations

import os
import signal
import socket
from pathlib import Path

import pytest

from shipcli.bootstrap import open_app
from shipcli.config import write
from shipcli.features.core.app import App
from shipcli.features.paper.printing.printers import Printer, add_printer
from shipcli.scales.registry import add_scale
from shipcli.scales.targets import parse_target
from tests.features.conftest import live_labels
from tests.processes import wait_for
from tests.scales.lines import play_scale
from tests.station.bench import MUG, TEA, make_order
from tests.station.terminals import F5, F9, read_refusal, run_station

STATION = ("--sandbox", "station")
SCANS = 200


def list_labels(home: Path) -> dict[str, list[str]]:
    app = open_app(home, sandbox=True, environ={})
    try:
        return live_labels(app)
    finally:
        app.close()


@pytest.fixture
def home(tmp_path: Path, app: App) -> Path:
    """The home of the sandbox of `app`."""
    return tmp_path / "home"


def test_pty_no_scan_is_lost_and_none_buys_until_the_command_is_scanned(
    home: Path, app: App, tmp_path: Path
) -> None:
    lines = [{**MUG, "quantity": SCANS // 2, "weight": 10}, {**TEA, "quantity": SCANS // 2, "weight": 10}]
    make_order(app, "1042", line_items=lines)
    with play_scale(b"S S      2.100 kg\r\n", b"SI\r\n") as scale:
        add_scale(app.home, "bench", parse_target(f"serial:{scale.place}", "sics", "9600,7E1"))
        with run_station(home, *STATION, "--check", "--packer", "Ada") as terminal:
            terminal.wait_for("SCAN")
            terminal.scan("1042")
            terminal.wait_for("NOT YET")
            for _ in range(SCANS // 2):
                terminal.scan("MUG-11")
                terminal.scan("TEA-5")
            terminal.wait_for("All is in the box")
            assert list_labels(home) == {}
            terminal.scan("CMD-BUY")
            terminal.wait_for("is printed on zebra")
    assert {number: len(labels) for number, labels in list_labels(home).items()} == {"1042": 1}
    assert len(list((tmp_path / "printed").iterdir())) == 1


@pytest.mark.parametrize("state", ["silent", "unstable", "overload"])
def test_pty_a_scale_without_a_weight_never_buys(home: Path, app: App, state: str) -> None:
    make_order(app, "1042")
    add_scale(app.home, "bench", parse_target(f"simulated:1kg,{state}"))
    with run_station(home, *STATION) as terminal:
        terminal.wait_for("SCAN")
        terminal.scan("1042")
        terminal.wait_for("ANA RUIZ")
        for _ in range(2):
            terminal.press(F9)
            terminal.scan("1042")
            terminal.draw(1.2)
        terminal.scan("nothing-more")
        terminal.wait_for("Nothing is called nothing-more")
    assert list_labels(home) == {}


def test_pty_after_a_kill_the_label_is_there_once_and_its_print_is_offered(home: Path, app: App) -> None:
    make_order(app, "1042")
    write(app.home, "printer_wait", 60)
    with socket.create_server(("127.0.0.1", 0)) as stuck:
        port = stuck.getsockname()[1]
        add_printer(app, Printer("zebra", f"tcp://127.0.0.1:{port}", "ZPL"), replace=True)
        with run_station(home, *STATION) as terminal:
            terminal.wait_for("SCAN")
            terminal.scan("1042")
            terminal.wait_for("READY")
            terminal.press(F9)
            terminal.wait_for("PRINTING")
            os.kill(terminal.process.pid, signal.SIGKILL)
            terminal.process.wait()
    add_zebra_again(app, home.parent)
    with run_station(home, *STATION) as terminal:
        terminal.wait_for("not known to be printed: 1042")
        terminal.press(F5)
        terminal.wait_for("is printed on zebra")
    assert {number: len(labels) for number, labels in list_labels(home).items()} == {"1042": 1}
    wait_for(lambda: len(list((home.parent / "printed").iterdir())) == 1)


def add_zebra_again(app: App, folder: Path) -> None:
    add_printer(app, Printer("zebra", f"spool:{folder / 'printed'}", "ZPL"), replace=True)


def test_pty_a_number_that_is_pasted_is_taken_as_one_that_is_scanned(home: Path, app: App) -> None:
    make_order(app, "1042")
    with run_station(home, *STATION) as terminal:
        terminal.wait_for("SCAN")
        terminal.press(b"\x1b[200~1042\x1b[201~")
        terminal.wait_for("> 1042")
        terminal.press(b"\r")
        terminal.wait_for("READY")
    assert list_labels(home) == {}


def test_pty_a_scale_that_says_the_same_again_has_nothing_drawn(home: Path, app: App) -> None:
    make_order(app, "1042")
    add_scale(app.home, "bench", parse_target("simulated:1kg"))
    with run_station(home, *STATION) as terminal:
        terminal.wait_for("SCAN")
        terminal.scan("1042")
        terminal.wait_for("READY")
        terminal.draw(0.1)
        terminal.wait_for_rest()


# -- where no screen can be shown ------------------------------------------------------------------


def test_pty_a_terminal_that_cannot_draw_is_refused(home: Path) -> None:
    code, said = read_refusal(home, TERM="dumb")
    assert code == 2
    assert "TERM=dumb" in said


def test_pty_an_encoding_without_the_signs_is_refused(home: Path) -> None:
    code, said = read_refusal(home, PYTHONIOENCODING="latin-1")
    assert code == 2
    assert "UTF-8" in said


def test_pty_the_screen_never_goes_into_a_file(home: Path, tmp_path: Path) -> None:
    with (tmp_path / "errors.txt").open("w+") as errors:
        code, _ = read_refusal(home, errors.fileno())
        errors.seek(0)
        assert "standard error" in errors.read()
    assert code == 2


def test_pty_a_station_whose_terminal_is_gone_ends(home: Path) -> None:
    with run_station(home, *STATION) as terminal:
        terminal.wait_for("SCAN")
        assert terminal.hang_up() == 0
