"""When a weight counts: it lies still twice, is more than nothing, and is near what is expected."""

from __future__ import annotations

from dataclasses import dataclass
from decimal import Decimal
from enum import StrEnum

from shipcli.models.basics.units import convert_weight
from shipcli.scales.readings import ScaleReading, ScaleState, format_weight, is_same_load

MOST_TIMES = 2  # the expected weight, above which a person is asked


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
        return WeightVerdict(wait="the scale is not still")
    if reading.weight == 0:
        return WeightVerdict(wait="put the parcel on the scale")
    if before is None or not before.is_stable or not is_same_load(reading, before):
        return WeightVerdict(wait="the scale is not still")
    if taken and is_same_load(reading, ScaleReading(taken.weight, taken.unit)):
        return WeightVerdict(wait="take the last parcel off the scale")
    weight = ParcelWeight(reading.weight, reading.unit, WeightSource.SCALE)
    if expected and is_far(weight, expected):
        text = f"{weight.describe()} is more than twice what is expected ({expected.describe()})"
        return WeightVerdict(weight, question=text)
    return WeightVerdict(weight)


def is_far(weight: ParcelWeight, expected: ParcelWeight) -> bool:
    """Whether a weight is more than twice what is expected."""
    return convert_weight(weight.weight, weight.unit, expected.unit) > expected.weight * MOST_TIMES
