"""The main job, as a newcomer types it."""

from __future__ import annotations

import csv
import json
import subprocess
from pathlib import Path

import pypdfium2
import pytest
import zxingcpp

from tests.processes import PATIENCE_S, PROGRAM


@pytest.fixture(scope="module")
def demo(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path]:
    """The folder of its files, and the home it was given."""
    folder = tmp_path_factory.mktemp("demo")
    words = ["--home", str(folder / "home"), "demo", "--out", str(folder / "out"), "--json"]
    done = subprocess.run([*PROGRAM, *words], capture_output=True, check=False, timeout=PATIENCE_S)
    assert done.returncode == 0, done.stderr.decode()
    (folder / "out" / "printed.json").write_bytes(done.stdout)
    return folder / "out", folder / "home"


def summary(out: Path) -> list[dict[str, str]]:
    with (out / "summary.csv").open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def test_every_page_decodes_to_the_number_of_its_line(demo: tuple[Path, Path]) -> None:
    out, _ = demo
    rows = summary(out)
    book = pypdfium2.PdfDocument(out / "labels.pdf")
    assert len(book) == len(rows)
    for page, row in zip(book, rows, strict=True):
        picture = page.render(scale=203 / 72).to_pil()
        codes = [code.text for code in zxingcpp.read_barcodes(picture)]
        # USPS writes 420 and the ZIP code before the number; a voided label must not scan.
        found = any(code.endswith(row["tracking_number"]) for code in codes)
        assert found is (row["status"] != "cancelled")
    book.close()


def test_the_summary_has_a_line_per_page_in_page_order(demo: tuple[Path, Path]) -> None:
    rows = summary(demo[0])
    assert list(rows[0]) == [
        "row", "reference", "shipment_id", "status", "carrier", "service", "total_charge", "currency",
        "tracking_number", "page",
    ]  # fmt: skip
    assert [row["page"] for row in rows] == [str(number) for number in range(1, len(rows) + 1)]
    assert len({row["shipment_id"] for row in rows}) < len(rows)  # one shipment has two parcels


def test_several_carriers_win_and_one_label_is_voided_and_stays(demo: tuple[Path, Path]) -> None:
    rows = summary(demo[0])
    assert len({row["carrier"] for row in rows}) >= 3
    assert [row["status"] for row in rows].count("cancelled") == 1
    assert all(row["tracking_number"] for row in rows)


def test_json_tells_the_same_as_the_files(demo: tuple[Path, Path]) -> None:
    out, _ = demo
    told = json.loads((out / "printed.json").read_text("utf-8"))
    assert [page["tracking_number"] for page in told["pages"]] == [
        row["tracking_number"] for row in summary(out)
    ]
    assert told["failed"] == []
    assert told["voided"] in {row["tracking_number"] for row in summary(out)}


def test_it_leaves_nothing_behind_but_its_files(demo: tuple[Path, Path]) -> None:
    out, home = demo
    assert not home.exists()
    assert {path.name for path in out.iterdir()} == {"labels.pdf", "summary.csv", "printed.json"}
