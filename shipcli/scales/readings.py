"""What a scale says at a moment."""

from __future__ import annotations

from dataclasses import dataclass
from decimal import Decimal
from enum import StrEnum

from shipcli.models.basics.errors import ShipcliError
from shipcli.models.basics.units import convert_weight

PLACES = Decimal("0.001")
SAME_PART = Decimal("0.01")  # of a weight: what lies still may waver by so much
SAME_G = Decimal(5)


class ScaleState(StrEnum):
    """Whether the weight counts."""

    STABLE = "stable"
    UNSTABLE = "unstable"
    OVERLOAD = "overload"
    UNDERLOAD = "underload"  # below its zero: something was taken off that was there when it was zeroed


@dataclass(frozen=True)
class ScaleReading:
    """A weight, its unit (KG, LB, OZ, G), and whether it counts."""

    weight: Decimal
    unit: str = "KG"
    state: ScaleState = ScaleState.STABLE

    @property
    def is_stable(self) -> bool:
        """Whether the load lies still, and its weight is one that the scale can tell."""
        return self.state is ScaleState.STABLE

    def describe(self) -> str:
        """The weight as people write it: `1.25 kg`."""
        return format_weight(self.weight, self.unit)


def is_same_load(reading: ScaleReading, other: ScaleReading) -> bool:
    """Whether two readings are of one load, which wavers a little."""
    weight, former = (convert_weight(each.weight, each.unit, "G") for each in (reading, other))
    return abs(weight - former) <= max(SAME_G, SAME_PART * max(weight, former))


class ScaleError(ShipcliError):
    """The scale does not answer, or says nothing that can be read."""

    code = "scale"
    exit_code = 10

    def __init__(self, message: str, *, hint: str = "") -> None:
        super().__init__(message)
        self.hint = hint


def format_weight(weight: Decimal, unit: str) -> str:
    """A weight as people write it: `1.25 kg`."""
    return f"{weight.quantize(PLACES).normalize():f} {unit.lower()}"
