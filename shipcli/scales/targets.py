"""Where a scale is: `serial:/dev/ttyUSB0?protocol=sics&line=9600,8N1`, `hid:0922:8003`, `typed:`."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from urllib.parse import parse_qsl, urlencode

from shipcli.models.basics.errors import Invalid
from shipcli.models.basics.text import find_nearest
from shipcli.models.basics.units import parse_weight
from shipcli.scales.protocols import PROTOCOLS

KINDS = ("serial", "hid", "simulated", "typed")
SICS = "sics"
STATES = ("stable", "unstable", "overload", "underload", "silent")
_LINE = re.compile(r"(\d{3,6}),([78])([NEO])([12])")
_HID = re.compile(r"[0-9a-f]{4}:[0-9a-f]{4}(?::[^:]+)?", re.IGNORECASE)


@dataclass(frozen=True)
class ScaleTarget:
    """A scale: its kind, where it is, and how it speaks.

    Shapes: `line` is the speed and form of a serial line, such as `9600,7E1`; `unit` is that of a scale that
            does not say it.
    """

    kind: str
    place: str = ""
    protocol: str = SICS
    line: str = ""
    unit: str = ""

    def __str__(self) -> str:
        if self.kind != "serial":
            return f"{self.kind}:{self.place}"
        options = {"protocol": self.protocol, "line": self.line} | ({"unit": self.unit} if self.unit else {})
        return f"serial:{self.place}?{urlencode(options, safe=',')}"

    def split_line(self) -> tuple[int, int, str, int]:
        """Speed, bits, parity and stop bits of the line."""
        speed, bits, parity, stop = read_line(self.line)
        return int(speed), int(bits), parity, int(stop)


def parse_target(
    text: str, protocol: str | None = None, line: str | None = None, unit: str | None = None
) -> ScaleTarget:
    """Read where a scale is; protocol, line and unit may be said beside it.

    Errors: Invalid naming what is wrong.
    """
    kind, colon, rest = text.strip().partition(":")
    if kind not in KINDS or not colon:
        near = find_nearest(kind, KINDS)
        forms = "serial:/dev/ttyUSB0, hid:0922:8003, simulated:1.2kg or typed:"
        raise Invalid(
            "to", f"{text!r} is not a scale such as {forms}{f'; did you mean {near}:?' if near else ''}"
        )
    said = (("protocol", protocol), ("line", line), ("unit", unit))
    beside = {name: value for name, value in said if value}
    if kind == "serial":
        return _parse_serial(rest, beside)
    if beside:
        raise Invalid(next(iter(beside)), f"is only for serial scales, not {kind}:")
    return _check_place(ScaleTarget(kind, rest))


def _check_place(target: ScaleTarget) -> ScaleTarget:
    if target.kind == "hid" and target.place and not _HID.fullmatch(target.place):
        raise Invalid("to", f"{target} is not hid:VENDOR:PRODUCT, such as hid:0922:8003")
    if target.kind == "simulated":
        weight, _, state = target.place.partition(",")
        parse_weight(weight or "0.001kg")
        if state and state not in STATES:
            raise Invalid("to", f"{state!r} is not one of {', '.join(STATES)}")
    return target


def _parse_serial(rest: str, beside: Mapping[str, str]) -> ScaleTarget:
    place, _, query = rest.partition("?")
    options = {**dict(parse_qsl(query)), **beside}
    if not place:
        raise Invalid("to", "Name the port: serial:/dev/ttyUSB0, or serial:COM3")
    named = options.get("protocol") or SICS
    if named not in PROTOCOLS:
        near = find_nearest(named, PROTOCOLS)
        raise Invalid(
            "protocol",
            f"{named!r} is not one of {', '.join(PROTOCOLS)}{f'; did you mean {near}?' if near else ''}",
        )
    form = options.get("line") or PROTOCOLS[named].line
    read_line(form)
    return ScaleTarget("serial", place, named, form.upper(), _read_unit(named, options.get("unit", "")))


def _read_unit(protocol: str, text: str) -> str:
    """Errors: Invalid if it is none, is missing where a scale does not say it, or is said where one does."""
    if PROTOCOLS[protocol].say_unit:
        if text:
            raise Invalid("unit", f"scales that speak {protocol} say theirs")
        return ""
    if text.upper() not in ("KG", "LB"):
        raise Invalid("unit", f"scales that speak {protocol} do not say theirs: name it, kg or lb")
    return text.upper()


def read_line(text: str) -> tuple[str, str, str, str]:
    """Speed, bits, parity, stop bits of `9600,7E1`.

    Errors: Invalid.
    """
    match = _LINE.fullmatch(text.upper())
    if match is None:
        raise Invalid("line", f"{text!r} is not the speed and form of a line, such as 9600,7E1")
    return match[1], match[2], match[3], match[4]
