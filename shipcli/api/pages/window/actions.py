"""What the buttons of the window do: use-cases of the control plane, with a sentence on what came of it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING

from shipcli.features.sandbox import clock, conductor, faults, tools
from shipcli.models import Invalid
from shipcli.models.basics.text import count_text
from shipcli.models.sandbox import ReplayData
from shipcli.models.sandbox_faults import FaultProfileData, FaultRuleData
from shipcli.models.sandbox_time import ClockAdvanceData, ClockFreezeData, ClockSetData, ParcelMoveData

if TYPE_CHECKING:
    from shipcli.features.core.app import App

Form = Mapping[str, str]


def advance(app: App, form: Form) -> str:
    happened = conductor.advance_clock(app, ClockAdvanceData(by=form.get("by", "")))
    return f"The clock was moved by {form.get('by')}; {count_text(len(happened), 'event')} happened."


def freeze(app: App, form: Form) -> str:
    return f"The clock stands at {clock.freeze_clock(app, ClockFreezeData()).now}."


def follow_real_time(app: App, form: Form) -> str:
    clock.follow_real_time(app)
    return "The clock shows the real time."


def set_clock(app: App, form: Form) -> str:
    return f"The clock shows {clock.set_clock(app, ClockSetData(at=form.get('at', ''))).now}."


def move_parcel(app: App, form: Form) -> str:
    to = form.get("to") or None
    happened = conductor.move_parcel(app, form.get("object", ""), ParcelMoveData(to=to))
    name = form.get("number") or form.get("object")
    return f"{name} was moved; {count_text(len(happened), 'event')} happened."


def replay(app: App, form: Form) -> str:
    data = ReplayData(events=[form.get("event_id", "")])
    queued = tools.replay_events(app, form.get("webhook_id", ""), data)
    return f"{count_text(len(queued), 'webhook')} will be delivered again."


def add_fault(app: App, form: Form) -> str:
    """Errors: Invalid for what is no status or count."""
    rule = FaultRuleData.model_validate(
        {
            "match": form.get("match") or None,
            "carrier": form.get("carrier") or None,
            "status": read_number(form, "status"),
            "times": read_number(form, "times"),
        }
    )
    return f"The fault {faults.add_rule(app, rule).id} was added."


def read_number(form: Form, name: str) -> int | None:
    """Errors: Invalid unless it is a number, or empty."""
    text = form.get(name, "").strip()
    if text and not text.isdecimal():
        raise Invalid(name, f"{text!r} is no number")
    return int(text) if text else None


def apply_profile(app: App, form: Form) -> str:
    data = FaultProfileData(name=form.get("name", ""), carrier=form.get("carrier") or None)
    return f"{count_text(len(faults.apply_profile(app, data)), 'fault')} of {data.name} were added."


def remove_fault(app: App, form: Form) -> str:
    return f"The fault {faults.remove_rule(app, form.get('object', '')).id} was removed."


ACTIONS: Mapping[str, Callable[[App, Form], str]] = {
    "advance": advance,
    "freeze": freeze,
    "real": follow_real_time,
    "set": set_clock,
    "move": move_parcel,
    "replay": replay,
    "fault": add_fault,
    "profile": apply_profile,
    "unfault": remove_fault,
}
