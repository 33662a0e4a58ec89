"""Printers, their queue, and printing from the bench."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import closing
from hashlib import blake2s
from pathlib import Path
from typing import Any

import pytest

from shipcli.features.paper.printing.spool import PART
from tests.cli.conftest import Cli
from tests.features.paper.print_samples import Listener
from tests.processes import PATIENCE_S


@pytest.fixture
def listener() -> Iterator[Listener]:
    found = Listener()
    yield found
    found.close()


def test_printers_are_added_listed_and_removed(box: Cli) -> None:
    words = ("printers", "add", "dock2", "--to", "tcp://192.0.2.7", "--format", "zpl")
    more = ("--dpi", "300", "--size", "4x6", "--copies", "2", "--kinds", "label,slip", "--bench", "2")
    made = box(*words, *more, "--json")
    assert made.code == 0, made.err
    assert made.json["kinds"] == ["label", "slip"]
    assert box(*words).code == 5
    assert box(*words, "--replace").code == 0
    assert box("printers", "default", "dock2").code == 0
    (row,) = box("printers", "list", "--json").json
    assert (row["name"], row["dpi"], row["is_default"], row["waiting"]) == ("dock2", 203, True, 0)
    asked = box("printers", "remove", "dock2")
    assert (asked.code, "forget the printer dock2" in asked.err) == (2, True)
    assert box("printers", "remove", "dock2", "-y").code == 0
    assert box("printers", "list", "--json").json == []


@pytest.mark.parametrize(
    ("words", "code", "said"),
    [
        (("add", "x", "--to", "usb:left", "--format", "ZPL"), 10, "tcp://HOST"),
        (("add", "x", "--to", "tcp://h", "--format", "EPL"), 6, "ZPL, PDF, PNG"),
        (("add", "x", "--to", "tcp://h"), 2, "--format"),
        (("test", "nobody"), 10, "printers list"),
        (("remove", "nobody", "-y"), 3, "nobody"),
        (("default", "nobody"), 3, "nobody"),
        (("cancel", "7", "-y"), 3, "print job 7"),
        (("resume", "7"), 3, "print job 7"),
        (("resume", "7", "--printer", "x"), 2, "not both"),
    ],
)
def test_a_wrong_request_says_why(box: Cli, words: tuple[str, ...], code: int, said: str) -> None:
    done = box("printers", *words)
    assert (done.code, said in done.err) == (code, True), done.err


def test_a_dry_run_changes_and_prints_nothing(box: Cli, bought: list[Any], spool: Path) -> None:
    assert (
        "would add"
        in box("printers", "add", "x", "--to", f"spool:{spool}", "--format", "PDF", "--dry-run").err
    )
    assert box("printers", "list", "--json").json == []
    assert "would print" in box("print", "SO-1", "--to", f"spool:{spool}", "--dry-run").err
    assert (box("printers", "queue", "--all", "--json").json, list(spool.iterdir())) == ([], [])


def test_a_trial_page_is_printed(box: Cli, listener: Listener) -> None:
    box("printers", "add", "net", "--to", f"tcp://127.0.0.1:{listener.port}", "--format", "ZPL")
    assert box("printers", "test", "net").code == 0
    assert listener.printed.acquire(timeout=PATIENCE_S)
    assert listener.jobs[0].startswith(b"^XA")


def test_the_printer_of_a_bench_is_used_there(
    box: Cli, bought: list[Any], spool: Path, tmp_path: Path
) -> None:
    (tmp_path / "two").mkdir()
    box("printers", "add", "shared", "--to", f"spool:{spool}", "--format", "ZPL")
    box("printers", "add", "two", "--to", f"spool:{tmp_path / 'two'}", "--format", "ZPL", "--bench", "2")
    assert box("print", "SO-1", "--bench", "2", "--pick", "printer").out == "two\n"
    assert box("print", "SO-2", "--pick", "printer").out == "shared\n"
    assert len(list((tmp_path / "two").iterdir())) == len(list(spool.iterdir())) == 1


def test_a_printer_that_is_off_ends_with_10_and_resuming_prints_once(
    box: Cli, bought: list[Any], spool: Path
) -> None:
    box("printers", "add", "dock", "--to", f"spool:{spool}", "--format", "ZPL")
    spool.rmdir()
    done = box("print", "SO-1", "SO-2")
    assert (done.code, done.out) == (10, "")
    assert "2 jobs wait, then: shipcli printers resume" in done.err
    assert box("printers", "list", "--pick", "waiting").out == "2\n"
    assert box("printers", "resume").code == 10
    spool.mkdir()
    sent = box("printers", "resume", "--json")
    assert (sent.code, [job["state"] for job in sent.json]) == (0, ["printed", "printed"])
    assert "no job waits" in box("printers", "resume").err
    assert len(list(spool.iterdir())) == 2


def test_the_list_counts_a_job_whose_sender_died_before_it_sent(
    box: Cli, home: Path, bought: list[Any], spool: Path
) -> None:
    box("printers", "add", "dock", "--to", f"spool:{spool}", "--format", "ZPL")
    assert box("print", "SO-1").code == 0
    (file,) = spool.iterdir()
    before = file.stem.rpartition("-")[0]
    whose = blake2s(b"elsewhere@x/1/2", digest_size=4).hexdigest()
    file.rename(spool / f".{before}-{whose}{file.suffix}{PART}")
    (store,) = home.rglob("sandbox/shipcli.db")
    with closing(sqlite3.connect(store)) as connection, connection:
        connection.execute("UPDATE print_jobs SET state = 'sending', owner = 'elsewhere@x/1/2', until = 1.0")
    assert box("printers", "list", "--pick", "waiting").out == "1\n"


def test_a_job_is_given_up(box: Cli, bought: list[Any], spool: Path) -> None:
    box("printers", "add", "dock", "--to", f"spool:{spool}", "--format", "ZPL")
    spool.rmdir()
    assert box("print", "SO-1").code == 10
    (job,) = box("printers", "queue", "--json").json
    assert (job["state"], job["object_id"]) == ("waiting", bought[0]["id"])
    assert box("printers", "cancel", str(job["number"])).code == 2
    assert box("printers", "cancel", str(job["number"]), "-y", "--pick", "state").out == "cancelled\n"
    assert box("printers", "queue", "--json").json == []
    assert [row["state"] for row in box("printers", "queue", "--all", "--json").json] == ["cancelled"]


def test_the_unprinted_are_printed_once_and_grouped(box: Cli, bought: list[Any], spool: Path) -> None:
    box("printers", "add", "dock", "--to", f"spool:{spool}", "--format", "ZPL")
    assert box("print", "SO-3").code == 0
    done = box("print", "--unprinted", "--sort", "sku", "-y", "--json")
    assert done.code == 0, done.err
    assert [row["object_id"] for row in done.json] == [bought[1]["id"], bought[0]["id"]]
    again = box("print", "--unprinted")
    assert (again.code, again.out, "nothing waits to be printed" in again.err) == (0, "", True)
    assert len(list(spool.iterdir())) == 3


def test_slips_come_between_the_labels(box: Cli, bought: list[Any], spool: Path) -> None:
    pytest.importorskip("reportlab")
    box("printers", "add", "dock", "--to", f"spool:{spool}", "--format", "PDF")
    done = box("print", "--unprinted", "--slips", "-y", "--json")
    assert [row["kind"] for row in done.json] == ["label", "slip"] * 3


@pytest.mark.parametrize("words", [(), ("SO-1", "--unprinted")])
def test_print_needs_names_or_the_unprinted(box: Cli, bought: list[Any], words: tuple[str, ...]) -> None:
    assert box("print", *words).code == 2


def test_a_reprint_keeps_its_reason(box: Cli, bought: list[Any], spool: Path) -> None:
    box("printers", "add", "dock", "--to", f"spool:{spool}", "--format", "ZPL")
    box("print", "SO-1")
    done = box("reprint", "@last", "--printer", "dock", "--reason", "paper jam", "--json")
    assert (done.json["copy"], done.json["reason"], done.err) == (2, "paper jam", "")
    told = box("printers", "queue", "--of", "SO-1", "--json").json
    assert [(row["copy"], row["reason"]) for row in told] == [(2, "paper jam"), (1, None)]


def test_a_voided_label_is_not_printed(box: Cli, bought: list[Any], spool: Path) -> None:
    box("void", "SO-1", "-y")
    done = box("print", "SO-1", "SO-2", "--to", f"spool:{spool}")
    assert (done.code, "voided" in done.err, len(list(spool.iterdir()))) == (9, True, 1)


def test_the_default_printer_is_one_setting(box: Cli) -> None:
    for name in ("dock", "desk"):
        box("printers", "add", name, "--to", "tcp://h", "--format", "ZPL")
    box("printers", "default", "dock")
    assert box("config", "get", "printer").out == "dock\n"
    box("config", "set", "printer", "desk")
    assert box("printers", "default").out == "desk\n"
    assert [one["is_default"] for one in box("printers", "list", "--json").json] == [True, False]


def test_a_folder_that_is_named_as_a_file_is_met_with_the_word_for_it(cli: Cli, tmp_path: Path) -> None:
    told = cli("printers", "add", "dock", "--to", f"file:{tmp_path}", "--format", "ZPL")
    assert (told.code, f"say spool:{tmp_path}" in told.err) == (10, True), told.err
