"""The table: the load in hand, those on hold, and those whose labels are being bought or printed."""

from __future__ import annotations

from typing import TYPE_CHECKING

from shipcli.workflows.station.loads import Phase

if TYPE_CHECKING:
    from shipcli.models import Shipment
    from shipcli.workflows.station.loads import Job, Load


class PackingTable:
    """The loads, each in one place.

    Shapes: `current` is in hand, `held` wait, the newest last, `away` are being bought or printed.
    """

    def __init__(self) -> None:
        self.current: Load | None = None
        self.held: list[Load] = []
        self.away: list[Load] = []
        self.unprinted: list[Shipment] = []  # bought here; F5 prints them

    def find(self, key: str) -> Load | None:
        """The load with a key, wherever it is."""
        return next((load for load in self._list() if load.key == key), None)

    def find_job(self, job: Job) -> Load | None:
        """The load of an order or a shipment, wherever it is."""
        return next((load for load in self._list() if load.is_of(job)), None)

    def find_label(self, shipment_id: str) -> Load | None:
        """The load that has a label, wherever it is."""
        return next(
            (load for load in self._list() if load.shipment and load.shipment.id == shipment_id), None
        )

    def _list(self) -> list[Load]:
        return [*([self.current] if self.current else []), *self.held, *self.away]

    def replace(self, load: Load) -> None:
        """Keep a load as it is now, where it lies."""
        if self.current and self.current.key == load.key:
            self.current = load
        for place in (self.held, self.away):
            place[:] = [load if each.key == load.key else each for each in place]

    def put(self, load: Load) -> None:
        """Take a load in hand; the one before it is held, or goes on by itself."""
        self.set_aside()
        self.finish(load.key)
        self.current = load

    def set_aside(self) -> None:
        """Take the hands off the load: what can go on by itself does, what is bought waits to be printed."""
        load, self.current = self.current, None
        if load is None or (load.job.is_bought and load.phase is not Phase.PRINTING):
            return
        if load.is_under_way:
            self.away.append(load)
        elif load.shipment is None:
            self.held.append(load.forget_scale())
        else:
            self.keep_unprinted(load.shipment)

    def keep_unprinted(self, shipment: Shipment) -> None:
        """Remember a label that was bought and not printed."""
        self.forget_unprinted(shipment.id)
        self.unprinted.append(shipment)

    def forget_unprinted(self, shipment_id: str) -> None:
        """A label was printed, or is void."""
        self.unprinted = [each for each in self.unprinted if each.id != shipment_id]

    def hold_again(self, load: Load) -> None:
        """Keep a load that was away and needs hands again: in them if they are free, else on hold."""
        self.finish(load.key)
        if self.current is None:
            self.current = load
        else:
            self.held.append(load)

    def is_held(self, key: str) -> bool:
        """Whether a load waits on hold."""
        return any(load.key == key for load in self.held)

    def drop_away(self, key: str) -> None:
        """Take a load off the table that is in nobody's hands."""
        self.held = [load for load in self.held if load.key != key]
        self.away = [load for load in self.away if load.key != key]

    def finish(self, key: str) -> None:
        """Take a load off the table."""
        if self.current and self.current.key == key:
            self.current = None
        self.drop_away(key)
