"""The station as a state machine: from a scan to a label, once."""

from __future__ import annotations

from pathlib import Path

import pytest

from shipcli.features.book.products import save_products
from shipcli.features.core.app import App
from shipcli.features.orders.service import cancel_order, get_order
from shipcli.models import Shipment
from shipcli.models.parts.product import ProductData
from shipcli.workflows.station.loads import Phase
from shipcli.workflows.station.offers import list_offers
from shipcli.workflows.station.scans import StationCommand
from shipcli.workflows.station.state import StationOptions
from shipcli.workflows.station.steps import BuyLabel, FetchRates, PrintLabel
from tests.features.conftest import live_labels
from tests.station.bench import TEA, Bench, make_order

BUY, UNDO = StationCommand.BUY, StationCommand.UNDO


def count_labels(app: App) -> int:
    return sum(len(numbers) for numbers in live_labels(app).values())


def read_label(bench: Bench) -> Shipment:
    assert bench.station.last is not None, bench.station.news
    return bench.station.last


# -- a label ---------------------------------------------------------------------------------------


def test_a_scan_shows_a_price_and_buys_nothing(bench: Bench, app: App) -> None:
    make_order(app, "1042")
    bench.scan("1042")
    assert bench.load.phase is Phase.PRICED
    assert bench.load.rate
    assert count_labels(app) == 0


def test_the_key_buys_and_the_label_is_printed(bench: Bench, app: App, tmp_path: Path) -> None:
    order = make_order(app, "1042")
    bench.scan("1042")
    bench.press(BUY)
    label = read_label(bench)
    assert list(live_labels(app)) == ["1042"]
    assert get_order(app, order.id).status == "fulfilled"
    assert len(list((tmp_path / "printed").iterdir())) == 1
    assert bench.station.load is None
    assert str(label.tracking_number) in bench.station.news
    assert bench.station.count == 1


def test_a_command_barcode_buys(bench: Bench, app: App) -> None:
    make_order(app, "1042")
    bench.scan("1042")
    bench.scan("CMD-BUY")
    assert count_labels(app) == 1


def test_the_order_scanned_again_buys(bench: Bench, app: App) -> None:
    make_order(app, "1042")
    bench.scan("1042")
    bench.scan("1042")
    assert count_labels(app) == 1


def test_a_double_pull_of_the_trigger_does_not(bench: Bench, app: App) -> None:
    make_order(app, "1042")
    for pause in (5, 0.3, 0.3, 0.9):
        bench.scan("1042", after=pause)
    assert bench.load.phase is Phase.PRICED
    assert count_labels(app) == 0


def test_a_scan_made_before_the_price_was_shown_does_not_buy(bench: Bench, app: App) -> None:
    make_order(app, "1042")
    bench.waits = lambda effect: isinstance(effect, FetchRates)
    bench.scan("1042")
    bench.scan("1042")
    bench.go_on()
    assert bench.load.phase is Phase.PRICED
    assert count_labels(app) == 0


def test_a_repeating_key_buys_once(bench: Bench, app: App) -> None:
    for number in ("1042", "1043"):
        make_order(app, number)
        bench.scan(number)
    for _ in range(5):
        bench.press(BUY, after=0.03)
    assert list(live_labels(app)) == ["1043"]
    assert [load.number for load in bench.station.table.held] == ["1042"]


def test_who_packs_and_where_stays_with_the_label(bench: Bench, app: App) -> None:
    make_order(app, "1042")
    bench.scan("CMD-PACKER-Ada")
    bench.scan("1042")
    bench.scan("CMD-BUY")
    stored = app.store.get("shipment", read_label(bench).id, app.test_mode)
    assert stored
    assert (stored["metadata"]["packed_by"], stored["metadata"]["packed_at"]) == ("Ada", "bench7")
    assert any(
        event["data"].get("metadata", {}).get("packed_by") == "Ada" for event in app.store.each("event")
    )


# -- several orders --------------------------------------------------------------------------------


def test_a_second_order_holds_the_first(bench: Bench, app: App) -> None:
    for number in ("1042", "1043"):
        make_order(app, number)
        bench.scan(number)
    assert bench.load.number == "1043"
    assert [load.number for load in bench.station.table.held] == ["1042"]
    bench.scan("1042")
    assert (bench.load.number, count_labels(app)) == ("1042", 0)


def test_the_key_for_hold_takes_the_load_off_and_back(bench: Bench, app: App) -> None:
    make_order(app, "1042")
    bench.scan("1042")
    bench.press(StationCommand.HOLD)
    assert bench.station.load is None
    bench.press(StationCommand.HOLD)
    assert bench.load.number == "1042"


def test_the_next_order_is_taken_while_a_label_is_bought(bench: Bench, app: App) -> None:
    for number in ("1042", "1043"):
        make_order(app, number)
    bench.scan("1042")
    bench.waits = lambda effect: isinstance(effect, BuyLabel)
    bench.press(BUY)
    bench.scan("1043")
    assert bench.load.number == "1043"
    bench.scan("1042")
    assert "being bought" in bench.station.news
    bench.go_on()
    assert bench.load.number == "1043"
    assert list(live_labels(app)) == ["1042"]
    assert bench.count_done(PrintLabel) == 1


def test_a_cancelled_order_is_not_packed(bench: Bench, app: App) -> None:
    order = make_order(app, "1042")
    cancel_order(app, order.id)
    bench.scan("1042")
    assert "cancelled" in bench.station.news
    assert bench.station.load is None


def test_two_shops_with_one_number_are_told_apart(bench: Bench, app: App) -> None:
    orders = [make_order(app, "1042", source=source) for source in ("etsy", "amazon")]
    bench.scan("1042")
    assert "2 orders are called 1042" in bench.station.news
    bench.scan(orders[1].id)
    assert bench.load.job.order == get_order(app, orders[1].id)


def test_the_beginning_of_a_number_names_no_order(bench: Bench, app: App) -> None:
    make_order(app, "1042")
    bench.scan("104")
    assert bench.station.news == "Nothing is called 104"


def test_a_changed_order_is_not_bought_as_it_was(bench: Bench, app: App) -> None:
    order = make_order(app, "1042")
    bench.scan("1042")
    cancel_order(app, order.id)
    bench.press(BUY)
    assert bench.load.phase is Phase.ATTENTION
    assert count_labels(app) == 0


# -- articles --------------------------------------------------------------------------------------


def test_articles_scanned_before_the_price_count(app: App) -> None:
    bench = Bench(app, StationOptions(checks_goods=True), waits=lambda effect: isinstance(effect, FetchRates))
    make_order(app, "1042")
    bench.scan("1042", after=0)
    bench.scan("MUG-11", after=0)
    bench.scan("9506000134352", after=0)  # its other barcode
    assert "1 TEA-5" in bench.load.goods.describe_problem()
    bench.go_on()
    bench.press(BUY)
    assert "Still to be scanned: 1 TEA-5" in bench.station.news
    bench.scan("tea-5")
    assert bench.load.goods.describe_problem() == ""


def test_a_wrong_article_stops_the_label_until_it_is_taken_out(app: App) -> None:
    bench = Bench(app, StationOptions(checks_goods=True))
    make_order(app, "1042")
    for scanned in ("1042", "MUG-11", "MUG-11", "TEA-5", "CUP-1"):
        bench.scan(scanned)
    bench.press(BUY)
    assert "CUP-1 does not belong" in bench.station.news
    assert count_labels(app) == 0
    bench.press(StationCommand.CLEAR)
    bench.press(BUY)
    assert count_labels(app) == 1


def test_a_piece_too_many_stops_the_label(app: App) -> None:
    bench = Bench(app, StationOptions(checks_goods=True))
    make_order(app, "1042")
    for scanned in ("1042", "MUG-11", "MUG-11", "MUG-11", "TEA-5"):
        bench.scan(scanned)
    bench.press(BUY)
    assert "Too many: 1 MUG-11" in bench.station.news
    assert count_labels(app) == 0


def test_an_article_is_known_by_the_whole_of_a_long_number(app: App) -> None:
    long = "ARTICLE-NUMBER-OF-MORE-THAN-35-CHARACTERS"
    bench = Bench(app, StationOptions(checks_goods=True))
    line = {**TEA, "sku": long[:35], "metadata": {"sku": f"{long}-RED"}}
    make_order(app, "1042", line_items=[line])
    bench.scan("1042")
    bench.scan(f"{long}-BLUE")
    assert "does not belong" in bench.station.news
    bench.press(StationCommand.CLEAR)
    bench.scan(f"{long}-RED")
    assert bench.load.goods.describe_problem() == ""


@pytest.mark.parametrize(
    ("stored", "scanned"),
    [
        ("978-3-16-148410-0", "9783161484100"),
        ("012345678905", "0012345678905"),
        (12345678905, "012345678905"),
        ("0012345678905", "]E00012345678905"),
    ],
)
def test_an_article_is_known_by_its_number_however_that_was_written(
    bench: Bench, app: App, stored: object, scanned: str
) -> None:
    make_order(app, "1042", line_items=[{**TEA, "metadata": {"ean": stored}}])
    bench.scan("1042")
    bench.scan(scanned)
    assert bench.load.goods.describe_problem() == ""


def test_an_article_is_known_by_the_barcode_of_its_product(bench: Bench, app: App) -> None:
    save_products(app, [ProductData(sku="TEA-5", barcode="9506000134352")])
    make_order(app, "1042", line_items=[TEA])
    bench.scan("1042")
    bench.scan("]d20109506000134352" + "10LOT7")
    assert bench.load.goods.describe_problem() == ""


def test_an_article_without_a_number_is_typed_by_its_title(app: App) -> None:
    bench = Bench(app, StationOptions(checks_goods=True))
    make_order(app, "1042", line_items=[{**TEA, "sku": None, "title": "Gift card"}])
    bench.scan("1042")
    bench.type("gift card")
    bench.press(BUY)
    assert count_labels(app) == 1


def test_the_article_counted_last_is_taken_out_again(checking: Bench) -> None:
    for scanned in ("MUG-11", "TEA-5", "MUG-11"):
        checking.scan(scanned)
    assert checking.load.goods.describe_problem() == ""
    checking.press(UNDO)
    assert checking.load.goods.describe_problem() == "Still to be scanned: 1 MUG-11"
    checking.scan("CMD-UNDO")
    assert checking.load.goods.describe_problem() == "Still to be scanned: 1 MUG-11, 1 TEA-5"
    for _ in range(2):
        checking.press(UNDO)
    assert "no article" in checking.station.news
    assert checking.load.goods.describe_problem() == "Still to be scanned: 2 MUG-11, 1 TEA-5"


def test_a_piece_that_was_taken_out_as_too_many_is_not_taken_out_again(checking: Bench) -> None:
    for scanned in ("TEA-5", "MUG-11", "MUG-11", "MUG-11"):
        checking.scan(scanned)
    checking.press(StationCommand.CLEAR)
    assert checking.load.goods.describe_problem() == ""
    checking.press(UNDO)
    assert checking.load.goods.describe_problem() == "Still to be scanned: 1 MUG-11"


def test_without_the_check_articles_need_not_be_scanned(bench: Bench, app: App) -> None:
    make_order(app, "1042")
    bench.scan("1042")
    bench.scan("MUG-11")
    bench.scan("CMD-CHECK")
    bench.press(BUY)
    assert count_labels(app) == 0
    bench.scan("CMD-CHECK", after=20)
    bench.press(BUY)
    assert count_labels(app) == 1


# -- rates and boxes -------------------------------------------------------------------------------


def test_the_next_rate_is_what_is_bought(bench: Bench, app: App) -> None:
    make_order(app, "1042")
    bench.scan("1042")
    first = bench.load.rate
    bench.press(StationCommand.NEXT)
    chosen = bench.load.rate
    assert chosen
    assert first
    assert chosen.id != first.id
    bench.press(BUY)
    assert read_label(bench).service == chosen.service


def test_offers_say_what_is_different_about_them(bench: Bench, app: App) -> None:
    make_order(app, "1042")
    bench.scan("1042")
    assert bench.load.draft
    assert bench.load.rate
    offers = list_offers(bench.load.draft, bench.load.rate)
    assert offers[0].reason == "cheapest"
    assert all(offer.reason.startswith(("+", "same")) for offer in offers[1:])


def test_another_box_fetches_other_rates(bench: Bench, app: App) -> None:
    from shipcli.features.book.boxes import save_box

    save_box(app, "M", {"length": 30, "width": 20, "height": 20, "dimension_unit": "CM"})
    make_order(app, "1042")
    bench.scan("1042")
    bench.press(StationCommand.BOX)
    assert bench.load.draft
    assert bench.load.draft.parcels[0].length == 30
    bench.press(StationCommand.BOX)
    assert bench.load.draft
    assert bench.load.draft.parcels[0].length is None
