"""Every document on letter, A4 and 4x6 paper: laid out for it, whole, and with bars that scan."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import combinations
from typing import Any

import pypdfium2
import pytest

from shipcli.documents import facts, invoice, logistic_label, pick_list, postal_forms, slips
from shipcli.drawing.elements import Bars, Page, Rule, Text
from shipcli.drawing.formats.pdf import write_pdf
from shipcli.drawing.page_layout import PageLayout
from shipcli.drawing.paper import DPI, LABEL_4X6, PAPERS, Letterhead, PaperSize, find_paper
from shipcli.drawing.text.shaping import measure_width
from shipcli.features.paper.manifest_form import FormContent, draw_pages
from shipcli.models import Shipment
from tests.documents.samples import BEIJING, BERLIN, LONG, PORTO, RIYADH, codes, items, order, shipment, texts

LABEL_SCALE = 203 / 72  # of a page as a label printer sees it
PHONES = {**BERLIN, "phone_number": "+49 30 227 0", "email": "zoe@example.com", "federal_tax_id": "DE123"}
SLIP = slips.draw_packing_slip


def make_gs1(made: Shipment, look: Letterhead) -> tuple[Page, ...]:
    return logistic_label.draw_logistic_labels(made, ["012345670000000015"], look)


def make_manifest(made: Shipment, look: Letterhead) -> tuple[Page, ...]:
    to = made.recipient
    row = [
        "1Z999AA10123456784",
        "UPS WORLDWIDE EXPRESS",
        to.company_name or "",
        facts.format_town(to),
        "1",
        "12.4 KG",
    ]
    details = (("Date", "2031-05-07"), ("Account", "ups-main"))
    address = tuple(facts.format_party(made.shipper))
    form = FormContent("End-of-day form: UPS", address, details, (tuple(row),) * 12)
    return draw_pages(form, look)


def make_order_slip(made: Shipment, look: Letterhead) -> tuple[Page, ...]:
    return slips.draw_order_slip(order(3, shipping_to=made.recipient.model_dump()), look)


def make_pick_list(made: Shipment, look: Letterhead) -> tuple[Page, ...]:
    return pick_list.draw_pick_list(
        [(f"SO-{at}", facts.collect_goods(made).items) for at in range(1042, 1060)], look
    )


MAKERS: dict[str, Callable[[Shipment, Letterhead], tuple[Page, ...]]] = {
    "invoice": invoice.draw_invoice, "slip": SLIP, "return": slips.draw_return_slip,
    "cn22": postal_forms.draw_cn22, "cn23": postal_forms.draw_cn23, "gs1": make_gs1,
    "manifest": make_manifest, "order slip": make_order_slip, "pick list": make_pick_list,
}  # fmt: skip
ADDRESSES = {"german": BERLIN, "chinese": BEIJING, "arabic": RIYADH, "long": LONG, "phones": PHONES}


def boxes_of(page: Page) -> Iterator[tuple[str, float, float, float, float]]:
    """Text and bars, and the place each takes: left, top, right, bottom."""
    for mark in page.elements:
        if isinstance(mark, Text):
            wide = measure_width(mark.text, mark.bold) * mark.size / 1000
            left = mark.x + {"L": 0.0, "C": (mark.width - wide) / 2, "R": mark.width - wide}[mark.align]
            yield mark.text, left, mark.y + mark.size * 0.15, left + wide, mark.y + mark.size * 0.95
        elif isinstance(mark, Bars):
            right = mark.x + mark.module * len(mark.content)
            yield f"bars of {mark.content}", mark.x, mark.y, right, mark.y + mark.height


@pytest.mark.parametrize("address", ADDRESSES.values(), ids=ADDRESSES)
@pytest.mark.parametrize("paper", PAPERS.values(), ids=PAPERS)
@pytest.mark.parametrize("maker", MAKERS.values(), ids=MAKERS)
def test_every_document_on_every_paper_covers_nothing_and_cuts_nothing(
    maker: Callable[[Shipment, Letterhead], tuple[Page, ...]], paper: PaperSize, address: dict[str, Any]
) -> None:
    made = shipment(4, shipper={**PORTO, **address}, recipient=address)
    pages = maker(made, Letterhead(paper, day="2031-05-07"))
    for page in pages:
        assert (page.width, page.height) == (round(paper.wide_in * DPI), round(paper.high_in * DPI))
        found = list(boxes_of(page))
        assert found
        for text, left, top, right, bottom in found:
            assert min(left, top, page.width + 1 - right, page.height - bottom) >= 0, text
        for one, other in combinations(found, 2):
            apart = one[3] <= other[1] or other[3] <= one[1] or one[4] <= other[2] or other[4] <= one[2]
            assert apart, (one[0], other[0])
    if address is not LONG:
        assert not any("..." in text for page in pages for text, *_ in boxes_of(page))


@pytest.mark.parametrize("paper", PAPERS.values(), ids=PAPERS)
def test_an_invoice_that_says_all_there_is_to_say_loses_nothing(paper: PaperSize) -> None:
    made = shipment(1, shipper={**PORTO, **PHONES}, recipient=LONG)
    assert made.customs
    more = {"duty_billing_address": PHONES, "content_description": "Bowls of stoneware for a restaurant"}
    full = made.model_copy(
        update={"customs": type(made.customs).model_validate({**made.customs.model_dump(), **more})}
    )
    pages = invoice.draw_invoice(full, Letterhead(paper))
    assert all(bottom <= page.height for page in pages for *_, bottom in boxes_of(page))
    words = " ".join(texts(write_pdf(pages)))
    assert "Gross weight 12.4 KG" in words
    assert "Importer of record" in words


@pytest.mark.parametrize("paper", PAPERS.values(), ids=PAPERS)
@pytest.mark.parametrize("maker", [SLIP, postal_forms.draw_cn22, postal_forms.draw_cn23])
@pytest.mark.parametrize("number", ["1Z999AA10123456784", "9400100000000000000003", "RB123456785PT"])
def test_a_tracking_number_scans_at_the_resolution_of_a_label_printer(
    maker: Callable[[Shipment, Letterhead], tuple[Page, ...]], paper: PaperSize, number: str
) -> None:
    made = write_pdf(maker(shipment(2, tracking_number=number), Letterhead(paper)))
    assert number in codes(made, scale=LABEL_SCALE)


def test_bars_for_a_label_printer_are_whole_dots() -> None:
    (page,) = slips.draw_packing_slip(shipment(), Letterhead(LABEL_4X6))
    (bars,) = [mark for mark in page.elements if isinstance(mark, Bars)]
    assert bars.x % 4 == bars.module % 4 == 0
    for page in make_gs1(shipment(), Letterhead(LABEL_4X6)):
        upright = [mark for mark in page.elements if isinstance(mark, Rule) and mark.height > mark.width]
        assert upright
        assert all(mark.x % 4 == mark.width % 4 == 0 for mark in upright)


@pytest.mark.parametrize("paper", PAPERS.values(), ids=PAPERS)
def test_a_container_code_scans_on_every_paper(paper: PaperSize) -> None:
    made = write_pdf(make_gs1(shipment(), Letterhead(paper)))
    assert "(00)012345670000000015" in codes(made, scale=LABEL_SCALE)


@pytest.mark.parametrize("address", ADDRESSES.values(), ids=ADDRESSES)
@pytest.mark.parametrize("size", [(3.5, 5), (6, 5), (6, 7), (7, 5.5), (8.5, 6), (8.5, 7), (11, 5), (11, 8)])
def test_nothing_overlaps_on_a_logistic_label_of_any_size(
    size: tuple[float, float], address: dict[str, Any]
) -> None:
    made = shipment(4, shipper={**PORTO, **address}, recipient=address)
    (page,) = make_gs1(made, Letterhead(find_paper(size)))
    rules = [mark for mark in page.elements if isinstance(mark, Rule)]
    places = [(mark.x, mark.y, mark.x + mark.width, mark.y + mark.height) for mark in rules]
    words = [place for _, *place in boxes_of(page)]
    assert words
    for one, other in [*combinations(words, 2), *((word, place) for word in words for place in places)]:
        assert one[2] <= other[0] or other[2] <= one[0] or one[3] <= other[1] or other[3] <= one[1]


def test_narrow_paper_loses_no_column() -> None:
    (first, *_) = texts(write_pdf(invoice.draw_invoice(shipment(1), Letterhead(LABEL_4X6))))
    assert "HS code 6912.00 | Origin PT | Net weight 0.45 KG | Unit value 12.50" in first
    (slip,) = texts(write_pdf(SLIP(shipment(1), Letterhead(LABEL_4X6))))
    assert "SKU BOWL-000 | Weight 0.45 KG" in slip


def test_a_sheet_holds_a_postal_form_twice_and_a_label_once() -> None:
    for form in (postal_forms.draw_cn22, postal_forms.draw_cn23):
        (sheet,) = texts(write_pdf(form(shipment(2), Letterhead(PAPERS["a4"]))))
        assert (sheet.count("CUSTOMS DECLARATION"), sheet.count("Sender's copy")) == (2, 1)
        (label,) = texts(write_pdf(form(shipment(2), Letterhead(LABEL_4X6))))
        assert label.count("CUSTOMS DECLARATION") == 1


def test_a_full_declaration_has_phones_importer_licence_certificate_and_invoice() -> None:
    (text,) = texts(write_pdf(postal_forms.draw_cn23(shipment(2, recipient=PHONES), Letterhead(LABEL_4X6))))
    for words in (
        "+351 253 000 000", "+49 30 227 0", "Importer The recipient, as above", "X Licence no.", "L-77",
        "X Certificate no.", "C-12", "X Invoice no.", "INV-42",
    ):  # fmt: skip
        assert words in text, words


def test_an_importer_of_his_own_is_named_with_his_number() -> None:
    importer = {"company_name": "Clearing AG", "person_name": "Ana", "city": "Basel", "country_code": "CH",
                "federal_tax_id": "CHE-1", "phone_number": "+41 61 1"}  # fmt: skip
    customs = {"id": "cst_1", "commodities": items(1), "duty_billing_address": importer}
    (text,) = texts(write_pdf(postal_forms.draw_cn23(shipment(1, customs=customs), Letterhead(LABEL_4X6))))
    assert "Importer Clearing AG, Ana Tax ID: CHE-1 Phone: +41 61 1" in text


def test_what_customs_ask_and_nobody_said_is_pointed_out() -> None:
    goods = items(1, origin_country=None)
    made = shipment(1, customs={"id": "cst_1", "commodities": goods})
    assert facts.list_without_origin(made) == ["Stoneware bowl, size 0"]
    for paper in PAPERS.values():
        text = " ".join(texts(write_pdf(invoice.draw_invoice(made, Letterhead(paper)))))
        assert "Incoterm not stated" in text
        assert "not stated" in text.replace("Incoterm not stated", "")
    assert "Phone: not stated" in texts(write_pdf(postal_forms.draw_cn23(made)))[0]


def test_an_invoice_names_currency_and_the_tax_numbers_of_both_sides() -> None:
    (text,) = texts(write_pdf(invoice.draw_invoice(shipment(1, recipient=PHONES))))
    for words in (
        "Currency EUR",
        "Tax ID: PT501234567",
        "Tax ID: DE123",
        "Incoterm DDP (Delivery Duty Paid)",
    ):
        assert words in text, words


@pytest.mark.parametrize(("carrier", "service", "shown"), [
    ("usps_international", "USPS FIRST CLASS PACKAGE ABROAD", "USPS FIRST CLASS PACKAGE ABROAD"),
    ("canadapost", "CANADA POST EXPEDITED", "CANADA POST EXPEDITED"),
    ("ups", "UPS GROUND", "UPS GROUND"),
    ("my courier", "NEXT DAY", "MY COURIER NEXT DAY"),
    ("my courier", "MYSTERY", "MY COURIER MYSTERY"),
])  # fmt: skip
def test_a_carrier_is_named_once(carrier: str, service: str, shown: str) -> None:
    made = shipment(1, meta={"rate_provider": carrier, "service_name": service})
    assert facts.name_service(made) == shown
    assert shown in texts(write_pdf(SLIP(made, Letterhead(LABEL_4X6))))[0]


def test_a_slip_of_a_shipment_without_items_counts_parcels_only() -> None:
    parcel = {"id": "pcl_1", "weight": 2, "weight_unit": "LB", "description": "Books"}
    (text,) = texts(write_pdf(SLIP(shipment(parcels=[parcel], customs=None))))
    assert "piece" not in text
    assert "Contents 1 parcel" in text
    assert "Parcel 1 of 1 2 LB Books" in text


def test_every_further_sheet_of_a_form_names_its_item() -> None:
    for form in (postal_forms.draw_cn22, postal_forms.draw_cn23):
        first, *further = texts(write_pdf(form(shipment(30), Letterhead(LABEL_4X6))))
        assert "sheet" not in first
        assert further
        assert all(f"1Z999AA10123456784, sheet {at}" in page for at, page in enumerate(further, 2))


def test_phrases_are_not_torn() -> None:
    book = PageLayout(Letterhead(LABEL_4X6))
    book.phrases(f"{at} a reason to return it" for at in range(5))
    lines = [mark.text for mark in book.pages()[0].elements if isinstance(mark, Text)]
    assert [line[0] for line in lines] == ["0", "3"]


@pytest.mark.parametrize(("size", "name"), [
    ((4, 6), "4x6"), ((8.5, 11), "letter"), ((8.268, 11.693), "a4"), ((4, 8), "4x8"), ((2, 1), "4x6"),
])  # fmt: skip
def test_a_printers_paper_is_the_one_of_its_sides(size: tuple[float, float], name: str) -> None:
    assert find_paper(size).name == name


def test_a_document_for_any_other_label_is_as_large_as_the_label() -> None:
    made = write_pdf(SLIP(shipment(), Letterhead(find_paper((4, 8)))))
    with pypdfium2.PdfDocument(made) as book:
        assert [round(side) for side in book.get_page_size(0)] == [288, 576]
