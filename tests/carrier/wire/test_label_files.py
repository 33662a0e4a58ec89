"""Label files as carriers send them."""

from __future__ import annotations

from io import BytesIO

import pytest
from PIL import Image

from shipcli.carrier import combine_labels
from shipcli.carrier.wire.label_files import convert_files, decode_file, encode_file
from shipcli.drawing import count_pages, merge
from shipcli.models import Label


def picture() -> bytes:
    out = BytesIO()
    Image.new("1", (80, 120), 1).save(out, "PNG")
    return out.getvalue()


GOOD = merge([picture()], "PDF")
DAMAGED = [GOOD[: len(GOOD) // 2], b"%PDF-1.4 broken", picture()[:30], b"GIF89a", b"LABEL 1"]


def test_files_become_one_with_all_their_pages() -> None:
    merged = decode_file(convert_files([encode_file(GOOD), encode_file(picture())]))
    assert count_pages(merged or b"") == 2


@pytest.mark.parametrize("damaged", DAMAGED)
@pytest.mark.parametrize("kind", ["PDF", "ZPL", "PNG"])
def test_a_damaged_file_is_passed_on_as_it_came(damaged: bytes, kind: str) -> None:
    good, bad = encode_file(GOOD), encode_file(damaged)
    assert convert_files([good, bad], kind) == convert_files([bad, good], kind) == bad


def test_labels_that_are_bought_stay_bought_when_the_file_of_one_is_damaged() -> None:
    bought = [
        Label(tracking_number=number, label_type="PDF", docs={"label": encode_file(file)})
        for number, file in (("A1", GOOD), ("A2", DAMAGED[0]))
    ]
    combined = combine_labels(bought)
    assert combined.meta["tracking_numbers"] == ["A1", "A2"]
    assert combined.docs["label"] == encode_file(DAMAGED[0])
