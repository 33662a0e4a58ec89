"""`shipcli import shipments`: what a cron job sees."""

from __future__ import annotations

import csv
from pathlib import Path

import pypdfium2
import pytest

from shipcli.models import json
from tests.cli.conftest import Cli
from tests.cli.samples import write
from tests.features.files.rows import row


@pytest.fixture
def file(tmp_path: Path) -> str:
    return write(tmp_path / "orders.csv", [row(number) for number in range(4)])


def run(cli: Cli, *words: str):
    return cli("--sandbox", "import", "shipments", *words)


def test_a_file_is_bought_merged_and_summed_up(cli: Cli, file: str, tmp_path: Path) -> None:
    labels, summary = tmp_path / "today.pdf", tmp_path / "run.json"
    done = run(
        cli, file, "--buy", "cheapest", "--merge", str(labels), "--summary", str(summary), "-y", "--json"
    )
    assert done.code == 0, done.err
    assert done.json["purchased"] == 4
    told = json.loads(summary.read_bytes())
    assert told["results"] == done.json["results"]
    assert told["exit_code"] == 0
    book = pypdfium2.PdfDocument(labels)
    assert len(book) == 4
    book.close()


def test_a_second_run_counts_as_done_and_gives_the_same_labels(cli: Cli, file: str, tmp_path: Path) -> None:
    labels = tmp_path / "today.zpl"
    first = run(cli, file, "--buy", "cheapest", "-y", "--json")
    again = run(cli, file, "--buy", "cheapest", "-y", "--json", "--merge", str(labels))
    assert again.code == 0
    assert again.json["spent"] == first.json["spent"]
    assert labels.read_text("latin-1").count("^XA") == 4


def test_rows_that_a_changed_copy_would_buy_again_are_counted(cli: Cli, tmp_path: Path) -> None:
    rows = [row(0, Reference=""), row(1, Reference=""), row(2)]
    buy = (write(tmp_path / "orders.csv", rows), "--buy", "cheapest")
    assert "2 rows without a reference: a changed copy" in run(cli, *buy, "--dry-run").err
    assert "without a reference" not in run(cli, *buy, "--dry-run", "--key", "Recipient name").err
    assert run(cli, *buy, "-y").code == 0
    assert "without a reference" not in run(cli, *buy, "-y").err


def test_rows_that_changed_after_they_were_bought_are_named(cli: Cli, file: str, tmp_path: Path) -> None:
    assert run(cli, file, "--buy", "cheapest", "-y").code == 0
    assert "changed" not in run(cli, file, "--buy", "cheapest", "-y").err
    heavier = [row(0), row(1, **{"Parcel weight": "9"}), row(2), row(3, **{"Recipient name": "Changed"})]
    again = run(cli, write(tmp_path / "changed.csv", heavier), "--buy", "cheapest", "-y", "--json")
    assert (again.code, again.json["purchased"]) == (0, 4)
    assert "2 rows changed after the purchase" in again.err
    assert again.err.strip().endswith(": 3, 5")
    told = [one["message"] for one in again.json["results"]]
    assert [bool(one) and "changed after the purchase" in one for one in told] == [False, True, False, True]


def test_buying_needs_consent(cli: Cli, file: str) -> None:
    refused = run(cli, file, "--buy", "cheapest")
    assert refused.code == 2
    assert "--yes" in refused.err
    assert cli("--sandbox", "shipments", "list", "--json").json["count"] == 0


def test_a_dry_run_stores_nothing(cli: Cli, file: str) -> None:
    done = run(cli, file, "--buy", "cheapest", "--dry-run")
    assert done.code == 0
    assert "4 labels" in done.err
    assert cli("--sandbox", "shipments", "list", "--json").json["count"] == 0


def test_check_names_every_bad_cell_and_stores_nothing(cli: Cli, tmp_path: Path) -> None:
    rows = [row(0), row(1, **{"Parcel weight": "x", "Recipient country": "Narnia"})]
    done = run(cli, write(tmp_path / "bad.csv", rows), "--check", "--json")
    assert done.code == 6
    assert {(one["row"], one["column"]) for one in done.json["wrong"]} == {
        (3, "Parcel weight"), (3, "Recipient country"),
    }  # fmt: skip
    assert cli("--sandbox", "shipments", "list", "--json").json["count"] == 0


def test_a_bad_file_is_refused_whole(cli: Cli, tmp_path: Path) -> None:
    path = write(tmp_path / "bad.csv", [row(0), row(1, **{"Parcel weight": "x"})])
    done = run(cli, path, "--buy", "cheapest", "-y")
    assert done.code == 6
    assert "row 3, Parcel weight" in done.err
    assert cli("--sandbox", "shipments", "list", "--json").json["count"] == 0


@pytest.mark.parametrize("ending", ["csv", "xlsx"])
def test_bad_rows_are_set_aside_and_come_back_after_correction(cli: Cli, tmp_path: Path, ending: str) -> None:
    from shipcli.readers.tables import DataFile

    path = write(tmp_path / "bad.csv", [row(0), row(1, **{"Parcel weight": "x"}), row(2)])
    rejects = tmp_path / f"rejects.{ending}"
    done = run(cli, path, "--buy", "cheapest", "-y", "--rejects", str(rejects), "--json")
    assert (done.code, done.json["purchased"], done.json["bad_rows"]) == (9, 2, 1)
    (back,) = list(DataFile.open(rejects))
    assert back.cells["Parcel weight"] == "x"
    assert "not a number" in back.cells["Reason"]
    corrected = {name: value for name, value in back.cells.items() if name != "Reason"} | {
        "Parcel weight": "3"
    }
    again = run(cli, write(tmp_path / "good.csv", [corrected]), "--buy", "cheapest", "-y")
    assert again.code == 0


def test_the_budget_ends_the_run_with_its_own_code(cli: Cli, file: str, tmp_path: Path) -> None:
    summary = tmp_path / "run.csv"
    done = run(cli, file, "--buy", "cheapest", "-y", "--max-total", "20USD", "--summary", str(summary))
    assert done.code == 11
    assert "--max-total" in done.err
    with summary.open(encoding="utf-8") as lines:
        statuses = [one["status"] for one in csv.DictReader(lines)]
    assert len(statuses) == 4
    assert "waiting" in statuses


@pytest.mark.parametrize(
    ("words", "code", "said"),
    [
        (["nothing.csv"], 3, "nothing.csv"),
        (["orders.csv", "--buy", "dearest"], 2, "cheapest"),
        (["orders.csv", "--merge", "x.doc"], 2, ".pdf"),
        (["orders.csv", "--summary", "/no/such/folder/x.json"], 2, "no folder"),
        (["orders.csv", "--max-total", "lots"], 6, "--max-total"),
        (["orders.csv", "--key", "Nothing"], 6, "Nothing"),
        (["orders.csv", "--carrier", "upss"], 3, "Did you mean ups"),
    ],
)
def test_a_wrong_line_says_what_is_wrong(cli: Cli, file: str, words: list[str], code: int, said: str) -> None:
    done = run(cli, *words)
    assert done.code == code
    assert said in done.err


def test_a_spreadsheet_is_read_like_a_text_file(cli: Cli, tmp_path: Path) -> None:
    from shipcli.features.files.writing import write_table

    rows = [row(number) for number in range(2)]
    path = tmp_path / "orders.xlsx"
    write_table(path, list(rows[0]), rows)
    done = run(cli, str(path), "--buy", "cheapest", "-y", "--json")
    assert (done.code, done.json["purchased"]) == (0, 2)
