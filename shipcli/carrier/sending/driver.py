"""The one driver: runs flows, sends their calls, and is the only code that waits for a carrier.

It adds logins, time-outs, bounded retries (of repeatable calls only), limits of concurrency and pace for each
carrier, messages and redacted traces. It has one background event loop per process; `run` and `run_all` are
synchronous.
"""

from __future__ import annotations

import asyncio
import logging
import threading
import time
from collections.abc import Awaitable, Callable, Sequence
from contextlib import AbstractAsyncContextManager, nullcontext, suppress
from typing import Any, TypeVar

from shipcli.carrier.base import CarrierError
from shipcli.carrier.sending.call_sender import FlowContext
from shipcli.carrier.sending.flow_runner import FlowRun
from shipcli.carrier.sending.jobs import AnyCarrier, CarrierJob, FlowOutcome
from shipcli.carrier.sending.messages import explain_unreadable
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
from shipcli.clocks import Clock, real_clock
from shipcli.models import Invalid, Message, ShipcliError

log = logging.getLogger("shipcli.driver")
T = TypeVar("T")


class Driver:
    """Sends for all carriers of a process.

    `transport_of` chooses how a connection is reached (network or simulator). `observe` is called with every
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
        clock: Clock = real_clock,
        sleep: Callable[[float], Awaitable[None]] = asyncio.sleep,
    ) -> None:
        self.transport_of, self.observe = transport_of, observe
        self.clock, self.sleep = clock, sleep
        self.tokens: TokenCache = tokens or MemoryTokens()
        self.counters: Counters = counters or MemoryCounters()
        self.traces: TraceLog = traces or NullTraceLog()
        self._gates: dict[str, Gate] = {}
        self._loop: asyncio.AbstractEventLoop | None = None
        self._thread: threading.Thread | None = None
        self._lock = threading.Lock()

    # -- flows ---------------------------------------------------------------------------------

    def run(self, job: CarrierJob[T]) -> FlowOutcome[T]:
        """Run one flow.

        Errors: what went wrong on our own side, unless the carrier may have acted.
        """
        outcome = self.run_all([job])[0]
        if outcome.ours and not outcome.unknown:
            raise outcome.ours
        return outcome

    def run_all(self, jobs: Sequence[CarrierJob[T]]) -> list[FlowOutcome[T]]:
        """Run all flows at once; return their outcomes in the order of the jobs. A failure disturbs no other.

        A flow that sends nothing ends in this thread: only those that wait for a carrier go to the loop.
        """
        runs = [FlowRun(job, self.make_context(job.carrier)) for job in jobs]
        try:
            outcomes = [self.begin(run) for run in runs]
            waiting = [run for run, outcome in zip(runs, outcomes, strict=True) if outcome is None]
            if waiting:
                self.preload_tokens(waiting)
                future = asyncio.run_coroutine_threadsafe(self.gather(waiting), self.loop())
                later = iter(future.result())
                outcomes = [outcome or next(later) for outcome in outcomes]
            return [outcome for outcome in outcomes if outcome]
        finally:
            self.record_traces([trace for run in runs for trace in run.traces])

    def preload_tokens(self, runs: Sequence[FlowRun]) -> None:
        """Give flows the stored tokens of their connections: one query for all, in this thread."""
        connections = {run.carrier.context.connection_id for run in runs if run.carrier.tokens}
        if not connections:
            return
        with suppress(ShipcliError):  # a flow that needs a token reads it itself, and says what is wrong
            tokens = self.tokens.get_all(connections)
            for run in runs:
                run.tokens.preload(tokens.get(run.carrier.context.connection_id, {}))

    async def gather(self, runs: Sequence[FlowRun]) -> list[FlowOutcome[Any]]:
        return list(await asyncio.gather(*(self.drive(run) for run in runs)))

    def loop(self) -> asyncio.AbstractEventLoop:
        with self._lock:
            if self._loop is None:
                self._loop = asyncio.new_event_loop()
                self._thread = threading.Thread(target=self._loop.run_forever, name="carriers", daemon=True)
                self._thread.start()
            return self._loop

    def close(self) -> None:
        """Stop the loop and release its resources; the next `run` starts another."""
        with self._lock:
            if self._loop is None or self._thread is None:
                return
            self._loop.call_soon_threadsafe(self._loop.stop)
            self._thread.join()
            self._loop.run_until_complete(self._loop.shutdown_default_executor())
            self._loop.close()
            self._loop = self._thread = None
            self._gates.clear()  # they belong to the loop that waited at them

    # -- one flow ------------------------------------------------------------------------------

    def begin(self, run: FlowRun) -> FlowOutcome[Any] | None:
        """Advance a flow to its first step; return its outcome if it ends before that."""
        try:
            return self.finish(run) if run.begin() else None
        except Exception as error:  # noqa: BLE001 - one carrier must not spoil a fan-out
            return self.report_failure(run, error)

    async def drive(self, run: FlowRun) -> FlowOutcome[Any]:
        """Advance a flow that has begun to its end, whatever happens on the way."""
        try:
            async with asyncio.timeout(run.job.limit_s):
                await run.finish()
            return self.finish(run)
        except Exception as error:  # noqa: BLE001 - one carrier must not spoil a fan-out
            return self.report_failure(run, error)

    def finish(self, run: FlowRun) -> FlowOutcome[Any]:
        if self.observe:
            self.observe(run.job, run.result)
        return FlowOutcome(run.result, run.stamp_messages(run.messages), bought=tuple(run.bought))

    @staticmethod
    def report_failure(run: FlowRun, error: Exception) -> FlowOutcome[Any]:
        """Return the outcome of a flow that raised an error; an unexpected one is logged."""
        definite, ours = isinstance(error, CarrierError) and error.definite, None
        match error:
            case CarrierError():
                messages = error.messages or run.messages
            case Invalid():
                messages = [Message(code="validation", message=error.message, details=error.details or None)]
            case ShipcliError():
                messages = [*run.messages, Message(code=error.code, message=error.message)]
                ours = error
            case TimeoutError() if run.job.limit_s:
                text = f"{run.carrier.name} did not answer within {run.job.limit_s:g} seconds"
                messages = [*run.messages, Message(code="timeout", message=text)]
            case _:
                unreadable = explain_unreadable(run.carrier, error)
                messages = run.messages or [unreadable]  # what the carrier itself says is the better reason
        bought = () if definite else tuple(run.bought)
        unknown = not definite and (run.unknown or bool(bought))
        return FlowOutcome(None, run.stamp_messages(messages), True, unknown, bought, ours)

    def record_traces(self, traces: Sequence[Trace]) -> None:
        """Store the traces; a log that breaks must not lose what the flows bought."""
        try:
            self.traces.record(traces)
        except Exception:
            slugs = sorted({trace.carrier_name for trace in traces})
            log.exception("the exchanges with %s could not be kept", ", ".join(slugs))

    def make_context(self, carrier: AnyCarrier) -> FlowContext:
        transport = self.transport_of(carrier)
        records_traces = not isinstance(self.traces, NullTraceLog)
        gate = self.find_gate(carrier, transport)
        return FlowContext(
            transport, gate, self.tokens, self.counters, self.clock, records_traces, self.sleep
        )

    def find_gate(self, carrier: AnyCarrier, transport: Transport) -> AbstractAsyncContextManager[None]:
        """Return the gate of a carrier; a transport that is `near` (a simulator) needs none."""
        if getattr(transport, "near", False):
            return nullcontext()
        return self._gates.setdefault(carrier.slug, Gate(carrier.concurrency, carrier.spacing_s))


class Gate:
    """Limits how many calls of a carrier are under way, and how close together they start."""

    def __init__(self, limit: int, spacing_s: float) -> None:
        self._slots, self._spacing_s, self._next = asyncio.Semaphore(limit), spacing_s, 0.0

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
