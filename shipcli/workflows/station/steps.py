"""What happens at the station, and what it asks for: the events and the effects of its state machine."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from shipcli.models import Rate, Shipment
    from shipcli.scales.readings import ScaleReading
    from shipcli.workflows.station.loads import Job
    from shipcli.workflows.station.scans import Entry, StationCommand

# -- what happens ----------------------------------------------------------------------------------


@dataclass(frozen=True)
class Opened:
    """The station was opened: the labels bought here that were never printed, and the count of today."""

    unprinted: tuple[Shipment, ...] = ()
    count: int = 0
    trouble: str = ""


@dataclass(frozen=True)
class Entered:
    """A scan, or a line that a person typed and ended with Enter."""

    text: str
    is_scan: bool = True


@dataclass(frozen=True)
class Pressed:
    """A key was pressed."""

    command: StationCommand


@dataclass(frozen=True)
class Weighed:
    """The scale said something."""

    reading: ScaleReading


@dataclass(frozen=True)
class ScaleSilent:
    """The scale says nothing, or nothing that can be read."""

    reason: str


@dataclass(frozen=True)
class LookedUp:
    """What an entry names; nothing if nothing is called so, or for a trouble."""

    entry: Entry
    job: Job | None = None
    trouble: str = ""


@dataclass(frozen=True)
class Priced:
    """The rates of a load, for the facts that they were asked for with, and the job as it was then."""

    key: str
    job: Job
    facts: dict[str, Any]
    draft: Shipment | None = None
    rate: Rate | None = None
    trouble: str = ""


@dataclass(frozen=True)
class LabelBought:
    """A label was bought; or it was not, or it is not known (`is_doubtful`)."""

    key: str
    shipment: Shipment | None = None
    trouble: str = ""
    is_doubtful: bool = False


@dataclass(frozen=True)
class PrintBegan:
    """A label is on its way to the printer."""

    key: str


@dataclass(frozen=True)
class Printed:
    """A label was printed, without a printer if that was before; or not, and the trouble says what became
    of its job.
    """

    key: str
    shipment: Shipment
    printer: str = ""
    trouble: str = ""


@dataclass(frozen=True)
class Voided:
    """A label was voided; or it was not. It `was_counted` if it was bought at this bench today."""

    shipment: Shipment
    trouble: str = ""
    was_counted: bool = False


Event = (Opened | Entered | Pressed | Weighed | ScaleSilent | LookedUp | Priced | LabelBought | PrintBegan
         | Printed | Voided)  # fmt: skip

# -- what is asked for -----------------------------------------------------------------------------


@dataclass(frozen=True)
class LookUp:
    """Find what an entry names."""

    entry: Entry


@dataclass(frozen=True)
class FetchRates:
    """Ask carriers for the rates of a load."""

    key: str
    job: Job
    facts: dict[str, Any]


@dataclass(frozen=True)
class BuyLabel:
    """Buy the label of a load, once for its intent."""

    key: str
    intent: str
    job: Job
    draft: Shipment
    rate: Rate
    packer: str


@dataclass(frozen=True)
class PrintLabel:
    """Print a label; `again` prints another copy of one that is or may be on paper; `unless_printed` if it
    did not come on paper meanwhile, as when the queue of the printer was resumed.
    """

    key: str
    shipment: Shipment
    again: bool = False
    unless_printed: bool = False


@dataclass(frozen=True)
class VoidLabel:
    """Void a label."""

    shipment: Shipment


Effect = LookUp | FetchRates | BuyLabel | PrintLabel | VoidLabel
