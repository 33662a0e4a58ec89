"""GS1-128 as an independent decoder reads it, and container codes."""

from __future__ import annotations

import pytest

from shipcli.documents import gs1, logistic_label
from shipcli.drawing.elements import Page, Rule
from shipcli.drawing.formats.pdf import write_pdf
from shipcli.models import Invalid
from tests.documents.samples import BEIJING, LONG, codes, shipment, texts


def drawn(elements: list[gs1.Element]) -> bytes:
    marks = tuple(Rule(200 + at * 10, 200, one * 10, 500) for at, one in gs1.list_bars(elements))
    return write_pdf([Page(gs1.count_modules(elements) * 10 + 400, 900, marks, 720)])


@pytest.mark.parametrize(
    "elements",
    [
        [("00", "012345670000000428")],
        [("420", "10117"), ("400", "SO-1042")],
        [("02", "09506000134352"), ("37", "12"), ("10", "LOT-7")],
        [("10", "A"), ("37", "1"), ("400", "b{c}")],
    ],
)
def test_the_decoder_reads_what_was_written_and_sees_gs1(elements: list[gs1.Element]) -> None:
    assert codes(drawn(elements)) == {gs1.format_elements(elements): "]C1"}


def test_check_digits_are_those_of_the_standard() -> None:
    assert (
        gs1.compute_check_digit("629104150021") == 3
    )  # the example of the General Specifications, section 7.9
    assert gs1.is_sscc("106141412345678908")
    assert not gs1.is_sscc("106141412345678909")


def test_a_container_code_has_prefix_serial_and_check_digit() -> None:
    assert gs1.make_sscc("1234567", 42) == "012345670000000428"
    assert gs1.is_sscc(gs1.make_sscc("1234567890", 999999))


@pytest.mark.parametrize("prefix", ["", "123", "12345678901", "12345a7"])
def test_a_wrong_company_prefix_is_refused(prefix: str) -> None:
    with pytest.raises(Invalid, match="company prefix"):
        gs1.make_sscc(prefix, 1)


def test_serial_numbers_end() -> None:
    with pytest.raises(Invalid, match="only 1000000 numbers"):
        gs1.make_sscc("1234567890", 1_000_000)


@pytest.mark.parametrize("elements", [[], [("400", "ü")], [("400", "x" * 60)]])
def test_what_the_symbol_can_not_hold_is_refused(elements: list[gs1.Element]) -> None:
    with pytest.raises(ValueError, match="can't hold"):
        gs1.list_values(elements)


@pytest.mark.parametrize("elements", [[("01", "1234"), ("10", "AB")], [("00", "01234567000000042X")]])
def test_data_of_one_length_has_that_length_in_digits(elements: list[gs1.Element]) -> None:
    with pytest.raises(ValueError, match=r"takes 1[48] digits"):
        gs1.list_values(elements)


@pytest.mark.parametrize("text", ["(01)09506000134352(10)AB(C)", "(400)(1)", "(10)A"])
def test_the_line_below_the_bars_is_read_whole(text: str) -> None:
    elements = gs1.read_elements(text)
    assert codes(drawn(elements)) == {text: "]C1"}


@pytest.mark.parametrize("text", ["", "1234", "AB(10)LOT", "(10)", "(10)(37)4", "(1)2"])
def test_a_text_of_which_a_part_has_no_identifier_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match=r"not written as|can't hold"):
        gs1.list_values(gs1.read_elements(text))


def test_a_logistic_label_carries_container_code_postal_code_and_order() -> None:
    made = write_pdf(
        logistic_label.draw_logistic_labels(shipment(recipient=BEIJING, shipper=LONG), ["012345670000000428"])
    )
    assert codes(made) == {"(00)012345670000000428": "]C1", "(420)100022(400)SO-1042": "]C1"}
    assert "Garmisch-Partenkirchen" in texts(made)[0]


def test_every_parcel_has_a_label_of_its_own() -> None:
    one = shipment(1)
    made = one.model_copy(update={"parcels": [*one.parcels, *one.parcels]})
    numbers = [gs1.make_sscc("1234567", at) for at in (1, 2)]
    pages = texts(write_pdf(logistic_label.draw_logistic_labels(made, numbers)))
    assert [f"Parcel {at} of 2" in page and number in page for at, (page, number) in
            enumerate(zip(pages, numbers, strict=True), 1)] == [True, True]  # fmt: skip
    with pytest.raises(ValueError, match="2 parcels need"):
        logistic_label.draw_logistic_labels(made, numbers[:1])
