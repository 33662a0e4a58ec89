"""Labels: everything on them can be scanned and read, in every format, whatever they say."""

from __future__ import annotations

import re
import subprocess
import sys

import pypdfium2
import pytest
import zxingcpp

from shipcli.drawing import Block, Unprintable, code128, convert, count_pages, draw_label, draw_labels
from shipcli.drawing.elements import LABEL_HEIGHT, LABEL_WIDTH, Bars, Element, Matrix, Rule, Text
from shipcli.drawing.formats.zpl_reader import read_zpl
from shipcli.drawing.layout import draw_label_page
from shipcli.drawing.symbols import encode_rows
from shipcli.drawing.text.shaping import measure_width

from .samples import NUMBER, image, label, scanned, to

FORMATS = ["PDF", "ZPL", "PNG"]
LONG = "Wolfeschlegelsteinhausenbergerdorff and Sons GmbH"
GS = "\x1d"
CODES = {
    "QRCode": ("qr", f"{NUMBER}|62701|US"),
    "DataMatrix": ("datamatrix", f"{NUMBER}~^_{GS}62701"),
    "PDF417": ("pdf417", f"[)>\x1e01{GS}9662701{GS}840{GS}001{GS}{NUMBER} Springfield, IL"),
    "Aztec": ("aztec", f"#{NUMBER} 62701"),
}


@pytest.mark.parametrize("form", FORMATS)
def test_the_tracking_number_is_scanned_from_every_format(form: str) -> None:
    assert scanned(draw_label(label(), form))["Code128"] == NUMBER


@pytest.mark.parametrize("form", FORMATS)
@pytest.mark.parametrize("kind", CODES)
def test_a_two_dimensional_code_is_scanned_from_every_format(kind: str, form: str) -> None:
    assert scanned(draw_label(label(code2d=CODES[kind]), form))[kind] == CODES[kind][1]


@pytest.mark.parametrize("form", FORMATS)
def test_a_maxicode_is_scanned_from_every_format(form: str) -> None:
    content = f"[)>\x1e01{GS}96841706672{GS}840{GS}001{GS}1Z12345677{GS}UPSN\x1e\x04"
    spec = label(code2d=("maxicode", content))
    code = next(mark for mark in draw_label_page(spec).elements if isinstance(mark, Matrix))
    # The reader finds a MaxiCode only where nothing else is in the picture.
    corner = image(convert(draw_label(spec, form), "PNG")).crop((code.x - 30, code.y - 12, 812, code.y + 215))
    found = zxingcpp.read_barcodes(corner, text_mode=zxingcpp.TextMode.Plain)
    assert [one.text for one in found] == [content]


@pytest.mark.parametrize("form", FORMATS)
@pytest.mark.parametrize(
    "number",
    [
        "1",
        "9400111899223197428490",
        "00340434161094042557",
        "JD014600003456789012",
        "420627019400111899223197428490123",
        "ABCDEFGHIJKLMNOPQRSTUVWXYZABCDEFGHI",
        "A>B^C~D_E 12345 F",
        "9" * 35,
    ],
)
def test_tracking_numbers_up_to_35_characters_are_scanned(number: str, form: str) -> None:
    assert scanned(draw_label(label(tracking_number=number), form))["Code128"] == number


def test_a_short_number_has_bars_that_are_read_from_further_away() -> None:
    for number, module in (("0000000005", 4), ("1Z999AA10123456784", 3), ("W" * 20, 2)):
        bars = next(m for m in draw_label_page(label(tracking_number=number)).elements if isinstance(m, Bars))
        assert bars.module == module, number


def test_bars_are_two_dots_at_least_and_keep_their_quiet_zone() -> None:
    for length in range(1, 36):
        spec = label(tracking_number="W" * length)
        bars = next(mark for mark in draw_label_page(spec).elements if isinstance(mark, Bars))
        box = _box(bars)
        assert bars.module >= 2
        assert box[1 if bars.turned else 0] >= 10 * bars.module
        assert (LABEL_HEIGHT - box[3] if bars.turned else LABEL_WIDTH - box[2]) >= 10 * bars.module


@pytest.mark.parametrize("form", FORMATS)
def test_a_banner_stands_above_the_barcode_which_still_scans(form: str) -> None:
    spec = label(banner="USPS TRACKING #", sample=True, code2d=None)
    banner = next(mark for mark in draw_label_page(spec).elements if getattr(mark, "text", "") == spec.banner)
    boxes = [_box(mark) for mark in draw_label_page(spec).elements if isinstance(mark, Bars)]
    assert all(_box(banner)[3] <= box[1] for box in boxes)
    assert scanned(draw_label(spec, form))["Code128"] == NUMBER


@pytest.mark.parametrize("form", FORMATS)
def test_a_sample_label_says_so_big_and_in_the_caption(form: str) -> None:
    marks = [mark for mark in draw_label_page(label(sample=True)).elements if isinstance(mark, Text)]
    assert {"SAMPLE", f"{NUMBER}  SAMPLE"} <= {mark.text for mark in marks}
    assert next(mark.size for mark in marks if mark.text == "SAMPLE") > 60
    assert scanned(draw_label(label(sample=True), form))["Code128"] == NUMBER


@pytest.mark.parametrize("number", [NUMBER, "W" * 35])
@pytest.mark.parametrize("kind", CODES)
def test_nothing_overlaps_on_the_fullest_label(number: str, kind: str) -> None:
    spec = label(
        carrier=LONG,
        service=LONG,
        sender=Block("FROM", (LONG,) * 7),
        recipient=to(*(LONG.upper(),) * 7),
        references=(LONG,) * 4,
        tracking_number=number,
        routing="ROUTE 12345",
        sample=True,
        code2d=CODES[kind],
    )
    boxes = [_box(mark) for mark in draw_label_page(spec).elements]
    assert all(box[0] >= 0 and box[2] <= LABEL_WIDTH and box[3] <= LABEL_HEIGHT for box in boxes)
    headline = boxes[0]
    others = [box for box in boxes[1:] if not _inside(box, headline)]
    clashes = [(a, b) for at, a in enumerate(others) for b in others[at + 1 :] if _overlap(a, b)]
    assert clashes == []


Place = tuple[float, float, float, float]


def _box(mark: Element) -> Place:
    """Left, top, right, bottom of what is drawn."""
    match mark:
        case Text():
            wide = measure_width(mark.text, mark.bold) * mark.size / 1000
            left = mark.find_start(measure_width(mark.text, mark.bold))
            return left, mark.y, left + wide, mark.y + mark.size
        case Bars():
            length = code128.count_modules(mark.content) * mark.module
            across, down = (mark.height, length) if mark.turned else (length, mark.height)
            return mark.x, mark.y, mark.x + across, mark.y + down
        case Matrix():
            picture = encode_rows(mark.symbology, mark.content, mark.columns, mark.level)
            return mark.x, mark.y, mark.x + mark.module * len(picture[0]), mark.y + mark.module * len(picture)
        case Rule():
            return mark.x, mark.y, mark.x + mark.width, mark.y + mark.height
    raise AssertionError(f"A label has no {type(mark).__name__}.")


def _overlap(a: Place, b: Place) -> bool:
    return min(a[2], b[2]) - max(a[0], b[0]) > 1 and min(a[3], b[3]) - max(a[1], b[1]) > 1


def _inside(a: Place, b: Place) -> bool:
    return a[0] >= b[0] and a[2] <= b[2] + 1 and a[1] >= b[1] and a[3] <= b[3]


def test_long_lines_keep_every_character() -> None:
    spec = label(recipient=to(*(f"{at} {LONG}" for at in range(7))))
    shown = "".join(mark.text for mark in draw_label_page(spec).elements if isinstance(mark, Text))
    squeezed = shown.replace(" ", "")
    assert all(f"{at} {LONG}".replace(" ", "") in squeezed for at in range(7))


@pytest.mark.parametrize("form", FORMATS)
def test_equal_labels_are_equal_bytes(form: str) -> None:
    spec = label(recipient=to("田中 太郎"), sample=True, routing="A1")
    script = (
        "import sys; from tests.drawing.samples import label, to; from shipcli.drawing import draw_label;"
        "spec = label(recipient=to('田中 太郎'), sample=True, routing='A1');"
        f"sys.stdout.buffer.write(draw_label(spec, {form!r}))"
    )
    other = subprocess.run([sys.executable, "-c", script], capture_output=True, check=True)
    assert draw_label(spec, form) == draw_label(spec, form) == other.stdout


def test_a_png_has_the_printers_resolution() -> None:
    picture = image(draw_label(label(), "PNG"))
    assert picture.size == (812, 1218)
    assert round(picture.info["dpi"][0]) == 203


def test_a_pdf_page_is_4_by_6_inches_and_its_text_can_be_copied() -> None:
    document = pypdfium2.PdfDocument(draw_label(label(recipient=to("محمد علي", "प्रिया शर्मा", "Jane Doe"))))
    assert document[0].get_size() == (288, 432)
    text = document[0].get_textpage().get_text_range()
    assert all(line in text for line in ("محمد علي", "प्रिया शर्मा", "Jane Doe", NUMBER))
    document.close()


def test_pdf_and_zpl_labels_are_small() -> None:
    assert len(draw_label(label())) < 16_000
    assert len(draw_label(label(recipient=to("田中 太郎", "東京国立博物館")))) < 24_000
    assert len(draw_label(label(), "ZPL")) < 1_500


def test_fonts_are_embedded() -> None:
    data = draw_label(label(recipient=to("田中 太郎")))
    assert data.count(b"/FontFile2") == data.count(b"/Type/FontDescriptor") == 3


def test_an_accent_colours_the_headline() -> None:
    picture = image(draw_label(label(accent=(200, 30, 30)), "PNG")).convert("RGB")
    assert picture.getpixel((30, 25)) == (200, 30, 30)


def test_a_bright_accent_prints_as_an_outline_with_black_text() -> None:
    bright = image(draw_label(label(accent=(250, 220, 60)), "PNG")).convert("RGB")
    assert bright.getpixel((30, 25)) == (250, 220, 60)
    assert b"^GB780,76,3^FS" in draw_label(label(accent=(250, 220, 60)), "ZPL")
    assert b"^FR" not in draw_label(label(accent=(250, 220, 60)), "ZPL")


def test_several_labels_of_a_shipment_are_pages_of_one_file() -> None:
    specs = [label(tracking_number=f"PIECE{at}") for at in range(3)]
    assert count_pages(draw_labels(specs, "PDF")) == count_pages(draw_labels(specs, "ZPL")) == 3
    assert len(read_zpl(draw_labels(specs, "ZPL"), 203)) == 3


def test_several_labels_are_not_drawn_as_one_png() -> None:
    with pytest.raises(ValueError, match="2 labels cannot be drawn as PNG"):
        draw_labels([label(), label()], "PNG")


@pytest.mark.parametrize("form", ["GIF", ""])
def test_an_unknown_format_is_refused(form: str) -> None:
    with pytest.raises(ValueError, match="there are PDF, ZPL and PNG"):
        draw_label(label(), form)


@pytest.mark.parametrize("form", FORMATS)
def test_a_character_no_font_has_is_named(form: str) -> None:
    with pytest.raises(Unprintable, match=r"U\+1F642.*Zoë") as caught:
        draw_label(label(recipient=to("Zoë 🙂 Ångström")), form)
    assert (caught.value.character, caught.value.code_point) == ("🙂", "U+1F642")
    assert caught.value.text == "Zoë 🙂 Ångström"


@pytest.mark.parametrize("form", FORMATS)
def test_a_tracking_number_no_barcode_can_hold_is_refused(form: str) -> None:
    with pytest.raises(Unprintable, match="No Code 128 symbol has 'É'"):
        draw_label(label(tracking_number="12É4"), form)


@pytest.mark.parametrize("symbology", ["qr", "datamatrix", "pdf417", "aztec"])
def test_a_code_too_large_for_the_label_is_refused(symbology: str) -> None:
    with pytest.raises(ValueError, match="too long for a"):
        draw_label(label(code2d=(symbology, "x" * 2200)))


def test_an_unknown_code_is_refused() -> None:
    with pytest.raises(ValueError, match="'rune' is not a code drawn here"):
        draw_label(label(code2d=("rune", "1")), "ZPL")


def test_a_label_without_code_references_or_lines_is_drawn() -> None:
    bare = label(
        code2d=None, references=(), sender=Block("", ()), recipient=Block("SHIP TO", ("", "  ", "Jo"))
    )
    assert scanned(draw_label(bare, "ZPL")) == {"Code128": NUMBER}


def test_importing_the_package_loads_no_heavy_library() -> None:
    script = (
        "import sys, shipcli.drawing;"
        "print({'reportlab', 'PIL', 'zxingcpp', 'pypdfium2', 'uharfbuzz'} & set(sys.modules))"
    )
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, check=True, text=True)
    assert done.stdout.strip() == "set()"


@pytest.mark.parametrize("kind", ["qr", "datamatrix", "pdf417"])
def test_what_a_printer_would_take_for_a_command_reaches_the_paper_as_it_is(kind: str) -> None:
    said = "A_5E^B~C"
    spec = label(recipient=to(f"Zoë {said}"), code2d=(kind, said))
    fields = re.findall(r"\^FH\^FD(.*?)\^FS", draw_label(spec, "ZPL").decode())
    shown = [re.sub("_([0-9A-F]{2})", lambda found: chr(int(found[1], 16)), field) for field in fields]
    assert len([field for field in shown if field.endswith(said)]) == 2
