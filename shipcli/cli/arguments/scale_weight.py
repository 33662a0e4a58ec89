"""`--weight scale`: the weight that lies on a scale of this machine."""

from __future__ import annotations

from decimal import Decimal

from shipcli.cli.console.prompts import ask
from shipcli.cli.console.stderr import note
from shipcli.cli.current_run import get_run
from shipcli.scales import opening, readings, registry

SCALE = "scale"


def names_scale(text: str) -> bool:
    """Whether a weight is to be read from a scale: `scale`, or `scale=NAME` of several."""
    return text.strip().partition("=")[0].casefold() == SCALE


def read_scale_weight(text: str) -> tuple[Decimal, str]:
    """The weight that lies still on the scale, and its unit.

    Errors: NotFound; ScaleError if nothing does.
    """
    scale, reading = take_reading(text.strip().partition("=")[2] or None)
    note(f"{scale.name}: {reading.describe()}")
    return reading.weight, reading.unit


def take_reading(named: str | None) -> tuple[registry.NamedScale, readings.ScaleReading]:
    """A scale, and what lies still on it.

    Errors: NotFound; ScaleError.
    """
    config = get_run().config
    scale = registry.choose_scale(config.home, named, config["scale"])
    line = opening.open_scale(scale.target, lambda name: ask(name) or "")
    try:
        return scale, opening.take_weight(line)
    finally:
        line.close()
