"""Operations that move the clock of a sandbox, its parcels, and its events."""

from __future__ import annotations

from shipcli.features.sandbox import clock, conductor, trigger
from shipcli.models.sandbox_time import (
    ClockAdvanceData,
    ClockFreezeData,
    ClockSetData,
    ClockSpeedData,
    ClockState,
    ParcelMoveData,
    SandboxEvent,
    TriggerData,
)
from shipcli.operations.operation import Many, Operation
from shipcli.operations.table import GET, POST, row

TIME: tuple[Operation, ...] = (
    row(GET, "/_sandbox/clock", "sandbox_clock", "showSandboxClock", "Read the clock",
        clock.show_clock, ClockState),
    row(POST, "/_sandbox/clock/freeze", "sandbox_clock_freeze", "freezeSandboxClock", "Stop the clock",
        clock.freeze_clock, ClockState, body=ClockFreezeData),
    row(POST, "/_sandbox/clock/set", "sandbox_clock_set", "setSandboxClock", "Set the clock to an instant",
        clock.set_clock, ClockState, body=ClockSetData),
    row(POST, "/_sandbox/clock/speed", "sandbox_clock_speed", "setSandboxClockSpeed", "Let time run faster",
        clock.set_speed, ClockState, body=ClockSpeedData),
    row(POST, "/_sandbox/clock/real", "sandbox_clock_real", "followRealTime", "Show the real time again",
        clock.follow_real_time, ClockState),
    row(POST, "/_sandbox/clock/advance", "sandbox_clock_advance", "advanceSandboxClock",
        "Move the clock forward, and carry out in order what is due on the way", conductor.advance_clock,
        Many(SandboxEvent), body=ClockAdvanceData),
    row(POST, "/_sandbox/trackers/{id}/move", "sandbox_tracker_move", "moveSandboxParcel",
        "Move the clock forward until a parcel has a status", conductor.move_parcel,
        Many(SandboxEvent), body=ParcelMoveData),
    row(POST, "/_sandbox/trigger", "sandbox_trigger", "triggerSandboxEvent",
        "Send an event of the newest object of its kind", trigger.trigger_event,
        SandboxEvent, body=TriggerData),
)  # fmt: skip
