"""Ctrl-C and SIGTERM while labels are bought: the one under way is finished, the line again does the rest."""

from __future__ import annotations

import csv
import os
import signal
import sqlite3
import subprocess
from collections.abc import Callable, Iterator
from contextlib import closing
from functools import partial
from pathlib import Path
from typing import Any

import pypdfium2
import pytest

from shipcli.bootstrap import open_app
from shipcli.models import json
from tests.cli.conftest import Cli
from tests.factories import PARCEL, RECIPIENT, SHIPPER
from tests.features.conftest import live_labels
from tests.features.files.rows import row
from tests.processes import PATIENCE_S, PROGRAM, wait_for

MANY = 400  # more than are bought while the signal is on its way
pytestmark = [pytest.mark.slow, pytest.mark.skipif(os.name == "nt", reason="needs signals")]
SIGNALS = pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM], ids=lambda one: one.name)


@pytest.fixture
def box(cli: Cli) -> Cli:
    return lambda *words, **more: cli("--sandbox", *words, **more)


def has_record(home: Path, kind: str = "label") -> bool:
    """Whether a carrier made one; asked often, so it must be quick."""
    file = home / "sandbox" / "ledger.db"
    if not file.exists():
        return False
    with closing(sqlite3.connect(file)) as ledger:
        made = "select count(*) from sqlite_master where name = 'records'"
        if ledger.execute(made).fetchone() == (0,):
            return False
        return bool(ledger.execute("select 1 from records where kind = ?", [kind]).fetchone())


def sold(home: Path) -> dict[str, list[str]]:
    app = open_app(home, sandbox=True, environ={})
    found = live_labels(app)
    app.close()
    return found


def interrupted(
    home: Path, number: int, *words: str, when: Callable[[Path], object] = has_record
) -> tuple[int, str, str]:
    """A line as a program, told to end when it has done something; its exit code, output and notes."""
    open_app(home, sandbox=True, environ={}).close()
    line = [*PROGRAM, "--sandbox", "--home", str(home), *words]
    with subprocess.Popen(line, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as process:
        wait_for(lambda: when(home))
        process.send_signal(number)
        out, err = process.communicate(timeout=PATIENCE_S)
    return process.returncode, out, err


def pages(file: Path) -> int:
    with closing(pypdfium2.PdfDocument(file)) as document:
        return len(document)


def is_settled(home: Path) -> bool:
    """Whether no purchase is open and none needs a person."""
    app = open_app(home, sandbox=True, environ={})
    states = {row["state"] for row in app.store.select("intents", {})}
    app.close()
    return states <= {"done"}


@SIGNALS
def test_an_import_finishes_what_is_under_way_and_goes_on_with_the_same_line(
    box: Cli, home: Path, tmp_path: Path, number: int
) -> None:
    rows = [row(0, Carrier="generic", Reference=f"SO-{at}") for at in range(MANY)]
    with (tmp_path / "rows.csv").open("w", encoding="utf-8", newline="") as file:
        writer = csv.DictWriter(file, list(rows[0]))
        writer.writeheader()
        writer.writerows(rows)
    words = ("import", "shipments", "rows.csv", "--buy", "cheapest", "--merge", "labels.pdf",
             "--summary", "run.json", "-y")  # fmt: skip
    code, _, said = interrupted(home, number, *words)
    assert code == 130, said
    bought = len(sold(home))
    assert 0 < bought < MANY
    assert f"interrupted: {bought} bought, {MANY - bought} left" in said
    assert is_settled(home)
    assert (tmp_path / "labels.pdf").read_bytes().startswith(b"%PDF")
    summary = json.loads((tmp_path / "run.json").read_bytes())
    assert (summary["exit_code"], summary["purchased"], summary["waiting"]) == (130, bought, MANY - bought)
    assert box(*words).code == 0
    assert {len(numbers) for numbers in sold(home).values()} == {1}
    assert len(sold(home)) == MANY


@SIGNALS
def test_ship_shows_what_it_bought_and_goes_on_with_the_same_line(
    home: Path, tmp_path: Path, number: int
) -> None:
    bodies = [_body(metadata={"at": at}) for at in range(60)]
    (tmp_path / "parcels.json").write_bytes(json.dump_bytes(bodies))
    words = ("ship", "--from-file", "parcels.json", "--service", "standard_service", "-y", "--ndjson")
    code, out, said = interrupted(home, number, *words)
    assert code == 130, said
    shown = [json.loads(line)["tracking_number"] for line in out.splitlines()]
    (numbers,) = sold(home).values()
    assert sorted(shown) == sorted(numbers)
    assert f"{len(shown)} done, 0 failed, {60 - len(shown)} left" in said
    line = [*PROGRAM, "--sandbox", "--home", str(home), *words]
    again = subprocess.run(line, capture_output=True, check=True, text=True)
    everything = [json.loads(line)["tracking_number"] for line in again.stdout.splitlines()]
    assert everything[: len(shown)] == shown
    (numbers,) = sold(home).values()
    assert len(numbers) == len(everything) == 60


def test_orders_that_were_not_come_to_wait_for_the_same_line(box: Cli, home: Path, tmp_path: Path) -> None:
    item = {"title": "Lamp", "sku": "L-1", "quantity": 1, "weight": 1, "weight_unit": "KG"}
    orders = [
        {"order_id": f"W-{at}", "shipping_to": RECIPIENT, "shipping_from": SHIPPER, "line_items": [item]}
        for at in range(80)
    ]
    assert box("orders", "create", "--from-file", "-", typed=json.dumps(orders)).code == 0
    words = ("orders", "fulfil", "--unfulfilled", "--carrier", "generic", "--merge", "labels.pdf", "-y")
    code, out, said = interrupted(home, signal.SIGINT, *words)
    assert code == 130, said
    done = out.count("\tpurchased\t")
    assert f"interrupted: {done} bought, {80 - done} left" in said
    assert (tmp_path / "labels.pdf").exists()
    assert is_settled(home)
    assert box(*words).code == 0
    assert sum(len(numbers) for numbers in sold(home).values()) == 80
    assert pages(tmp_path / "labels.pdf") == 80, "those of the first run as well"
    assert box(*words).code == 0
    assert pages(tmp_path / "labels.pdf") == 80, "they were told of: the file is left as it is"


@SIGNALS
def test_the_end_of_a_day_finishes_the_form_under_way_and_goes_on_with_the_same_line(
    box: Cli, home: Path, tmp_path: Path, number: int
) -> None:
    places = 30  # a form for each: more than are made while the signal is on its way
    bodies = [
        _body(shipper={**SHIPPER, "address_line1": f"{at} Dock St"}, reference=f"SO-{at}")
        for at in range(places)
    ]
    (tmp_path / "parcels.json").write_bytes(json.dump_bytes(bodies))
    line = ("ship", "--from-file", "parcels.json", "--carrier", "usps", "--cheapest", "-y")
    assert box(*line).code == 0
    code, _, said = interrupted(home, number, "eod", "-y", when=partial(has_record, kind="manifest"))
    made = len(forms(home))
    assert code == 130, said
    assert 0 < made < places
    assert f"interrupted: {places - made} of {places} left" in said
    assert is_settled(home)
    assert box("eod", "-y").code == 0
    assert len(forms(home)) == places
    assert box("eod", "-y").code == 0
    assert len(forms(home)) == places


def forms(home: Path) -> list[Any]:
    """The forms that the carriers made."""
    app = open_app(home, sandbox=True, environ={})
    found = list(app.ledger.everything("manifest"))
    app.close()
    return found


@pytest.mark.parametrize("second", [signal.SIGINT, signal.SIGTERM], ids=lambda one: one.name)
@SIGNALS
def test_a_second_signal_ends_at_once(
    slow_line: subprocess.Popen[bytes], number: signal.Signals, second: signal.Signals
) -> None:
    stderr = slow_line.stderr
    assert stderr is not None
    assert stderr.readline() == b"ready\n"
    slow_line.send_signal(number)
    assert b"interrupted" in stderr.readline() + stderr.readline()
    assert stderr.readline() == b"deaf\n"
    slow_line.send_signal(second)
    assert slow_line.wait(PATIENCE_S) == -second


@pytest.fixture
def slow_line() -> Iterator[subprocess.Popen[bytes]]:
    """A program in such a block, at work in a library that does not look for signals."""
    code = """
import sys, time
from hashlib import pbkdf2_hmac
from shipcli.features.core.interruption import defer_interruption, was_interrupted
with defer_interruption():
    print("ready", file=sys.stderr, flush=True)
    while not was_interrupted():
        time.sleep(0.01)
    print("deaf", file=sys.stderr, flush=True)
    pbkdf2_hmac("sha256", b"", b"", 2**31 - 1)
"""
    with subprocess.Popen([PROGRAM[0], "-c", code], stderr=subprocess.PIPE) as process:
        yield process
        process.kill()


@SIGNALS
def test_a_signal_that_nobody_can_be_told_of_breaks_nothing_off(number: signal.Signals) -> None:
    code = """
import sys, time
from shipcli.features.core.interruption import defer_interruption, was_interrupted
with defer_interruption():
    print("ready", flush=True)
    while not was_interrupted():
        time.sleep(0.01)
    print("finished", flush=True)
"""
    line = [PROGRAM[0], "-c", code]
    with subprocess.Popen(line, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
        assert process.stdout is not None
        assert process.stderr is not None
        assert process.stdout.readline() == b"ready\n"
        process.stderr.close()
        process.send_signal(number)
        assert process.stdout.read() == b"finished\n"
    assert process.returncode == 0


def test_a_signal_at_a_question_ends_at_once_and_nothing_is_bought(
    box: Cli, home: Path, tmp_path: Path, terminal: Any
) -> None:
    (tmp_path / "parcels.json").write_bytes(json.dump_bytes(_body(reference="SO-1")))
    words = ("--sandbox", "ship", "--from-file", "parcels.json", "--service", "standard_service")
    done = terminal(*words, answers=[("q = no", "\x03")])
    assert done.code == 130
    assert sold(home) == {}
    assert box(*words[1:], "-y").code == 0


def _body(**changes: Any) -> dict[str, Any]:
    return {"shipper": SHIPPER, "recipient": RECIPIENT, "parcels": [PARCEL], **changes}
