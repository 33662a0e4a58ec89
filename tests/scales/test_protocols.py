"""What scales say, protocol by protocol, and over a real line."""

from __future__ import annotations

import os
import tty
from decimal import Decimal
from typing import Any

import pytest

from shipcli.scales.hid_scale import choose_path, parse_report
from shipcli.scales.opening import open_scale, take_weight
from shipcli.scales.protocols import PROTOCOLS, parse_answer
from shipcli.scales.readings import ScaleError, ScaleState
from shipcli.scales.serial_scale import add_parity
from shipcli.scales.targets import parse_target
from tests.scales.lines import play_scale

STABLE, UNSTABLE = ScaleState.STABLE, ScaleState.UNSTABLE
OVERLOAD, UNDERLOAD = ScaleState.OVERLOAD, ScaleState.UNDERLOAD


def frame(state: str, digits: str, *, unit: str = " ", scale: str = "-") -> bytes:
    """A frame of the continuous output: three decimals unless another scale is given."""
    return f"\x02{scale}{state}{unit}{digits}     0\r".encode()


SAID = [
    ("sics", b"S S      1.250 kg\r\n", "1.250", "KG", STABLE),
    ("sics", b"S D      1.250 kg\r\n", "1.250", "KG", UNSTABLE),
    ("sics", b"S S   -  0.020 kg\r\n", "-0.020", "KG", STABLE),
    ("sics", b"S S      453.6 g\r\n", "453.6", "G", STABLE),
    ("sics", b"S I\r\n", "0", "KG", UNSTABLE),
    ("sics", b"S +\r\n", "0", "KG", OVERLOAD),
    ("sics", b"S -\r\n", "0", "KG", UNDERLOAD),
    ("toledo", frame("0", "  1250"), "1.250", "KG", STABLE),
    ("toledo", frame(" ", "  1250"), "1.250", "LB", STABLE),
    ("toledo", frame("8", "  1250"), "1.250", "KG", UNSTABLE),
    ("toledo", frame("2", "    20"), "-0.020", "KG", STABLE),
    ("toledo", frame("4", " 30000"), "30.000", "KG", OVERLOAD),
    ("toledo", frame("6", "    20"), "-0.020", "KG", UNDERLOAD),
    ("toledo", frame("0", "000000"), "0", "KG", STABLE),
    ("toledo", frame(" ", "   205", scale=",", unit="#"), "2.05", "OZ", STABLE),
    ("nci", b"\n  2.38LB\r\nS00\r\x03", "2.38", "LB", STABLE),
    ("nci", b"\n  2LB  6.0OZ\r\nS00\r\x03", "2.375", "LB", STABLE),
    ("nci", b"\n 01.250KG\r\nS200\r\x03", "1.250", "KG", STABLE),
    ("nci", b"\nS10\r\x03", "0", "KG", UNSTABLE),
    ("nci", b"\n^^^^^^LB\r\nS02\r\x03", "0", "KG", OVERLOAD),
    ("nci", b"\n______LB\r\nS01\r\x03", "0", "KG", UNDERLOAD),
    ("fairbanks", b"\n  2.38lb\r\nS00\r\x03", "2.38", "LB", STABLE),
    ("ohaus", b"      1.250 kg   \r\n", "1.250", "KG", STABLE),
    ("ohaus", b"      1.250 kg ? \r\n", "1.250", "KG", UNSTABLE),
    ("ohaus", b"     -0.020 kg   \r\n", "-0.020", "KG", STABLE),
    ("ohaus", b"   2 lb 6.0 oz G\r\n", "2.375", "LB", STABLE),
    ("ohaus", b"Err 8.3\r\n", "0", "KG", OVERLOAD),
    ("ohaus", b"Err 8.4\r\n", "0", "KG", UNDERLOAD),
    ("and", b"ST,+00001.250 kg\r\n", "1.250", "KG", STABLE),
    ("and", b"US,+00001.250 kg\r\n", "1.250", "KG", UNSTABLE),
    ("and", b"OL,+9999999E+19\r\n", "0", "KG", OVERLOAD),
    ("and", b"ST,-00000.020 kg\r\n", "-0.020", "KG", STABLE),
    ("stream", b"ST,GS,1B,    13.5 kg\r\n", "13.5", "KG", STABLE),
    ("stream", b"US,NT,+  1.250kg\r\n", "1.250", "KG", UNSTABLE),
    ("stream", b"ST,G,-  0.020,kg\n", "-0.020", "KG", STABLE),
    ("stream", b"OL,GS,1B,        kg\r\n", "0", "KG", OVERLOAD),
    ("sics", b"S S   2 lb: 6.0 oz\r\n", "2.375", "LB", STABLE),
    ("ohaus", b"    2lb:6.0oz   \r\n", "2.375", "LB", STABLE),
    ("ohaus", b"    2: 6.0 lb:oz   \r\n", "2.375", "LB", STABLE),
    ("ohaus", b"   -0 lb 2.0 oz\r\n", "-0.125", "LB", STABLE),
    ("8217", b"\x0201.25\r", "1.25", "LB", STABLE),
    ("8217", b"\x0201.25N\r", "1.25", "LB", STABLE),
    ("8217", b"\x0200.00\r", "0", "LB", STABLE),
    ("8217", b"\x02?a\r", "0", "KG", UNSTABLE),
    ("8217", b"\x02?b\r", "0", "KG", OVERLOAD),
    ("8217", b"\x02?d\r", "0", "KG", UNDERLOAD),
    ("sbi", b"N     +   153.4 g  \r\n", "153.4", "G", STABLE),
    ("sbi", b"+    1.250 kg \r\n", "1.250", "KG", STABLE),
    ("sbi", b"N     -   12.[3] g  \r\n", "-12.3", "G", STABLE),
    ("sbi", b"N     +   153.4    \r\n", "0", "KG", UNSTABLE),
    ("sbi", b"Stat        High   \r\n", "0", "KG", OVERLOAD),
    ("sbi", b"     L      \r\n", "0", "KG", UNDERLOAD),
    ("kern", b"         1.250 kg \r\n", "1.250", "KG", STABLE),
    ("kern", b"M-      12.30 g  \r\n", "-12.30", "G", STABLE),
    ("kern", b"         1.250    \r\n", "0", "KG", UNSTABLE),
    ("kern", b"ST,GS 1.000KG\r\n", "1.000", "KG", STABLE),
    ("cas", b"\x01\x02S 01.250kg\x5a\x03\x04", "1.250", "KG", STABLE),
    ("cas", b"\x01\x02U 002.38Lb\x5a\x03\x04", "2.38", "LB", UNSTABLE),
    ("cas", b"\x01\x02S-00.015kg\x5a\x03\x04", "-0.015", "KG", STABLE),
    ("cas", b"\x01\x02UFFFFFFFkg\x5a\x03\x04", "0", "KG", OVERLOAD),
]


@pytest.mark.parametrize(("protocol", "said", "weight", "unit", "state"), SAID, ids=str)
def test_an_answer_is_read(protocol: str, said: bytes, weight: str, unit: str, state: ScaleState) -> None:
    reading = parse_answer(PROTOCOLS[protocol], said, "LB")
    assert reading.state is state
    if reading.weight or Decimal(weight):
        assert (reading.weight.quantize(Decimal("0.001")), reading.unit) == (Decimal(weight), unit)


@pytest.mark.parametrize(("protocol", "said", "weight", "unit", "state"), SAID, ids=str)
def test_an_answer_with_the_bit_of_its_parity_is_the_same(
    protocol: str, said: bytes, weight: str, unit: str, state: ScaleState
) -> None:
    even = bytes(letter | (0x80 if letter.bit_count() % 2 else 0) for letter in said)
    assert parse_answer(PROTOCOLS[protocol], even) == parse_answer(PROTOCOLS[protocol], said)


@pytest.mark.parametrize("protocol", PROTOCOLS)
@pytest.mark.parametrize(
    "said", [b"", b"\r\n", b"ES\r\n", b"hello\r\n", b"1.25 stone\r\n", b"\x02", b"\xff\xfe\r"]
)
def test_what_is_no_weight_is_said_and_never_taken_for_one(protocol: str, said: bytes) -> None:
    with pytest.raises(ScaleError, match="can't be read"):
        parse_answer(PROTOCOLS[protocol], said)


@pytest.mark.parametrize(
    ("protocol", "says"),
    [
        ("sics", b"S S      1.250 kg\r\n"),
        ("toledo", frame("0", "  1250")),
        ("nci", b"\n 01.250KG\r\nS00\r\x03"),
        ("ohaus", b"      1.250 kg   \r\n"),
        ("and", b"ST,+00001.250 kg\r\n"),
        ("stream", b"ST,GS,1B,   1.250 kg\r\n"),
        ("8217", b"\x0201.250\r"),
        ("sbi", b"N     +   1.250 kg \r\n"),
        ("kern", b"         1.250 kg \r\n"),
        ("cas", b"\x01\x02S 01.250kg\x5a\x03\x04"),
    ],
)
@pytest.mark.parametrize("line", ["9600,7E1", "9600,8N1"])
def test_a_scale_on_a_line_is_weighed_with(protocol: str, says: bytes, line: str) -> None:
    with play_scale(says, PROTOCOLS[protocol].question) as played:
        unit = None if PROTOCOLS[protocol].say_unit else "kg"
        scale = open_scale(parse_target(f"serial:{played.place}", protocol, line, unit), str)
        try:
            reading = take_weight(scale)
        finally:
            scale.close()
    assert (reading.weight, reading.unit) == (Decimal("1.250"), "KG")


def test_a_silent_scale_is_said() -> None:
    with play_scale(b"", b"SI\r\n") as played:
        scale = open_scale(parse_target(f"serial:{played.place}"), str)
        with pytest.raises(ScaleError, match="says nothing"):
            scale.read()
        scale.close()


def test_an_answer_spoilt_by_noise_is_asked_for_again() -> None:
    with play_scale(b"S S      1.250 kg\r\n", b"SI\r\n") as played:
        played.noise = [b"S S  \x11\x00kg\r\n", b"\x00S S    "]
        scale = open_scale(parse_target(f"serial:{played.place}"), str)
        assert scale.read().weight == Decimal("1.250")
        scale.close()


def test_an_answer_without_its_end_is_no_weight() -> None:
    with pytest.raises(ScaleError, match="can't be read"):
        parse_answer(PROTOCOLS["8217"], b"\x0201.2", "KG")


@pytest.mark.parametrize("protocol", ["sics", "toledo"])
def test_a_scale_that_is_unplugged_is_said_to_be_gone(protocol: str) -> None:
    master, slave = os.openpty()
    tty.setraw(slave)
    scale = open_scale(parse_target(f"serial:{os.ttyname(slave)}", protocol, "9600,8N1"), str)
    os.close(master)
    with pytest.raises(ScaleError, match="is gone"):
        scale.read()
    scale.close()
    os.close(slave)


def test_the_parity_is_the_highest_bit_where_a_port_knows_none() -> None:
    assert add_parity(b"W\r", "E") == b"\xd7\x8d"
    assert add_parity(b"W\r", "O") == b"W\r"


def test_answers_with_the_bit_of_their_parity_end_as_others_do() -> None:
    with play_scale(add_parity(b"\n 01.250KG\r\nS00\r\x03", "E"), b"W\r") as played:
        scale = open_scale(parse_target(f"serial:{played.place}", "nci", "9600,8N1"), str)
        assert scale.read().weight == Decimal("1.250")
        scale.close()


def test_a_port_is_opened_again_and_again() -> None:
    with play_scale(b"S S      1.250 kg\r\n", b"SI\r\n") as played:
        for _ in range(3):
            scale = open_scale(parse_target(f"serial:{played.place}?line=9600,7E1"), str)
            assert scale.read().weight == Decimal("1.250")
            scale.close()


def test_no_two_programs_share_the_answers_of_a_scale() -> None:
    with play_scale(b"S S      1.250 kg\r\n", b"SI\r\n") as played:
        target = parse_target(f"serial:{played.place}")
        first = open_scale(target, str)
        with pytest.raises(ScaleError, match="another program reads it"):
            open_scale(target, str)
        assert first.read().weight == Decimal("1.250")
        first.close()
        open_scale(target, str).close()


def test_a_port_that_is_not_there_is_named() -> None:
    with pytest.raises(ScaleError, match="/dev/nothing"):
        open_scale(parse_target("serial:/dev/nothing"), str)


# -- on USB ----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("report", "weight", "unit", "state"),
    [
        ([3, 4, 11, 255, 38, 0], "3.8", "OZ", STABLE),
        ([3, 4, 12, 254, 0xEE, 0x02], "7.50", "LB", STABLE),
        ([3, 4, 2, 0, 0xE2, 0x04], "1250", "G", STABLE),
        ([3, 4, 3, 0xFD, 0xE2, 0x04], "1.250", "KG", STABLE),
        ([3, 2, 2, 0, 0, 0], "0", "G", STABLE),
        ([3, 3, 2, 0, 10, 0], "10", "G", UNSTABLE),
        ([3, 5, 2, 0, 10, 0], "-10", "G", UNDERLOAD),
        ([3, 6, 2, 0, 0, 0], "0", "G", OVERLOAD),
    ],
)
def test_a_report_of_a_usb_scale_is_read(
    report: list[int], weight: str, unit: str, state: ScaleState
) -> None:
    reading = parse_report(report)
    assert (reading.weight, reading.unit, reading.state) == (Decimal(weight), unit, state)


@pytest.mark.parametrize("report", [[3, 4, 2], [3, 1, 2, 0, 1, 0], [3, 7, 2, 0, 1, 0], [3, 4, 8, 0, 1, 0]])
def test_a_faulty_report_is_said(report: list[int]) -> None:
    with pytest.raises(ScaleError):
        parse_report(report)


def test_a_usb_scale_that_is_not_there_is_said() -> None:
    with pytest.raises(ScaleError, match="There is no scale hid:0922:8003"):
        open_scale(parse_target("hid:0922:8003"), str)


def make_device(path: str, serial_number: str = "", usage_page: int = 0x8D) -> dict[str, Any]:
    return {"vendor_id": 0x0922, "product_id": 0x8003, "path": path.encode(), "usage_page": usage_page,
            "serial_number": serial_number}  # fmt: skip


@pytest.mark.parametrize("text", ["hid:", "hid:0922:8003", "hid:0922:8003:A1"])
def test_of_a_device_with_several_parts_the_one_that_weighs_is_opened(text: str) -> None:
    devices = [make_device("keys", "A1", usage_page=1), make_device("scale", "A1")]
    assert choose_path(parse_target(text), devices) == b"scale"


def test_a_device_is_found_where_the_system_does_not_say_what_it_is() -> None:
    assert choose_path(parse_target("hid:0922:8003"), [make_device("any", usage_page=0)]) == b"any"


@pytest.mark.parametrize("text", ["hid:", "hid:0922:8003"])
def test_of_two_scales_on_usb_none_is_taken_by_chance(text: str) -> None:
    devices = [make_device("left", "A1"), make_device("right", "B2")]
    with pytest.raises(ScaleError, match="2 scales"):
        choose_path(parse_target(text), devices)
    assert choose_path(parse_target("hid:0922:8003:B2"), devices) == b"right"
