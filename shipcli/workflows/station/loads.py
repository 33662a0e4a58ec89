"""What lies on the table: an order or a draft under way from its scan to its label."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from enum import StrEnum
from typing import TYPE_CHECKING, Any

from shipcli.features.orders.packing import list_unfulfilled_lines
from shipcli.scales.readings import ScaleReading
from shipcli.workflows.station.packing_check import PackedGoods
from shipcli.workflows.station.weighing import WeightSource

if TYPE_CHECKING:
    from shipcli.models import Order, Rate, Shipment
    from shipcli.workflows.station.weighing import ParcelWeight


class Phase(StrEnum):
    """How far it is."""

    IDLE = "idle"
    WEIGHED = "weighed"
    PRICED = "priced"
    BOUGHT = "bought"
    PRINTING = "printing"
    ATTENTION = "attention"


@dataclass(frozen=True)
class Job:
    """What was scanned: an order, a draft, or a shipment that is bought already.

    Shapes: `expected` is the weight of the goods with their box, where it is known; `gap` is what customs
            ask for and the goods lack; `boxes` are the names of the own boxes, `barcodes` those
            of the articles by their SKU; `trouble` is what a person
            has to know of what is bought, `covers` the id of the order whose label that is.
    """

    number: str
    order: Order | None = None
    shipment: Shipment | None = None
    expected: ParcelWeight | None = None
    gap: str = ""
    parcels: int = 1
    boxes: tuple[str, ...] = ()
    barcodes: Mapping[str, str] = field(default_factory=dict)
    trouble: str = ""
    covers: str = ""

    @property
    def id(self) -> str:
        """The id of the order or shipment."""
        return self.order.id if self.order else self.shipment.id if self.shipment else ""

    @property
    def names(self) -> set[str]:
        """The ids of its order and of its label, as far as they are known."""
        return {self.id, self.covers} - {""}

    @property
    def is_bought(self) -> bool:
        """Whether there is a label, and nothing is left to be shipped."""
        return self.order is None and self.shipment is not None and self.shipment.status != "draft"


@dataclass(frozen=True)
class Load:
    """A job on the table.

    Shapes: `key` names it here, `intent` is the idempotency key of its purchase, `facts` are those that its
            rates are or were asked for with, `trouble` is what a person has to look at, `note` what is worth
            saying.
    """

    key: str
    intent: str
    job: Job
    goods: PackedGoods = field(default_factory=PackedGoods)
    phase: Phase = Phase.IDLE
    weight: ParcelWeight | None = None
    box: str = ""
    facts: dict[str, Any] | None = None
    draft: Shipment | None = None
    rate: Rate | None = None
    shipment: Shipment | None = None
    is_buying: bool = False
    is_doubtful: bool = False  # whether it is not known if its label was bought
    priced_at: float = 0.0
    trouble: str = ""
    note: str = ""

    @property
    def number(self) -> str:
        """What people call it."""
        return self.job.number

    @property
    def is_under_way(self) -> bool:
        """Whether its label is being bought or printed."""
        return self.is_buying or self.phase in (Phase.BOUGHT, Phase.PRINTING)

    def say(self, text: str) -> str:
        """A sentence about it, which names it once."""
        return text if text.startswith(self.number) else f"{self.number}: {text}"

    def is_of(self, job: Job) -> bool:
        """Whether it is a job, or makes the label at which the job was found meanwhile."""
        return self.job.id == job.id or (self.is_under_way and bool(self.job.names & job.names))

    def forget_scale(self) -> Load:
        """Without a weight of the scale: what is held is weighed again, as others lie there meanwhile."""
        is_weighed = self.weight is not None and self.weight.source is WeightSource.SCALE
        if not is_weighed or self.is_doubtful:
            return self
        return replace(self, weight=None, facts=None, draft=None, rate=None, phase=Phase.IDLE, trouble="")

    def is_weighed_as(self, weight: ParcelWeight) -> bool:
        """Whether a weight is that of the load, which may waver a little."""
        return self.weight is not None and self.weight.is_like(ScaleReading(weight.weight, weight.unit))

    def make_facts(self) -> dict[str, Any]:
        """What is known of its parcel; of several parcels, the weights are those of their goods."""
        if self.job.parcels > 1:
            return {}
        return {
            **(self.weight.to_facts() if self.weight else {}),
            **({"package_preset": self.box} if self.box else {}),
        }


def make_goods(job: Job) -> PackedGoods:
    """The goods that go into the box of a job, none of them scanned."""
    return PackedGoods(tuple(list_unfulfilled_lines(job.order)) if job.order else (), barcodes=job.barcodes)
