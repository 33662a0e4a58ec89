"""Time in a sandbox: `shipcli sandbox clock` and `shipcli sandbox track`."""

from __future__ import annotations

from collections.abc import Callable
from typing import Annotated, Any

import typer

from shipcli.cli.arguments.bodies import check_body
from shipcli.cli.arguments.selectors import select_one
from shipcli.cli.console.output import show, show_list
from shipcli.cli.console.prompts import would
from shipcli.cli.gateway import ask
from shipcli.cli.usage_errors import Usage
from shipcli.features.sandbox import clock as sandbox_clock
from shipcli.features.sandbox import conductor
from shipcli.models import sandbox_time as models

EVENTS = ("at", "type", "status", "tracking_number", "object_id", "delivered", "failed")
STATE = ("now", "state", "speed")
ACTIONS = ("show", "freeze", "set", "advance", "speed", "real")


def clock(
    action: Annotated[str, typer.Argument(metavar="|".join(ACTIONS), help="What to do with it.")] = "show",
    value: Annotated[
        str | None,
        typer.Argument(metavar="[VALUE]", help="A span such as 61h, an instant, or seconds in a real one."),
    ] = None,
) -> None:
    """Show or move the clock of the sandbox.

    `advance` lets happen in order what is due on the way, and lists it when the webhooks were delivered.
    `set` only jumps. A span is `61h`, `3d`, `90m`; an instant `2026-01-05T09:00Z`.

    Examples:
    shipcli sandbox clock advance 61h
    shipcli sandbox clock freeze 2026-01-05T09:00Z
    shipcli sandbox clock speed 1440
    """
    if action not in ACTIONS:
        raise Usage(f"there is no {action!r} for a clock, only {', '.join(ACTIONS)}")
    if action != "show" and would(f"{action} the clock {value or ''}".rstrip()):
        return
    if action == "advance":
        show_list(ask(conductor.advance_clock, _read(models.ClockAdvanceData, _name_end(value))), EVENTS)
        return
    changes: dict[str, Callable[[], models.ClockState]] = {
        "show": lambda: ask(sandbox_clock.show_clock),
        "freeze": lambda: ask(sandbox_clock.freeze_clock, _read(models.ClockFreezeData, {"at": value})),
        "set": lambda: ask(sandbox_clock.set_clock, _read(models.ClockSetData, {"at": value})),
        "speed": lambda: ask(sandbox_clock.set_speed, _read(models.ClockSpeedData, {"speed": value})),
        "real": lambda: ask(sandbox_clock.follow_real_time),
    }
    show(changes[action](), STATE)


def track(
    parcel: Annotated[str, typer.Argument(metavar="PARCEL", help="Tracker, number, shipment, or @last.")],
    to: Annotated[
        str | None, typer.Option("--to", metavar="STATUS", help="Up to this status; else to the next scan.")
    ] = None,
) -> None:
    """Move a parcel of the sandbox on; time passes for the others too.

    Examples:
    shipcli sandbox track @last --to delivered
    shipcli sandbox track @last
    """
    word = select_one("shipment", parcel) if parcel.startswith("@") else parcel
    if not would(f"move {word} on"):
        show_list(ask(conductor.move_parcel, word, _read(models.ParcelMoveData, {"to": to})), EVENTS)


def _name_end(value: str | None) -> dict[str, Any]:
    """Where a clock is advanced to: a span, or an instant, which has a year."""
    return {"to" if value and value[:4].isdecimal() and "-" in value else "by": value}


def _read(model: Any, values: dict[str, Any]) -> Any:
    return check_body(model, {name: value for name, value in values.items() if value is not None})
