"""One flow under way: calls sent with logins, time-outs and bounded retries; messages and traces kept."""

from __future__ import annotations

import asyncio
import logging
import time
import uuid
from collections.abc import Awaitable, Callable, Sequence
from contextlib import AbstractAsyncContextManager, suppress
from dataclasses import dataclass, field, replace
from datetime import datetime
from functools import cached_property, partial
from typing import Any, Generic, TypeVar

from shipcli.carrier.base import Carrier, CarrierError
from shipcli.carrier.prepare import start_flow
from shipcli.carrier.sending.flow_tokens import FlowTokens
from shipcli.carrier.sending.ports import Counters, TokenCache, Trace, Transport, TransportError
from shipcli.carrier.sending.redaction import Mask, make_mask
from shipcli.carrier.sending.refusal_words import find_words
from shipcli.carrier.wire.calls import (
    NO_ANSWER,
    REFUSAL_HEADER,
    UNREADABLE,
    Bought,
    Call,
    Flow,
    Pause,
    Reply,
    Request,
    Reserve,
    Token,
    encode,
    read_origin,
    write_url,
)
from shipcli.carrier.wire.label_files import holds_file
from shipcli.models import Message, Model, ShipcliError

log = logging.getLogger("shipcli.driver")
T = TypeVar("T")
AnyCarrier = Carrier[Any, Any]

# What changes something at a carrier: an answer that is lost leaves it in doubt.
BINDING = frozenset({"ship", "void", "schedule_pickup", "update_pickup", "cancel_pickup", "manifest"})
RETRY_STATUSES = frozenset({429, 502, 503, 504})
BACKOFF_S = (0.25, 1.0)
LONGEST_RETRY_AFTER_S = 5.0
LONGEST_PAUSE_S, ALL_PAUSES_S = 10.0, 60.0


@dataclass(frozen=True)
class CarrierJob(Generic[T]):
    """A flow of one connection, ready to run.

    `object_id` is what traces are filed under; `on_bought` is told of every `Bought` before the flow goes on.
    """

    carrier: AnyCarrier
    verb: str
    flow: Flow[T]
    object_id: str | None = None
    on_bought: Callable[[Bought], None] | None = None

    @classmethod
    def of(
        cls,
        carrier: AnyCarrier,
        verb: str,
        request: Model,
        object_id: str | None = None,
        on_bought: Callable[[Bought], None] | None = None,
    ) -> CarrierJob[Any]:
        """The job of a verb with its request prepared (see `shipcli.carrier.prepare`)."""
        return cls(carrier, verb, start_flow(carrier, verb, request), object_id, on_bought)


@dataclass(frozen=True)
class FlowOutcome(Generic[T]):
    """What a flow came to.

    `unknown` is true when a call that may not be repeated could have taken effect although the flow failed.
    `bought` is what the flow said it had bought, unless it undid that. `ours` is what went wrong on our own
    side, the store for example: the carrier has nothing to do with it, and asking again may go well.
    """

    result: T | None
    messages: list[Message] = field(default_factory=list)
    failed: bool = False
    unknown: bool = False
    bought: tuple[Bought, ...] = ()
    ours: ShipcliError | None = None

    @property
    def paid(self) -> Bought | None:
        """The shipment that was bought although the flow failed afterwards."""
        whole = [one for one in self.bought if not one.part]
        return whole[-1] if whole and self.result is None else None


@dataclass(frozen=True)
class FlowContext:
    """What a flow runs with: how its carrier is reached and at what pace, where tokens are, the time."""

    transport: Transport
    gate: AbstractAsyncContextManager[None]
    tokens: TokenCache
    counters: Counters
    clock: Callable[[], datetime]
    keeps_traces: bool = False
    sleep: Callable[[float], Awaitable[None]] = asyncio.sleep


class FlowRun:
    """One flow under way: its notes, its traces, and whether something may have happened at the carrier."""

    def __init__(self, job: CarrierJob[Any], context: FlowContext) -> None:
        self.job, self.context, self.carrier = job, context, job.carrier
        self.notes: list[Message] = []
        self.traces: list[Trace] = []
        self.bought: list[Bought] = []
        self.unknown = False
        self.result: Any = None
        self._asked: Any = None
        self._paused_s = 0.0
        connection_id = job.carrier.context.connection_id
        self.tokens = FlowTokens(connection_id, context.tokens, context.clock, self.login)
        self._learnt: list[str] = []  # tokens: as secret as what the carrier was opened with

    def begin(self) -> bool:
        """Take the flow to what it asks first; whether it has ended without asking.

        Errors: CarrierError when the carrier's API is off: not even a rate sheet is looked into.
        """
        if off := getattr(self.context.transport, "off", None):
            raise CarrierError(off)
        return self._step(lambda: self.job.flow.send(None))

    async def go_on(self) -> None:
        """Answer what the flow asks until it ends. A refusal is thrown into the flow, which may undo."""
        ended = False
        while not ended:
            try:
                answer = await self.answer(self._asked)
            except CarrierError as error:
                ended = self._step(partial(self.job.flow.throw, error))
            else:
                ended = self._step(partial(self.job.flow.send, answer))

    def _step(self, resume: Callable[[], Any]) -> bool:
        try:
            self._asked = resume()
        except StopIteration as done:
            self.result = done.value
            return True
        return False

    async def answer(self, asked: Any) -> Any:
        """Errors: CarrierError when a call was refused, lost or could not be read."""
        if isinstance(asked, list):
            await self.log_in_for(asked)
            return await self.legs(asked)
        if isinstance(asked, Bought):
            return await self.record(asked)
        if isinstance(asked, Pause):
            return await self.wait(asked)
        if isinstance(asked, Reserve):
            counter = f"{self.carrier.slug}/{asked.series}"
            return await asyncio.to_thread(self.context.counters.reserve, counter, asked.count, asked.above)
        return await self.single(asked)

    async def record(self, bought: Bought) -> None:
        """Have it written down before the flow goes on, in a thread: that waits for the disk."""
        self.bought.append(bought)
        if self.job.on_bought:
            await asyncio.to_thread(self.job.on_bought, bought)

    async def wait(self, pause: Pause) -> None:
        """Errors: CarrierError when the flow has paused too long."""
        seconds = min(pause.seconds, LONGEST_PAUSE_S)
        self._paused_s += seconds
        if self._paused_s > ALL_PAUSES_S:
            text = f"{self.carrier.name} was not ready after {ALL_PAUSES_S:.0f} seconds"
            raise CarrierError(Message(code="timeout", message=text))
        await self.context.sleep(seconds)

    async def single(self, call: Call) -> Reply:
        """The only call of a step: its failure is a CarrierError unless the call is tolerant."""
        before = len(self.notes)
        try:
            reply = await self.call(call)
        except (TransportError, *UNREADABLE) as error:
            self.note(call, error)
            reply = Reply(NO_ANSWER, failed=True)
            before = 0  # what was said before belongs to the answer
        if reply.failed and not call.tolerant:
            raise CarrierError(*(self.notes[before:] or self.notes))
        return reply

    async def legs(self, calls: Sequence[Call]) -> list[Reply]:
        """The answers of several calls that go out together.

        When one breaks for a reason of our own, the others are still awaited: they may be buying.
        """
        answers = await asyncio.gather(*(self.leg(call) for call in calls), return_exceptions=True)
        replies = []
        for one in answers:
            if isinstance(one, BaseException):
                raise one
            replies.append(one)
        return replies

    async def leg(self, call: Call) -> Reply:
        """One of several calls: its failure is a message and a failed reply."""
        try:
            return await self.call(call)
        except (TransportError, *UNREADABLE) as error:
            self.note(call, error)
        except CarrierError as error:
            self.notes.extend(one for one in error.messages if one not in self.notes)
        return Reply(NO_ANSWER, failed=True)

    def note(self, call: Call, error: Exception) -> None:
        """Say of a call that its answer was lost or makes no sense."""
        lost = isinstance(error, TransportError)
        said = self.unreachable_message(error) if lost else self.unreadable_message(error)
        self.notes.extend(add_details(call, [said]))

    async def log_in_for(self, calls: Sequence[Call]) -> None:
        """Get the tokens of calls that go out together, so that they go out in their order.

        A login that fails is tried, and told, by each of them.
        """
        names = dict.fromkeys(name for call in calls for name in self.logins_of(call))
        with suppress(CarrierError, TransportError):
            for name in names:
                await self.tokens.get(name)

    async def call(self, call: Call) -> Reply:
        """Send with the tokens it needs; one that is refused is renewed once, and tried if it is another."""
        names = self.logins_of(call)
        tokens = {name: await self.tokens.get(name) for name in names}
        reply = await self.attempt(call, tokens)
        if names and self.understand(self.carrier.rejects_token, reply, reply.status == 401):
            fresh = {name: await self.tokens.get(name, refused=tokens[name]) for name in names}
            if [one.value for one in fresh.values()] != [one.value for one in tokens.values()]:
                reply = await self.attempt(call, fresh)
        known = self.unknown  # as other legs have left it by now; nothing is awaited from here on
        self.unknown = known or self.spends(call)  # until the reply is understood
        reply = self.judge(call, reply)
        if reply.failed and reply.definite:  # all else may have taken effect
            self.unknown = known
        return reply

    def logins_of(self, call: Call) -> Sequence[str]:
        if self.job.verb == "login" and call.tokens is None:
            return ()
        if not self.is_trusted(call):
            return ()
        return self.carrier.tokens if call.tokens is None else call.tokens

    def judge(self, call: Call, reply: Reply) -> Reply:
        """The reply marked as failed where it is a refusal, its messages noted.

        Errors: ValueError and its like for an answer below 400 that is not what it says it is.
        """
        if call.file and reply.status < 400 and reply.content and not reply.structured:
            return reply
        messages = self.read_messages(reply)
        if self.is_refusal(call, reply):
            decided = self.understand(self.carrier.is_definite, reply, reply.status < 500)
            decided = decided and not holds_file(reply.content)  # nobody prints what was not bought
            reply = replace(reply, failed=True, decided=decided)  # a copy reads its body again
        elif call.file:
            raise ValueError("a file was asked for, and something else came")
        if reply.failed and not any(one.code or one.message for one in messages):
            messages = [self.status_message(reply)]
        self.notes.extend(add_details(call, messages))
        return reply

    def status_message(self, reply: Reply) -> Message:
        """Of a refusal in which the carrier's reader finds no message."""
        text = f"{self.carrier.name} answered with status {reply.status}"
        words = find_words(reply) if reply.status >= 400 else None
        return Message(
            code=str(reply.status), message=f"{text}: {self.mask().text(words)}" if words else text
        )

    def understand(self, question: Callable[[Reply], bool], reply: Reply, plain: bool) -> bool:
        """What the carrier class says of a reply; `plain` of one that it can't read."""
        try:
            return question(reply)
        except UNREADABLE:
            return plain

    def is_refusal(self, call: Call, reply: Reply) -> bool:
        """Whether the carrier calls it a refusal.

        Of a body that can't be read the status decides; one that claims to be JSON or XML and is not is
        an error, texts and files are left to the flow.
        """
        if reply.status < 400 and call.partial:
            return False
        try:
            return self.carrier.is_refusal(reply)
        except UNREADABLE:
            if reply.status >= 400:
                return True
            if reply.structured:
                raise
            return False

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
            except BaseException as error:
                if self.spends(call) and may_have_arrived(error):
                    self.unknown = True
                if last or not isinstance(error, TransportError):
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
        """The call as it goes out; a host that is not the carrier's own is told no credentials."""
        carrier, context = self.carrier, self.carrier.context
        trusted = self.is_trusted(call)
        call = carrier.complete(call, tokens) if trusted else call
        request = encode(call, self.base_of(call), carrier.headers(call, tokens) if trusted else {})
        request = replace(
            request,
            timeout_s=call.timeout_s or carrier.timeout_s,
            slug=carrier.slug,
            test_mode=context.test_mode,
            scenario=context.scenario or carrier.config.sandbox_scenario,
        )
        return carrier.sign(request) if trusted else request

    def base_of(self, call: Call) -> str:
        """The address that a path is joined to: of the host the call names, else the carrier's usual one."""
        hosts = self.carrier.other_hosts.get(call.host or "")
        if hosts is None and call.host:
            return call.host
        usual = None if hosts else self.carrier.server_url
        return usual or (hosts or self.carrier.hosts).get(self.carrier.context.test_mode, "")

    def is_trusted(self, call: Call) -> bool:
        """Whether a call may carry credentials: one to the carrier's own hosts, or one that says so."""
        if call.credentials is not None:
            return call.credentials
        return read_origin(write_url(call, self.base_of(call))) in self._own_origins

    @cached_property
    def _own_origins(self) -> frozenset[str]:
        return self.carrier.own_origins()

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
        return make_mask((*carrier.secrets(), *self._learnt), tuple(carrier.account_numbers()))

    async def login(self, name: str) -> Token:
        """A new token, by the carrier's own flow for it.

        Errors: CarrierError when the carrier refuses.
        """
        run = FlowRun(replace(self.job, verb="login", flow=self.carrier.login(name)), self.context)
        try:
            if not run.begin():
                await run.go_on()
        except CarrierError:
            self.traces += run.traces
            raise
        token: Token = run.result
        self.traces += [trace.without(token.value) for trace in run.traces]
        return token

    # -- messages ------------------------------------------------------------------------------

    def stamp_messages(self, messages: Sequence[Message]) -> list[Message]:
        """The messages with the connection they came through, and without its secrets."""
        if not messages:
            return []
        who = {"carrier_name": self.carrier.slug, "carrier_id": self.carrier.context.carrier_id}
        hide = self.mask().message
        said = ("code", "message", "details")
        return [
            one.model_copy(update={**who, **{name: hide(getattr(one, name)) for name in said}})
            for one in messages
        ]

    def unreachable_message(self, error: Any) -> Message:
        code = "timeout" if error.timed_out else "unreachable"
        return Message(code=code, message=f"{self.carrier.name} could not be reached: {error}")

    def unreadable_message(self, error: Exception) -> Message:
        trace_id = uuid.uuid4().hex
        log.error("unreadable reply of %s (%s)", self.carrier.slug, trace_id, exc_info=error)
        text = f"{self.carrier.name} answered with something that can't be read ({type(error).__name__})"
        return Message(code="unreadable_reply", message=text, details={"trace_id": trace_id})


def may_have_arrived(error: BaseException) -> bool:
    """Whether the carrier may have seen a request that ended like this; after the unexpected it may."""
    if isinstance(error, TransportError):
        return error.sent
    return not isinstance(error, ShipcliError)


def add_details(call: Call, messages: list[Message]) -> list[Message]:
    """The messages of a call, each telling in its details what the call was about."""
    if not call.about:
        return messages
    return [
        message.model_copy(update={"details": {**(message.details or {}), **call.about}})
        for message in messages
    ]
