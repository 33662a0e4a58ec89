"""Open a scale, and take a weight that counts."""

from __future__ import annotations

import time
from collections.abc import Callable
from importlib.util import find_spec
from typing import Protocol

from shipcli.models.basics.units import parse_weight
from shipcli.scales.readings import ScaleError, ScaleReading, ScaleState, is_same_load
from shipcli.scales.targets import ScaleTarget

TRIES, PAUSE_S = 50, 0.1
EXTRAS = {"serial": "serial", "hid": "hid"}  # the packages by kinds
SILENT = "silent"


class ScaleLine(Protocol):
    """A scale that is open."""

    def read(self) -> ScaleReading:
        """What it says now.

        Errors: ScaleError if it says nothing, or nothing that can be read.
        """
        ...

    def close(self) -> None:
        """Close it."""
        ...


class SimulatedScale:
    """A scale that always says the same, for trials: `simulated:1.2kg`, `simulated:1.2kg,unstable`."""

    def __init__(self, target: ScaleTarget) -> None:
        weight, _, state = target.place.partition(",")
        self._amount, self._unit = parse_weight(weight or "1kg")
        self._state = state or ScaleState.STABLE

    def read(self) -> ScaleReading:
        """What it is to say.

        Errors: ScaleError if that is nothing.
        """
        if self._state == SILENT:
            raise ScaleError("The simulated scale says nothing")
        return ScaleReading(self._amount, self._unit, ScaleState(self._state))

    def close(self) -> None:
        """Nothing is open."""


class TypedScale:
    """A scale that a person reads: the weight is asked for."""

    def __init__(self, ask: Callable[[str], str]) -> None:
        self._ask = ask
        self._reading: ScaleReading | None = None

    def read(self) -> ScaleReading:
        """What the person reads, asked for once.

        Errors: Invalid for what is no weight.
        """
        if self._reading is None:
            amount, unit = parse_weight(self._ask("weight on the scale"))
            self._reading = ScaleReading(amount, unit)
        return self._reading

    def close(self) -> None:
        """Ask again the next time."""
        self._reading = None


def open_scale(target: ScaleTarget, ask: Callable[[str], str]) -> ScaleLine:
    """Open a scale; `ask` is for one that a person reads.

    Errors: ScaleError if it can't be opened, or its package is not installed.
    """
    package = EXTRAS.get(target.kind)
    if package and find_spec(package) is None:
        raise ScaleError(f"{target.kind} scales need the package {package}, which is not installed",
                         hint="pip install 'shipcli[station]'")  # fmt: skip
    if target.kind == "serial":
        from shipcli.scales.serial_scale import SerialScale  # pyserial comes with an extra

        return SerialScale(target)
    if target.kind == "hid":
        from shipcli.scales.hid_scale import HidScale  # hidapi comes with an extra

        return HidScale(target)
    return SimulatedScale(target) if target.kind == "simulated" else TypedScale(ask)


def take_weight(scale: ScaleLine, tries: int = TRIES) -> ScaleReading:
    """Wait until a load lies still twice, and return what it weighs.

    Errors: ScaleError if it does not, is nothing, or is beyond what the scale can weigh.
    """
    before: ScaleReading | None = None
    for place in range(tries):
        if place:
            time.sleep(PAUSE_S)
        reading = scale.read()
        if reading.state in (ScaleState.OVERLOAD, ScaleState.UNDERLOAD) or reading.weight < 0:
            below = reading.state is not ScaleState.OVERLOAD
            raise ScaleError(f"The scale shows {'less than nothing: zero it' if below else 'an overload'}")
        if reading.is_stable and reading.weight and before and is_same_load(reading, before):
            return reading
        before = reading if reading.is_stable else None
    empty = before is not None and not before.weight
    raise ScaleError("Nothing lies on the scale" if empty else "The scale does not come to rest")
