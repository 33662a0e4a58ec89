"""What controls a sandbox: its clock, its parcels, its events."""

from typing import Annotated, Any

from pydantic import Field

from shipcli.models.base import Model


class ClockState(Model):
    """What the clock of a sandbox shows: `real` time, or `virtual` time that runs or is `frozen`."""

    now: str
    state: str
    speed: float


class ClockFreezeData(Model):
    """Body that stops a clock, at an instant if one is named."""

    at: str | None = None


class ClockSetData(Model):
    """Body that sets a clock to an instant; nothing that is due by then is carried out in order."""

    at: str


class ClockAdvanceData(Model):
    """Body that moves a clock forward: by a span such as 61h, or to an instant."""

    by: str | None = None
    to: str | None = None


class ClockSpeedData(Model):
    """Body that says how many seconds pass in a real one."""

    speed: Annotated[float, Field(ge=0, le=1_000_000)]


class ParcelMoveData(Model):
    """Body that moves a parcel on: to a status, or to its next scan."""

    to: str | None = None


class TriggerData(Model):
    """Body that sends an event of the newest object of its kind, some of its values replaced."""

    type: str
    status: str | None = None
    data: dict[str, Any] = {}


class SandboxEvent(Model):
    """What happened: an event, and how many subscribers accepted or refused it."""

    at: str
    type: str
    object_id: str | None = None
    status: str | None = None
    tracking_number: str | None = None
    delivered: int = 0
    failed: int = 0


class Snapshot(Model):
    """A saved state of a sandbox: what its clock showed, and how large it is."""

    name: str
    now: str
    bytes: int


class Workspace(Model):
    """A sandbox of its own; its keys are shown when it is made."""

    id: str
    api_key: str | None = None
    live_api_key: str | None = None
