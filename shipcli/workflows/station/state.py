"""What a packing station knows at a moment."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import date
from typing import TYPE_CHECKING

from shipcli.workflows.station.day_count import DayCount
from shipcli.workflows.station.loads import Load, Phase
from shipcli.workflows.station.table import PackingTable
from shipcli.workflows.station.weight_watch import WeightWatch

if TYPE_CHECKING:
    from shipcli.models import Shipment
    from shipcli.workflows.station.steps import Effect
    from shipcli.workflows.station.weighing import ParcelWeight

AGAIN_S = 1.0  # what comes twice within it is one pull of the trigger
Effects = Sequence["Effect"]


@dataclass(frozen=True)
class StationOptions:
    """How a station works: with or without a scale and a packing check, and who packs.

    Shapes: `layouts` are those of the keyboard that scanners type on, where they are known; `weight_unit` is
            that of numbers without one.
    """

    has_scale: bool = False
    checks_goods: bool = False
    packer: str = ""
    layouts: tuple[str, ...] = ()
    weight_unit: str | None = None


@dataclass(frozen=True)
class Question:
    """What a person has to answer: the weight that is meant, or the label to be voided."""

    text: str
    weight: ParcelWeight | None = None
    shipment: Shipment | None = None


class StationState:
    """The table, the scale, who packs, and what was said last.

    Shapes: `sounds` counts what was good and what was bad; `last` is the label that was bought last;
            `pending` is what was entered and is still being looked up;
            `make_key` makes a name that nothing else has, `find_today` says which day it is here.
    """

    def __init__(
        self, make_key: Callable[[], str], find_today: Callable[[], date], options: StationOptions
    ) -> None:
        self.make_key, self.weight_unit = make_key, options.weight_unit
        self.checks_goods, self.packer, self.layouts = options.checks_goods, options.packer, options.layouts
        self.table, self.scale = PackingTable(), WeightWatch(has_scale=options.has_scale)
        self.question: Question | None = None
        self.shows_customs = False
        self.last: Shipment | None = None
        self.news, self.is_bad = "", False
        self.bought_today, self.sounds = DayCount(find_today), [0, 0]
        self.pending: list[str] = []
        self._scanned: tuple[str, float] = ("", 0.0)

    @property
    def count(self) -> int:
        """The labels that were bought at this bench today."""
        return self.bought_today.value

    @property
    def load(self) -> Load | None:
        """The load in hand."""
        return self.table.current

    @property
    def phase(self) -> Phase:
        """How far the load in hand is."""
        return self.load.phase if self.load else Phase.IDLE

    def say(self, text: str) -> Effects:
        """Say what went well."""
        self.news, self.is_bad = text, False
        self.sounds[0] += 1
        return ()

    def refuse(self, text: str) -> Effects:
        """Say what went wrong, or has to be looked at."""
        self.sounds[1] += 1
        return self.show(text)

    def show(self, text: str) -> Effects:
        """Say without a sound what will have to be looked at, unless it passes by itself."""
        self.news, self.is_bad = text, True
        return ()

    def refuse_early(self) -> Effects:
        """Refuse what may be meant for another load than that in hand."""
        return self.refuse(f"{self.pending[0]} is still being looked up: wait, then again")

    def is_double(self, text: str, at: float) -> bool:
        """Whether a scan comes so soon after the same one that it is one pull of the trigger."""
        former, then = self._scanned
        self._scanned = (text, at)
        return text == former and at - then < AGAIN_S
