"""`export tracking`: a file written once, whole, for cron; what happens when it is not."""

from __future__ import annotations

import csv
import json
import sys
from pathlib import Path

import pytest

from shipcli.cli.commands.files import export_tracking
from shipcli.features.shops import waiting
from tests.cli.conftest import Cli

HEADERS = ["Order number", "Order source", "Item sku", "Item title", "Item quantity", "Item weight",
           "Item weight unit", "Shipping name", "Shipping address 1", "Shipping city", "Shipping state",
           "Shipping postal code", "Shipping country"]  # fmt: skip
PLACE = ["Ana Ruiz", "1625 N Central Ave", "Phoenix", "AZ", "85004", "US"]


@pytest.fixture
def shop(box: Cli, tmp_path: Path) -> Cli:
    """A sandbox with a fulfilled order of a shop."""
    rows = [["#1001", "shopify", "L-1", "Lamp", "2", "1", "KG", *PLACE]]
    name = str(tmp_path / "orders.csv")
    with open(name, "w", newline="") as file:
        csv.writer(file).writerows([HEADERS, *rows])
    assert box("import", "orders", name).code == 0
    assert box("orders", "fulfil", "#1001", "--carrier", "generic", "--cheapest", "-y").code == 0
    return box


def read(path: Path) -> list[dict[str, str]]:
    with path.open(newline="") as file:
        return list(csv.DictReader(file))


def test_numbers_go_back_once_and_the_file_is_whole(shop: Cli, tmp_path: Path) -> None:
    target = tmp_path / "Orders-1.csv"
    words = ("export", "tracking", "--map", "shopify")
    assert shop(*words, "-o", str(target), "--dry-run").code == 0
    assert not target.exists()
    done = shop(*words, "-o", str(target))
    (row,) = read(target)
    assert (done.code, row["Name"], row["Fulfillment: Status"]) == (0, "#1001", "success")
    second = shop(*words, "-o", str(tmp_path / "Orders-2.csv"))
    assert (second.code, "nothing new" in second.err, (tmp_path / "Orders-2.csv").exists()) == (
        0,
        True,
        False,
    )
    again = shop(*words, "--again", "-o", str(tmp_path / "Orders-2.csv"))
    assert (again.code, read(tmp_path / "Orders-2.csv")) == (0, [row])
    assert shop(*words, "--empty", "-o", str(tmp_path / "Orders-3.csv")).code == 0
    assert (tmp_path / "Orders-3.csv").read_text().splitlines()[0].startswith("ID,Name,Command")


def test_a_file_that_was_perhaps_not_read_yet_is_kept(shop: Cli, tmp_path: Path) -> None:
    target = tmp_path / "orders-up.csv"
    target.write_text("yesterday's\n")
    words = ("export", "tracking", "--map", "shopify", "-o", str(target))
    done = shop(*words)
    assert (done.code, target.read_text()) == (5, "yesterday's\n")
    assert shop(*words, "--overwrite").code == 0
    assert len(read(target)) == 1


def test_a_run_that_dies_after_its_file_repeats_the_numbers(
    shop: Cli, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    words = ("export", "tracking", "--map", "shopify", "-o")

    def die(*given: object) -> None:
        raise KeyboardInterrupt

    with monkeypatch.context() as dying:
        dying.setattr(waiting, "mark_told", die)
        assert shop(*words, str(tmp_path / "orders-a.csv")).code == 130
    assert shop(*words, str(tmp_path / "orders-b.csv")).code == 0
    assert read(tmp_path / "orders-a.csv") == read(tmp_path / "orders-b.csv") != []


def test_a_file_of_amazon_has_tabs_and_one_in_a_map_of_ones_own_its_own(shop: Cli, tmp_path: Path) -> None:
    words = ("export", "tracking", "--source", "shopify", "-o")
    assert shop(*words, str(tmp_path / "confirm.txt"), "--map", "amazon").code == 0
    assert (tmp_path / "confirm.txt").read_text().startswith("order-id\torder-item-id\t")
    (tmp_path / "own.yaml").write_text("columns: {Order: order_number}\ndelimiter: ';'\n")
    assert shop(*words, str(tmp_path / "mine.csv"), "--map", "own").code == 0
    assert (tmp_path / "mine.csv").read_text().split() == ["Order", "#1001"]
    standard = shop(*words[:-1], "--map", "amazon", "--again")
    assert standard.out.encode() == (tmp_path / "confirm.txt").read_bytes()


def test_cells_are_written_to_standard_output_as_to_a_file(shop: Cli, tmp_path: Path) -> None:
    """A spreadsheet's apostrophe would become part of a number."""
    (tmp_path / "own.yaml").write_text("columns: {Order: order_number, Note: '=-5'}\n")
    assert shop("export", "tracking", "--map", "own").out == "Order,Note\r\n#1001,-5\r\n"
    found = shop("export", "tracking", "--map", "own", "--again", "-o", str(tmp_path / "x.json"))
    assert (found.code, json.loads((tmp_path / "x.json").read_text())) == (
        0, [{"Order": "#1001", "Note": "-5"}],
    )  # fmt: skip


def test_a_terminal_shows_numbers_and_marks_none(
    shop: Cli, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    words = ("export", "tracking", "--map", "shopify")
    with monkeypatch.context() as screen:
        screen.setattr(sys.stdout, "isatty", lambda: True, raising=False)
        looked = shop(*words)
    assert (looked.code, "#1001" in looked.out, "only shown" in looked.err) == (0, True, True)
    assert shop(*words, "-o", str(tmp_path / "Orders.csv")).code == 0
    assert len(read(tmp_path / "Orders.csv")) == 1


def test_a_file_that_was_not_read_yet_is_no_error_when_nothing_is_new(shop: Cli, tmp_path: Path) -> None:
    words = ("export", "tracking", "--map", "shopify", "-o", str(tmp_path / "Orders.csv"))
    assert [shop(*words).code for _ in range(2)] == [0, 0]


def test_a_label_that_was_voided_alone_makes_no_file(shop: Cli, tmp_path: Path) -> None:
    words = ("export", "tracking", "--map", "etsy", "--source", "shopify", "-o")
    assert shop(*words, str(tmp_path / "1.csv")).code == 0
    assert shop("void", "#1001", "-y").code == 0
    done = shop(*words, str(tmp_path / "2.csv"))
    assert (done.code, "take" in done.err, (tmp_path / "2.csv").exists()) == (0, True, False)
    assert "nothing new" in shop(*words, str(tmp_path / "2.csv")).err


def test_more_numbers_than_one_request_holds_are_marked(
    shop: Cli, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    rows = [[f"#{number}", "shopify", "L-1", "Lamp", "2", "1", "KG", *PLACE] for number in (1002, 1003)]
    with (tmp_path / "more.csv").open("w", newline="") as file:
        csv.writer(file).writerows([HEADERS, *rows])
    assert shop("import", "orders", str(tmp_path / "more.csv")).code == 0
    assert shop("orders", "fulfil", "--unfulfilled", "--carrier", "generic", "--cheapest", "-y").code == 0
    monkeypatch.setattr(export_tracking, "MARKED_AT_ONCE", 2)
    words = ("export", "tracking", "--map", "shopify", "-o")
    assert shop(*words, str(tmp_path / "Orders.csv")).code == 0
    assert len(read(tmp_path / "Orders.csv")) == 3
    assert "nothing new" in shop(*words, str(tmp_path / "Orders-2.csv")).err


@pytest.mark.parametrize("name", ["shopfy", "tiktok", "", "nowhere.yaml"])
def test_a_form_that_is_not_known_is_refused_before_anything(box: Cli, name: str) -> None:
    done = box("export", "tracking", "--map", name)
    assert (done.code, done.out) == (6, "")
