"""One flow under way: calls sent with logins, time-outs and bounded retries; messages and traces kept."""

from __future__ import annotations

import asyncio
import logging
import time
import uuid
from collections.abc import Callable, Sequence
from contextlib import AbstractAsyncContextManager
from dataclasses import dataclass, field, replace
from datetime import datetime
from typing import Any, Generic, TypeVar

from shipcli.carrier.base import Carrier, CarrierError
from shipcli.carrier.ports import TokenCache, Trace, Transport, TransportError
from shipcli.carrier.redaction import Mask, mask_of
from shipcli.carrier.wire import REFUSAL_HEADER, Call, Flow, Reply, Request, Token, encode
from shipcli.models import Message

log = logging.getLogger("shipcli.driver")
T = TypeVar("T")
AnyCarrier = Carrier[Any, Any]

# What changes something at a carrier: an answer that is lost leaves it in doubt.
BINDING = frozenset({"ship", "void", "schedule_pickup", "update_pickup", "cancel_pickup", "manifest"})
RETRY_STATUSES = frozenset({429, 502, 503, 504})
BACKOFF_S = (0.25, 1.0)
LONGEST_RETRY_AFTER_S = 5.0
UNREADABLE = (ValueError, LookupError, TypeError, AttributeError)  # what readers raise on strange replies


@dataclass(frozen=True)
class CarrierJob(Generic[T]):
    """A flow of one connection, ready to run. `object_id` is what traces are filed under."""

    carrier: AnyCarrier
    verb: str
    flow: Flow[T]
    object_id: str | None = None


@dataclass(frozen=True)
class FlowOutcome(Generic[T]):
    """What a flow came to.

    `unknown` is true when a call that may not be repeated could have taken effect although the flow failed.
    """

    result: T | None
    messages: list[Message] = field(default_factory=list)
    failed: bool = False
    unknown: bool = False


@dataclass(frozen=True)
class FlowContext:
    """What a flow runs with: how its carrier is reached and at what pace, where tokens are, the time."""

    transport: Transport
    gate: AbstractAsyncContextManager[None]
    tokens: TokenCache
    clock: Callable[[], datetime]
    keeps_traces: bool = False


class FlowRun:
    """One flow under way: its notes, its traces, and whether something may have happened at the carrier."""

    def __init__(self, job: CarrierJob[Any], context: FlowContext) -> None:
        self.job, self.context, self.carrier = job, context, job.carrier
        self.notes: list[Message] = []
        self.traces: list[Trace] = []
        self.unknown = False
        self.result: Any = None
        self._asked: Any = None
        self._refused: dict[str, CarrierError] = {}  # logins that failed in this flow: not tried again
        self._learnt: list[str] = []  # tokens: as secret as what the carrier was opened with

    def begin(self) -> bool:
        """Take the flow to what it asks first; whether it has ended without asking."""
        return self._step(None)

    async def go_on(self) -> None:
        """Answer what the flow asks until it ends."""
        ended = False
        while not ended:
            if isinstance(self._asked, list):
                ended = self._step(await asyncio.gather(*(self.leg(call) for call in self._asked)))
            else:
                ended = self._step(await self.single(self._asked))

    def _step(self, answer: Any) -> bool:
        try:
            self._asked = self.job.flow.send(answer)
        except StopIteration as done:
            self.result = done.value
            return True
        return False

    async def single(self, call: Call) -> Reply:
        before = len(self.notes)
        reply = await self.call(call)
        if reply.failed and not call.tolerant:
            raise CarrierError(*(self.notes[before:] or self.notes))
        return reply

    async def leg(self, call: Call) -> Reply:
        """One of several calls: its failure is a message and a failed reply."""
        try:
            return await self.call(call)
        except TransportError as error:
            self.notes.extend(add_details(call, [self.note_unreachable(error)]))
            return Reply(599, failed=True)
        except CarrierError as error:
            self.notes.extend(one for one in error.messages if one not in self.notes)
            return Reply(599, failed=True)
        except UNREADABLE as error:
            self.notes.append(self.note_unreadable(error))
            return Reply(599, failed=True)

    async def call(self, call: Call) -> Reply:
        """Send with the tokens it needs; a token that is refused is renewed once."""
        usual = () if self.job.verb == "login" else self.carrier.tokens
        names = usual if call.tokens is None else call.tokens
        tokens = {name: await self.token(name) for name in names}
        reply = await self.attempt(call, tokens)
        if reply.status == 401 and names:
            tokens = {name: await self.token(name, refused=tokens[name]) for name in names}
            reply = await self.attempt(call, tokens)
        known = self.unknown  # as other legs have left it by now; nothing is awaited from here on
        self.unknown = known or self.spends(call)  # until the reply is understood
        messages = self.read_messages(reply)
        if self.is_refusal(reply):
            reply = replace(reply, failed=True)  # a copy reads its body again, so only where needed
        if reply.failed and not messages:
            messages = [
                Message(
                    code=str(reply.status), message=f"{self.carrier.name} answered with status {reply.status}"
                )
            ]
        self.notes.extend(add_details(call, messages))
        if reply.failed and reply.status < 500:  # a definite no; all else may have taken effect
            self.unknown = known
        return reply

    def is_refusal(self, reply: Reply) -> bool:
        """Whether the carrier calls it a refusal; a body that can't be read leaves the status to say so."""
        try:
            return self.carrier.is_refusal(reply)
        except UNREADABLE:
            if reply.status >= 400:
                return True
            raise

    def spends(self, call: Call) -> bool:
        return self.job.verb in BINDING and not call.may_repeat

    def read_messages(self, reply: Reply) -> list[Message]:
        if reply.header(REFUSAL_HEADER):
            return [Message(code=one["code"], message=one["message"]) for one in reply.json["errors"]]
        try:
            return list(self.carrier.read_messages(reply))
        except UNREADABLE:
            return []  # not in the carrier's format: the status alone speaks

    async def attempt(self, call: Call, tokens: dict[str, Token]) -> Reply:
        self._learnt += [token.value for token in tokens.values() if token.value not in self._learnt]
        request = self.request(call, tokens)
        tries = len(BACKOFF_S) + 1 if call.may_repeat else 1
        for number in range(tries):
            last = number == tries - 1
            try:
                reply = await self.send(request)
            except TransportError as error:
                if self.spends(call) and error.sent:
                    self.unknown = True
                if last:
                    raise
                await asyncio.sleep(BACKOFF_S[number])
                continue
            wait = self.retry_wait(reply, number)
            if last or wait is None:
                return reply
            await asyncio.sleep(wait)
        raise AssertionError("unreachable")

    def retry_wait(self, reply: Reply, number: int) -> float | None:
        """How long to wait before asking again; None when the answer stands."""
        if reply.status not in RETRY_STATUSES or number >= len(BACKOFF_S):
            return None
        after = reply.header("retry-after")
        wait = float(after) if after.isdigit() else BACKOFF_S[number]
        return wait if wait <= LONGEST_RETRY_AFTER_S else None

    def request(self, call: Call, tokens: dict[str, Token]) -> Request:
        carrier, context = self.carrier, self.carrier.context
        hosts = carrier.other_hosts.get(call.host or "", carrier.hosts)
        base = call.host if call.host and hosts is carrier.hosts else hosts.get(context.test_mode, "")
        request = encode(call, base, carrier.headers(call, tokens))
        return carrier.sign(
            replace(
                request,
                timeout_s=call.timeout_s or carrier.timeout_s,
                slug=carrier.slug,
                test_mode=context.test_mode,
                scenario=context.scenario or carrier.config.sandbox_scenario,
            )
        )

    async def send(self, request: Request) -> Reply:
        started, begin = self.context.clock(), time.perf_counter()
        async with self.context.gate:
            try:
                async with asyncio.timeout(request.timeout_s):
                    reply = await self.context.transport.send(request)
            except TimeoutError:
                lost = TransportError("no answer in time", sent=True, timed_out=True)
                self.keep(request, started, begin, {"error": str(lost)})
                raise lost from None
            except TransportError as error:
                self.keep(request, started, begin, {"error": str(error)})
                raise
        self.keep(request, started, begin, {"status": reply.status, "body": reply.content})
        return reply

    def keep(self, request: Request, started: datetime, begin: float, response: dict[str, Any]) -> None:
        if not self.context.keeps_traces:
            return
        mask, context = self.mask(), self.carrier.context
        if "body" in response:
            response["body"] = mask.body(response["body"])
        sent = {
            "method": request.method,
            "url": mask.text(request.url),
            "headers": mask.headers(request.headers),
            "body": mask.body(request.content),
        }
        duration_ms = round((time.perf_counter() - begin) * 1000)
        self.traces.append(
            Trace(
                self.job.verb,
                context.connection_id,
                self.carrier.slug,
                context.carrier_id,
                context.test_mode,
                self.job.object_id,
                started,
                duration_ms,
                sent,
                response,
            )
        )

    def mask(self) -> Mask:
        """What hides all that nobody may read in a trace."""
        carrier = self.carrier
        return mask_of((*carrier.secrets(), *self._learnt), tuple(carrier.account_numbers()))

    # -- tokens --------------------------------------------------------------------------------

    async def token(self, name: str, *, refused: Token | None = None) -> Token:
        """The token in the cache, or a new one in place of none, an expired or the `refused` one.

        Of many that need it at once one logs in; the others wait for its token.
        """
        cache, connection = self.context.tokens, self.carrier.context.connection_id
        while True:
            kept = cache.get(connection, name)
            if kept and kept != refused and not self.expired(kept):
                return kept
            if name in self._refused:
                raise self._refused[name]
            if await cache.renew(connection, name):
                break
        try:
            token = await self.login(name)
            cache.put(connection, name, token)
            return token
        finally:
            cache.renewed(connection, name)

    async def login(self, name: str) -> Token:
        run = FlowRun(replace(self.job, verb="login", flow=self.carrier.login(name)), self.context)
        try:
            if not run.begin():
                await run.go_on()
        except CarrierError as error:
            self._refused[name] = error
            self.traces += run.traces
            raise
        token: Token = run.result
        self.traces += [trace.without(token.value) for trace in run.traces]
        return token

    def expired(self, token: Token) -> bool:
        return token.expires_at is not None and token.expires_at <= self.context.clock()

    # -- messages ------------------------------------------------------------------------------

    def stamp_messages(self, messages: Sequence[Message]) -> list[Message]:
        """The messages with the connection they came through."""
        who = {"carrier_name": self.carrier.slug, "carrier_id": self.carrier.context.carrier_id}
        return [message.model_copy(update=who) for message in messages]

    def note_unreachable(self, error: TransportError) -> Message:
        code = "timeout" if error.timed_out else "unreachable"
        return Message(code=code, message=f"{self.carrier.name} could not be reached: {error}")

    def note_unreadable(self, error: Exception) -> Message:
        trace_id = uuid.uuid4().hex
        log.error("unreadable reply of %s (%s)", self.carrier.slug, trace_id, exc_info=error)
        text = f"{self.carrier.name} answered with something that can't be read ({type(error).__name__})"
        return Message(code="unreadable_reply", message=text, details={"trace_id": trace_id})


def add_details(call: Call, messages: list[Message]) -> list[Message]:
    """The messages of a call, each telling in its details what the call was about."""
    if not call.about:
        return messages
    return [
        message.model_copy(update={"details": {**(message.details or {}), **call.about}})
        for message in messages
    ]
