"""A station without a screen, on a sandbox: what is asked for is done at once, or when a test says so."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from decimal import Decimal
from pathlib import Path
from typing import Any

from shipcli.features.core.app import App
from shipcli.features.orders.service import create_order
from shipcli.features.paper.printing.printers import Printer, add_printer
from shipcli.gateway.gateway import Gateway
from shipcli.gateway.local import LocalGateway
from shipcli.models import Order, OrderData
from shipcli.scales.readings import ScaleReading, ScaleState
from shipcli.workflows.station.desk import StationDesk
from shipcli.workflows.station.label_printing import LabelPrinting
from shipcli.workflows.station.loads import Load
from shipcli.workflows.station.scans import StationCommand
from shipcli.workflows.station.state import StationOptions
from shipcli.workflows.station.station import Station
from shipcli.workflows.station.steps import Effect, Entered, Event, LookUp, Pressed, Weighed
from tests.factories import RECIPIENT

MUG = {"title": "Mug", "sku": "MUG-11", "quantity": 2, "weight": 400, "weight_unit": "G",
       "metadata": {"ean": "9506000134352"}}  # fmt: skip
TEA = {"title": "Tea", "sku": "TEA-5", "quantity": 1, "weight": 200, "weight_unit": "G"}


def make_order(app: App, number: str, **changes: Any) -> Order:
    body = {"order_id": number, "shipping_to": RECIPIENT, "line_items": [MUG, TEA], **changes}
    return create_order(app, OrderData.model_validate(body))


def add_zebra(app: App, folder: Path) -> Path:
    """A label printer that writes into a folder."""
    printed = folder / "printed"
    printed.mkdir(exist_ok=True)
    add_printer(app, Printer("zebra", f"spool:{printed}", "ZPL"))
    return printed


@dataclass
class Bench:
    """A station, what carries out its wishes, and a clock that only the test moves.

    Shapes: effects for which `waits` holds are kept in `pending` until `go_on`, look-ups too if `is_slow`.
    """

    app: App
    options: StationOptions = field(default_factory=StationOptions)
    gateway: Gateway | None = None
    waits: Callable[[Effect], bool] = lambda effect: False
    is_slow: bool = False

    def __post_init__(self) -> None:
        gateway: Gateway = self.gateway or LocalGateway(self.app)
        self.station = Station(
            lambda: self.app.new_id(""), lambda: self.app.now().astimezone().date(), self.options
        )
        self.desk = StationDesk(gateway, LabelPrinting(gateway, self.app), "bench7")
        self.pending: list[Effect] = []
        self.done: list[Effect] = []
        self.at = 100.0

    @property
    def load(self) -> Load:
        assert self.station.load is not None, self.station.news
        return self.station.load

    def open(self) -> None:
        self.happen(self.desk.open())

    def scan(self, text: str, *, after: float = 5.0) -> None:
        """A scan, so many seconds after what was before."""
        self.at += after
        self.happen(Entered(text))

    def type(self, text: str) -> None:
        self.at += 5
        self.happen(Entered(text, is_scan=False))

    def press(self, command: StationCommand, *, after: float = 5.0) -> None:
        self.at += after
        self.happen(Pressed(command))

    def weigh(self, *grams: float, state: ScaleState = ScaleState.STABLE) -> None:
        for amount in grams:
            self.at += 0.2
            self.happen(Weighed(ScaleReading(Decimal(str(amount)), "G", state)))

    def happen(self, event: Event) -> None:
        self.carry_out(self.station.handle(event, self.at))

    def carry_out(self, effects: Iterable[Effect]) -> None:
        for effect in effects:
            if self.is_slow if isinstance(effect, LookUp) else self.waits(effect):
                self.pending.append(effect)
                continue
            self.done.append(effect)
            for event in self.desk.carry_out(effect):
                self.happen(event)

    def go_on(self) -> None:
        """Do what was kept, in its order."""
        self.waits, self.is_slow = lambda effect: False, False
        pending, self.pending = self.pending, []
        self.carry_out(pending)

    def count_done(self, kind: type[Any]) -> int:
        return sum(isinstance(effect, kind) for effect in self.done)
