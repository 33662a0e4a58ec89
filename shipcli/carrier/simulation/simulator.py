"""The base of every carrier's simulator: routes, log-in, ledger and refusals.

A simulator speaks its carrier's wire format. It takes the kit's own `Request` and returns the kit's own
`Reply`, records what it sold in the ledger, refuses what its carrier would refuse, and knows no other time
than the injected clock.
"""

from __future__ import annotations

import base64
import inspect
import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from datetime import datetime
from itertools import chain
from typing import TYPE_CHECKING, Any, ClassVar, Literal, NamedTuple, TypeVar

from shipcli.carrier.simulation.backend import SimulatorBackend
from shipcli.carrier.simulation.bookings import LABEL, MANIFEST, PICKUP, Booking, Refusal, Surcharge
from shipcli.carrier.simulation.ledger import Ledger, StorageHost
from shipcli.carrier.simulation.points import PointDirectory, SimulatedPoint
from shipcli.carrier.simulation.price_list import Tariff
from shipcli.carrier.simulation.published_schema import read_published_schema
from shipcli.carrier.simulation.rules import RuleProblem, Rules, convert_to_plain
from shipcli.carrier.simulation.scenarios import ANSWER_LOST, EXPIRED, find_code
from shipcli.carrier.simulation.simulated_carrier import SimulatedCarrier
from shipcli.carrier.wire.calls import REFUSAL_HEADER, REFUSED_VALUE_HEADER, TIMED_OUT_HEADER, Reply, Request
from shipcli.carrier.wire.json_paths import Json
from shipcli.drawing.errors import Unprintable
from shipcli.models import json as plain_json

if TYPE_CHECKING:
    from lxml.etree import _Element

__all__ = [
    "LABEL",
    "MANIFEST",
    "PICKUP",
    "Booking",
    "Refusal",
    "Simulator",
    "Surcharge",
    "Tariff",
    "route",
]

Handler = Callable[[Any, Request, dict[str, str]], Reply]
H = TypeVar("H", bound=Callable[..., Reply])

SLOW_S = 8.0
UNPRINTABLE = "unprintable"


AUTH_WORD = re.compile(r"^(?:Bearer|Token) ", re.IGNORECASE)


class SimulatorRoute(NamedTuple):
    """Which requests a handler answers; `root` and `action` tell documents of one address apart."""

    method: str
    pattern: re.Pattern[str]
    root: str | None = None
    action: str | None = None

    def match(self, request: Request) -> dict[str, str] | None:
        """Return the named segments of the path, or None if the request is for another handler."""
        match = self.pattern.match(request.path) if self.method == request.method else None
        if match is None or (self.action and read_action_of(request).rpartition("/")[2] != self.action):
            return None
        return match.groupdict() if self.root in (None, find_root(request)) else None


def route(method: str, path: str, *, root: str | None = None, action: str | None = None) -> Callable[[H], H]:
    """Mark a method as the handler of a path; `{name}` matches one segment and is passed by that name.

    `root` is the name of the document's root, of a SOAP message that of the element in its body; `action` the
    last part of its SOAPAction.
    """
    pattern = re.compile(re.sub(r"\{(\w+)\}", r"(?P<\1>[^/]+)", path) + r"/?\Z")

    def mark(handler: H) -> H:
        routes: list[SimulatorRoute] = getattr(handler, "routes", [])
        handler.routes = [*routes, SimulatorRoute(method, pattern, root, action)]  # type: ignore[attr-defined]
        return handler

    return mark


def find_root(request: Request) -> str | None:
    """Return the root of an XML request (in an envelope, that of its body), or None if it is no XML."""
    try:
        root = request.xml
    except ValueError:
        return None
    body = root.find("Body") if root.tag == "Envelope" else None
    return str(body[0].tag if body is not None and len(body) else root.tag)


def read_action_of(request: Request) -> str:
    from shipcli.carrier.wire.soap import read_action

    return read_action(request)


class Simulator(SimulatedCarrier):
    """One carrier's server. Subclasses set `slug` and define handlers with `@route`."""

    # bearer: a token that the log-in issued; token: a fixed key of the account; of body see `is_authorised`
    auth_scheme: ClassVar[Literal["basic", "bearer", "token", "body"] | None] = None
    token_header: ClassVar[str] = "authorization"  # the header of either token, after a word or without
    open_paths: ClassVar[tuple[str, ...]] = ()  # paths of the log-in itself
    token_life_s: ClassVar[int] = 3600
    request: Request  # the one being answered: answers are named after it, or have its form
    example_point: ClassVar[str] = ""  # the id of a place that is known before anybody looked for it
    storage: ClassVar[str] = ""  # the address, outside its API, of files that are handed out as links
    _routes: ClassVar[list[tuple[SimulatorRoute, str]]]

    def __init_subclass__(cls, **kwargs: Any) -> None:
        super().__init_subclass__(**kwargs)
        names = [name for name in dir(cls) if hasattr(getattr(cls, name), "routes")]
        cls._routes = [(route, name) for name in names for route in getattr(cls, name).routes]

    def __init__(self, ledger: Ledger, clock: Callable[[], datetime]) -> None:
        super().__init__(ledger, clock)
        self._has_expired = False  # the credentials of the request being answered
        self._passed: Request | None = None  # the last request that keeps what is published
        self.backend = SimulatorBackend(self)
        self.files = StorageHost(ledger, self.slug, self.storage)
        self.points = PointDirectory(ledger, self.slug, self.make_point_id, self.example_point)

    # -- answering -----------------------------------------------------------------------------

    def answer(self, request: Request) -> Reply:
        """Return the reply to a request; one ledger transaction."""
        trouble = SCENARIOS.get(request.scenario or "") or find_number_trouble(request)
        if trouble and trouble.status != 200:
            return trouble
        try:
            with self.ledger.transaction():
                reply = self.dispatch(request)
        except Unprintable as error:  # the label can't be drawn: the ledger has rolled back, nothing is sold
            body = {"code": UNPRINTABLE, "message": str(error), "character": error.character}
            reply = self.json({"errors": [body]}, 400, {REFUSAL_HEADER: UNPRINTABLE})
        if request.scenario == ANSWER_LOST and request.is_binding:
            return SCENARIOS["closed"]
        return replace(reply, delay_s=trouble.delay_s) if trouble else reply

    def dispatch(self, request: Request) -> Reply:
        """Return the handler's answer, refusals in the carrier's own form."""
        self.request, self.scenario, self.numbers = request, request.scenario, request.numbers
        self.purchase_key = request.purchase
        self._has_expired, self.sold_now = False, []
        if self.files.hosts(request):
            return self.files.answer(request)
        try:
            for route, name in self._routes:
                match = route.match(request)
                if match is not None:
                    return self.authorise(request) or getattr(self, name)(request, match)
        except Refusal as refusal:
            self.take_back()
            if self._has_expired:
                refusal.text = EXPIRED
            return name_refused_value(self.refuse(refusal), refusal.problem)
        return Reply(404, f"no such path: {request.method} {request.path}".encode())

    def refuse(self, refusal: Refusal) -> Reply:
        """Write a refusal as the carrier does."""
        body = {"code": refusal.code, "message": refusal.text}
        return self.json({"errors": [body]}, refusal.status)

    def enforce(self, rules: Rules, body: Any) -> None:
        """Errors: Refusal for the first thing wrong with a request, by the rules and what is published."""
        for problem in chain(rules.problems(body), self._list_published_problems()):
            code = problem.code or self.refusal("invalid").code
            raise Refusal(code, problem.text, path=problem.path, problem=problem)

    def _list_published_problems(self) -> Iterator[RuleProblem]:
        """Yield what is wrong with the request by what is published; one that passed is not asked again."""
        schema = read_published_schema(inspect.getfile(type(self)))
        if schema and self._passed is not self.request:
            yield from schema.problems(self.request)
            self._passed = self.request

    def make_point_id(self, number: int) -> str:
        """Return the id of a place where parcels are handed in or fetched, from a large number."""
        raise NotImplementedError(self.slug)

    def require_point(self, id: str) -> SimulatedPoint:
        """Errors: Refusal `unknown_point` for a place that is not known, or hands out no parcels."""
        point = self.points.find(id)
        if point is None or not point.pick_up:
            raise self.refusal("unknown_point", id)
        return point

    def read_xml(self, request: Request, root: str, rules: Rules) -> Json:
        """Return the document of a request as `convert_to_plain` does.

        Errors: Refusal for what is no XML, for another root, for the first field that is wrong.
        """
        try:
            node = request.xml
        except ValueError as error:
            raise Refusal(self.refusal("invalid").code, str(error)) from error
        body = convert_to_plain(node)
        if node.tag != root or not isinstance(body, dict):
            raise Refusal(self.refusal("invalid").code, f"a {root} is expected")
        self.enforce(rules, body)
        return body

    def read_soap(self, request: Request, rules: Rules | None = None) -> Json:
        """Return the content of a SOAP body as `convert_to_plain` does.

        Errors: Refusal for the first field that is wrong; ValueError for what is no envelope.
        """
        from shipcli.carrier.wire.soap import read_body

        body: Json = convert_to_plain(read_body(request))
        self.enforce(rules or Rules(), body)
        return body

    def authorise(self, request: Request) -> Reply | None:
        """Return a refusal when the credentials are wrong, None when they are right.

        By convention of the sandbox, credentials that contain "denied" or "expired" are refused.
        Errors: Refusal `bad_login`.
        """
        if self.auth_scheme and not self.is_authorised(request):
            raise self.refusal("bad_login")
        return None

    def is_authorised(self, request: Request) -> bool:
        """Whether a request carries valid credentials; to override where they stand in the body."""
        if request.path in self.open_paths:
            return True
        if self.auth_scheme == "basic":
            return self.is_valid_client(*read_basic(request))
        token = AUTH_WORD.sub("", request.header(self.token_header))
        return self.is_valid_client("key", token) if self.auth_scheme == "token" else self.is_fresh(token)

    def is_valid_client(self, user: str, password: str) -> bool:
        return bool(user and password) and not self.refuses_credentials(user, password)

    def issue_token(self) -> str:
        """Return a token that says when it was issued."""
        return f"{self.slug}-sandbox-{int(self.clock().timestamp() * 1000)}"

    def is_fresh(self, token: str) -> bool:
        """Whether a token was issued here and has not expired."""
        name, _, issued = token.rpartition("-")
        if name != f"{self.slug}-sandbox" or not issued.isdecimal():
            return False
        return int(issued) + self.token_life_s * 1000 > int(self.clock().timestamp() * 1000)

    def observe(self, verb: str, carrier: Any, result: Any) -> None:
        """Enter in the ledger what a carrier without a network sold; other carriers need nothing here."""

    def refuses_credentials(self, *values: str) -> bool:
        self._has_expired = any("expired" in value for value in values)
        return self._has_expired or any("denied" in value for value in values)

    # -- replies -------------------------------------------------------------------------------

    def json(self, body: Any, status: int = 200, headers: Mapping[str, str] | None = None) -> Reply:
        return Reply(
            status, plain_json.dump_bytes(body), {"content-type": "application/json", **(headers or {})}
        )

    def xml(self, tree: _Element, status: int = 200) -> Reply:
        from shipcli.carrier.wire.xml import render

        return Reply(status, render(tree), {"content-type": "text/xml; charset=utf-8"})

    def file(self, content: bytes, content_type: str) -> Reply:
        return Reply(200, content, {"content-type": content_type})


def name_refused_value(reply: Reply, problem: RuleProblem | None) -> Reply:
    """Return a refusal with the value that the carrier's description forbids, if that is why."""
    if problem is None or not problem.reason:
        return reply
    value = None if problem.value is None else str(problem.value)
    about = {"path": problem.path, "reason": problem.reason, "value": value}
    return replace(reply, headers={**reply.headers, REFUSED_VALUE_HEADER: plain_json.dumps(about)})


def read_basic(request: Request) -> tuple[str, str]:
    """Return user and password of a Basic authorisation, empty if there is none."""
    kind, _, value = request.header("authorization").partition(" ")
    try:
        user, _, password = base64.b64decode(value, validate=True).decode().partition(":")
    except ValueError:
        return "", ""
    return (user, password) if kind == "Basic" else ("", "")


# Scenarios that have nothing to do with a carrier's format.
SCENARIOS: Mapping[str, Reply] = {
    "error": Reply(500, b"<html><body>Internal Server Error</body></html>", {"content-type": "text/html"}),
    "garbled": Reply(202, b'{"half": [', {"content-type": "application/json"}),
    "unavailable": Reply(503, b"", {}),
    "rate_limited": Reply(429, b"", {"retry-after": "60"}),
    "closed": Reply(0),
    "slow": Reply(200, delay_s=SLOW_S),
    "timeout": Reply(200, delay_s=3600.0),
}
LATE = Reply(0, headers={TIMED_OUT_HEADER: "1"})
NUMBER_TROUBLES: Mapping[str, Reply] = {
    "91": SCENARIOS["error"],
    "92": LATE,
    "93": SCENARIOS["rate_limited"],
    "94": SCENARIOS["error"],
}
TROUBLED = re.compile(rb"(?<![A-Za-z0-9])SC(9[1-4])\d{8}(?![0-9])")


def find_number_trouble(request: Request) -> Reply | None:
    """The answer to a request about a tracking number that stands for trouble."""
    if request.numbers:  # of labels to buy: only their tracking is in trouble
        return None
    match = TROUBLED.search(request.url.encode() + b" " + request.content)
    code = match.group(1).decode() if match else find_code(request.scenario)
    return NUMBER_TROUBLES.get(code or "")
