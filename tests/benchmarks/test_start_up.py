"""How long a command takes to start, against a bare program made with the same library."""

from __future__ import annotations

import os
import pty
import resource
import statistics
import subprocess
import sys
import threading
from collections.abc import Mapping
from datetime import UTC, datetime
from pathlib import Path

import pytest

from shipcli.store.store import Store
from tests.benchmarks.bare import BARE
from tests.benchmarks.yardstick import SLACK

ROUNDS = 10
IMPORT_ALL = "from shipcli.carrier import registry; assert len(registry.list_working()) >= 45"
pytestmark = [pytest.mark.slow, pytest.mark.benchmark]


def used() -> float:
    usage = resource.getrusage(resource.RUSAGE_CHILDREN)
    return usage.ru_utime + usage.ru_stime


def piped(words: list[str], environ: Mapping[str, str]) -> float:
    before = used()
    subprocess.run(words, stdout=subprocess.DEVNULL, check=True, env=environ)
    return used() - before


def on_a_terminal(words: list[str], environ: Mapping[str, str]) -> float:
    screen, terminal = pty.openpty()
    reader = threading.Thread(target=drain, args=(screen,))
    before = used()
    with subprocess.Popen(words, stdout=terminal, stdin=terminal, env=environ) as child:
        os.close(terminal)
        reader.start()
        child.wait()
    reader.join()
    os.close(screen)
    return used() - before


def drain(screen: int) -> None:
    try:
        while os.read(screen, 65536):
            continue
    except OSError:  # the terminal has gone
        return


@pytest.fixture(scope="module")
def measured(tmp_path_factory: pytest.TempPathFactory) -> dict[str, float]:
    """Median CPU seconds of each line, taken in turns so that a busy machine is unfair to all alike."""
    folder = tmp_path_factory.mktemp("start")
    bare, home = folder / "bare.py", folder / "home"
    bare.write_text(BARE)
    fill(home)
    run, shipcli = [sys.executable, str(bare)], [sys.executable, "-m", "shipcli", "--home", str(home)]
    lines = {
        "B": (piped, [*run, "one"]),
        "H": (on_a_terminal, [*run, "--help"]),
        "version": (piped, [sys.executable, "-m", "shipcli", "--version"]),
        "help": (on_a_terminal, [*shipcli, "--help"]),
        "help in a pipe": (piped, [*shipcli, "--help"]),
        "list": (piped, [*shipcli, "shipments", "list", "--json"]),
        "carriers": (piped, [*shipcli, "carriers", "list"]),
        "all carriers imported": (piped, [sys.executable, "-c", IMPORT_ALL]),
    }
    # Compiled modules are kept, as in an installation, whatever this test run does with them.
    environ = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
    environ |= {"PYTHONPYCACHEPREFIX": str(folder / "compiled"), "TERM": "xterm-256color"}
    for measure, words in lines.values():
        measure(words, environ)
    rounds = [
        {name: measure(words, environ) for name, (measure, words) in lines.items()} for _ in range(ROUNDS)
    ]
    return {name: statistics.median(each[name] for each in rounds) for name in lines}


def fill(home: Path) -> None:
    now = datetime(2026, 1, 1, tzinfo=UTC)
    with Store.open(home / "shipcli.db", clock=lambda: now) as store, store.transaction() as tx:
        for number in range(40):
            tx.put(
                "shipment",
                {"id": f"shp_{number:032x}", "status": "draft", "padding": "x" * 2000},
                test_mode=True,
            )


@pytest.mark.parametrize(
    ("line", "base", "most"),
    [
        ("version", "B", 1.15),
        ("help", "H", 1.15),
        ("help in a pipe", "B", 1.3),
        ("list", "B", 2.0),
        ("carriers", "B", 4.6),
        ("all carriers imported", "B", 6.9),
    ],
)
def test_a_command_starts_quickly(measured: dict[str, float], line: str, base: str, most: float) -> None:
    ratio = measured[line] / measured[base]
    assert ratio <= most * SLACK, f"{line} takes {ratio:.2f} of {base}: {measured}"
