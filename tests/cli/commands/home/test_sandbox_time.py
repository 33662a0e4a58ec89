"""`shipcli sandbox clock`, `shipcli sandbox track` and `shipcli trigger`."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.cli.conftest import Cli
from tests.homes import copy_sandbox

NINE = "2026-01-05T09:00:00+00:00"


@pytest.fixture
def home(tmp_path: Path) -> Path:
    return copy_sandbox(tmp_path / "home")


def test_a_clock_is_stopped_set_and_let_run(cli: Cli) -> None:
    assert cli("sandbox", "clock", "freeze", "2026-01-05T09:00Z", "--json").json["now"] == NINE
    assert cli("sandbox", "clock", "set", "2026-01-06", "--json").json["now"][:10] == "2026-01-06"
    assert cli("sandbox", "clock", "speed", "1440", "--json").json["speed"] == 1440
    assert cli("sandbox", "clock", "real", "--json").json["state"] == "real"
    assert cli("sandbox", "clock", "--json").json["state"] == "real"


def test_time_moves_what_is_tracked(cli: Cli) -> None:
    cli("sandbox", "clock", "freeze", "2026-01-05T09:00Z")
    cli("--sandbox", "trackers", "add", "SC1000000001", "--carrier", "ups")
    rows = cli("sandbox", "clock", "advance", "2026-01-07", "--json").json
    assert [row["status"] for row in rows] == ["in_transit", "in_transit"]
    rows = cli("sandbox", "track", "SC1000000001", "--to", "delivered", "--json").json
    assert [row["status"] for row in rows] == ["out_for_delivery", "delivered"]
    assert cli("trigger", "tracker_updated", "--status", "on_hold", "-d", "metadata.n=1").code == 0


@pytest.mark.parametrize(
    ("words", "code"),
    [
        (("sandbox", "clock", "stop"), 2),
        (("sandbox", "clock", "advance"), 6),
        (("sandbox", "clock", "advance", "soon"), 6),
        (("sandbox", "clock", "speed", "fast"), 6),
        (("sandbox", "track", "SC1000000001"), 3),
        (("trigger", "order_created"), 5),
        (("trigger", "tracker_update"), 6),
    ],
)
def test_what_can_not_be_done_says_so(cli: Cli, words: tuple[str, ...], code: int) -> None:
    result = cli(*words)
    assert (result.code, result.out) == (code, "")
    assert "error: " in result.err


def test_a_dry_run_moves_nothing(cli: Cli) -> None:
    cli("sandbox", "clock", "freeze", "2026-01-05T09:00Z")
    assert cli("--dry-run", "sandbox", "clock", "advance", "61h").code == 0
    assert cli("sandbox", "clock", "--json").json["now"] == NINE
