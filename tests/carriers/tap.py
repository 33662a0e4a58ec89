"""The wire of a bench, tapped: what goes out is kept; answers may be lost, or others put in their place."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from shipcli.carrier import Reply, Request, registry
from shipcli.carrier.sending.ports import TransportError
from shipcli.carrier.simulation.bookings import Refusal
from shipcli.carrier.simulation.simulated_carrier import PLAIN_REFUSALS
from shipcli.carrier.wire.calls import read_origin
from shipcli.models import json as plain_json
from tests.carriers.bench import Bench

Wire = tuple[str, str, bytes]


def wire_of(request: Request) -> Wire:
    """What tells two requests apart."""
    return request.method, request.url, request.content


def let_go(request: Request) -> Reply | None:
    """No answer in place of the carrier's own."""
    return None


def let_come(request: Request, reply: Reply) -> Reply:
    """The carrier's own answer."""
    return reply


@dataclass
class Tap:
    """Stands between the driver of a bench and its simulator.

    Shapes: `instead` answers a request that then never reaches the carrier, None lets it go; `after` is given
            the carrier's answer, and may raise TransportError to lose it. `sent` are the requests in order,
            `received` the answers that came.
    """

    bench: Bench
    instead: Callable[[Request], Reply | None] = let_go
    after: Callable[[Request, Reply], Reply] = let_come
    sent: list[Request] = field(default_factory=list)
    received: list[Reply] = field(default_factory=list)
    near = True

    def __post_init__(self) -> None:
        self._inner = self.bench.driver.transport_of(self.bench.carrier())
        self.bench.driver.transport_of = lambda carrier: self

    async def send(self, request: Request) -> Reply:
        self.sent.append(request)
        reply = self.instead(request)
        if reply is None:
            reply = self.after(request, await self._inner.send(request))
        self.received.append(reply)
        return reply

    def read_sent(self, path: str) -> list[Any]:
        """The JSON bodies that were sent to a path."""
        return [plain_json.loads(sent.content) for sent in self.sent if sent.url.endswith(path)]

    def wires(self) -> list[Wire]:
        return [wire_of(one) for one in self.sent]


def refuse(bench: Bench, request: Request) -> Reply:
    """The refusal of a request, in the carrier's form; of a host that is not its own, a storage's."""
    if not is_own(bench, request):
        return Reply(403, b"<Error>AccessDenied</Error>", {"content-type": "application/xml"})
    simulator: Any = registry.get_simulator(bench.carrier_class.slug)(bench.ledger, lambda: bench.now)
    simulator.authorise = refuse_all
    reply: Reply = simulator.answer(request)
    return reply


def is_own(bench: Bench, request: Request) -> bool:
    """Whether a request goes to a host of the carrier."""
    return read_origin(request.url) in bench.carrier().own_origins()


def refuse_all(request: Request) -> None:
    """In place of a simulator's look at the credentials."""
    raise Refusal(*PLAIN_REFUSALS["invalid"])


# -- what may go wrong with one call ---------------------------------------------------------------

FAULTS = ("lost", "unheard", "broken", "refused")


@dataclass
class Fault:
    """One call of a flow goes wrong, and every repetition of it.

    Shapes: `kind` is `lost` (the carrier acted, its answer never came), `unheard` (it did not act, and no
            answer came), `broken` (status 500) or `refused` (in the carrier's own form); `index` counts the
            different calls from 0.
    """

    bench: Bench
    kind: str
    index: int
    seen: list[Wire] = field(default_factory=list)

    def hits(self, request: Request) -> bool:
        wire = wire_of(request)
        if wire not in self.seen:
            self.seen.append(wire)
        return self.seen.index(wire) == self.index

    def instead(self, request: Request) -> Reply | None:
        if not self.hits(request) or self.kind == "lost":
            return None
        if self.kind == "unheard":
            raise TransportError("no answer in time", sent=True, timed_out=True)
        return refuse(self.bench, request) if self.kind == "refused" else Reply(500, b"<html>Error</html>")

    def after(self, request: Request, reply: Reply) -> Reply:
        if self.hits(request):
            raise TransportError("no answer in time", sent=True, timed_out=True)
        return reply
