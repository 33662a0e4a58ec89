"""One flow under way: carries out its steps, with the logins that calls need, and gathers the messages."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import replace
from functools import partial
from typing import Any

from shipcli.carrier.base import CarrierError
from shipcli.carrier.sending.call_sender import CallSender, FlowContext
from shipcli.carrier.sending.field_probes import Answer, FieldProbe, ProbeBudget, explain_refused_value
from shipcli.carrier.sending.flow_tokens import FlowTokens
from shipcli.carrier.sending.jobs import CarrierJob
from shipcli.carrier.sending.messages import add_details, explain_unreachable, explain_unreadable
from shipcli.carrier.sending.ports import Trace, TransportError
from shipcli.carrier.sending.reply_reader import ReplyReader
from shipcli.carrier.sending.transport import SimulatorTransport
from shipcli.carrier.wire.calls import (
    NO_ANSWER,
    REFUSED_VALUE_HEADER,
    UNREADABLE,
    Bought,
    Call,
    Pause,
    Reply,
    Reserve,
    Step,
    Token,
)
from shipcli.carrier.wire.rows import collect_unread
from shipcli.models import Message, ShipcliError
from shipcli.models import json as plain_json

LONGEST_PAUSE_S, ALL_PAUSES_S = 10.0, 60.0


class FlowRun:
    """One flow under way: its messages, its traces, and whether the carrier may have acted (`unknown`)."""

    def __init__(self, job: CarrierJob[Any], context: FlowContext) -> None:
        self.job, self.context, self.carrier = job, context, job.carrier
        self.sender = CallSender(job, context)
        self.replies = ReplyReader(job, self.sender.mask)
        self.messages: list[Message] = []
        self.bought: list[Bought] = []
        self.unknown = False
        self.result: Any = None
        self._step: Step
        self._answers: list[Answer] = []  # to the steps before this one
        self._budget = ProbeBudget()
        self._paused_s = 0.0
        connection_id = job.carrier.context.connection_id
        self.tokens = FlowTokens(connection_id, context.tokens, context.clock, self.login)

    @property
    def traces(self) -> list[Trace]:
        """The exchanges so far, logins included."""
        return self.sender.traces

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
        if names and self.replies.evaluate(self.carrier.rejects_token, reply, reply.status == 401):
            fresh = {name: await self.tokens.get(name, refused=tokens[name]) for name in names}
            if [token.value for token in fresh.values()] != [token.value for token in tokens.values()]:
                reply = await self.attempt(call, fresh)
        before = self.unknown  # as other calls have left it by now; nothing is awaited from here on
        self.unknown = before or self.job.is_binding(call)  # until the reply is understood
        reply = self.read_reply(call, reply)
        if reply.failed and reply.definite:  # all else may have taken effect
            self.unknown = before
        return reply

    def list_logins(self, call: Call) -> Sequence[str]:
        """Return the names of the tokens that a call needs."""
        if not self.sender.is_trusted(call):
            return ()
        if call.tokens is None:
            return () if self.job.verb == "login" else self.carrier.tokens
        return call.tokens

    def read_reply(self, call: Call, reply: Reply) -> Reply:
        """Return the reply, marked as failed where it is a refusal, and add its messages.

        Errors: ValueError and its like for an answer below 400 that is not what it says it is.
        """
        reply, messages = self.replies.read(call, reply)
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
        probe = FieldProbe(carrier, verb, self.job.request, self._answers, self._step, call, self._budget)
        return explain_refused_value(probe, about) or list(messages)

    async def attempt(self, call: Call, tokens: dict[str, Token]) -> Reply:
        """Send a call; one that binds and is lost on its way may have taken effect."""
        request = self.sender.make_request(call, tokens)
        try:
            return await self.sender.send(request, may_repeat=call.may_repeat)
        except BaseException as error:
            if self.job.is_binding(call) and may_have_arrived(error):
                self.unknown = True
            raise

    async def login(self, name: str) -> Token:
        """Return a new token, by the carrier's own flow for it.

        Errors: CarrierError when the carrier refuses.
        """
        run = FlowRun(replace(self.job, verb="login", flow=self.carrier.login(name)), self.context)
        try:
            if not run.begin():
                await run.finish()
        except (CarrierError, asyncio.CancelledError):
            self.sender.traces += run.traces
            raise
        token: Token = run.result
        self.sender.traces += [trace.without(token.value) for trace in run.traces]
        return token

    def stamp_messages(self, messages: Sequence[Message]) -> list[Message]:
        """Return the messages with the connection they came through, and without its secrets."""
        if not messages:
            return []
        source = {"carrier_name": self.carrier.slug, "carrier_id": self.carrier.context.carrier_id}
        hide, names = self.sender.mask().message, ("code", "message", "details")
        return [
            message.model_copy(update={**source, **{name: hide(getattr(message, name)) for name in names}})
            for message in messages
        ]


def may_have_arrived(error: BaseException) -> bool:
    """Whether the carrier may have seen a request that ended like this; after an unexpected error it may."""
    if isinstance(error, TransportError):
        return error.sent
    return not isinstance(error, ShipcliError)
