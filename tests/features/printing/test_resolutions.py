"""Labels of a resolution go to printers of that resolution as they are, and to no other."""

from __future__ import annotations

import pytest

from shipcli.features.printing.rendering import ZPL, fit_to_printer, read_zpl_dpi
from shipcli.features.printing.service import Printer


def make_printer(dpi: int) -> Printer:
    return Printer("bench", "file:/dev/null", ZPL, dpi=dpi)


@pytest.mark.parametrize(("start", "dpi"), [
    (b"^XA^PW812^LL1218", 203), (b"^XA^PW1200^LL1800", 300), (b"^XA\n^LL2400\n^PW2400", 600),
    (b"^XA^PW1218^LL812", 203), (b"^XA^FO50,50^FDhello^FS^XZ", 203),
])  # fmt: skip
def test_the_resolution_of_a_label_is_read_from_its_width(start: bytes, dpi: int) -> None:
    assert read_zpl_dpi(start) == dpi


@pytest.mark.parametrize("dpi", [203, 300])
def test_a_label_goes_as_it_is_to_a_printer_of_its_resolution_alone(dpi: int) -> None:
    content = f"^XA^PW{4 * dpi}^FO9,9^FDfrom elsewhere^FS^XZ".encode()
    assert fit_to_printer(content, ZPL, ZPL, make_printer(dpi)) == content
    redrawn = fit_to_printer(content, ZPL, ZPL, make_printer(503 - dpi))
    assert read_zpl_dpi(redrawn) == 503 - dpi
