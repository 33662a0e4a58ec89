"""What scales say over a serial line, protocol by protocol.

Sources: Mettler-Toledo Standard Interface Command Set (SICS), level 0; NCI standard control protocol SCP-01,
which Fairbanks and Weigh-Tronix speak as well; Ohaus Defender and Ranger interface manuals; A&D standard
format, which CAS CI and NT and Kern KFN and GAB send as well; Mettler-Toledo 8142 continuous output;
Mettler-Toledo Diva service manual 6.1.4 (`8217`); Sartorius Entris II and WZ manuals, data interface (`sbi`);
Kern PCB and FKB manuals, remote control; CAS PD-II manual 3.1.6, type 6 (`cas`).
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from decimal import Decimal

from shipcli.models.basics.units import convert_weight
from shipcli.scales.readings import ScaleError, ScaleReading, ScaleState
from shipcli.scales.toledo import FRAME, parse_toledo

UNITS = {"kg": "KG", "g": "G", "lb": "LB", "lbs": "LB", "oz": "OZ"}
# The lengths are bounded, so that noise on the line costs no more than its length.
_SHOWN_WEIGHT = re.compile(r"([+-]?)\s{0,9}(\d{1,9}(?:\.\d{0,9})?|\.\d{1,9})\s{0,9}([A-Za-z]{1,9})")
_SHOWN_POUNDS = re.compile(
    r"([+-]?)\s{0,9}(\d{1,9})\s{0,9}(?:lbs?[\s:,]{0,9}|:\s{0,9})(\d{1,9}(?:\.\d{0,9})?)\s{0,9}(?:lb:)?oz",
    re.IGNORECASE,
)
_BARE_WEIGHT = re.compile(r"(?:\A|[\sA-Z])[+-]?\s{0,9}(?:\d{1,9}(?:\.\d{0,9})?|\.\d{1,9})\s*\Z")
STABLE, UNSTABLE = ScaleState.STABLE, ScaleState.UNSTABLE
OVERLOAD, UNDERLOAD = ScaleState.OVERLOAD, ScaleState.UNDERLOAD


@dataclass(frozen=True)
class ScaleProtocol:
    """How a scale is asked, and how its answer is read.

    Shapes: without a `question` it speaks by itself; with a `greeting` that comes first, and is acknowledged;
            an answer ends with `end`; `line` is the speed and form of the line that such scales leave their
            makers with; `parse` raises ValueError; scales that do not `say_unit` have it from their target.
    """

    question: bytes
    end: bytes
    parse: Callable[[bytes], ScaleReading]
    line: str = "9600,8N1"
    greeting: bytes = b""
    say_unit: bool = True


def parse_weight_text(text: str, state: ScaleState = STABLE) -> ScaleReading:
    """A weight in a text, such as `+  1.250 kg`, `2LB 6.5OZ`, `2:06.5 lb:oz`.

    Errors: ValueError if there is none, or in another unit.
    """
    parts = _SHOWN_POUNDS.search(text)
    if parts:
        pounds = Decimal(parts[2]) + convert_weight(Decimal(parts[3]), "OZ", "LB")
        return ScaleReading(-pounds if parts[1] == "-" else pounds, "LB", state)
    match = _SHOWN_WEIGHT.search(text)
    unit = UNITS.get(match[3].lower()) if match else None
    if match is None or unit is None:
        raise ValueError(text)
    return ScaleReading(Decimal(f"{match[1]}{match[2]}"), unit, state)


def _report(state: ScaleState) -> ScaleReading:
    return ScaleReading(Decimal(0), "KG", state)


def parse_sics(answer: bytes) -> ScaleReading:
    """`S S     1.250 kg`; `S D` moves, `S +` and `S -` are beyond its range, `S I` is busy."""
    words = _decode(answer).split(None, 2)
    if len(words) < 2 or words[0] not in ("S", "SI"):
        raise ValueError(answer)
    states = {"+": OVERLOAD, "-": UNDERLOAD, "I": UNSTABLE}
    if words[1] in states:
        return _report(states[words[1]])
    return parse_weight_text(words[2] if len(words) > 2 else "", STABLE if words[1] == "S" else UNSTABLE)


def parse_nci(answer: bytes) -> ScaleReading:
    """A line with the weight, unless it moves, and a line with S and the status.

    Shapes: of the status, the first byte has bit 0 while it moves, the second bit 0 below and bit 1 above
            its range.
    """
    text = _decode(answer)
    match = re.search(r"S([0-\x7f])([0-\x7f])\S?\s*\Z", text)
    if match is None:
        raise ValueError(answer)
    first, second = ord(match[1]), ord(match[2])
    if second & 2 or "^" in text:
        return _report(OVERLOAD)
    if second & 1 or "_" in text[: match.start()]:
        return _report(UNDERLOAD)
    if first & 1:
        return _report(UNSTABLE)
    return parse_weight_text(text[: match.start()])


def parse_ohaus(answer: bytes) -> ScaleReading:
    """`     1.250 kg ?`: a question mark while it moves; errors 8.3 and 8.4 are beyond its range."""
    text = _decode(answer)
    error = re.search(r"err(?:or)?[: ]*8\.([34])", text, re.IGNORECASE)
    if error:
        return _report(OVERLOAD if error[1] == "3" else UNDERLOAD)
    return parse_weight_text(text, UNSTABLE if "?" in text else STABLE)


def parse_and(answer: bytes) -> ScaleReading:
    """`ST,+00001.250 kg`, `ST,GS,1B,  1.250 kg`, `ST,G,1.250,kg`; US moves, OL is beyond its range."""
    head, _, rest = _decode(answer).strip().partition(",")
    rest = re.sub(r",(?=\s*[A-Za-z]+\s*\Z)", " ", rest).rpartition(",")[2]
    if head == "OL":
        return _report(UNDERLOAD if rest.startswith("-") else OVERLOAD)
    if head not in ("ST", "US", "QT"):
        raise ValueError(answer)
    return parse_weight_text(rest, UNSTABLE if head == "US" else STABLE)


def parse_8217(answer: bytes) -> ScaleReading:
    """`01.25`; a question mark and a status where that is no weight: bit 1 above, 2 below its range."""
    text = _decode(answer).strip()
    status = re.fullmatch(r"\?(.)", text)
    if status:
        return _report(_read_8217(ord(status[1])))
    match = re.fullmatch(r"(\d{1,9}\.\d{1,9})N?", text)
    if match is None:
        raise ValueError(answer)
    return ScaleReading(Decimal(match[1]), "")


def _read_8217(status: int) -> ScaleState:
    return OVERLOAD if status & 2 else UNDERLOAD if status & 4 else UNSTABLE


def parse_sbi(answer: bytes) -> ScaleReading:
    """`N     +   153.4 g`: without the unit while it moves; High and Low are beyond its range."""
    text = _decode(answer).replace("[", "").replace("]", "").strip()
    beyond = re.fullmatch(r"(?:Stat)?\s*(High|H|Low|L)", text, re.IGNORECASE)
    if beyond:
        return _report(OVERLOAD if beyond[1].upper().startswith("H") else UNDERLOAD)
    return _report(UNSTABLE) if _BARE_WEIGHT.search(text) else parse_weight_text(text)


def parse_kern(answer: bytes) -> ScaleReading:
    """As `sbi` or as `and`, by the series."""
    has_head = re.match(r"\s*(?:ST|US|OL|QT),", _decode(answer))
    return parse_and(answer) if has_head else parse_sbi(answer)


def parse_cas(answer: bytes) -> ScaleReading:
    """S, or U while it moves; a sign, or F above its range; six characters of weight; kg or lb; a check."""
    frame = answer.rpartition(b"\x01\x02")[2]
    text = frame[:10].decode("ascii")
    if len(text) < 10 or text[0] not in "SU" or text[1] not in " -F":
        raise ValueError(answer)
    if text[1] == "F":
        return _report(OVERLOAD)
    if "." not in text[2:8]:
        raise ValueError(answer)  # where its point is cannot be known
    return parse_weight_text(text[1:], STABLE if text[0] == "S" else UNSTABLE)


def _decode(answer: bytes) -> str:
    return answer.decode("ascii").replace("\x02", "").replace("\x03", "")


PROTOCOLS: Mapping[str, ScaleProtocol] = {
    "sics": ScaleProtocol(b"SI\r\n", b"\r\n", parse_sics),
    "toledo": ScaleProtocol(b"", b"\r", parse_toledo, "9600,7E1"),
    "8217": ScaleProtocol(b"W", b"\r", parse_8217, "9600,7E1", say_unit=False),
    "nci": ScaleProtocol(b"W\r", b"\x03", parse_nci, "9600,7E1"),
    "fairbanks": ScaleProtocol(b"W\r", b"\x03", parse_nci, "9600,7E1"),
    "ohaus": ScaleProtocol(b"IP\r\n", b"\r\n", parse_ohaus),
    "and": ScaleProtocol(b"Q\r\n", b"\r\n", parse_and, "2400,7E1"),
    "sbi": ScaleProtocol(b"\x1bP\r\n", b"\n", parse_sbi, "9600,8O1"),
    "kern": ScaleProtocol(b"w", b"\n", parse_kern),
    "cas": ScaleProtocol(b"\x11", b"\x04", parse_cas, greeting=b"\x05"),
    "stream": ScaleProtocol(b"", b"\n", parse_and),
}
LONGEST = 4 * FRAME


def parse_answer(protocol: ScaleProtocol, answer: bytes, unit: str = "") -> ScaleReading:
    """What a scale answered; `unit` is that of scales that do not say theirs.

    Errors: ScaleError quoting what cannot be read.
    """
    try:
        plain = bytes(letter & 0x7F for letter in answer)  # the bit of the parity is no part of it
        if not plain.endswith(protocol.end):
            raise ValueError(answer)  # its last figures may be missing
        reading = protocol.parse(plain)
        return reading if reading.unit else replace(reading, unit=unit)
    except (ValueError, IndexError, ArithmeticError):
        shown = answer.decode("ascii", "backslashreplace").strip()[:40]
        hint = f"another --protocol may be right: {', '.join(PROTOCOLS)}"
        raise ScaleError(f"The scale says {shown!r}, which can't be read", hint=hint) from None
