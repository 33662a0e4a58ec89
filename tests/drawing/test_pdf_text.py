"""The text of PDF labels: every sign is shown and can be copied, whatever other files hold."""

from __future__ import annotations

import subprocess
import sys
from hashlib import sha256

import pypdfium2
import pytest

from shipcli.drawing import draw_label

from .samples import NAMES, SPECS, label, to

SIGNS = [
    bytes(range(start, min(start + 16, 0x7F))).decode("ascii").strip() for start in range(0x20, 0x7F, 16)
]


def _copied(data: bytes) -> str:
    document = pypdfium2.PdfDocument(data)
    text: str = document[0].get_textpage().get_text_range()
    document.close()
    return text


@pytest.mark.parametrize("other", ["Jane Doe", NAMES["chinese"], "Łukasz @ Þóra"])
def test_every_sign_of_ascii_can_be_copied_beside_any_script(other: str) -> None:
    copied = _copied(draw_label(label(recipient=to(other, *SIGNS))))
    assert [line for line in (other, *SIGNS) if line not in copied] == []


def test_a_label_has_the_same_bytes_whatever_was_drawn_before() -> None:
    script = (
        "from hashlib import sha256; from tests.drawing.samples import SPECS;"
        "from shipcli.drawing import draw_label;"
        "drawn = [draw_label(spec) for spec in reversed(SPECS)];"
        "print(*[sha256(data).hexdigest() for data in reversed(drawn)])"
    )
    other = subprocess.run([sys.executable, "-c", script], capture_output=True, check=True, text=True)
    for _ in range(2):
        ours = [sha256(draw_label(spec)).hexdigest() for spec in SPECS]
        assert ours == other.stdout.split()
        assert len(set(ours)) == len(SPECS)


@pytest.mark.parametrize("changes", [{"carrier": "Other"}, {"service": "Air @ Night"}, {"carrier": "Özel"}])
def test_a_label_says_its_own_carrier_and_service(changes: dict[str, str]) -> None:
    for asked in ({}, changes):
        copied = _copied(draw_label(label(**asked)))
        assert asked.get("carrier", "Carrier Express") in copied
        assert asked.get("service", "Ground") in copied


def test_labels_with_the_same_letters_hold_the_same_fonts() -> None:
    fonts = {data[: data.index(b"/XObject")] for data in map(_labelled, ("a@b;c", "c;b@a", "a@b;c%"))}
    assert len(fonts) == 2


def _labelled(text: str) -> bytes:
    return draw_label(label(recipient=to(text)))
