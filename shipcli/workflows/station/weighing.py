"""When a weight counts: it lies still twice, is more than nothing, and is near what is expected."""

from __future__ import annotations

from dataclasses import dataclass
from decimal import Decimal
from enum import StrEnum

from shipcli.models.basics.units import convert_weight
from shipcli.scales.readings import ScaleReading, ScaleState, format_weight, is_same_load

STILL = "the scale is not still"
MOST_TIMES = 2  # the expected weight, or a part of it, beyond which a person is asked


class WeightSource(StrEnum):
    """Where a weight comes from."""

    SCALE = "scale"
    TYPED = "typed"
    LINES = "lines"  # those of the order, or of the draft


@dataclass(frozen=True)
class ParcelWeight:
    """The weight of a parcel."""

    weight: Decimal
    unit: str
    source: WeightSource = WeightSource.LINES

    def describe(self) -> str:
        """The weight as people write it."""
        return format_weight(self.weight, self.unit)

    def is_like(self, reading: ScaleReading) -> bool:
        """Whether it is the weight of the load that a scale shows, which may waver a little."""
        return is_same_load(reading, ScaleReading(self.weight, self.unit))

    def to_facts(self) -> dict[str, object]:
        """The fields of a parcel; empty where the weight is that of its goods, which are added up anyway."""
        if self.source is WeightSource.LINES:
            return {}
        return {"weight": self.weight, "weight_unit": self.unit}


@dataclass(frozen=True)
class WeightVerdict:
    """What a reading means: a weight that counts, a question about one, or why there is none yet."""

    weight: ParcelWeight | None = None
    question: str = ""
    is_light: bool = False  # perhaps not all is in the box yet
    trouble: str = ""
    wait: str = ""


def judge(
    reading: ScaleReading,
    before: ScaleReading | None,
    expected: ParcelWeight | None,
    taken: ParcelWeight | None = None,
) -> WeightVerdict:
    """What a reading means for a parcel.

    Shapes: `before` is the reading before it, `taken` the weight of the parcel that lay there last.
    """
    if reading.state is ScaleState.OVERLOAD:
        return WeightVerdict(trouble="The scale is overloaded: take the parcel off")
    if reading.state is ScaleState.UNDERLOAD or reading.weight < 0:
        return WeightVerdict(trouble="The scale shows less than nothing: empty it and zero it")
    if not reading.is_stable:
        return WeightVerdict(wait=STILL)
    if reading.weight == 0:
        return WeightVerdict(wait="put the parcel on the scale")
    if before is None or not before.is_stable or not is_same_load(reading, before):
        return WeightVerdict(wait=STILL)
    if taken and taken.is_like(reading):
        return WeightVerdict(wait="take the last parcel off the scale")
    return compare(ParcelWeight(reading.weight, reading.unit, WeightSource.SCALE), expected)


def compare(weight: ParcelWeight, expected: ParcelWeight | None) -> WeightVerdict:
    """The weight; with a question if it is more than twice what is expected, or less than half of it."""
    if expected is None:
        return WeightVerdict(weight)
    amount = convert_weight(weight.weight, weight.unit, expected.unit)
    is_light = amount * MOST_TIMES < expected.weight
    if not is_light and amount <= expected.weight * MOST_TIMES:
        return WeightVerdict(weight)
    far = "less than half of" if is_light else "more than twice"
    text = f"{weight.describe()} is {far} what is expected ({expected.describe()})"
    return WeightVerdict(weight, question=text, is_light=is_light)
