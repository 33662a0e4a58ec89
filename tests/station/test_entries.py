"""What a scanner types, on whichever keyboard, and what is meant by it."""

from __future__ import annotations

import pytest

from shipcli.features.core.app import App
from shipcli.workflows.station.keyboards import LAYOUTS, US
from shipcli.workflows.station.scans import StationCommand, learn_layouts, list_words, read_entry
from tests.station.bench import Bench, make_order

TYPED = {name: str.maketrans("".join(US), "".join(rows)) for name, rows in LAYOUTS.items()}


@pytest.mark.parametrize("layout", LAYOUTS)
def test_a_layout_has_every_key(layout: str) -> None:
    assert [len(row) for row in LAYOUTS[layout]] == [len(row) for row in US]


@pytest.mark.parametrize("layout", LAYOUTS)
@pytest.mark.parametrize("command", StationCommand)
def test_a_command_is_understood_on_every_layout(layout: str, command: StationCommand) -> None:
    assert read_entry(f"CMD-{command}".translate(TYPED[layout])).command is command


@pytest.mark.parametrize("layout", LAYOUTS)
@pytest.mark.parametrize("number", ["1042", "SO-1042", "AY-1/2", "ZZ_9", "]C1420850049261290100130739674083"])
def test_a_known_layout_gives_back_what_was_scanned(layout: str, number: str) -> None:
    entry = read_entry(number.translate(TYPED[layout]), layouts=(layout,))
    assert entry.words == tuple(list_words(number))


@pytest.mark.parametrize("layout", [name for name in LAYOUTS if name != "se"])
def test_an_order_number_is_among_what_may_be_meant_on_an_unknown_layout(layout: str) -> None:
    assert "SO-1042" in read_entry("SO-1042".translate(TYPED[layout])).words


def test_letters_are_not_exchanged_where_no_sign_shows_another_layout() -> None:
    assert read_entry("AZ1").words == ("AZ1",)
    assert read_entry("10-42").words == ("10-42",)


def test_of_several_layouts_that_keeps_letters_is_meant() -> None:
    assert read_entry("AY'1").words == ("AY'1", "AY-1")


def test_a_command_teaches_the_layout_of_the_keyboard() -> None:
    assert learn_layouts(read_entry("CMDßBUZ")) == ["de"]
    assert learn_layouts(read_entry("C?D)VOID")) == ["fr"]
    assert learn_layouts(read_entry("CMD-BUY")) == []


def test_what_a_person_types_is_not_translated() -> None:
    assert read_entry("Größe", is_scan=False).words == ("Größe",)


@pytest.mark.parametrize(
    ("scanned", "words"),
    [
        ("1042", ["1042"]),
        ("]C01042", ["1042"]),
        ("]C04001042", ["4001042"]),
        ("]E04006381333931", ["4006381333931", "04006381333931"]),
        ("0109506000134352", ["0109506000134352", "9506000134352", "09506000134352"]),
        ("010950600013435210LOT7", ["010950600013435210LOT7", "9506000134352"]),
        ("00340434161094042557", ["00340434161094042557", "340434161094042557"]),
        ("]Q1https://id.example.com/01/09506000134352/10/LOT7", ["9506000134352", "09506000134352"]),
        ("]C1400SO-77", ["SO-77", "400SO-77", "400SO77"]),
        ("(400)SO-77", ["SO-77"]),
        ("(01)09506000134352(21)7", ["9506000134352", "09506000134352"]),
        ("9506000134352", ["9506000134352", "09506000134352"]),
        ("]d20109506000134352" + "21AB7\x1d400SO-77", ["SO-77", "9506000134352", "09506000134352"]),
    ],
)
def test_the_elements_of_a_barcode_are_understood(scanned: str, words: list[str]) -> None:
    assert list_words(scanned)[: len(words)] == words


def test_a_number_of_a_carrier_is_cut_out_of_its_barcode() -> None:
    assert "9261290100130739674083" in list_words("]C1420850049261290100130739674083")


def test_a_badge_names_who_packs() -> None:
    assert read_entry("CMD-PACKER-Ada").packer == "Ada"
    assert read_entry("CMDßPACKERßAda").packer == "Ada"
    assert read_entry("]C0CMD-PACKER-Ada").packer == "Ada"


def test_a_name_keeps_its_letters_where_several_layouts_may_be_set() -> None:
    assert read_entry("CMD'PACKER'Zoey").packer == "Zoey"
    assert read_entry("CMDßPACKERßYoez").packer == "Zoey"


def test_a_command_that_several_layouts_share_does_not_exchange_letters(bench: Bench, app: App) -> None:
    make_order(app, "AY-1")
    bench.scan("CMD'NEXT")  # so do a Swiss, a Spanish and an Italian keyboard
    bench.scan("AY'1")
    assert bench.load.number == "AY-1"


def test_each_command_narrows_what_the_layout_may_be(bench: Bench) -> None:
    bench.scan("CMD'NEXT")
    assert bench.station.layouts == ("ch", "es", "it")
    bench.scan("]C0CMD'BUZ".translate(str.maketrans("]", "¨")))
    assert bench.station.layouts == ("ch",)


@pytest.mark.parametrize(
    ("number", "scanned"),
    [("#1042", "1042"), ("#1042", "]C01042"), ("1042", "#1042"), ("so-77", "SO-77"), ("SO-77", "so-77")],
)
def test_an_order_is_found_as_it_is_written_on_the_paper(
    bench: Bench, app: App, number: str, scanned: str
) -> None:
    make_order(app, number)
    bench.scan(scanned)
    assert bench.load.number == number


def test_an_order_with_just_that_number_comes_first(bench: Bench, app: App) -> None:
    for number in ("#1042", "1042"):
        make_order(app, number)
    bench.scan("1042")
    assert bench.load.number == "1042"
    bench.scan("#1042")
    assert bench.load.number == "#1042"


def test_zeros_before_a_number_count(bench: Bench, app: App) -> None:
    make_order(app, "001042")
    bench.scan("1042")
    assert bench.station.load is None
    bench.scan("001042")
    assert bench.load.number == "001042"
