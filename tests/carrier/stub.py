"""A carrier for tests whose flows are given from outside, and a transport that answers by a function."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from typing import Any

from pydantic import SecretStr

from shipcli.carrier import Call, Carrier, CarrierConfig, Context, Credentials, Flow, Reply, Request, Token
from shipcli.carrier.sending.driver import Driver
from shipcli.carrier.sending.jobs import CarrierJob, FlowOutcome
from shipcli.carrier.sending.ports import Trace
from shipcli.models import Message
from shipcli.models import json as plain_json

NOON = datetime(2025, 3, 3, 12, 0, tzinfo=UTC)
Answer = Callable[[Request], Reply]


class StubAccount(Credentials):
    user: str = "ann"
    password: SecretStr = SecretStr("pa&ss w/rd")
    level: int = 1


class Stub(Carrier[StubAccount, CarrierConfig]):
    """A flow asks what it likes; bodies are JSON, {"error": ...} is a refusal with status 200."""

    slug = "stub"
    name = "Stub"
    hosts = {True: "https://test.stub.example", False: "https://stub.example"}
    other_hosts = {"track": {True: "https://track.test.example", False: "https://track.example"}}
    Credentials = StubAccount
    Config = CarrierConfig

    def login(self, name: str) -> Flow[Token]:
        reply = yield Call(
            "POST", f"/login/{name}", form={"password": self.account.password.get_secret_value()}
        )
        return Token(reply.json["token"], self.now + timedelta(hours=1))

    def is_refusal(self, reply: Reply) -> bool:
        return reply.status >= 400 or "error" in reply.json

    def read_messages(self, reply: Reply) -> Sequence[Message]:
        error = reply.json.get("error")
        return [Message(code=error, message=f"the carrier says {error}")] if error else []


class StubWithToken(Stub):
    tokens = ("access",)


class OwnServer(CarrierConfig):
    server_url: str = "https://own.stub.example/v2"


class StubWithServer(StubWithToken):
    Config = OwnServer


class Wire:
    """A transport that answers by a function and keeps what was asked; `delay_s` before each answer."""

    def __init__(self, answer: Answer | None = None, *, delay_s: float = 0.0) -> None:
        self.answer, self.delay_s = answer or (lambda request: ok({})), delay_s
        self.requests: list[Request] = []

    async def send(self, request: Request) -> Reply:
        self.requests.append(request)
        await asyncio.sleep(self.delay_s)
        return self.answer(request)

    def paths(self) -> list[str]:
        return [request.path for request in self.requests]


class MemoryTraceLog:
    """A trace log in a list."""

    def __init__(self) -> None:
        self.traces: list[Trace] = []

    def record(self, traces: Sequence[Trace]) -> None:
        self.traces += traces


def ok(body: Any, status: int = 200, **headers: str) -> Reply:
    return Reply(
        status, plain_json.dump_bytes(body), {name.replace("_", "-"): one for name, one in headers.items()}
    )


def in_turn(*replies: Reply | Exception) -> Answer:
    """The replies one after the other, the last one for ever; exceptions are raised."""
    left = list(replies)

    def answer(request: Request) -> Reply:
        reply = left.pop(0) if len(left) > 1 else left[0]
        if isinstance(reply, Exception):
            raise reply
        return reply

    return answer


def make_stub(carrier: type[Stub] = Stub, **context: Any) -> Stub:
    return carrier(
        StubAccount(), carrier.Config(), Context(**{"now": NOON, "connection_id": "car_1", **context})
    )


@contextmanager
def driving(wire: Any, **arguments: Any) -> Iterator[Driver]:
    driver = Driver(lambda carrier: wire, **{"clock": lambda: NOON, **arguments})
    try:
        yield driver
    finally:
        driver.close()


def run(
    wire: Any, flow: Flow[Any], carrier: Stub | None = None, verb: str = "rate", **arguments: Any
) -> FlowOutcome[Any]:
    """One flow from start to end."""
    with driving(wire, **arguments) as driver:
        return driver.run(CarrierJob(carrier or make_stub(), verb, flow))


def one(*calls: Call) -> Flow[Any]:
    """A flow that asks calls one after the other and returns the last body."""
    body: Any = None
    for call in calls:
        reply = yield call
        body = reply.json
    return body


def together(*calls: Call) -> Flow[list[Any]]:
    """A flow that asks calls at once and returns the bodies of those that went well."""
    replies = yield list(calls)
    return [reply.json for reply in replies if reply.ok]
