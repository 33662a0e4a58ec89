"""Sends the calls of one flow: at the carrier's pace, with time-outs and bounded retries.

Only trusted hosts get credentials, and each exchange leaves a trace without secrets.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Awaitable, Callable
from contextlib import AbstractAsyncContextManager
from dataclasses import dataclass, replace
from datetime import datetime
from functools import cached_property, partial
from typing import Any

from shipcli.carrier.sending.jobs import CarrierJob
from shipcli.carrier.sending.ports import Counters, TokenCache, Trace, Transport, TransportError
from shipcli.carrier.sending.redaction import Mask, make_mask
from shipcli.carrier.wire.calls import Call, Reply, Request, Token, encode, read_origin, write_url

RETRY_STATUSES = frozenset({429, 502, 503, 504})
BACKOFF_S = (0.25, 1.0)
LONGEST_RETRY_AFTER_S = 5.0
LARGEST_MASKED_HERE = 65536  # bytes of an exchange; masking a larger one would hold up all other flows


@dataclass(frozen=True)
class FlowContext:
    """What a flow runs with: how its carrier is reached and at what pace, its tokens, the clock."""

    transport: Transport
    gate: AbstractAsyncContextManager[None]
    tokens: TokenCache
    counters: Counters
    clock: Callable[[], datetime]
    records_traces: bool = False
    sleep: Callable[[float], Awaitable[None]] = asyncio.sleep


class CallSender:
    """Sends the calls of a job. `traces` are of what it sent."""

    def __init__(self, job: CarrierJob[Any], context: FlowContext) -> None:
        self.job, self.context, self.carrier = job, context, job.carrier
        self.traces: list[Trace] = []
        self._token_values: list[str] = []  # as secret as the credentials of the connection

    def make_request(self, call: Call, tokens: dict[str, Token]) -> Request:
        """Return the call as it goes out; a host that is not the carrier's own gets no credentials."""
        values = (token.value for token in tokens.values())
        self._token_values += [value for value in values if value not in self._token_values]
        carrier, context = self.carrier, self.carrier.context
        trusted = self.is_trusted(call)
        call = carrier.complete(call, tokens) if trusted else call
        request = encode(call, self.find_base_url(call), carrier.headers(call, tokens) if trusted else {})
        request = replace(
            request,
            timeout_s=call.timeout_s or carrier.timeout_s,
            slug=carrier.slug,
            test_mode=context.test_mode,
            scenario=context.scenario or carrier.config.sandbox_scenario,
            numbers=context.numbers,
            purchase=context.key,
            is_binding=self.job.is_binding(call),
        )
        request = carrier.sign(request) if trusted else request
        return replace(request, is_stated=read_origin(request.url) in carrier.stated_origins())

    def find_base_url(self, call: Call) -> str:
        """Return the URL that a path is joined to: of the host that the call names, else the usual one."""
        hosts = self.carrier.other_hosts.get(call.host or "")
        if hosts is None and call.host:
            return call.host
        usual = None if hosts else self.carrier.server_url
        return usual or (hosts or self.carrier.hosts).get(self.carrier.context.test_mode, "")

    def is_trusted(self, call: Call) -> bool:
        """Whether a call may carry credentials: one to the carrier's own hosts, or one that says so."""
        if call.credentials is not None:
            return call.credentials
        return read_origin(write_url(call, self.find_base_url(call))) in self._own_origins

    @cached_property
    def _own_origins(self) -> frozenset[str]:
        return self.carrier.own_origins()

    async def send(self, request: Request, *, may_repeat: bool) -> Reply:
        """Send a request, again after a pause if it may be repeated and was lost or answered with "later"."""
        tries = len(BACKOFF_S) + 1 if may_repeat else 1
        for number in range(tries):
            last = number == tries - 1
            try:
                reply = await self.send_once(request)
            except TransportError:
                if last:
                    raise
                await self.context.sleep(BACKOFF_S[number])
                continue
            wait = self.retry_wait(reply, number)
            if last or wait is None:
                return reply
            await self.context.sleep(wait)
        raise AssertionError("unreachable")

    def retry_wait(self, reply: Reply, number: int) -> float | None:
        """Return how long to wait before asking again, or None when the answer stands."""
        if reply.status not in RETRY_STATUSES or number >= len(BACKOFF_S):
            return None
        after = reply.header("retry-after")
        wait = float(after) if after.isdecimal() else BACKOFF_S[number]
        return wait if wait <= LONGEST_RETRY_AFTER_S else None

    async def send_once(self, request: Request) -> Reply:
        """Send a request once, at the carrier's pace, and record its trace."""
        started, begin = self.context.clock(), time.perf_counter()
        async with self.context.gate:
            try:
                async with asyncio.timeout(request.timeout_s):
                    reply = await self.context.transport.send(request)
            except TimeoutError:
                timeout = TransportError("no answer in time", sent=True, timed_out=True)
                await self.record_trace(request, started, begin, {"error": str(timeout)})
                raise timeout from None
            except TransportError as error:
                await self.record_trace(request, started, begin, {"error": str(error)})
                raise
            except asyncio.CancelledError:  # the flow has a limit of its own
                await self.record_trace(request, started, begin, {"error": "not waited for any longer"})
                raise
        response = {"status": reply.status, "body": reply.content}
        delayed = {"delay_s": reply.delay_s} if reply.delay_s else {}  # simulated: it may have taken no time
        await self.record_trace(request, started, begin, response | delayed)
        return reply

    async def record_trace(
        self, request: Request, started: datetime, begin: float, response: dict[str, Any]
    ) -> None:
        """Add the trace of an exchange; a large one is masked in a thread, as all flows share the loop."""
        if not self.context.records_traces:
            return
        duration_ms = round((time.perf_counter() - begin) * 1000)
        make = partial(self.make_trace, request, started, duration_ms, response)
        is_large = len(request.content) + len(response.get("body", b"")) > LARGEST_MASKED_HERE
        self.traces.append(await asyncio.to_thread(make) if is_large else make())

    def make_trace(
        self, request: Request, started: datetime, duration_ms: int, response: dict[str, Any]
    ) -> Trace:
        """Return the exchange as it may be stored."""
        mask, context = self.mask(), self.carrier.context
        if "body" in response:
            response = {**response, "body": mask.body(response["body"])}
        return Trace(
            verb=self.job.verb,
            connection_id=context.connection_id,
            carrier_name=self.carrier.slug,
            carrier_id=context.carrier_id,
            test_mode=context.test_mode,
            object_id=self.job.object_id,
            started_at=started,
            duration_ms=duration_ms,
            request={
                "method": request.method,
                "url": mask.text(request.url),
                "headers": mask.headers(request.headers),
                "body": mask.body(request.content),
            },
            response=response,
        )

    def mask(self) -> Mask:
        """Return the mask of the connection's secrets and account numbers, and of this flow's tokens."""
        secrets = (*self.carrier.secrets(), *self._token_values)
        return make_mask(secrets, tuple(self.carrier.account_numbers()))
