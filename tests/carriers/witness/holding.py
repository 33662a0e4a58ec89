"""A carrier's traffic held against what it publishes, by one witness for each kind of description."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from functools import cache
from random import Random
from typing import Protocol

from lxml.etree import QName

from shipcli.carrier import Reply, Request, registry
from shipcli.carrier.simulation.published_documents import (
    ENVELOPES,
    Schemas,
    list_documents,
    list_schema_errors,
)
from shipcli.carrier.wire.calls import Body, read_origin
from shipcli.models import Model
from tests.carriers.bench import AnyCarrier, Bench, lane
from tests.carriers.errands import lane_abroad, verbs_of
from tests.carriers.places import find_recorded
from tests.carriers.schemas import list_places, schemas_of
from tests.carriers.tap import Tap
from tests.carriers.witness.descriptions import Descriptions, list_files, read_descriptions
from tests.carriers.witness.family import list_requests, supply_options
from tests.carriers.witness.judging import Verdict, judge_answer, judge_request
from tests.carriers.witness.services import Services, read_services

SEED = 20241206
MOST_SUPPLIED = 4  # times a request is asked, each time with the options that it was refused for


class Witness(Protocol):
    """Holds one exchange against what is published."""

    def hold(self, request: Request, reply: Reply, verdict: Verdict) -> None: ...

    def hold_hosts(self, hosts: Iterable[str], held: Iterable[str], verdict: Verdict) -> None: ...


@dataclass(frozen=True)
class DescriptionWitness:
    """By OpenAPI and Swagger, of a carrier and of those whose class it extends."""

    slugs: tuple[str, ...]

    @property
    def descriptions(self) -> Descriptions:
        """Read when first asked for: the tests are collected without them."""
        return read_descriptions(self.slugs)

    def hold(self, request: Request, reply: Reply, verdict: Verdict) -> None:
        operation = judge_request(self.descriptions, request, verdict)
        if operation:
            judge_answer(operation, reply, verdict)

    def hold_hosts(self, hosts: Iterable[str], held: Iterable[str], verdict: Verdict) -> None:
        """Against the servers of the operations that were called; of other APIs they may be others.

        Where an operation names none, nobody knows whose servers the others' are.
        """
        called = [one for one in self.descriptions.operations if f"request {one.name} host" in held]
        published = {origin for one in called for origin in one.origins}
        is_said = bool(called) and all(one.origins for one in called)
        strange = [host for host in hosts if is_said and read_origin(host) not in published]
        verdict.add("hosts", hosts if is_said else [], [(host, "is not published") for host in strange])


@dataclass(frozen=True)
class SchemaWitness:
    """By XSD. Of an excerpt, which has not every document, one without a schema is passed; so are faults."""

    schemas: Schemas
    services: Services
    is_whole: bool

    def hold(self, request: Request, reply: Reply, verdict: Verdict) -> None:
        self.hold_service(request, verdict)
        self.hold_body("request", request, verdict)
        self.hold_body("answer", reply, verdict)

    def hold_body(self, side: str, body: Body, verdict: Verdict) -> None:
        for document in list_documents(body):
            if document.tag in self.schemas:
                errors = list_schema_errors(self.schemas, document)
                verdict.add(side, list_places(document), [(each.location, each.text) for each in errors])
            elif self.is_whole and QName(document).namespace not in ENVELOPES:
                verdict.add(side, [], [(QName(document).localname, "no such document is published")])

    def hold_service(self, request: Request, verdict: Verdict) -> None:
        """The action and the path of a document that a WSDL names."""
        for document in list_documents(request):
            if service := self.services.get(document.tag):
                name = QName(document).localname
                verdict.add(f"request {name}", ["action", "path"], service.list_faults(request))

    def hold_hosts(self, hosts: Iterable[str], held: Iterable[str], verdict: Verdict) -> None:
        """A schema names no server, a WSDL the live one."""
        published = {service.origin for service in self.services.values()}
        missing = published - {read_origin(host) for host in hosts}
        verdict.add("hosts", published, [(origin, "is no host of the carrier") for origin in missing])


@dataclass
class Holding:
    """What came of holding one carrier, by verb."""

    verdicts: dict[str, Verdict] = field(default_factory=dict)

    @property
    def faults(self) -> list[str]:
        return list(dict.fromkeys(line for one in self.verdicts.values() for line in one.lines))


@cache
def find_witness(carrier_class: AnyCarrier) -> Witness | None:
    """None for a carrier of which nothing is published here."""
    slugs = list_published_slugs(carrier_class)
    if any(list_files(slug) for slug in slugs):
        return DescriptionWitness(slugs)
    schemas = schemas_of(carrier_class.slug)
    is_whole = find_recorded(carrier_class.slug).is_dir()
    return SchemaWitness(schemas, read_services(carrier_class.slug), is_whole) if schemas else None


def list_published_slugs(carrier_class: AnyCarrier) -> tuple[str, ...]:
    """The carrier, and those whose class it extends: what they publish is of it too."""
    slugs = [vars(one).get("slug") for one in carrier_class.__mro__]
    return tuple(slug for slug in slugs if slug)


def hold_carrier(carrier_class: AnyCarrier, seed: int = SEED) -> Holding:
    """Hold all that its family of requests sends and is answered."""
    return _hold(carrier_class.slug, seed)


@cache
def _hold(slug: str, seed: int) -> Holding:
    carrier_class = registry.get(slug)
    witness = find_witness(carrier_class)
    assert witness, f"nothing is published of {slug}"
    holding, random = Holding(), Random(f"{slug} {seed}")
    for where in filter(None, (lane(carrier_class), lane_abroad(carrier_class))):
        for verb in verbs_of(carrier_class):
            verdict = holding.verdicts.setdefault(verb, Verdict())
            for sent, received in list_exchanges(carrier_class, where, verb, random):
                witness.hold(sent, received, verdict)
    held = {place for one in holding.verdicts.values() for place in one.held}
    witness.hold_hosts(carrier_class.hosts.values(), held, holding.verdicts.setdefault("hosts", Verdict()))
    return holding


def list_exchanges(
    carrier_class: AnyCarrier, where: tuple[str, str], verb: str, random: Random
) -> Iterator[tuple[Request, Reply]]:
    """What the family of a verb makes go out on one lane, and what comes back."""
    bench = Bench(carrier_class, where)
    try:
        tap = Tap(bench)
        for count, request in enumerate(list_requests(bench, verb, random)):
            asked: Model | None = request
            for again in range(MOST_SUPPLIED):
                if asked is not None:
                    tap.sent.clear()
                    tap.received.clear()
                    outcome = bench.ask(verb, asked, key=f"{again:016x}{count + 1:016x}")
                    yield from zip(tap.sent, tap.received, strict=True)
                    asked = supply_options(carrier_class, asked, outcome.messages, random)
    finally:
        bench.close()
