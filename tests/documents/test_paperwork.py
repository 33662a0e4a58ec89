"""The built-in documents say what they must, on as many pages as it takes."""

from __future__ import annotations

from collections.abc import Callable
from decimal import Decimal

import pypdfium2
import pytest

from shipcli.documents import invoice, pick_list, postal_forms, slips
from shipcli.drawing.elements import Page, Text
from shipcli.drawing.formats.pdf import write_pdf
from shipcli.drawing.page_layout import PageLayout, replace_unprintable, wrap_text
from shipcli.drawing.paper import LABEL_4X6, PLAIN, Letterhead
from shipcli.drawing.table import TableColumn, draw_table
from shipcli.drawing.text.shaping import measure_width
from shipcli.features.paper.manifest_form import FormContent, write_form
from shipcli.models import Shipment
from tests.documents.samples import (
    BEIJING,
    IDS,
    LONG,
    RIYADH,
    codes,
    items,
    order,
    shipment,
    texts,
)

Maker = Callable[[Shipment], tuple[Page, ...]]
MAKERS: list[Maker] = [
    invoice.draw_invoice, slips.draw_packing_slip, slips.draw_return_slip, postal_forms.draw_cn22,
    postal_forms.draw_cn23,
]  # fmt: skip


@pytest.mark.parametrize("maker", MAKERS)
@pytest.mark.parametrize("address", [BEIJING, RIYADH, LONG], ids=["chinese", "arabic", "long"])
def test_every_document_takes_any_address_and_sixty_lines(maker: Maker, address: dict[str, str]) -> None:
    made = write_pdf(maker(shipment(60, shipper=address, recipient=address)))
    pages = texts(made)
    assert len(pages) > 1
    text = " ".join(pages)
    assert all(f"size {at}" in text for at in range(60))


def test_equal_documents_are_equal_bytes() -> None:
    assert write_pdf(invoice.draw_invoice(shipment())) == write_pdf(invoice.draw_invoice(shipment()))


def test_a_document_has_a_title() -> None:
    with pypdfium2.PdfDocument(write_pdf(invoice.draw_invoice(shipment()), "Faktura Ł-1")) as book:
        assert book.get_metadata_value("Title") == "Faktura Ł-1"


def test_arabic_copied_from_a_document_is_in_reading_order() -> None:
    (text,) = texts(write_pdf(invoice.draw_invoice(shipment(1, shipper=RIYADH))))
    assert "شركة الشحن السريع" in text


def test_an_invoice_has_totals_terms_and_signer() -> None:
    (text,) = texts(write_pdf(invoice.draw_invoice(shipment(3))))
    pieces, total = 1 + 2 + 3, Decimal("12.50") * 6
    for words in (
        "Commercial invoice", "INV-42", "2031-05-07", "DDP (Delivery Duty Paid)", "1Z999AA10123456784",
        "Conceição Araújo", "Zażółć & Gęślą Jaźń GmbH", f"Total pieces {pieces}", f"{total} EUR", "6912.00",
        "Declared for customs 400.00 EUR", "Tax ID: PT501234567", "Gross weight 12.4 KG", "1 / 1",
    ):  # fmt: skip
        assert words in text, words


@pytest.mark.parametrize("number", IDS.values(), ids=IDS)
def test_every_customs_number_prints_on_the_invoice(number: str) -> None:
    assert number in texts(write_pdf(invoice.draw_invoice(shipment())))[0]


def test_values_of_two_currencies_are_summed_apart() -> None:
    goods = [*items(1), *items(1, value_currency="USD", value_amount=Decimal(7))]
    made = shipment(customs={"id": "cst_1", "commodities": goods})
    (text,) = texts(write_pdf(invoice.draw_invoice(made)))
    assert "12.50 EUR" in text
    assert "7.00 USD" in text


@pytest.mark.parametrize("maker", [invoice.draw_invoice, postal_forms.draw_cn22, postal_forms.draw_cn23])
def test_goods_without_a_value_are_not_declared_to_be_worth_nothing(maker: Maker) -> None:
    goods = [*items(1, value_amount=Decimal(0)), *items(1, value_amount=None)]
    customs = {"id": "cst_1", "content_type": "merchandise", "commodities": goods}
    (text,) = texts(write_pdf(maker(shipment(customs=customs))))
    assert "Total value not stated" in text
    assert "0.00 EUR" in text.partition("Total value not stated")[0]
    valued = {**customs, "commodities": goods[:1]}
    assert "Total value 0.00 EUR" in texts(write_pdf(maker(shipment(customs=valued))))[0]


@pytest.mark.parametrize("maker", [postal_forms.draw_cn22, postal_forms.draw_cn23])
def test_the_totals_of_many_currencies_can_be_read(maker: Callable[..., tuple[Page, ...]]) -> None:
    goods = [one for code in ("EUR", "USD", "GBP", "CNY", "PLN") for one in items(1, value_currency=code)]
    customs = {"id": "cst_1", "content_type": "merchandise", "commodities": goods}
    pages = maker(shipment(customs=customs), Letterhead(LABEL_4X6))
    marks = [mark for page in pages for mark in page.elements if isinstance(mark, Text)]
    totals = [mark for mark in marks if mark.bold and mark.text.endswith(("value  12.50 EUR", "12.50 PLN"))]
    assert [mark.size for mark in totals] == [LABEL_4X6.type.normal] * 2


def test_an_invoice_without_a_declaration_lists_what_is_in_the_parcels() -> None:
    (text,) = texts(write_pdf(invoice.draw_invoice(shipment(2, customs=None), Letterhead(day="2031-06-01"))))
    assert "Stoneware bowl, size 1" in text
    assert "2031-06-01" in text


def test_a_long_invoice_repeats_its_headings_and_numbers_its_pages() -> None:
    pages = texts(write_pdf(invoice.draw_invoice(shipment(60))))
    assert all("HS code" in page and f"{at} / {len(pages)}" in page for at, page in enumerate(pages, 1))
    assert "Signature" in pages[-1]


def test_a_simulated_invoice_says_so() -> None:
    assert "SAMPLE" in texts(write_pdf(invoice.draw_invoice(shipment(), Letterhead(sample=True))))[0]


def test_a_character_that_no_font_has_is_a_question_mark() -> None:
    assert replace_unprintable("Ana \ua66e 🎁 Ruiz") == "Ana ? Ruiz"
    rare = {**LONG, "person_name": "Wittgenstein \ua66e"}
    assert "Wittgenstein ?" in texts(write_pdf(invoice.draw_invoice(shipment(recipient=rare))))[0]


def test_a_packing_slip_has_no_prices_and_a_code_of_the_tracking_number() -> None:
    made = write_pdf(slips.draw_packing_slip(shipment()))
    (text,) = texts(made)
    assert "12.50" not in text
    assert "6 pieces in 1 parcel" in text
    assert "1Z999AA10123456784" in codes(made)


@pytest.mark.parametrize("letterhead", [Letterhead(), Letterhead(paper=LABEL_4X6)], ids=["a4", "4x6"])
def test_a_long_article_number_is_whole(letterhead: Letterhead) -> None:
    sku = "-".join(f"PART{at:02}" for at in range(25))
    sent = shipment(1, parcels=[{"weight": 1, "weight_unit": "KG", "items": items(1, sku=sku)}])
    goods = sent.parcels[0].items
    for pages in (
        slips.draw_packing_slip(sent, letterhead),
        slips.draw_order_slip(order(1, line_items=items(1, sku=sku)), letterhead),
        pick_list.draw_pick_list([("SO-1", goods)], letterhead),
    ):
        assert sku in "".join(texts(write_pdf(pages))).replace(" ", "")


def test_the_slip_of_an_order_says_what_follows() -> None:
    (text,) = texts(write_pdf(slips.draw_order_slip(order())))
    assert "BOWL-001 Stoneware bowl, size 1 2 1 1" in text


def test_a_pick_list_puts_equal_articles_together() -> None:
    goods = shipment(2).parcels[0].items
    (text,) = texts(
        write_pdf(pick_list.draw_pick_list([("SO-1", goods), ("SO-2", goods)], Letterhead(day="2031-05-07")))
    )
    assert "2 articles 6 pieces for 2 orders" in text
    assert "BOWL-001 Stoneware bowl, size 1 4 SO-1 (2), SO-2 (2)" in text


def test_a_pick_list_names_every_order_whole_and_says_what_each_gets() -> None:
    goods = shipment(2).parcels[0].items
    numbers = [f"W{number:05}" for number in range(1, 297)]
    pages = texts(write_pdf(pick_list.draw_pick_list([(number, goods) for number in numbers])))
    text = " ".join(pages)
    assert "2 articles 888 pieces for 296 orders" in text
    assert "..." not in text
    assert [number for number in numbers if f"{number} (2)" not in text] == []
    assert [number for number in numbers if f"[ ] {number} 2 3" not in text] == []


def test_an_order_without_items_is_not_counted() -> None:
    goods = shipment(2).parcels[0].items
    (text,) = texts(write_pdf(pick_list.draw_pick_list([("SO-1", goods), ("SO-2", [])])))
    assert "for 1 order" in text
    assert "SO-2" not in text


def test_a_return_slip_goes_back_to_the_return_address() -> None:
    back = {"company_name": "Returns desk", "address_line1": "Dock 7", "city": "Porto", "country_code": "PT"}
    made = write_pdf(slips.draw_return_slip(shipment(return_address=back)))
    (text,) = texts(made)
    assert "Returns desk" in text
    assert "SO-1042" in codes(made)


@pytest.mark.parametrize("maker", [postal_forms.draw_cn22, postal_forms.draw_cn23])
def test_a_postal_declaration_has_total_weight_value_and_signature(maker: Maker) -> None:
    (text,) = texts(write_pdf(maker(shipment(3))))
    for words in (
        "Total weight 12.4 kg",
        "Total value 75.00 EUR",
        "X Sale of goods",
        "Conceição Araújo 2031-05-07",
    ):
        assert words in text, words


def test_a_full_declaration_names_both_sides_and_the_customs_numbers() -> None:
    (text,) = texts(write_pdf(postal_forms.draw_cn23(shipment(2))))
    for words in ("Rua das Flores 12", "Pariser Platz 1", "L-77", "Licence no.", "CN 23"):
        assert words in text, words


def test_a_gift_is_ticked_as_a_gift() -> None:
    made = shipment(1, customs={"id": "cst_1", "content_type": "gift", "commodities": items(1)})
    assert "X Gift" in texts(write_pdf(postal_forms.draw_cn22(made)))[0]


def test_text_is_cut_into_lines_that_fit() -> None:
    lines = wrap_text("Donaudampfschifffahrtsgesellschaft an der Donau", 1000, 80)
    assert "".join(lines).replace(" ", "") == "DonaudampfschifffahrtsgesellschaftanderDonau"
    assert all(measure_width(line, False) <= 1000 * 1000 // 80 for line in lines)


def test_a_number_that_is_a_little_too_long_stays_whole() -> None:
    assert wrap_text("6912.00.2300", 550, 80) == ("6912.00.2300",)


def test_text_beyond_the_lines_there_are_ends_in_dots() -> None:
    assert wrap_text("one two three four five six seven eight nine ten", 800, 80, False, 2)[-1].endswith(
        "..."
    )


def test_an_end_of_day_form_lists_rows_of_any_length_for_the_driver_to_sign() -> None:
    rows = tuple(
        (f"1Z{at:016}", "UPS GROUND", str(who["company_name"]), "X", "1", "1 KG")
        for at in range(30) for who in (LONG, BEIJING, RIYADH)
    )  # fmt: skip
    form = FormContent("End-of-day form: UPS", ("Harbour",), (("Date", "now"),), rows)
    found = texts(write_form(form, PLAIN))
    assert len(found) > 2
    assert "Received by the driver" in found[-1]
    assert sum(page.count("1Z0") for page in found) == 90


def test_an_empty_table_shows_its_headings() -> None:
    book = PageLayout(PLAIN)
    draw_table(book, (TableColumn("SKU", 1), TableColumn("Article", 1)), [])
    assert texts(write_pdf(book.pages())) == ["SKU Article"]
