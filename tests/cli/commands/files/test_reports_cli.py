"""`reports` in every form that a line may ask for."""

from __future__ import annotations

import csv
import io
import json
from pathlib import Path

import pytest

from tests.cli.conftest import Cli

SALE = ("ship", "--to-name", "Ana Ruiz", "--to-line1", "1625 N Central Ave", "--to-city", "Phoenix",
        "--to-state", "AZ", "--to-postal-code", "85004", "--to-country", "US", "--weight", "1lb",
        "--carrier", "generic", "--cheapest", "-y")  # fmt: skip


@pytest.fixture
def sold(box: Cli) -> Cli:
    assert box(*SALE).code == 0
    return box


def test_a_report_is_a_table_with_bars_or_rows_or_an_object(sold: Cli) -> None:
    drawn = sold("reports", "cost", "--by", "carrier", "--chart")
    assert (drawn.code, "Cost of a parcel by carrier" in drawn.out, "█" in drawn.out) == (0, True, True)
    (row,) = csv.DictReader(io.StringIO(sold("reports", "cost", "--by", "carrier", "--csv").out))
    assert (row["section"], row["currency"], row["carrier"], row["labels"]) == ("USD", "USD", "generic", "1")
    report = json.loads(sold("reports", "cost", "--by", "carrier", "--json").out)
    assert report["sections"][0]["rows"][0]["carrier"] == "generic"


def test_a_report_is_a_workbook_or_pages(sold: Cli, tmp_path: Path) -> None:
    for name, start in (("c.pdf", b"%PDF"), ("c.xlsx", b"PK")):
        assert sold("reports", "carriers", "-o", str(tmp_path / name), "--dry-run").code == 0
        assert not (tmp_path / name).exists()
        assert sold("reports", "carriers", "--last", "2w", "-o", str(tmp_path / name)).code == 0
        assert (tmp_path / name).read_bytes().startswith(start)


@pytest.mark.parametrize(
    ("words", "code", "said"),
    [
        (("cost", "--last", "30x"), 2, "30d, 6w"),
        (("cost", "--last", "0d"), 2, "30d, 6w"),
        (("cost", "--last", "30d", "--since", "2026-01-01"), 2, "together"),
        (("cost", "--by", "carier"), 6, "carrier"),
        (("cost", "--since", "yesterdy"), 6, "yesterdy"),
        (("costs",), 2, "cost"),
        (("cost", "--csv", "-o", "x.pdf"), 2, "together"),
        (("cost", "-o", "x.ods"), 2, "x.ods: a report is written as .xlsx"),
    ],
)
def test_a_wrong_line_is_refused(box: Cli, words: tuple[str, ...], code: int, said: str) -> None:
    done = box("reports", *words)
    assert (done.code, done.out) == (code, "")
    assert said in done.err


@pytest.mark.parametrize("name", ["day", "spend", "cost", "zones", "carriers", "late", "bills"])
def test_an_empty_store_has_every_report(box: Cli, name: str) -> None:
    done = box("reports", name)
    said = "No parcel is past" if name == "late" else "Nothing in these days."
    assert (done.code, said in done.err) == (0, True)


def test_days_that_are_the_wrong_way_round_are_named_by_their_option(box: Cli) -> None:
    done = box("reports", "spend", "--since", "2026-12-01", "--until", "2026-11-01")
    assert (done.code, "--since (first): 2026-12-01 is after 2026-11-01" in done.err) == (6, True), done.err


def test_a_list_in_a_file_with_another_name_is_said_to_be_text(box: Cli, tmp_path: Path) -> None:
    done = box("parcels", "presets", "--carrier", "ups", "-o", str(tmp_path / "boxes.xlsx"))
    assert (done.code, "boxes.xlsx is text" in done.err) == (0, True)
