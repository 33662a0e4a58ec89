"""The orders of a second day: a wrong address, a paid method, a dear parcel, orders that belong together."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.day.bench import Bench

pytestmark = pytest.mark.slow

HEADER = (
    "Name,Financial Status,Fulfillment Status,Currency,Shipping Method,Created at,Lineitem quantity,"
    "Lineitem name,Lineitem price,Lineitem sku,Lineitem requires shipping,"
    "Shipping Name,Shipping Address1,Shipping City,Shipping Zip,Shipping Province,Shipping Country"
)
ORDERS = (
    "#6001,paid,unfulfilled,USD,Express,2026-11-20 09:00:00 -0500,1,Mug - Blue,32.50,MUG-B,true,"
    "Ada Brooks,1 Main St,Boston,02134,MA,US",
    "#6002,paid,unfulfilled,USD,Standard,2026-11-21 09:00:00 -0500,2,Mug - Red,32.50,MUG-R,true,"
    "Ben Okoro,5 Lake St,Chicago,60601,IL,US",
    "#6003,paid,unfulfilled,USD,Standard,2026-11-19 09:00:00 -0500,1,Mug - Green,32.50,MUG-G,true,"
    "Ben Okoro,5 Lake St,Chicago,60601,IL,US",
    "#6004,paid,unfulfilled,USD,Standard,2026-11-18 09:00:00 -0500,60,Anvil,9.00,ANVIL,true,"
    "Cy Fox,3 Oak Ave,Denver,80202,CO,US",
)


@pytest.fixture
def bench() -> Iterator[Bench]:
    with tempfile.TemporaryDirectory(prefix="day") as folder:
        (Path(folder) / "shop.csv").write_text("\n".join((HEADER, *ORDERS)))
        (Path(folder) / "later.csv").write_text(
            "\n".join((HEADER, *ORDERS)).replace("5 Lake St", "7 Newer St")
        )
        yield Bench(Path(folder) / "home", Path(folder))


def test_orders_are_mended_and_sent_as_they_were_paid(bench: Bench) -> None:
    bench.type("import", "import orders shop.csv --map shopify --set weight=1lb")
    screen = bench.type("list", "orders list --status unfulfilled")
    assert [line[:5] for line in screen.splitlines()[2:]] == ["#6004", "#6003", "#6001", "#6002"]
    mend_an_address(bench)
    send_as_paid(bench)
    pass_over_the_dear_one(bench)


def mend_an_address(bench: Bench) -> None:
    bench.type("first", "ship 6002 --carrier ups --cheapest -y", code=0)
    bench.type("void", "void 6002 -y")
    bench.type("edit", "orders edit 6002 --line1 '9 Fixed St'")
    again = bench.type("again", "import orders shop.csv --map shopify --set weight=1lb --on-duplicate update")
    assert "edited by hand" in again
    card = bench.type("card", "orders get 6002")
    assert "9 Fixed St, Chicago IL 60601" in card
    assert "2 x Mug - Red (MUG-R)" in card
    assert "Standard" in card
    bench.type("newer", "import orders later.csv --map shopify --set weight=1lb --on-duplicate update")
    assert "7 Newer St" in bench.type("renewed", "orders get 6002")
    bench.type("together", "orders combine 6002 6003", ("[y/N]", "y"))
    assert "1 x Mug" in bench.type("apart", "orders split 6002 --sku MUG-R:1") + bench.type(
        "part", "orders get 6002-2"
    )


def send_as_paid(bench: Bench) -> None:
    named = bench.type("unknown", "orders fulfil 6001 --carrier ups --dry-run")
    assert "paid as Express" in named
    bench.type("map", "methods map Express ups_2nd_day_air")
    sent = bench.type("express", "orders fulfil --method Express --carrier ups --cheapest -y")
    assert "ups_2nd_day_air" in sent


def pass_over_the_dear_one(bench: Bench) -> None:
    planned = bench.type("planned", "orders fulfil --unfulfilled --carrier ups --max-total 40USD --dry-run")
    assert "nothing is bought or spent" in planned
    screen = bench.type(
        "limit", "orders fulfil --unfulfilled --carrier ups --max-total 40USD", ("[y/N]", "y"), code=11
    )
    assert "6004: passed over" in screen
    assert "#6004" in bench.type("left", "orders list --status unfulfilled")
