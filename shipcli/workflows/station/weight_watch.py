"""The scale of the station: its last readings, and what they mean for the load in hand."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from shipcli.models.basics.errors import Invalid
from shipcli.models.basics.units import parse_weight, read_weight_word
from shipcli.scales.readings import ScaleReading
from shipcli.workflows.station.weighing import (
    STILL,
    ParcelWeight,
    WeightSource,
    WeightVerdict,
    compare,
    judge,
)

if TYPE_CHECKING:
    from shipcli.workflows.station.loads import Load


_AMOUNT = re.compile(r"[-+]?\s*[\d.,]+\s*([A-Za-z][A-Za-z.]*)")


class WeightWatch:
    """What the scale said.

    Shapes: `taken` is the weight of the parcel that lay there last, until the scale is emptied.
    """

    def __init__(self, *, has_scale: bool) -> None:
        self.has_scale = has_scale
        self.reading: ScaleReading | None = None
        self.wait = ""  # why the reading is no weight yet
        self.trouble = ""
        self.taken: ParcelWeight | None = None
        self._asked: ParcelWeight | None = None  # about which a person was asked

    def read(self, reading: ScaleReading, load: Load | None) -> WeightVerdict:
        """What a reading means for a load; a question about the same weight is asked once."""
        before, self.reading = self.reading, reading
        if reading.is_stable and reading.weight == 0:
            self.taken = self._asked = None
        verdict = judge(reading, before, load.job.expected if load else None, self.taken)
        self.trouble, self.wait = verdict.trouble, verdict.wait
        if verdict.question and verdict.weight and self._asked and self._asked.is_like(reading):
            return WeightVerdict(wait="answer first")
        if verdict.weight:
            self._asked = verdict.weight if verdict.question else None
        return verdict

    def lose(self, reason: str) -> None:
        """The scale says nothing any more."""
        self.reading, self.trouble, self.wait = None, reason, ""

    def pass_on(self, load: Load) -> None:
        """A load leaves the hands: its weight may still lie on the scale."""
        if load.weight and load.weight.source is WeightSource.SCALE:
            self.taken = load.weight
        self._asked = None

    def find_doubt(self, load: Load) -> str:
        """Why the weight of a load may not be that on the scale at this moment; empty where it is."""
        if not (load.weight and load.weight.source is WeightSource.SCALE) or self.reading is None:
            return ""
        if not self.reading.is_stable:
            return STILL
        return "" if self.reading.weight == 0 or load.weight.is_like(self.reading) else STILL


def read_typed_weight(text: str, unit: str | None, expected: ParcelWeight | None) -> WeightVerdict | None:
    """What a person typed, as a weight; None if it is none."""
    try:
        amount, read_unit = parse_weight(text, unit)
    except Invalid:
        return WeightVerdict(trouble=f"No parcel weighs {text.strip()}") if _is_amount(text) else None
    return compare(ParcelWeight(amount, read_unit, WeightSource.TYPED), expected)


def _is_amount(text: str) -> bool:
    """Whether a text is meant as a weight, though none that a parcel can have."""
    match = _AMOUNT.fullmatch(text.strip())
    return bool(match and read_weight_word(match[1]))
