"""ZPL of others for printers of another resolution."""

from __future__ import annotations

import re

import pytest

from shipcli.drawing import Unconvertible
from shipcli.drawing.resolutions import scale_zpl

FOREIGN = (
    b"^XA\r\n^CF0,40\r\n^PW812^LL1218^LH0,0^FWN\n^FO50,100^GB700,3,3^FS^FO60,140^A0N,30,25^FDAda Brooks^FS\n"
    b"^FO60,200^FB500,2,4,L,0^FDSecond line, 60^FS^BY3,3.0,200\n^FT100,600^BCN,,Y,N,N^FD>;420021349205^FS\n"
    b"^FO500,700^BQN,2,5^FDQA,1Z999^FS^FO10,10^GFA,8,8,2,FF00G0,H0,!^FS^PQ1,0,1,Y^XZ"
)


def test_measures_are_counted_in_the_dots_of_the_printer() -> None:
    scaled = scale_zpl(FOREIGN, 203, 300).decode()
    for command in ("^PW1200", "^LL1800", "^FO74,148^GB1034,4,4", "^A0N,44,37", "^BY4,3.0,296", "^CF0,59",
                    "^FB739,2,6,L,0", "^BQN,2,7", "^BCN,,Y,N,N", "line, 60^FS", "^PQ1,0,1,Y"):  # fmt: skip
        assert command in scaled, command
    assert scaled.startswith("^XA^BY3,3,15")  # what bars are without a ^BY of their own


def test_graphics_grow_with_the_label() -> None:
    plain, runs = "FF00FF00FF00FF00" * 10, "gHFF,!" + ":" * 8
    for packed in (plain, "JF," + ":" * 9, runs.replace("gH", "G")):
        zpl = f"^XA^PW812^FO0,0^GFA,80,80,8,{packed}^FS^BY3^XZ"
        scaled = scale_zpl(zpl.encode(), 203, 600).decode()
        total, width = map(int, re.findall(r"\^GFA,\d+,(\d+),(\d+)", scaled)[0])
        assert (total // width, width) == (30, 24), packed


def test_a_label_of_300_dpi_goes_to_a_printer_of_203() -> None:
    scaled = scale_zpl(b"^XA^PW1200^LL1800^FO150,300^BY4^BCN,300^FD1Z999^FS^XZ", 300, 203).decode()
    assert "^PW812^LL1218^FO102,203^BY2^BCN,203^FD1Z999" in scaled


@pytest.mark.parametrize(
    ("zpl", "reason"),
    [
        (b"^XA^FO10,10^BY2^BCN,100^FD1^FS^XZ", "less than 2 dots"),
        (b"^XA^JMB^FO1,1^FDx^FS^XZ", "JM"),
        (b"~DGR:A.GRF,8,2,FF00FF00FF00FF00^XA^XGR:A.GRF,1,1^FS^XZ", "DG"),
        (b"^XA^GFB,8,8,2,binary^FS^XZ", "only those written in letters"),
        (b"no label", "no command"),
    ],
)
def test_what_cannot_be_measured_anew_is_refused_by_name(zpl: bytes, reason: str) -> None:
    with pytest.raises(Unconvertible, match=reason):
        scale_zpl(zpl, 300, 203)
