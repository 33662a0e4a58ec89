"""What printing costs: a label made ZPL in milliseconds, and a whole print against a bare typer program."""

from __future__ import annotations

import os
import resource
import statistics
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from shipcli.bootstrap import open_app
from shipcli.drawing import convert, draw_label
from shipcli.features.shipments import service as shipments
from shipcli.models import ShipmentPurchaseData
from tests.benchmarks.yardstick import SLACK, cost
from tests.drawing.samples import label
from tests.factories import draft
from tests.features.paper.print_samples import Listener

pytestmark = [pytest.mark.slow, pytest.mark.benchmark]
ROUNDS = 9
MOST_MS = 15
MOST_TIMES = {("ZPL", "ZPL"): 3.0, ("PDF", "PDF"): 3.0, ("PDF", "ZPL"): 4.0}  # it draws
BARE = """
import typer

app = typer.Typer(add_completion=False)


@app.command()
def say(name: str) -> None:
    typer.echo(name)


app()
"""


@pytest.fixture
def listener() -> Iterator[Listener]:
    found = Listener()
    yield found
    found.close()


def test_a_label_becomes_zpl_quickly(capsys: pytest.CaptureFixture[str]) -> None:
    files = [draw_label(label(tracking_number=f"1Z12345E02052{at:05}")) for at in range(20)]
    convert(files[0], "ZPL")
    each = iter(files * ROUNDS)
    spent = min(cost(lambda: convert(next(each), "ZPL"), len(files)) for _ in range(ROUNDS)) * 1000
    with capsys.disabled():
        print(f"\nPDF to ZPL {spent:6.2f} ms CPU a label", end="")
    assert spent <= MOST_MS * SLACK


@pytest.mark.parametrize(("stored", "format"), [("ZPL", "ZPL"), ("PDF", "PDF"), ("PDF", "ZPL")])
def test_printing_costs_little_more_than_a_program_that_says_a_word(
    tmp_path: Path, listener: Listener, capsys: pytest.CaptureFixture[str], stored: str, format: str
) -> None:
    home = tmp_path / "home"
    shipment = _bought(home, stored)
    shipcli = [sys.executable, "-m", "shipcli", "--home", str(home), "--sandbox"]
    target = f"tcp://127.0.0.1:{listener.port}"
    subprocess.run([*shipcli, "printers", "add", "net", "--to", target, "--format", format], check=True,
                   capture_output=True)  # fmt: skip
    bare = tmp_path / "bare.py"
    bare.write_text(BARE)
    lines = {"bare": [sys.executable, str(bare), "word"], "print": [*shipcli, "reprint", shipment]}
    # Compiled modules are kept, as in an installation, whatever this test run does with them.
    environ = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
    environ |= {"PYTHONPYCACHEPREFIX": str(tmp_path / "compiled")}
    for words in lines.values():
        _used(words, environ)
    spent = {name: [] for name in lines}
    for _ in range(ROUNDS):
        for name, words in lines.items():
            spent[name].append(_used(words, environ))
    ratio = statistics.median(mine / other for mine, other in zip(spent["print"], spent["bare"], strict=True))
    with capsys.disabled():
        middle = {name: statistics.median(each) * 1000 for name, each in spent.items()}
        print(f"\nprint {stored} as {format}: {middle['print']:.0f} ms CPU, bare {middle['bare']:.0f} ms, "
              f"{ratio:.2f} times", end="")  # fmt: skip
    assert len(listener.jobs) >= ROUNDS
    assert ratio < MOST_TIMES[stored, format] * SLACK


def _bought(home: Path, label_type: str) -> str:
    app = open_app(home, sandbox=True, environ={})
    made = shipments.create_shipment(app, draft(carrier_ids=["ups"], label_type=label_type))
    wanted = ShipmentPurchaseData(selected_rate_id=made.rates[0].id)
    bought = shipments.purchase_shipment(app, made.id, wanted)
    app.close()
    return bought.id


def _used(words: list[str], environ: dict[str, str]) -> float:
    """CPU seconds of a program and its children."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run(words, check=True, capture_output=True, env=environ)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
