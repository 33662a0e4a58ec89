"""The packing station as a state machine: it takes events and says what is to be done.

It asks nobody and waits for nothing, so that a slow carrier, server or printer keeps no scan from counting:
what it returns is carried out elsewhere (`desk`), and comes back as an event. A scan never confirms; a label
is bought by a key, a command barcode, or when the order whose price is on the screen is scanned again.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from datetime import date
from typing import Any

from shipcli.workflows.station import commands, entries, hands, labels, weights
from shipcli.workflows.station.state import Effects, StationOptions, StationState
from shipcli.workflows.station.steps import (
    Entered,
    Event,
    LabelBought,
    LookedUp,
    Opened,
    Pressed,
    Priced,
    PrintBegan,
    Printed,
    ScaleSilent,
    Voided,
    Weighed,
)


class Station(StationState):
    """A packing station."""

    def __init__(
        self,
        make_key: Callable[[], str],
        find_today: Callable[[], date],
        options: StationOptions | None = None,
    ) -> None:
        super().__init__(make_key, find_today, options or StationOptions())

    def handle(self, event: Event, at: float) -> Effects:
        """What is to be done about an event that happened at a moment, in seconds of a steady clock."""
        return HANDLERS[type(event)](self, event, at)


def open_station(state: StationState, event: Opened, at: float) -> Effects:
    """The station was opened: what was bought here and never printed is offered."""
    for shipment in event.unprinted:
        state.table.keep_unprinted(shipment)
    state.bought_today.set(event.count)
    if event.trouble:
        return state.refuse(event.trouble)
    if event.unprinted:
        numbers = ", ".join(shipment.display_name for shipment in event.unprinted)
        return state.refuse(f"Bought here and not known to be printed: {numbers}. F5 prints")
    return ()


HANDLERS: Mapping[type, Callable[[StationState, Any, float], Effects]] = {
    Opened: open_station,
    Entered: entries.enter,
    Pressed: commands.press_key,
    Weighed: weights.weigh,
    ScaleSilent: weights.lose_scale,
    LookedUp: entries.place,
    Priced: hands.price,
    LabelBought: labels.buy_done,
    PrintBegan: labels.print_began,
    Printed: labels.print_done,
    Voided: labels.void_done,
}
