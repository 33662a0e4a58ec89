"""Which key does what."""

from __future__ import annotations

from collections.abc import Mapping

from shipcli.workflows.station.scans import StationCommand

KEYS: Mapping[str, StationCommand] = {
    "f2": StationCommand.HOLD,
    "f3": StationCommand.BOX,
    "f4": StationCommand.NEXT,
    "f5": StationCommand.REPRINT,
    "f6": StationCommand.CUSTOMS,
    "f7": StationCommand.VOID,
    "f8": StationCommand.CHECK,
    "f9": StationCommand.BUY,
    "escape": StationCommand.CLEAR,
}
WORDS: Mapping[StationCommand, str] = {
    StationCommand.HOLD: "Hold",
    StationCommand.BOX: "Box",
    StationCommand.NEXT: "Rate",
    StationCommand.REPRINT: "Reprint",
    StationCommand.CUSTOMS: "Customs",
    StationCommand.VOID: "Void",
    StationCommand.CHECK: "Check",
    StationCommand.BUY: "BUY",
    StationCommand.CLEAR: "Clear",
}
ENDS = ("enter", "ctrl+j", "tab")  # what scanners end with
SEPARATOR = "ctrl+right_square_bracket"  # between the elements of a GS1 barcode


def list_keys() -> list[tuple[str, str]]:
    """The keys with their words, as the last line of the screen has them."""
    return [(key.upper().replace("ESCAPE", "Esc"), WORDS[command]) for key, command in KEYS.items()]
