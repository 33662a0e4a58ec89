"""Names in any script: drawn as in reference pictures that were looked at, in reading order."""

from __future__ import annotations

import csv
from pathlib import Path
from typing import Any

import pytest
from PIL import Image, ImageChops, ImageStat

from shipcli.drawing import Unprintable, draw_label
from shipcli.drawing.text.bidi import list_visual_runs
from shipcli.drawing.text.shaping import clean, shape
from shipcli.drawing.text.typefaces import load_face
from tests.shared import find_shared, list_rows

from .samples import NAMES, NUMBER, label, name_picture, scanned, to

REFERENCE = Path(__file__).parent / "reference"


def _difference(one: Image.Image, other: Image.Image) -> float:
    """The mean difference of grey, 0 to 255, once edges are softened."""
    assert one.size == other.size
    small = (one.width // 2, one.height // 2)
    return float(ImageStat.Stat(ImageChops.difference(one.resize(small), other.resize(small))).mean[0])


@pytest.mark.parametrize("script", NAMES)
def test_a_name_looks_like_its_reference_picture(script: str) -> None:
    assert _difference(name_picture(NAMES[script]), Image.open(REFERENCE / f"{script}.png")) < 1


def test_the_comparison_notices_unshaped_and_reversed_text() -> None:
    arabic = Image.open(REFERENCE / "arabic.png")
    assert _difference(name_picture(NAMES["arabic"][::-1]), arabic) > 2
    apart = "\u200c".join("محمد") + NAMES["arabic"][4:]
    assert _difference(name_picture(apart), arabic) > 2


@pytest.mark.parametrize("script", NAMES)
@pytest.mark.parametrize("form", ["PDF", "ZPL"])
def test_a_label_to_every_script_can_be_drawn_and_scanned(script: str, form: str) -> None:
    assert (
        scanned(draw_label(label(recipient=to(NAMES[script], "US"), code2d=None), form))["Code128"] == NUMBER
    )


SAMPLE_FILE = "data/shipments_scripts_20.csv"


def _sample_rows(path: Path) -> list[Any]:
    with path.open(encoding="utf-8", newline="") as file:
        return [pytest.param(row, id=row["Reference"]) for row in csv.DictReader(file)]


@pytest.mark.parametrize("row", list_rows(SAMPLE_FILE, _sample_rows))
@pytest.mark.parametrize("form", ["PDF", "ZPL", "PNG"])
def test_every_address_of_the_sample_file_prints_or_names_its_character(
    row: dict[str, str], form: str
) -> None:
    fields = ("name", "Company", "address 1", "city", "postal code", "country")
    spec = label(recipient=to(*(row[f"Recipient {field}"] for field in fields)))
    if "🙂" in row["Recipient name"]:
        with pytest.raises(Unprintable, match=r"U\+1F642"):
            draw_label(spec, form)
    else:
        assert scanned(draw_label(spec, form))["Code128"] == NUMBER


def test_the_sample_file_holds_twenty_addresses() -> None:
    assert len(_sample_rows(find_shared(SAMPLE_FILE))) == 20


def test_text_beyond_latin_1_is_a_graphic_in_zpl() -> None:
    zpl = draw_label(label(recipient=to("Élodie Ñandú", "Łukasz")), "ZPL").decode()
    assert "^FDÉlodie Ñandú^FS" in zpl
    assert zpl.count("^GFA") == 1
    assert "Łukasz" not in zpl


def test_arabic_letters_are_joined() -> None:
    (run,) = shape("محمد").runs
    assert not set(run.glyphs) & {load_face("NotoNaskhArabic-Regular").glyph(letter) for letter in "محمد"}


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("abc", "abc"),
        ("אבג", "גבא"),
        ("אבג 12", "12 גבא"),
        ("abc אבג def", "abc גבא def"),
        ("אבג abc דהו", "והד abc גבא"),
        ("אב (גד) 12-34", "12-34 (דג) בא"),
        ("محمد 12.5", "12.5 دمحم"),
        ("abc (אבג) 12", "abc (גבא) 12"),
    ],
)
def test_mixed_directions_are_put_in_visual_order(text: str, shown: str) -> None:
    mirrored = str.maketrans("()", ")(")
    parts = [
        text[start:end][::-1].translate(mirrored) if leftward else text[start:end]
        for start, end, leftward in list_visual_runs(text)
    ]
    assert "".join(parts) == shown


def test_the_visual_order_agrees_with_another_implementation() -> None:
    bidi = pytest.importorskip("bidi", reason="python-bidi is not installed")
    others = ["שלום 12-34, (abc) דירה 5/6", "abc محمد 1,234 (x) علي", "5 רחוב", "+972-3 אב", "א1ב2 c3"]
    for text in map(clean, [*NAMES.values(), *others]):
        # The other one reverses brackets without turning them over.
        parts = [text[start:end][:: -1 if leftward else 1] for start, end, leftward in list_visual_runs(text)]
        assert "".join(parts) == bidi.get_display(text), text


def test_signs_that_show_nothing_are_left_out() -> None:
    assert clean("a\u200eb\u202ac\ufe0f  d\t e\u00a0f") == "abc d e f"


def test_letters_and_marks_are_composed() -> None:
    assert shape("Zoe\u0308").runs[0].glyphs == shape("Zoë").runs[0].glyphs
