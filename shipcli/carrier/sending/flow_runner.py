"""One flow under way: sends calls with logins, time-outs and bounded retries; records messages and traces."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Awaitable, Callable, Sequence
from contextlib import AbstractAsyncContextManager, suppress
from dataclasses import dataclass, field, replace
from datetime import datetime
from functools import cached_property, partial
from http import HTTPStatus
from typing import Any, Generic, TypeVar

from shipcli.carrier.base import Carrier, CarrierError
from shipcli.carrier.prepare import start_checked_flow
from shipcli.carrier.printable import explain_unprintable
from shipcli.carrier.sending.field_probes import Answer, FieldProbe, explain_refused_value
from shipcli.carrier.sending.flow_tokens import FlowTokens
from shipcli.carrier.sending.messages import add_details, explain_unreachable, explain_unreadable, find_text
from shipcli.carrier.sending.ports import Counters, TokenCache, Trace, Transport, TransportError
from shipcli.carrier.sending.redaction import Mask, make_mask
from shipcli.carrier.sending.transport import SimulatorTransport
from shipcli.carrier.wire.calls import (
    NO_ANSWER,
    REFUSAL_HEADER,
    REFUSED_VALUE_HEADER,
    UNREADABLE,
    Bought,
    Call,
    Flow,
    Pause,
    Reply,
    Request,
    Reserve,
    Step,
    Token,
    encode,
    read_origin,
    write_url,
)
from shipcli.carrier.wire.label_files import holds_file
from shipcli.carrier.wire.rows import collect_unread
from shipcli.models import Message, Model, ShipcliError
from shipcli.models import json as plain_json

T = TypeVar("T")
AnyCarrier = Carrier[Any, Any]

# Verbs that change something at a carrier: a reply that is lost leaves it in doubt.
BINDING = frozenset({"ship", "void", "schedule_pickup", "update_pickup", "cancel_pickup", "manifest"})
RETRY_STATUSES = frozenset({429, 502, 503, 504})
BACKOFF_S = (0.25, 1.0)
LONGEST_RETRY_AFTER_S = 5.0
LONGEST_PAUSE_S, ALL_PAUSES_S = 10.0, 60.0
LARGEST_MASKED_HERE = 65536  # bytes of an exchange; masking a larger one would hold up all other flows


@dataclass(frozen=True)
class CarrierJob(Generic[T]):
    """A flow of one connection, ready to run.

    Traces are filed under `object_id`; `on_bought` is called with every `Bought` before the flow goes on;
    `request` is what is asked for.
    """

    carrier: AnyCarrier
    verb: str
    flow: Flow[T]
    object_id: str | None = None
    on_bought: Callable[[Bought], None] | None = None
    request: Any = None

    @classmethod
    def of(
        cls,
        carrier: AnyCarrier,
        verb: str,
        request: Model,
        object_id: str | None = None,
        on_bought: Callable[[Bought], None] | None = None,
    ) -> CarrierJob[Any]:
        """Return the job of a verb with its request prepared (see `shipcli.carrier.prepare`)."""
        return cls(carrier, verb, start_checked_flow(carrier, verb, request), object_id, on_bought, request)


@dataclass(frozen=True)
class FlowOutcome(Generic[T]):
    """The outcome of a flow.

    `unknown` is true when a call that may not be repeated could have taken effect although the flow failed.
    `bought` is what the flow said it had bought, unless it undid that. `ours` is an error on our own side, in
    the store for example: the carrier has nothing to do with it, and another attempt may succeed.
    """

    result: T | None
    messages: list[Message] = field(default_factory=list)
    failed: bool = False
    unknown: bool = False
    bought: tuple[Bought, ...] = ()
    ours: ShipcliError | None = None

    @property
    def paid(self) -> Bought | None:
        """The shipment that was bought although the flow failed afterwards, if any."""
        whole = [piece for piece in self.bought if not piece.part]
        return whole[-1] if whole and self.result is None else None


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


class FlowRun:
    """One flow under way: its messages, its traces, and whether the carrier may have acted (`unknown`)."""

    def __init__(self, job: CarrierJob[Any], context: FlowContext) -> None:
        self.job, self.context, self.carrier = job, context, job.carrier
        self.messages: list[Message] = []
        self.traces: list[Trace] = []
        self.bought: list[Bought] = []
        self.unknown = False
        self.result: Any = None
        self._step: Step
        self._answers: list[Answer] = []  # to the steps before this one
        self._paused_s = 0.0
        connection_id = job.carrier.context.connection_id
        self.tokens = FlowTokens(connection_id, context.tokens, context.clock, self.login)
        self._token_values: list[str] = []  # as secret as the credentials of the connection

    def begin(self) -> bool:
        """Advance the flow to its first step; return whether it ended before that.

        Errors: CarrierError when the carrier's API is off: not even a rate sheet is looked into.
        """
        if off := getattr(self.context.transport, "off", None):
            raise CarrierError(off)
        return self._resume(partial(self.job.flow.send, None))

    async def finish(self) -> None:
        """Carry out the steps of the flow to its end. A refusal is thrown into the flow, which may undo."""
        ended = False
        while not ended:
            try:
                answer = Answer(await self.carry_out(self._step))
            except CarrierError as error:
                answer = Answer(error=error)
            self._answers.append(answer)
            ended = self._resume(partial(answer.resume, self.job.flow))

    def _resume(self, resume: Callable[[], Step]) -> bool:
        """Advance the flow to its next step; return whether it has ended."""
        with collect_unread() as unread:
            try:
                self._step = resume()
            except StopIteration as done:
                self.result = done.value
                return True
            finally:
                self.messages += [message for message in unread if message not in self.messages]
        return False

    async def carry_out(self, step: Step) -> Any:
        """Errors: CarrierError when a call was refused, lost or could not be read."""
        if isinstance(step, list):
            return await self.call_together(step)
        if isinstance(step, Bought):
            return await self.record_purchase(step)
        if isinstance(step, Pause):
            return await self.wait(step)
        if isinstance(step, Reserve):
            counter = f"{self.carrier.slug}/{step.series}"
            return await asyncio.to_thread(self.context.counters.reserve, counter, step.count, step.above)
        return await self.call_alone(step)

    async def record_purchase(self, bought: Bought) -> None:
        """Have it stored before the flow goes on, in a thread: that waits for the disk."""
        self.bought.append(bought)
        if self.job.on_bought:
            await asyncio.to_thread(self.job.on_bought, bought)

    async def wait(self, pause: Pause) -> None:
        """Errors: CarrierError when the flow has paused too long. A simulator needs no time to get ready."""
        seconds = min(pause.seconds, LONGEST_PAUSE_S)
        self._paused_s += seconds
        if self._paused_s > ALL_PAUSES_S:
            text = f"{self.carrier.name} was not ready after {ALL_PAUSES_S:.0f} seconds"
            raise CarrierError(Message(code="timeout", message=text))
        if not isinstance(self.context.transport, SimulatorTransport):
            await self.context.sleep(seconds)

    async def call_alone(self, call: Call) -> Reply:
        """Send the only call of a step: its failure is a CarrierError unless the call is tolerant."""
        before = len(self.messages)
        try:
            reply = await self.call(call)
        except (TransportError, *UNREADABLE) as error:
            self.add_failure(call, error)
            reply = Reply(NO_ANSWER, failed=True)
            before = 0  # the messages so far belong to this failure
        if reply.failed and not call.tolerant:
            raise CarrierError(*(self.messages[before:] or self.messages))
        return reply

    async def call_together(self, calls: Sequence[Call]) -> list[Reply]:
        """Send several calls at once, with the tokens they need fetched first so that they go out in order.

        When one breaks for a reason of our own, the others are still awaited: they may be buying.
        """
        with suppress(CarrierError, TransportError):  # a login that fails is reported by each call
            for name in dict.fromkeys(name for call in calls for name in self.list_logins(call)):
                await self.tokens.get(name)
        replies = await asyncio.gather(*(self.call_in_group(call) for call in calls), return_exceptions=True)
        for error in replies:
            if isinstance(error, BaseException):
                raise error
        return [reply for reply in replies if isinstance(reply, Reply)]

    async def call_in_group(self, call: Call) -> Reply:
        """Send one of several calls: its failure is a message and a failed reply."""
        try:
            return await self.call(call)
        except (TransportError, *UNREADABLE) as error:
            self.add_failure(call, error)
        except CarrierError as error:
            self.messages.extend(message for message in error.messages if message not in self.messages)
        return Reply(NO_ANSWER, failed=True)

    def add_failure(self, call: Call, error: Exception) -> None:
        """Add the message of a call whose reply was lost or can't be read."""
        if isinstance(error, TransportError):
            message = explain_unreachable(self.carrier, error)
        else:
            message = explain_unreadable(self.carrier, error)
        self.messages += add_details(call, [message])

    async def call(self, call: Call) -> Reply:
        """Send a call with its tokens; refused ones are renewed once, and used if they are others."""
        names = self.list_logins(call)
        tokens = {name: await self.tokens.get(name) for name in names}
        reply = await self.attempt(call, tokens)
        if names and self.evaluate(self.carrier.rejects_token, reply, reply.status == 401):
            fresh = {name: await self.tokens.get(name, refused=tokens[name]) for name in names}
            if [token.value for token in fresh.values()] != [token.value for token in tokens.values()]:
                reply = await self.attempt(call, fresh)
        before = self.unknown  # as other calls have left it by now; nothing is awaited from here on
        self.unknown = before or self.is_binding(call)  # until the reply is understood
        reply = self.read_reply(call, reply)
        if reply.failed and reply.definite:  # all else may have taken effect
            self.unknown = before
        return reply

    def list_logins(self, call: Call) -> Sequence[str]:
        """Return the names of the tokens that a call needs."""
        if not self.is_trusted(call):
            return ()
        if call.tokens is None:
            return () if self.job.verb == "login" else self.carrier.tokens
        return call.tokens

    def read_reply(self, call: Call, reply: Reply) -> Reply:
        """Return the reply, marked as failed where it is a refusal, and add its messages.

        Errors: ValueError and its like for an answer below 400 that is not what it says it is.
        """
        if call.file and reply.status < 400 and reply.content and not reply.structured:
            return reply
        messages = self.read_messages(reply)
        if self.is_refusal(call, reply):
            decided = self.evaluate(self.carrier.is_definite, reply, reply.status < 500)
            decided = decided and not holds_file(reply.content)  # nobody prints what was not bought
            reply = replace(reply, failed=True, decided=decided)  # a copy reads its body again
        elif call.file:
            raise ValueError("a file was asked for, and something else came")
        if reply.failed:
            messages = self.complete(reply, messages)
        if reply.status == HTTPStatus.TOO_MANY_REQUESTS and all(row.code != "429" for row in messages):
            messages.append(self.explain_status(reply))
        if reply.failed and (about := reply.header(REFUSED_VALUE_HEADER)):
            messages = self.name_field(call, plain_json.loads(about), messages)
        self.messages.extend(add_details(call, messages))
        return reply

    def name_field(self, call: Call, about: Any, messages: Sequence[Message]) -> list[Message]:
        """Return the messages about a refused value, naming the field of the request that it was made of.

        A lane that is not served, and what is done already, are known by the carrier's own words.
        """
        carrier, verb = self.carrier, self.job.verb
        is_lane = any(carrier.says_not_serviced(message) for message in messages)
        if is_lane or carrier.says_done_before(verb, messages):
            return list(messages)
        probe = FieldProbe(carrier, verb, self.job.request, self._answers, self._step, call)
        return explain_refused_value(probe, about) or list(messages)

    def complete(self, reply: Reply, messages: Sequence[Message]) -> list[Message]:
        """Return what a refusal says: a code without words gets the text of the answer, or its status."""
        status = self.explain_status(reply)
        told = [message for message in messages if message.code or message.message]
        return [
            message if message.message else message.model_copy(update={"message": status.message})
            for message in told or [status]
        ]

    def explain_status(self, reply: Reply) -> Message:
        """Return the message of a refusal in which the carrier's reader finds none."""
        message = f"{self.carrier.name} answered with status {reply.status}"
        if reply.status >= 400 and (text := find_text(reply)):
            message = f"{message}: {self.mask().text(text)}"
        return Message(code=str(reply.status), message=message)

    def evaluate(self, predicate: Callable[[Reply], bool], reply: Reply, default: bool) -> bool:
        """Return what the carrier class says of a reply, the default if it can't read it."""
        try:
            return predicate(reply)
        except UNREADABLE:
            return default

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

    def is_binding(self, call: Call) -> bool:
        """Whether a call changes something at the carrier and must not be sent twice."""
        return self.job.verb in BINDING and not call.may_repeat

    def read_messages(self, reply: Reply) -> list[Message]:
        if reply.header(REFUSAL_HEADER):
            return [self.explain_kit_refusal(error) for error in reply.json["errors"]]
        try:
            return list(self.carrier.read_messages(reply))
        except UNREADABLE:
            return []  # not in the carrier's format: the status alone speaks

    def explain_kit_refusal(self, error: dict[str, str]) -> Message:
        """Return the message of a refusal of the kit's own, of the field that it is about if there is one."""
        message = Message(code=error["code"], message=error["message"])
        if "character" not in error or self.job.request is None:
            return message
        return explain_unprintable(self.job.request, error["character"]) or message

    async def attempt(self, call: Call, tokens: dict[str, Token]) -> Reply:
        """Send a call, again after a pause when it may be repeated and was lost or answered with "later"."""
        values = (token.value for token in tokens.values())
        self._token_values += [value for value in values if value not in self._token_values]
        request = self.make_request(call, tokens)
        tries = len(BACKOFF_S) + 1 if call.may_repeat else 1
        for number in range(tries):
            last = number == tries - 1
            try:
                reply = await self.send(request)
            except BaseException as error:
                if self.is_binding(call) and may_have_arrived(error):
                    self.unknown = True
                if last or not isinstance(error, TransportError):
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

    def make_request(self, call: Call, tokens: dict[str, Token]) -> Request:
        """Return the call as it goes out; a host that is not the carrier's own gets no credentials."""
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
            is_binding=self.is_binding(call),
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

    async def send(self, request: Request) -> Reply:
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

    async def login(self, name: str) -> Token:
        """Return a new token, by the carrier's own flow for it.

        Errors: CarrierError when the carrier refuses.
        """
        run = FlowRun(replace(self.job, verb="login", flow=self.carrier.login(name)), self.context)
        try:
            if not run.begin():
                await run.finish()
        except CarrierError:
            self.traces += run.traces
            raise
        token: Token = run.result
        self.traces += [trace.without(token.value) for trace in run.traces]
        return token

    # -- messages ------------------------------------------------------------------------------

    def stamp_messages(self, messages: Sequence[Message]) -> list[Message]:
        """Return the messages with the connection they came through, and without its secrets."""
        if not messages:
            return []
        source = {"carrier_name": self.carrier.slug, "carrier_id": self.carrier.context.carrier_id}
        hide, names = self.mask().message, ("code", "message", "details")
        return [
            message.model_copy(update={**source, **{name: hide(getattr(message, name)) for name in names}})
            for message in messages
        ]


def may_have_arrived(error: BaseException) -> bool:
    """Whether the carrier may have seen a request that ended like this; after an unexpected error it may."""
    if isinstance(error, TransportError):
        return error.sent
    return not isinstance(error, ShipcliError)
