"""A dry run writes no file, takes no number, keeps no tracker."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from tests.cli.conftest import Cli
from tests.cli.samples import made


@pytest.mark.usefixtures("bought")
@pytest.mark.parametrize(
    "line",
    [
        "documents make slip SO-1 -o out.pdf",
        "documents generate hello -d name=Ann -o out.pdf",
        "documents merge label SO-1 SO-2 -o out.pdf",
        "templates preview hello -o out.pdf",
        "labels save SO-1 SO-2",
        "labels save SO-1 -o out.pdf",
        "labels merge SO-1 SO-2 -o out.pdf",
        "eod --summary out.json",
    ],
)
def test_no_file_is_written(box: Cli, tmp_path: Path, line: str) -> None:
    made(box, tmp_path, name="Hello", slug="hello")
    before = sorted(tmp_path.iterdir())
    done = box(*line.split(), "--dry-run")
    assert (done.code, "dry run: would" in done.err) == (0, True), done.err
    assert sorted(tmp_path.iterdir()) == before


def test_a_document_that_is_written_and_printed_is_neither_and_takes_no_number(
    box: Cli, bought: list[dict[str, Any]], tmp_path: Path, spool: Path
) -> None:
    words = ("documents", "make", "gs1", "SO-1", "--gs1-prefix", "9506000", "--to", f"spool:{spool}")
    done = box(*words, "-o", "gs1.pdf", "--dry-run")
    assert (done.code, "would write gs1.pdf and print the logistic label on spool" in done.err) == (0, True)
    assert not (tmp_path / "gs1.pdf").exists()
    assert list(spool.iterdir()) == []
    assert box("shipments", "get", "SO-1", "--json=meta").json["meta"] == bought[0]["meta"]


def test_no_carrier_is_asked_about_a_number(box: Cli, bought: list[dict[str, Any]]) -> None:
    kept = box("trackers", "list", "--ids").lines
    for number in (str(bought[0]["tracking_number"]), "1Z999AA10123456784"):
        done = box("track", number, "--dry-run", "--json")
        assert (done.code, done.out, f"would look for {number}" in done.err) == (0, "", True)
    assert box("trackers", "list", "--ids").lines == kept
