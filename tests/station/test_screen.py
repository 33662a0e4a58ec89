"""The screen: what stands on it at both sizes, and that keys and scans reach the station."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from decimal import Decimal
from pathlib import Path

import pytest
from textual.pilot import Pilot

from shipcli.cli.station.screen import StationScreen
from shipcli.cli.station.views import show_entry
from shipcli.documents.command_sheet import draw_sheet
from shipcli.drawing.paper import A4, LETTER, Letterhead, PaperSize
from shipcli.features.core.app import App
from shipcli.scales.readings import ScaleReading
from shipcli.workflows.station.commands import WORDS
from shipcli.workflows.station.scans import PREFIX, StationCommand
from shipcli.workflows.station.state import StationOptions
from shipcli.workflows.station.steps import ScaleSilent, Weighed
from tests.documents.samples import texts
from tests.factories import RECIPIENT
from tests.features.conftest import live_labels
from tests.station.bench import MUG, TEA, make_order
from tests.station.screens import make_screen, read_screen

SIZES = [(80, 24), (120, 40)]
Play = Callable[["Stage"], Awaitable[None]]
PATIENCE = 400


class Stage:
    """A screen that runs, and a person before it."""

    def __init__(self, screen: StationScreen, pilot: Pilot[None]) -> None:
        self.screen, self.pilot = screen, pilot

    async def scan(self, text: str) -> None:
        await self.pilot.press(*text.replace("-", "\0").replace("\0", "-"), "enter")

    async def see(self, words: str) -> str:
        """Wait until words are on the screen; the whole of it."""
        for _ in range(PATIENCE):
            shown = "\n".join(read_screen(self.screen))
            if words in shown:
                return shown
            await self.pilot.pause(0.02)
        raise AssertionError(f"{words!r} is not on the screen:\n{shown}")


def play(
    app: App, play_it: Play, size: tuple[int, int] = (80, 24), options: StationOptions | None = None
) -> None:
    async def run() -> None:
        screen = make_screen(app, options)
        async with screen.run_test(size=size) as pilot:
            await play_it(Stage(screen, pilot))

    asyncio.run(run())


@pytest.mark.parametrize("size", SIZES, ids=["80x24", "120x40"])
def test_all_that_a_packer_needs_is_on_the_screen(app: App, size: tuple[int, int]) -> None:
    async def pack(stage: Stage) -> None:
        await stage.see("Scan an order")
        await stage.scan("1042")
        await stage.see("WEIGH")
        for _ in range(2):
            stage.screen.tell(Weighed(ScaleReading(Decimal("1.25"), "KG")))
        shown = await stage.see("NOT YET")
        for words in ("SANDBOX", "bench7", "Ada packs", "0 today", "zebra ZPL 4x6", "1042", "ANA RUIZ",
                      "Phoenix AZ 85004", "0/2 MUG-11", "0/1 TEA-5", "cheapest", "days faster", "kg ✔",
                      "F9 BUY", "Esc Clear", "Still to be scanned"):  # fmt: skip
            assert words in shown, f"{words}\n{shown}"
        assert shown.count("USD") == 3
        assert max(map(len, shown.splitlines())) <= size[0]
        await stage.pilot.press("f6")
        await stage.see("CUSTOMS")

    make_order(app, "1042")
    play(app, pack, size, StationOptions(has_scale=True, checks_goods=True, packer="Ada"))


def test_a_key_buys_and_the_label_is_printed(app: App, tmp_path: Path) -> None:
    async def pack(stage: Stage) -> None:
        await stage.scan("1042")
        await stage.see("READY: F9 BUYS")
        await stage.pilot.press("f9")
        shown = await stage.see("is printed on zebra")
        assert "1 today" in shown

    make_order(app, "1042")
    play(app, pack)
    assert list(live_labels(app)) == ["1042"]
    assert len(list((tmp_path / "printed").iterdir())) == 1


def test_a_narrow_terminal_has_every_key_and_the_end_of_the_news(app: App) -> None:
    async def pack(stage: Stage) -> None:
        await stage.scan("A-NUMBER-THAT-FILLS-MOST-OF-A-NARROW-LINE-1042")
        shown = await stage.see("READY: F9 BUYS")
        for words in ("F2 Hold", "F9 BUY", "Esc Clear", "A-NUMBER-…"):
            assert words in shown, f"{words}\n{shown}"
        await stage.pilot.resize_terminal(100, 20)
        await stage.see("F8 Check F9 BUY Esc Clear")

    make_order(app, "A-NUMBER-THAT-FILLS-MOST-OF-A-NARROW-LINE-1042")
    play(app, pack, (60, 20))


def test_articles_for_which_there_is_no_room_are_counted_and_those_done_left_out_first(app: App) -> None:
    async def pack(stage: Stage) -> None:
        await stage.scan("1042")
        await stage.see("0/1 SKU-00")
        shown = await stage.see(" more")
        assert "SKU-29" not in shown
        for number in range(29):
            await stage.scan(f"SKU-{number:02}")
        shown = await stage.see("0/1 SKU-29")
        assert "29 done" in shown

    lines = [{**TEA, "sku": f"SKU-{number:02}"} for number in range(30)]
    make_order(app, "1042", line_items=lines)
    play(app, pack, options=StationOptions(checks_goods=True))


def test_the_wishes_of_the_customer_and_which_of_an_article_are_on_the_screen(app: App) -> None:
    async def pack(stage: Stage) -> None:
        await stage.scan("1042")
        shown = await stage.see("READY")
        for words in ("✎ Please wrap it as a gift", "✎ paid for: Express", "A Mug, Blue", "17 HAUPTSTRASSE"):
            assert words in shown, f"{words}\n{shown}"

    make_order(
        app, "1042",
        shipping_to={**RECIPIENT, "street_number": "17", "address_line1": "Hauptstrasse"},
        line_items=[{**MUG, "title": "A Mug", "metadata": {"variant": "Blue"}}],
        metadata={"note": "Please wrap it as a gift, without the invoice", "shipping_method": "Express"},
    )  # fmt: skip
    play(app, pack)


def test_a_long_note_leaves_room_for_the_articles(app: App) -> None:
    async def pack(stage: Stage) -> None:
        await stage.scan("1042")
        shown = await stage.see("READY")
        assert "0/2 MUG-11" in shown
        assert 0 < shown.count("很好") < 60

    make_order(app, "1042", metadata={"note": "很好 " * 200})
    play(app, pack)


def test_what_customs_miss_is_on_the_screen_before_the_label_is_bought(app: App) -> None:
    async def pack(stage: Stage) -> None:
        await stage.scan("1042")
        await stage.see("▲ customs (F6): no value")

    make_order(app, "1042", shipping_to={**RECIPIENT, "country_code": "FR", "state_code": None})
    play(app, pack)


def test_what_is_typed_slowly_is_shown_and_can_be_taken_back(app: App) -> None:
    async def type_it(stage: Stage) -> None:
        await stage.pilot.press("1", "0", "5", "backspace", "4")
        await stage.see("> 104▏")
        await stage.pilot.press("escape")
        await stage.see("> ▏")

    play(app, type_it)


def test_backspace_takes_the_last_article_out_where_nothing_is_typed(app: App) -> None:
    async def pack(stage: Stage) -> None:
        await stage.scan("1042")
        await stage.see("READY")
        await stage.scan("TEA-5")
        await stage.see("1/1 TEA-5")
        await stage.pilot.press("x", "backspace")
        assert "1/1 TEA-5" in await stage.see("> ▏")
        await stage.pilot.press("backspace")
        await stage.see("0/1 TEA-5")

    make_order(app, "1042")
    play(app, pack)


def test_a_weight_that_is_asked_about_is_not_waited_for(app: App) -> None:
    async def pack(stage: Stage) -> None:
        await stage.scan("1042")
        await stage.see("WEIGH")
        for _ in range(2):
            stage.screen.tell(Weighed(ScaleReading(Decimal("12.5"), "KG")))
        assert "WEIGH" not in await stage.see("1042  ANSWER: Y OR N")

    make_order(app, "1042")
    play(app, pack, options=StationOptions(has_scale=True))


def test_what_is_looked_up_is_shown_beside_what_is_entered() -> None:
    assert show_entry("10", ["A-NUMBER-THAT-IS-LONGER-THAN-THE-LINE"]).plain == "> 10▏ … A-NUMBER-…N-THE-LINE"
    assert show_entry("10").plain == "> 10▏"


def test_a_silent_scale_is_on_the_screen_and_rings(app: App) -> None:
    async def lose(stage: Stage) -> None:
        stage.screen.tell(ScaleSilent("The scale says nothing"))
        await stage.see("▲ The scale says nothing")
        assert stage.screen.station.sounds[1] == 1

    play(app, lose, options=StationOptions(has_scale=True))


@pytest.mark.parametrize("paper", [A4, LETTER], ids=lambda paper: paper.name)
def test_the_sheet_has_a_barcode_for_every_command_and_badges(paper: PaperSize) -> None:
    commands = [(f"{PREFIX}{command}", WORDS[command]) for command in StationCommand]
    sheet = draw_sheet([*commands, ("CMD-PACKER-Ada", "Ada packs")], Letterhead(paper))
    shown = " ".join(texts(sheet))
    for code, words in commands:
        assert code in shown
        assert words in shown
    assert "Ada packs" in shown
