"""The continuous output of Mettler-Toledo scales: frames of 17 or 18 bytes, one after the other.

Shapes: STX, three status words, six digits of the weight, six of the tare, CR, and often a sum.
Source: Mettler-Toledo 8142 technical manual, continuous output format.
"""

from __future__ import annotations

from decimal import Decimal

from shipcli.scales.readings import ScaleReading, ScaleState

STX, FRAME = 0x02, 18
_POINTS = (2, 1, 0, -1, -2, -3, -4, -5)  # the power of ten of the last digit, by bits 0-2 of status word A
_KG, _MOTION, _OUT_OF_RANGE, _NEGATIVE = 0x10, 0x08, 0x04, 0x02  # of status word B
_UNITS = {1: "G", 3: "OZ"}  # bits 0-2 of status word C; else pounds or kilograms


def parse_toledo(answer: bytes) -> ScaleReading:
    """The last whole frame of an answer.

    Errors: ValueError if there is none.
    """
    start = answer.rfind(STX)
    frame = answer[start:]
    if start < 0 or len(frame) < 10:
        raise ValueError(answer)
    scale, state, unit = frame[1], frame[2], frame[3]
    digits = frame[4:10].decode("ascii").strip()
    weight = Decimal(int(digits or "0")).scaleb(_POINTS[scale & 7])
    weight = -weight if state & _NEGATIVE else weight
    named = _UNITS.get(unit & 7) or ("KG" if state & _KG else "LB")
    return ScaleReading(weight, named, _read_state(state))


def _read_state(state: int) -> ScaleState:
    if state & _OUT_OF_RANGE:
        return ScaleState.UNDERLOAD if state & _NEGATIVE else ScaleState.OVERLOAD
    return ScaleState.UNSTABLE if state & _MOTION else ScaleState.STABLE
