"""Scenarios of the sandbox: what a request or a connection has go wrong at its simulated carrier.

A name that does not exist is refused: a test of a fault that never happened would pass for the wrong reason.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from shipcli.models import Invalid, Shipment, nearest

if TYPE_CHECKING:
    from shipcli.features.core.app import App

KEY = "sandbox_scenario"


def read_scenario(app: App, **places: Mapping[str, Any] | None) -> str | None:
    """The scenario that the first of these places names; None outside of a sandbox.

    Shapes: a place is named as in the body: `options`, `metadata`.
    Errors: Invalid naming the scenarios there are.
    """
    if not app.sandbox:
        return None
    named = [(place, values[KEY]) for place, values in places.items() if values and values.get(KEY)]
    for place, name in named:
        check_scenario(f"{place}.{KEY}", name)
    return next((str(name) for _, name in named), None)


def scenario_of(app: App, shipment: Shipment) -> str | None:
    """The scenario a shipment asks for.

    Errors: as `read_scenario`.
    """
    return read_scenario(app, options=shipment.options, metadata=shipment.metadata)


def check_scenario(field: str, name: Any) -> None:
    """Errors: Invalid on `field`, naming the scenarios there are."""
    from shipcli.carrier.simulation.simulator import UPSETS

    if name in UPSETS:
        return
    near = nearest(str(name), UPSETS)
    asked = f" Did you mean {near}?" if near else ""
    raise Invalid(field, f"There is no scenario {name!r}.{asked} Known: {', '.join(sorted(UPSETS))}.")
