"""The one driver: runs flows, sends their calls, and is the only code that waits for a carrier.

It adds logins, time-outs, bounded retries (of repeatable calls only), per-carrier concurrency and pace,
messages, redacted traces. One background event loop per process; `run` and `run_all` are the synchronous door
to it.
"""

from __future__ import annotations

import asyncio
import logging
import threading
import time
from collections.abc import Awaitable, Callable, Sequence
from contextlib import suppress
from datetime import UTC, datetime
from typing import Any, TypeVar

from shipcli.carrier.base import CarrierError
from shipcli.carrier.sending.flow_runner import AnyCarrier, CarrierJob, FlowContext, FlowOutcome, FlowRun
from shipcli.carrier.sending.ports import (
    Counters,
    MemoryCounters,
    MemoryTokens,
    NullTraceLog,
    TokenCache,
    Trace,
    TraceLog,
    Transport,
)
from shipcli.models import Invalid, Message, ShipcliError

log = logging.getLogger("shipcli.driver")
T = TypeVar("T")


class Driver:
    """Sends for all carriers of a process.

    `transport_of` chooses how a connection is reached (network or simulator). `observe` is told of every
    result: a sandbox enters in its ledger what carriers without a network sell.
    """

    def __init__(
        self,
        transport_of: Callable[[AnyCarrier], Transport],
        *,
        tokens: TokenCache | None = None,
        counters: Counters | None = None,
        traces: TraceLog | None = None,
        observe: Callable[[CarrierJob[Any], Any], None] | None = None,
        clock: Callable[[], datetime] = lambda: datetime.now(UTC),
        sleep: Callable[[float], Awaitable[None]] = asyncio.sleep,
    ) -> None:
        self.transport_of, self.observe = transport_of, observe
        self.clock, self.sleep = clock, sleep
        self.tokens: TokenCache = tokens or MemoryTokens()
        self.counters: Counters = counters or MemoryCounters()
        self.traces: TraceLog = traces or NullTraceLog()
        self._gates: dict[str, Gate] = {}
        self._open_gate = Gate(1000, 0.0)
        self._loop: asyncio.AbstractEventLoop | None = None
        self._thread: threading.Thread | None = None
        self._starting = threading.Lock()

    # -- the synchronous door ------------------------------------------------------------------

    def run(self, job: CarrierJob[T]) -> FlowOutcome[T]:
        """One flow.

        Errors: what went wrong on our own side, unless the carrier may have acted.
        """
        outcome = self.run_all([job])[0]
        if outcome.ours and not outcome.unknown:
            raise outcome.ours
        return outcome

    def run_all(self, jobs: Sequence[CarrierJob[T]]) -> list[FlowOutcome[T]]:
        """All flows at once; outcomes in the order of the jobs. One failing never disturbs another.

        A flow that asks nobody ends right here: only those that wait for a carrier go to the loop.
        """
        runs = [FlowRun(job, self.flow_context(job.carrier)) for job in jobs]
        try:
            outcomes = [self.begin(run) for run in runs]
            waiting = [run for run, outcome in zip(runs, outcomes, strict=True) if outcome is None]
            if waiting:
                self.hand_tokens(waiting)
                answering = asyncio.run_coroutine_threadsafe(self.gather(waiting), self.loop())
                answers: list[FlowOutcome[Any]] = answering.result()
                answered = iter(answers)
                outcomes = [outcome or next(answered) for outcome in outcomes]
            return [outcome for outcome in outcomes if outcome]
        finally:
            self.file_traces([trace for run in runs for trace in run.traces])

    def hand_tokens(self, runs: Sequence[FlowRun]) -> None:
        """Give flows the tokens that are kept of their connections: one look for all, in this thread."""
        connections = {run.carrier.context.connection_id for run in runs if run.carrier.tokens}
        if not connections:
            return
        with suppress(ShipcliError):  # a flow that needs one looks for itself, and says what is wrong
            kept = self.tokens.get_all(connections)
            for run in runs:
                run.tokens.hold(kept.get(run.carrier.context.connection_id, {}))

    async def gather(self, runs: Sequence[FlowRun]) -> list[FlowOutcome[Any]]:
        if len(runs) == 1:  # a task of its own for each is for several
            return [await self.drive(runs[0])]
        return list(await asyncio.gather(*(self.drive(run) for run in runs)))

    def loop(self) -> asyncio.AbstractEventLoop:
        with self._starting:
            if self._loop is None:
                self._loop = asyncio.new_event_loop()
                self._thread = threading.Thread(target=self._loop.run_forever, name="carriers", daemon=True)
                self._thread.start()
            return self._loop

    def close(self) -> None:
        """Stop the loop and give back what it holds; the next `run` starts another."""
        with self._starting:
            if self._loop is None or self._thread is None:
                return
            self._loop.call_soon_threadsafe(self._loop.stop)
            self._thread.join()
            self._loop.run_until_complete(self._loop.shutdown_default_executor())
            self._loop.close()
            self._loop = self._thread = None

    # -- one flow ------------------------------------------------------------------------------

    def begin(self, run: FlowRun) -> FlowOutcome[Any] | None:
        """Take a flow to what it asks first; its outcome when it asks nothing."""
        try:
            return self.finish(run) if run.begin() else None
        except Exception as error:  # noqa: BLE001 - one carrier must not spoil a fan-out
            return self.report_failure(run, error)

    async def drive(self, run: FlowRun) -> FlowOutcome[Any]:
        """Take a flow that was begun to its end, whatever happens on the way."""
        try:
            await run.go_on()
            return self.finish(run)
        except Exception as error:  # noqa: BLE001 - one carrier must not spoil a fan-out
            return self.report_failure(run, error)

    def finish(self, run: FlowRun) -> FlowOutcome[Any]:
        if self.observe:
            self.observe(run.job, run.result)
        return FlowOutcome(run.result, run.stamp_messages(run.notes), bought=tuple(run.bought))

    @staticmethod
    def report_failure(run: FlowRun, error: Exception) -> FlowOutcome[Any]:
        """What an error means; a reader that breaks is logged and must not spoil a fan-out."""
        definite, ours = isinstance(error, CarrierError) and error.definite, None
        match error:
            case CarrierError():
                messages = error.messages or run.notes
            case Invalid():
                messages = [Message(code="validation", message=error.message, details=error.details or None)]
            case ShipcliError():
                messages = [*run.notes, Message(code=error.code, message=error.message)]
                ours = error
            case _:
                unreadable = run.unreadable_message(error)
                messages = run.notes or [unreadable]  # what the carrier itself says is the better reason
        bought = () if definite else tuple(run.bought)
        unknown = not definite and (run.unknown or bool(bought))
        return FlowOutcome(None, run.stamp_messages(messages), True, unknown, bought, ours)

    def file_traces(self, traces: Sequence[Trace]) -> None:
        """Hand over the traces; a log that breaks must not lose what the flows bought."""
        try:
            self.traces.record(traces)
        except Exception:
            slugs = sorted({trace.carrier_name for trace in traces})
            log.exception("the exchanges with %s could not be kept", ", ".join(slugs))

    def flow_context(self, carrier: AnyCarrier) -> FlowContext:
        """What a flow of a carrier runs with."""
        transport = self.transport_of(carrier)
        keeps = not isinstance(self.traces, NullTraceLog)
        gate = self.gate(carrier, transport)
        return FlowContext(transport, gate, self.tokens, self.counters, self.clock, keeps, self.sleep)

    def gate(self, carrier: AnyCarrier, transport: Transport) -> Gate:
        """The gate of a carrier; a transport that is `near` (a simulator) needs none of its pace."""
        if getattr(transport, "near", False):
            return self._open_gate
        gate = self._gates.get(carrier.slug)
        if gate is None:
            gate = self._gates[carrier.slug] = Gate(carrier.concurrency, carrier.spacing_s)
        return gate


class Gate:
    """How many calls of a carrier are under way, and how close together they start."""

    def __init__(self, most: int, spacing_s: float) -> None:
        self._slots, self._spacing_s, self._next = asyncio.Semaphore(most), spacing_s, 0.0

    async def __aenter__(self) -> None:
        await self._slots.acquire()
        if self._spacing_s:
            now = time.monotonic()
            start = max(now, self._next)
            self._next = start + self._spacing_s
            try:
                await asyncio.sleep(start - now)
            except asyncio.CancelledError:
                self._slots.release()
                raise

    async def __aexit__(self, *_: object) -> None:
        self._slots.release()
