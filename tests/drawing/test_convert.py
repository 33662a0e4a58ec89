"""Label files: told apart, converted, turned and merged without losing any."""

from __future__ import annotations

import re
import weakref
from io import BytesIO

import pypdfium2
import pytest
from PIL import Image, ImageChops, ImageFilter

from shipcli.drawing import (
    Unconvertible,
    convert,
    count_pages,
    draw_form,
    draw_label,
    draw_labels,
    find_label_kind,
    merge,
)
from shipcli.drawing.formats.raster import render_pages

from .samples import image, label, scanned

FOREIGN_ZPL = b"^XA^FO50,50^ADN,36,20^FDhello^FS^XZ"


def _numbered(number: int, form: str = "PDF") -> bytes:
    return draw_label(label(tracking_number=f"NUMBER{number}", code2d=None), form)


def _saved(form: str, **options: object) -> bytes:
    out = BytesIO()
    image(_numbered(5, "PNG")).save(out, form, **options)
    return out.getvalue()


def _numbers(pdf: bytes) -> list[str]:
    """The tracking numbers of a PDF's pages, scanned from the paper."""
    document = pypdfium2.PdfDocument(pdf)
    found = []
    for at in range(len(document)):
        single = pypdfium2.PdfDocument.new()
        single.import_pages(document, [at])
        out = BytesIO()
        single.save(out)
        single.close()
        found.append(scanned(out.getvalue())["Code128"])
    document.close()
    return found


@pytest.mark.parametrize(
    ("data", "kind"),
    [
        (b"%PDF-1.4 ...", "PDF"),
        (b"\xef\xbb\xbf\n%PDF-1.4", "PDF"),
        (b"\x89PNG\r\n\x1a\n", "PNG"),
        (b"GIF89a", "GIF"),
        (b"\xff\xd8\xff\xe0", "JPG"),
        (b"II*\0", "TIFF"),
        (b"MM\0*", "TIFF"),
        (b"^XA^FO", "ZPL"),
        (b"\r\n  ^XA", "ZPL"),
        (b"~DGR:X.GRF,1,1,FF^XA", "ZPL"),
        (b"^FX note^XA", "ZPL"),
        (b"{}", None),
        (b"", None),
    ],
)
def test_files_are_told_apart_by_their_first_bytes(data: bytes, kind: str | None) -> None:
    assert find_label_kind(data) == kind


@pytest.mark.parametrize("form", ["PDF", "ZPL", "PNG"])
def test_a_file_of_the_kind_asked_for_comes_back_unchanged(form: str) -> None:
    data = _numbered(1, form)
    assert convert(data, form.lower()) is data


@pytest.mark.parametrize("source", ["PDF", "ZPL", "PNG"])
@pytest.mark.parametrize("target", ["PDF", "ZPL", "PNG"])
def test_a_converted_label_still_scans(source: str, target: str) -> None:
    converted = convert(_numbered(7, source), target)
    assert find_label_kind(converted) == target
    assert scanned(converted)["Code128"] == "NUMBER7"


@pytest.mark.parametrize("form", ["GIF", "JPEG", "TIFF"])
@pytest.mark.parametrize("target", ["PDF", "ZPL", "PNG"])
def test_image_files_are_converted(form: str, target: str) -> None:
    assert scanned(convert(_saved(form), target))["Code128"] == "NUMBER5"


def test_other_resolutions_scan_as_well() -> None:
    zpl = convert(_numbered(3), "ZPL", dpi=300)
    assert b"^PW1200^LL1800" in zpl
    assert image(convert(zpl, "PNG", dpi=300)).size == (1200, 1800)
    assert scanned(convert(zpl, "PDF", dpi=300))["Code128"] == "NUMBER3"


def test_every_page_of_a_pdf_is_a_zpl_label() -> None:
    pdf = draw_labels([label(tracking_number=f"NUMBER{at}") for at in range(3)], "PDF")
    zpl = convert(pdf, "ZPL")
    assert (zpl.count(b"^XA"), zpl.count(b"^XZ"), count_pages(zpl)) == (3, 3, 3)
    assert _numbers(convert(zpl, "PDF")) == ["NUMBER0", "NUMBER1", "NUMBER2"]


def test_pages_of_another_size_are_fitted_or_kept() -> None:
    form = draw_form("Manifest", [["1"]], columns=["Number"])
    assert image(convert(form, "PNG")).width == 812
    assert image(convert(form, "PNG", size_in=None)).size == pytest.approx((1678, 2374), abs=1)


def test_an_image_of_nearly_the_label_size_is_not_scaled() -> None:
    dotted = Image.new("1", (800, 1200), 1)
    for x in range(0, 800, 2):
        dotted.paste(0, (x, 0, x + 1, 1200))
    out = BytesIO()
    dotted.save(out, "PNG")
    drawn = image(convert(convert(out.getvalue(), "ZPL"), "PNG")).convert("L")
    assert drawn.crop((106, 100, 306, 101)).tobytes() == b"\0\xff" * 100


def test_transparent_images_are_put_on_white_paper() -> None:
    clear = Image.new("RGBA", (812, 1218), (0, 0, 0, 0))
    clear.paste((0, 0, 0, 255), (0, 0, 10, 10))
    out = BytesIO()
    clear.save(out, "PNG")
    drawn = image(convert(convert(out.getvalue(), "PDF"), "PNG")).convert("L")
    assert (drawn.getpixel((5, 5)), drawn.getpixel((500, 500))) == (0, 255)


def test_several_pages_do_not_go_into_one_png() -> None:
    with pytest.raises(Unconvertible, match="2 labels; a PNG holds one"):
        convert(draw_labels([label(), label()], "PDF"), "PNG")


@pytest.mark.parametrize(
    "data",
    [
        FOREIGN_ZPL,
        b"^XA^FO1,1^BY2^BCN,80,Y,N,N^FD1234^FS^XZ",
        b"^XA^FO1,1^BY2^BCN,80,N,N,N,N^FD1234^FS^XZ",
        b"^XA^FO1,1^GFA,8,8,1,00FF00FF00FF00FF^FS^XZ",
        b"^XA^PON^XZ",
        b"^XA^FO1,1^A0N,20,20^FD\xff^FS^XZ",
        b"~JA^XA^XZ",
    ],
)
def test_zpl_of_others_is_not_drawn(data: bytes) -> None:
    with pytest.raises(Unconvertible, match="written here"):
        convert(data, "PDF")


def test_a_damaged_graphic_is_refused() -> None:
    zpl = convert(_numbered(1), "ZPL")
    at = zpl.index(b":Z64:") + 100
    changed = zpl[:at] + (b"A" if zpl[at : at + 1] != b"A" else b"B") + zpl[at + 1 :]
    with pytest.raises(Unconvertible, match="check sum is wrong"):
        convert(changed, "PDF")


@pytest.mark.parametrize(
    ("data", "words"), [(b"hello", "not a label file"), (b"%PDF-1.4 broken", "PDF cannot be read")]
)
def test_what_cannot_be_read_is_refused(data: bytes, words: str) -> None:
    with pytest.raises(Unconvertible, match=words):
        convert(data, "PNG")


def test_a_broken_image_is_refused() -> None:
    with pytest.raises(Unconvertible, match="image cannot be read"):
        convert(_numbered(1, "PNG")[:2000], "PDF")


def test_another_target_is_refused() -> None:
    with pytest.raises(Unconvertible, match="not to EPL"):
        convert(_numbered(1), "EPL")


def _turned(data: bytes, degrees: int) -> bytes:
    """An image turned clockwise by Pillow."""
    out = BytesIO()
    image(data).rotate(-degrees, expand=True).save(out, "PNG")
    return out.getvalue()


@pytest.mark.parametrize("form", ["PNG", "GIF", "JPEG"])
@pytest.mark.parametrize("turn", [90, 180, 270])
def test_an_image_turned_into_a_pdf_looks_like_one_turned_before(form: str, turn: int) -> None:
    corner = Image.new("L", (400, 200), 255)
    corner.paste(0, (0, 0, 80, 50))
    out = BytesIO()
    corner.save(out, form)
    ours = image(convert(convert(out.getvalue(), "PDF", size_in=None, turn=turn), "PNG", size_in=None))
    before = image(convert(_turned(out.getvalue(), turn), "PNG", size_in=None))
    apart = ImageChops.difference(ours.convert("L"), before.convert("L")).point([0] * 40 + [255] * 216)
    assert ours.size == before.size
    assert apart.filter(ImageFilter.MinFilter(3)).getbbox() is None  # PDFium softens edges


def test_black_and_white_takes_a_bit_a_dot_in_a_pdf() -> None:
    grey = Image.linear_gradient("L")
    for picture, bits in ((grey.point([0] * 128 + [255] * 128), b"1"), (grey, b"8")):
        out = BytesIO()
        picture.save(out, "GIF")
        assert b"/BitsPerComponent " + bits in convert(out.getvalue(), "PDF", size_in=None)


def test_a_picture_that_lies_fills_the_upright_page_it_is_turned_to() -> None:
    lying = _turned(_numbered(6, "PNG"), 270)
    upright = convert(lying, "PDF", turn=90)
    assert image(convert(upright, "PNG")).size == (812, 1218)
    assert _numbers(upright) == ["NUMBER6"]


def test_only_images_that_become_pdf_are_turned_and_by_right_angles() -> None:
    with pytest.raises(Unconvertible, match="this one is PDF and becomes PNG"):
        convert(_numbered(1), "PNG", turn=90)
    with pytest.raises(Unconvertible, match="this one is PNG and becomes ZPL"):
        convert(_numbered(1, "PNG"), "ZPL", turn=90)
    with pytest.raises(ValueError, match="multiples of 90"):
        convert(_numbered(1, "PNG"), "PDF", turn=45)


def test_merging_keeps_the_order_and_converts_what_differs() -> None:
    several = draw_labels([label(tracking_number=f"NUMBER{at}", code2d=None) for at in (2, 3)], "PDF")
    labels = [_numbered(1, "ZPL"), several, _numbered(4, "PNG"), _saved("GIF"), _numbered(0)]
    assert _numbers(merge(labels)) == [f"NUMBER{at}" for at in (1, 2, 3, 4, 5, 0)]
    assert _numbers(convert(merge(labels, "ZPL"), "PDF")) == [f"NUMBER{at}" for at in (1, 2, 3, 4, 5, 0)]


def test_zpl_of_others_is_merged_unchanged() -> None:
    merged = merge([FOREIGN_ZPL, _numbered(1, "ZPL")], "ZPL")
    assert merged == FOREIGN_ZPL + b"\n" + _numbered(1, "ZPL")


def test_a_label_that_cannot_be_merged_is_named_by_its_place() -> None:
    with pytest.raises(Unconvertible, match=r"Label 1: .*\^ADN"):
        merge([_numbered(0), FOREIGN_ZPL])
    with pytest.raises(Unconvertible, match="Label 2: This PDF cannot be read"):
        merge([_numbered(0), _numbered(1), b"%PDF-1.4 broken"])


def test_merging_nothing_is_refused() -> None:
    with pytest.raises(ValueError, match="no labels"):
        merge([])


def test_several_labels_are_not_merged_into_a_png() -> None:
    with pytest.raises(Unconvertible, match="2 labels do not go into one PNG"):
        merge([_numbered(1), _numbered(2)], "PNG")


def test_merging_the_same_labels_gives_the_same_bytes() -> None:
    labels = [_numbered(1), _numbered(2, "ZPL"), _numbered(3, "PNG")]
    assert merge(labels) == merge(labels)


def test_pages_are_counted_in_every_kind_of_file() -> None:
    both = draw_labels([label(), label()], "PDF")
    many = _saved("TIFF", save_all=True, append_images=[Image.new("L", (10, 10))])
    assert [count_pages(data) for data in (both, convert(both, "ZPL"), _numbered(1, "PNG"), many)] == [
        2,
        2,
        1,
        2,
    ]


# -- files that ask for more than a label needs ------------------------------------------------------


def _empty_pages(count: int, width: float = 288, height: float = 432) -> bytes:
    """A PDF of pages that share what is on them, as small as it can be."""
    kids = b" ".join(b"3 0 R" for _ in range(count))
    objects = [
        b"<</Type/Catalog/Pages 2 0 R>>",
        b"<</Type/Pages/Count %d/Kids[%b]>>" % (count, kids),
        b"<</Type/Page/Parent 2 0 R/MediaBox[0 0 %d %d]>>" % (width, height),
    ]
    out = b"%PDF-1.4\n"
    for number, body in enumerate(objects, start=1):
        out += b"%d 0 obj%bendobj\n" % (number, body)
    return out + b"trailer<</Root 1 0 R/Size 4>>\n%%EOF"


@pytest.mark.parametrize("target", ["ZPL", "PNG"])
def test_a_pdf_of_very_many_pages_is_not_drawn(target: str) -> None:
    with pytest.raises(Unconvertible, match=r"20,?000 labels"):
        convert(_empty_pages(20_000), target)


def test_a_pdf_page_of_very_many_pixels_is_not_drawn() -> None:
    with pytest.raises(Unconvertible, match="pixels; 50,000,000 are drawn"):
        convert(_empty_pages(1, 14_000, 14_000), "PNG", size_in=None)


def test_labels_are_drawn_one_after_another() -> None:
    seen: list[weakref.ref[Image.Image]] = []

    def use(image: Image.Image) -> int:
        seen.append(weakref.ref(image))
        return sum(one() is not None for one in seen)

    held = render_pages(_empty_pages(10), 203, None, True, use)
    assert len(held) == 10
    assert max(held) <= 2


def test_an_image_of_very_many_pixels_is_not_drawn() -> None:
    out = BytesIO()
    Image.new("1", (10_000, 8_000)).save(out, "PNG")
    with pytest.raises(Unconvertible, match="10,000 by 8,000 pixels"):
        convert(out.getvalue(), "ZPL")


def test_an_image_file_of_very_many_pictures_is_not_drawn() -> None:
    out = BytesIO()
    first, *more = [Image.new("1", (8, 8), at % 2) for at in range(2001)]
    first.save(out, "TIFF", save_all=True, append_images=more)
    with pytest.raises(Unconvertible, match="2,001 labels"):
        convert(out.getvalue(), "PDF")


@pytest.mark.parametrize(
    "command",
    ["^PW999999999", f"^LL{'9' * 5000}", "^FO99999,1", "^GB999999,999999,1", "^BY99999", "^A0N,50000,50000"],
)
@pytest.mark.parametrize("target", ["PDF", "PNG"])
def test_zpl_that_measures_more_than_a_label_is_refused_by_its_command(command: str, target: str) -> None:
    with pytest.raises(Unconvertible, match=re.escape(command[:12])):
        convert(f"^XA{command}^FDx^FS^XZ".encode(), target)


def test_zpl_of_very_many_large_frames_is_refused() -> None:
    frames = b"".join(b"^FO1,1^GB30000,30000,1^FS" for _ in range(100))
    with pytest.raises(Unconvertible, match="graphics of this ZPL have more than"):
        convert(b"^XA" + frames + b"^XZ", "PDF")


def test_zpl_of_very_many_labels_is_refused() -> None:
    with pytest.raises(Unconvertible, match="2,001 labels"):
        convert(b"^XA^XZ" * 2001, "PDF")
