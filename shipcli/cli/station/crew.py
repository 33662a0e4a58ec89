"""Threads that carry out what the station asks for: nobody at the bench waits for a carrier or a printer."""

from __future__ import annotations

import threading
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from functools import partial

from shipcli.models.basics.errors import ShipcliError
from shipcli.scales.opening import ScaleLine
from shipcli.workflows.station.desk import StationDesk, describe, report_failure
from shipcli.workflows.station.steps import Effect, Event, LookUp, Opened, PrintLabel, ScaleSilent, Weighed

Tell = Callable[[Event], None]
READING_S, REOPENING_S = 0.15, 1.0
CARRIERS = 3  # loads that may be rated or bought at once


class Crew:
    """One lane for what is looked up, in its order; one for the printer; some for carriers.

    Shapes: `make_desk` makes the desk of a thread, as a connection to a server belongs to one; `tell` may be
            called from any thread.
    """

    def __init__(self, make_desk: Callable[[], StationDesk], tell: Tell) -> None:
        self._make_desk, self._tell, self._own = make_desk, tell, threading.local()
        self._lookups = ThreadPoolExecutor(1, "lookups")
        self._printer = ThreadPoolExecutor(1, "printer")
        self._carriers = ThreadPoolExecutor(CARRIERS, "carriers")

    def begin(self) -> None:
        """Find out what was left at the bench."""
        self._lookups.submit(self._open)

    def _open(self) -> None:
        try:
            self._tell(self._get_desk().open())
        except ShipcliError as error:
            self._tell(Opened(trouble=describe(error)))

    def carry_out(self, effect: Effect) -> None:
        """Have something done; what becomes of it is told."""
        lane = self._carriers
        if isinstance(effect, LookUp):
            lane = self._lookups
        elif isinstance(effect, PrintLabel):
            lane = self._printer
        lane.submit(self._work, effect).add_done_callback(partial(self._report, effect))

    def _report(self, effect: Effect, work: Future[None]) -> None:
        """Say that a fault of this program ended the work: a load must not wait for ever."""
        fault = None if work.cancelled() else work.exception()
        if fault:
            text = f"something unexpected went wrong ({type(fault).__name__})"
            self._tell(report_failure(effect, text, is_doubtful=True))

    def _work(self, effect: Effect) -> None:
        for event in self._get_desk().carry_out(effect):
            self._tell(event)

    def _get_desk(self) -> StationDesk:
        desk: StationDesk | None = getattr(self._own, "desk", None)
        if desk is None:
            desk = self._own.desk = self._make_desk()
        return desk

    def close(self) -> None:
        """Wait for what is under way, and drop what has not begun."""
        for lane in (self._lookups, self._carriers, self._printer):
            lane.shutdown(cancel_futures=True)


class ScaleWatch:
    """Reads a scale over and over, and opens it again when it is lost."""

    def __init__(self, open_scale: Callable[[], ScaleLine], tell: Tell) -> None:
        self._open_scale, self._tell, self._over = open_scale, tell, threading.Event()
        self._thread = threading.Thread(target=self._watch, name="scale", daemon=True)

    def begin(self) -> None:
        """Begin to read."""
        self._thread.start()

    def _watch(self) -> None:
        try:
            self._watch_on()
        finally:
            if not self._over.is_set():  # a fault of this program
                self._tell(ScaleSilent("The scale is read no more: end the station, and begin it again"))

    def _watch_on(self) -> None:
        while not self._over.is_set():
            try:
                self._read_on(self._open_scale())
            except ShipcliError as error:
                self._tell(ScaleSilent(error.message))
                self._over.wait(REOPENING_S)

    def _read_on(self, scale: ScaleLine) -> None:
        """Errors: ScaleError once it says nothing any more."""
        try:
            while not self._over.wait(READING_S):
                self._tell(Weighed(scale.read()))
        finally:
            scale.close()

    def close(self) -> None:
        """Read no more."""
        self._over.set()
        if self._thread.is_alive():
            self._thread.join(2 * REOPENING_S)
