"""`export tracking`: a file written once, whole, for cron; what happens when it is not."""

from __future__ import annotations

import csv
from pathlib import Path

import pytest

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


@pytest.mark.parametrize("name", ["shopfy", "tiktok", "", "nowhere.yaml"])
def test_a_form_that_is_not_known_is_refused_before_anything(box: Cli, name: str) -> None:
    done = box("export", "tracking", "--map", name)
    assert (done.code, done.out) == (6, "")
