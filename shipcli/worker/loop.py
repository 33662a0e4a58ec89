"""The worker: claims what is due, hands it out, keeps its leases, and stops without losing anything."""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Protocol

from shipcli.services.backlog import Presence
from shipcli.services.deliveries import Deliveries
from shipcli.store.errors import StoreError
from shipcli.store.jobs import LEASE_S
from shipcli.worker.threads import Threads
from shipcli.worker.work import HANDLERS, Handler, schedules

if TYPE_CHECKING:
    from shipcli.services.app import App
    from shipcli.store.jobs import Job, Schedule

log = logging.getLogger("shipcli.worker")

SHORTEST_WAIT_S, LONGEST_WAIT_S = 0.02, 1.0
CARE_S = 2.0  # between two looks at schedules and at the leases of others
RENEWAL_S = LEASE_S / 4
GRACE_S = 5.0
TROUBLE_S = 5.0
# While messages are under way their outcomes are gathered for so long, to be written together.
GATHER_S = 0.02


class Lane(Protocol):
    """One way of doing jobs."""

    prefix: str

    def room(self, queue: str) -> int:
        """How many more jobs of this queue may begin."""

    def held(self) -> list[Job]:
        """The jobs under way."""

    def start(self, jobs: Iterable[Job]) -> None:
        """Begin these."""

    def settle(self) -> int:
        """See to what has ended; how many."""

    def stop(self, grace_s: float) -> None:
        """End within this time."""


class Worker:
    """One worker of a store. `run` works until `stop` is called; `run_once` until nothing is due.

    `queues` are the queues it serves, all when there are none; `webhooks` means those of all subscribers.
    """

    def __init__(
        self,
        app: App,
        *,
        queues: Sequence[str] = (),
        handlers: Mapping[str, Handler] = HANDLERS,
        periodic: Sequence[Schedule] | None = None,
        lease_s: float = LEASE_S,
    ) -> None:
        self.app, self.queues, self._lease_s = app, tuple(queues), lease_s
        self._woken, self._stopped = threading.Event(), threading.Event()
        self._deliveries = Deliveries(app, self.wake)
        self._lanes: tuple[Lane, ...] = (self._deliveries, Threads(app, handlers, self.wake))
        self._periodic = schedules(app) if periodic is None else list(periodic)
        self._presence = Presence(app, self.queues)
        self._cared = self._renewed = float("-inf")

    def run(self) -> None:
        """Work until stopped. A store that can't be used for a while is waited for."""
        self._guarded(self._begin)
        wait_s = SHORTEST_WAIT_S
        while not self._stopped.is_set():
            moved = self._guarded(self.tick)
            wait_s = SHORTEST_WAIT_S if moved else min(wait_s * 2, LONGEST_WAIT_S)
            self._rest(wait_s)
        self._end()

    def run_once(self) -> None:
        """Do all that is due, periodic work included, and end."""
        self._begin()
        while not self._stopped.is_set():
            moved = self.tick()
            if not moved and not any(lane.held() for lane in self._lanes):
                break
            self._rest(SHORTEST_WAIT_S)
        self._end()

    def stop(self) -> None:
        """Come to an end; safe to call from a signal handler or another thread."""
        self._stopped.set()
        self._woken.set()

    def wake(self) -> None:
        """Look for work at once."""
        self._woken.set()

    # -- one turn ------------------------------------------------------------------------------

    def tick(self) -> int:
        """Settle, care, claim, start; how much there was to do."""
        settled = sum(lane.settle() for lane in self._lanes)
        self._care()
        jobs = self._claim()
        for lane in self._lanes:
            lane.start([job for job in jobs if self._lane(job.queue) is lane])
        return settled + len(jobs)

    def _claim(self) -> list[Job]:
        rooms = {queue: self._lane(queue).room(queue) for queue in self.app.jobs.due() if self._serves(queue)}
        rooms = {queue: room for queue, room in rooms.items() if room > 0}
        return self.app.jobs.claim(rooms, self._lease_s) if rooms else []

    def _lane(self, queue: str) -> Lane:
        return next(lane for lane in self._lanes if queue.startswith(lane.prefix))

    def _serves(self, queue: str) -> bool:
        return not self.queues or queue in self.queues or queue.partition("/")[0] in self.queues

    def _care(self) -> None:
        now = time.monotonic()
        if now - self._cared >= CARE_S:
            self._cared = now
            self.app.jobs.take_back()
            self.app.jobs.start_due()
        if now - self._renewed >= min(RENEWAL_S, self._lease_s / 4):
            self._renewed = now
            self.app.jobs.renew((job for lane in self._lanes for job in lane.held()), self._lease_s)
            self._presence.show()

    def _rest(self, wait_s: float) -> None:
        self._woken.wait(wait_s)
        self._woken.clear()
        if self._deliveries.held() and not self._stopped.is_set():
            time.sleep(GATHER_S)

    # -- beginning and end ---------------------------------------------------------------------

    def _begin(self) -> int:
        self.app.jobs.declare(self._periodic)
        self._presence.show()
        return 0

    def _end(self) -> None:
        for lane in self._lanes:
            lane.stop(GRACE_S)
        self._guarded(self._leave)

    def _leave(self) -> int:
        self._presence.leave()
        return 0

    def _guarded(self, step: Callable[[], int]) -> int:
        """A step that may fail with the store: told, and tried again after a rest."""
        try:
            return step()
        except StoreError as error:
            log.error("%s", error)
            self._stopped.wait(TROUBLE_S)
            return 0
