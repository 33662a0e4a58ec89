"""Sandbox scenarios: what goes wrong at the simulated carrier of a request or a connection.

Unknown names are rejected: a test of a fault that never happened would pass for the wrong reason.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from shipcli.models import Invalid, Shipment, find_nearest

if TYPE_CHECKING:
    from shipcli.features.core.app import App

KEY = "sandbox_scenario"


def read_scenario(app: App, **places: Mapping[str, Any] | None) -> str | None:
    """The scenario named in the first of these places that has one; None outside a sandbox.

    Shapes: places are named as in the body: `options`, `metadata`.
    Errors: Invalid, listing the known scenarios.
    """
    if not app.sandbox:
        return None
    named = [(field, values[KEY]) for field, values in places.items() if values and values.get(KEY)]
    for field, name in named:
        check_scenario(f"{field}.{KEY}", name)
    return next((str(name) for _, name in named), None)


def find_scenario(app: App, shipment: Shipment) -> str | None:
    """The scenario a shipment asks for.

    Errors: as `read_scenario`.
    """
    return read_scenario(app, options=shipment.options, metadata=shipment.metadata)


def check_scenario(field: str, name: Any) -> None:
    """Errors: Invalid on `field`, listing the known scenarios."""
    from shipcli.carrier.simulation.simulator import SCENARIOS

    if name in SCENARIOS:
        return
    near = find_nearest(str(name), SCENARIOS)
    hint = f" Did you mean {near}?" if near else ""
    raise Invalid(field, f"There is no scenario {name!r}.{hint} Known: {', '.join(sorted(SCENARIOS))}.")
