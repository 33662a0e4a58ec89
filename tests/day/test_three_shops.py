"""A week of three shops: orders in, rules choose, labels bought, numbers back, returns, and what it cost."""

from __future__ import annotations

import json
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator
from datetime import datetime
from decimal import Decimal
from pathlib import Path
from typing import Any

import pypdfium2
import pytest

from shipcli.bootstrap import open_app
from shipcli.cli import opening
from shipcli.cli.global_options import Options
from shipcli.cli.main import main
from shipcli.features.core.dates import find_local_day
from shipcli.features.sandbox.ledger_rows import list_ledger_rows
from tests.day.shop_week import DAYS, EACH_DAY, ShopOrder, make_orders, read_back, write_export
from tests.homes import copy_sandbox

pytestmark = pytest.mark.slow

Desk = Callable[..., str]
OUNCES = {"MUG-11": Decimal(12), "BOOK-7": Decimal(14), "LAMP-2": Decimal("41.6")}
PARTS = {"shopify": "#1001", "amazon": "111-4000000"}  # orders of which a piece is sent by itself
SET_UP = """
products set MUG-11 --weight 12oz --size 4x4x5in --hs-code 6912.00 --origin CN --value 12.50USD
products set BOOK-7 --weight 14oz --size 9x6x1in --hs-code 4901.99 --origin US --value 18USD
products set LAMP-2 --weight 2.6lb --size 8x8x12in --hs-code 9405.21 --origin DE --value 64USD
parcels presets add S 6x5x9in --tare 2oz
parcels presets add M 12x9x9in --tare 5oz
parcels presets add L 20x18x14in --tare 12oz
""".strip().splitlines()
RULES = {
    "Boxes": ("quantity>=1", "--box", "auto"),
    "Light": ("country=US and weight<2lb", "--service", "usps_ground_advantage"),
    "Amazon": ("source=amazon and country=US", "--service", "ups_ground"),
    "Valuable": ("value>=100USD", "--option", "insurance=100"),
    "Abroad": ("country!=US", "--service", "ups_worldwide_saver"),
    "Rest": ("country=US and transit_days<=4", "--service", "cheapest"),
}


REPORTS = ("spend --by day", "carriers", "cost --by carrier", "zones", "cost --by sku,service,day",
           "cost --by country", "day --by day")  # fmt: skip


@pytest.fixture
def desk(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfdbinary: pytest.CaptureFixture[bytes]
) -> Iterator[Desk]:
    """A command line in a sandbox, whose clock stands at a Monday; what a line writes to its output."""
    opening.start(Options())
    monkeypatch.chdir(tmp_path)
    home = copy_sandbox(tmp_path / "home")

    def run(*words: str, code: int = 0) -> str:
        ended = main(["--home", str(home), "--sandbox", *words])
        out, err = capfdbinary.readouterr()
        assert ended == code, f"{words}: {err.decode()}"
        return out.decode()

    run("sandbox", "clock", "freeze", "2026-03-02T15:00Z")
    return run


def test_a_week_of_three_shops(desk: Desk, tmp_path: Path) -> None:
    shops: dict[str, dict[str, ShopOrder]] = {shop: {} for shop in EACH_DAY}
    set_up(desk)
    for day in range(DAYS):
        receive_orders(desk, tmp_path, shops, day)
        if day == 0:
            ship_parts(desk, tmp_path, shops)
            desk("orders", "fulfil", *PARTS.values(), "--carrier", "ups,usps", "-y", "-q")
        desk("orders", "fulfil", "--unfulfilled", "--carrier", "ups,usps", "-y", "-q")
        tell_shops(desk, tmp_path, shops, f"{day}")
        desk("sandbox", "clock", "advance", "1d")
    check_shops(desk, shops)
    check_choices(desk, shops)
    take_returns(desk)
    check_reports(desk, tmp_path)


def set_up(desk: Desk) -> None:
    for line in SET_UP:
        desk(*line.split())
    for name, (condition, *setting) in RULES.items():
        desk("rules", "add", condition, *setting, "--name", name)


# -- orders in, numbers back -----------------------------------------------------------------------


def receive_orders(desk: Desk, folder: Path, shops: dict[str, dict[str, ShopOrder]], day: int) -> None:
    """Import the exports of a day; the first day's once more, when nothing is new."""
    for shop, count in EACH_DAY.items():
        orders = make_orders(shop, day)
        shops[shop] |= {order.number: order for order in orders}
        path = folder / f"{shop}-{day}.csv"
        path.write_text(write_export(shop, orders), "utf-8", newline="")
        assert json.loads(desk("import", "orders", str(path), "--json"))["created"] == count
        if day == 0:
            assert json.loads(desk("import", "orders", str(path), "--json"))["existing"] == count


def ship_parts(desk: Desk, folder: Path, shops: dict[str, dict[str, ShopOrder]]) -> None:
    """Send one piece of the first order of two shops by itself; their files say so line by line."""
    for shop, number in PARTS.items():
        order = shops[shop][number]
        stored = json.loads(desk("orders", "get", order.number, "--json"))
        line = {**stored["line_items"][0], "quantity": 1}
        item = {name: line[name] for name in ("title", "sku", "quantity", "weight", "weight_unit")}
        parcel = {"weight": 12, "weight_unit": "OZ", "items": [{**item, "parent_id": line["id"]}]}
        body = {"recipient": stored["shipping_to"], "parcels": [parcel], "reference": f"{order.number}-1"}
        (folder / "part.json").write_text(json.dumps(body))
        desk("ship", "--from-file", "part.json", "--carrier", "ups", "--cheapest", "-y")
    tell_shops(desk, folder, shops, "parts")
    for shop, number in PARTS.items():
        order = shops[shop][number]
        assert order.shipped == Counter({order.lines[0].sku: 1})


def tell_shops(desk: Desk, folder: Path, shops: dict[str, dict[str, ShopOrder]], name: str) -> None:
    """Export the numbers of each shop, and take the file as the shop does; behind the last nothing is new."""
    for shop, orders in shops.items():
        path = folder / f"{shop}-Orders-{name}.txt"
        desk("export", "tracking", "--map", shop, "-o", str(path))
        if path.exists():
            read_back(shop, path.read_text("utf-8"), orders)
        if name == str(DAYS - 1):
            desk("export", "tracking", "--map", shop, "-o", str(folder / "again-Orders.txt"))
            assert not (folder / "again-Orders.txt").exists()


def check_shops(desk: Desk, shops: dict[str, dict[str, ShopOrder]]) -> None:
    """Every shop was told of every piece once, by numbers that the carriers gave."""
    sold = {row["tracking_number"] for row in list_shipments(desk)}
    orders = [order for shop in shops.values() for order in shop.values()]
    assert len(orders) == 200
    assert [order for order in orders if order.shipped != order.ordered] == []
    assert sorted(number for order in orders for number in order.numbers) == sorted(sold)
    assert Counter(len(order.numbers) for order in orders) == {1: 198, 2: 2}


def list_shipments(desk: Desk) -> list[dict[str, Any]]:
    rows: list[dict[str, Any]] = json.loads(desk("shipments", "list", "--all", "--json"))["results"]
    return rows


# -- what the rules chose --------------------------------------------------------------------------


def check_choices(desk: Desk, shops: dict[str, dict[str, ShopOrder]]) -> None:
    """Every order went by the service, in the box and with the insurance that its rules say."""
    orders = {order.number: (shop, order) for shop, rows in shops.items() for order in rows.values()}
    shipments = [row for row in list_shipments(desk) if not str(row["reference"]).endswith("-1")]
    assert len(shipments) == 200
    for shipment in shipments:
        word = shipment["metadata"]["order_id"]
        shop, order = orders[f"#{word}" if f"#{word}" in orders else word]
        if len(order.numbers) == 2:
            continue  # what was left of it
        assert shipment["service"] == choose_service(shop, order, shipment["rates"]), word
        assert (shipment["options"].get("insurance") == 100) is is_valuable(shop, order), word
        assert all(parcel["length"] for parcel in shipment["parcels"]), word
        weight = sum(OUNCES[line.sku] * line.quantity for line in order.lines)
        weighed = sum(weigh_in_ounces(parcel) for parcel in shipment["parcels"])
        assert weighed - float(weight) in (pytest.approx(2, abs=0.1), pytest.approx(5, abs=0.1),
                                           pytest.approx(12, abs=0.1)), word  # fmt: skip


def choose_service(shop: str, order: ShopOrder, rates: list[dict[str, Any]]) -> str:
    """The rules once more, written out for these orders."""
    if order.place[5] != "US":
        return "ups_worldwide_saver"
    if sum(OUNCES[line.sku] * line.quantity for line in order.lines) < 32:
        return "usps_ground_advantage"
    if shop == "amazon":
        return "ups_ground"
    quick = [rate for rate in rates if rate["transit_days"] is not None and rate["transit_days"] <= 4]
    return str(min(quick, key=lambda rate: rate["total_charge"])["service"])


def is_valuable(shop: str, order: ShopOrder) -> bool:
    """Whether its goods are worth 100 USD or more; Amazon's file has no prices, our list of products does."""
    values = {"MUG-11": Decimal("12.50"), "BOOK-7": Decimal(18), "LAMP-2": Decimal(64)}
    return sum(values[line.sku] * line.quantity for line in order.lines) >= 100


def weigh_in_ounces(parcel: dict[str, Any]) -> float:
    factor = {"OZ": 1, "LB": 16, "G": 0.03527396, "KG": 35.27396}[parcel["weight_unit"]]
    return float(parcel["weight"]) * factor


# -- returns and reports ---------------------------------------------------------------------------


def take_returns(desk: Desk) -> None:
    """Two labels back: a whole order, and one article of another."""
    desk("return", "7203", "--carrier", "ups", "--cheapest", "-y")
    desk("return", "#1005", "--sku", "LAMP-2", "--carrier", "ups", "--cheapest", "-y")


def check_reports(desk: Desk, folder: Path) -> None:
    """The figures of every report are those of the carriers' ledger, and its pages say them."""
    app = open_app(folder / "home", sandbox=True, environ={})
    try:
        ledger = [row for row in list_ledger_rows(app) if not row["voided"]]
        days = {
            row["number"]: find_local_day(datetime.fromisoformat(row["bought"])).isoformat() for row in ledger
        }
    finally:
        app.close()
    assert len(ledger) == 204
    spent: dict[tuple[str, str], Decimal] = defaultdict(Decimal)
    for row in ledger:
        spent["carrier", row["slug"]] += Decimal(str(row["total"]))
        spent["day", days[row["number"]]] += Decimal(str(row["total"]))
    total = sum((amount for (kind, _), amount in spent.items() if kind == "day"), Decimal(0))
    for line in REPORTS:
        check_report(desk, folder, tuple(line.split()), spent, total)
    assert json.loads(desk("reports", "late", "--json"))["sections"] == []


def check_report(
    desk: Desk, folder: Path, words: tuple[str, ...], spent: dict[tuple[str, str], Decimal], total: Decimal
) -> None:
    span = ("--since", "2026-03-02", "--until", "2026-03-08")
    report = json.loads(desk("reports", *words, *span, "--json"), parse_float=Decimal)
    section = report["sections"][0]
    key = section["columns"][0]["name"]
    assert section["total"]["spend"] == total
    assert sum(row["spend"] for row in section["rows"]) == total
    if len(words) < 3 or "," not in words[2]:
        for row in section["rows"]:
            assert row["spend"] == spent.get((key, row[key]), row["spend"]), (words, row)
    name = "-".join(words).replace(",", "_")
    desk("reports", *words, *span, "-o", f"{name}.pdf")
    check_pages(read_pages(folder / f"{name}.pdf"), section)


def read_pages(path: Path) -> list[str]:
    """The text of every page."""
    with pypdfium2.PdfDocument(path) as document:
        return [page.get_textpage().get_text_range() for page in document]


def check_pages(pages: list[str], section: dict[str, Any]) -> None:
    """Every row is on a page, below the heads of its columns, and the total is on the last."""
    assert len(pages) == 1 + (len(section["rows"]) >= 40)
    for number, page in enumerate(pages, 1):
        assert f"Page {number}" in page
        assert all(column["title"] in page for column in section["columns"])
    words = set(" ".join(pages).split())
    for row in section["rows"]:
        assert {f"{row['spend']:,.2f}", str(row["labels"])} <= words
    assert f"{section['total']['spend']:,.2f}" in pages[-1]
