"""What a price and a label cost at a bench with a courier of its own, against a program that only helps."""

from __future__ import annotations

import os
import resource
import statistics
import subprocess
import sys
from pathlib import Path

import pytest

from tests.benchmarks.bare import BARE
from tests.benchmarks.yardstick import SLACK

pytestmark = [pytest.mark.slow, pytest.mark.benchmark]
ROUNDS = 9
MOST_TIMES = {"quote": 3.0, "ship": 3.5}  # it buys and draws a label
PARCEL = ["--to-name", "Ann Smith", "--to-line1", "5 Main Street", "--to-city", "Boston", "--to-state", "MA",
          "--to-postal-code", "02134", "--weight", "2lb6oz"]  # fmt: skip
SET_UP = (
    "addresses create --name Dock --line1 1_Dock_Rd --city Reno --state NV --postal-code 89501 --country US",
    "addresses default @last",
    "connections add generic --no-input -d display_name=Van -d custom_carrier_name=van",
)


def test_a_price_and_a_label_cost_little_more_than_the_help_of_a_bare_program(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    bare, home = tmp_path / "bare.py", str(tmp_path / "home")
    bare.write_text(BARE)
    shipcli = [sys.executable, "-m", "shipcli", "--home", home]
    lines = {
        "help": [sys.executable, str(bare), "--help"],
        "quote": [*shipcli, "quote", "02134", "--weight", "2lb6oz"],
        "ship": [*shipcli, "ship", *PARCEL, "--cheapest", "-y"],
    }
    # Compiled modules are kept, as in an installation, whatever this test run does with them.
    environ = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
    environ |= {"PYTHONPYCACHEPREFIX": str(tmp_path / "compiled")}
    for words in (*([*shipcli, *line.split()] for line in SET_UP), *lines.values()):
        _use(words, environ)
    spent: dict[str, list[float]] = {name: [] for name in lines}
    for _ in range(ROUNDS):
        for name, words in lines.items():
            spent[name].append(_use(words, environ))
    each = {name: statistics.median(found) for name, found in spent.items()}
    with capsys.disabled():
        print("\n" + ", ".join(f"{name} {value * 1000:.0f} ms CPU" for name, value in each.items()), end="")
    for name, times in MOST_TIMES.items():
        assert each[name] <= times * each["help"] * SLACK, name


def _use(words: list[str], environ: dict[str, str]) -> float:
    """The CPU seconds of a line that succeeds."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run(words, check=True, capture_output=True, env=environ)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
