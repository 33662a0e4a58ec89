"""A simulator refuses documents that its carrier's schema forbids, wherever it reads them."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Any
from urllib.parse import parse_qsl, urlencode, urlsplit

import pytest
from lxml import etree

from shipcli.carrier import Reply, Request, registry
from shipcli.carrier.simulation.published_documents import (
    ENVELOPES,
    NAME,
    REASONS,
    UNTYPED,
    PublishedDocuments,
    list_documents,
)
from tests.carriers.bench import AnyCarrier, Bench, lane
from tests.carriers.errands import ERRANDS, KEY, verbs_of
from tests.carriers.promises import needs
from tests.carriers.published import find_schema_file
from tests.carriers.tap import Tap

STRANGER = "unpublished"
BY_SCHEMA = (*REASONS.values(), UNTYPED)


def has_documents(carrier_class: AnyCarrier) -> bool:
    return find_schema_file(carrier_class, NAME).is_file()


@needs(network=True, when=has_documents)
def test_a_document_with_an_element_that_nobody_publishes_is_refused(carrier_class: AnyCarrier) -> None:
    published = PublishedDocuments(find_schema_file(carrier_class, NAME).read_bytes())
    roots = {root for each in published.sets for root in each.roots}
    verdicts = [
        (request.path, is_refused(bench, add_stranger(request)))
        for bench, request in list_sent(carrier_class)
        if any(document.tag in roots for document in list_documents(request))
    ]
    assert verdicts
    assert [path for path, refused in verdicts if not refused] == []


def list_sent(carrier_class: AnyCarrier) -> Iterator[tuple[Bench, Request]]:
    """What every verb sends, with the bench on which it was sent."""
    for verb in verbs_of(carrier_class):
        bench = Bench(carrier_class, lane(carrier_class))
        try:
            request, tap = ERRANDS[verb](bench), Tap(bench)
            bench.ask(verb, request, key=KEY)
            for sent in list(tap.sent):
                yield bench, sent
        finally:
            bench.close()


def is_refused(bench: Bench, request: Request) -> bool:
    """Whether the simulator refuses a request by its schema."""
    refusals: list[Any] = []
    simulator: Any = registry.get_simulator(bench.carrier_class.slug)(bench.ledger, lambda: bench.now)
    simulator.authorise = lambda request: None
    simulator.refuse = lambda refusal: refusals.append(refusal) or Reply(400)
    simulator.answer(request)
    return any(refusal.text.endswith(BY_SCHEMA) for refusal in refusals)


def add_stranger(request: Request) -> Request:
    """A request whose document has one more element at its end."""
    address = urlsplit(request.url)
    query = urlencode([(name, add_to(value)) for name, value in parse_qsl(address.query, True)])
    changed = replace(request, url=address._replace(query=query).geturl())
    if request.header("content-type").startswith("application/x-www-form-urlencoded"):
        fields = [(name, add_to(value)) for name, value in request.form.items()]
        return replace(changed, content=urlencode(fields).encode())
    return replace(changed, content=add_to(request.content.decode()).encode())


def add_to(text: str) -> str:
    try:
        root = etree.fromstring(text.encode())
    except etree.XMLSyntaxError:
        return text
    document = next(root.iterfind("{*}Body/*")) if etree.QName(root).namespace in ENVELOPES else root
    etree.SubElement(document, STRANGER)
    return etree.tostring(root, encoding="unicode")


def test_a_refusal_by_schema_tells_no_value() -> None:
    """It may be a secret."""
    schema = (
        '<schemas><set roots="Order"><xs:schema xmlns:xs="http://www.w3.org/2001/XMLSchema">'
        '<xs:element name="Order"><xs:complexType><xs:attribute name="key"><xs:simpleType>'
        '<xs:restriction base="xs:string"><xs:enumeration value="A"/></xs:restriction></xs:simpleType>'
        "</xs:attribute></xs:complexType></xs:element></xs:schema></set></schemas>"
    )
    request = Request("POST", "https://example.com/", {}, b'<Order key="secret-word"/>')
    problems = list(PublishedDocuments(schema.encode()).problems(request))
    assert problems[0].path == "Order/@key"
    assert problems[0].text == "Order/@key: is none of the values that are known"
    assert not any("secret-word" in problem.text for problem in problems)


@pytest.mark.parametrize(("number", "count"), [("SC0300000004", 0), ("SC03000000041", 1)])
def test_magic_numbers_of_the_sandbox_may_have_any_form(number: str, count: int) -> None:
    schema = (
        '<schemas><set roots="Track"><xs:schema xmlns:xs="http://www.w3.org/2001/XMLSchema">'
        '<xs:element name="Track"><xs:simpleType><xs:restriction base="xs:string"><xs:maxLength value="11"/>'
        "</xs:restriction></xs:simpleType></xs:element></xs:schema></set></schemas>"
    )
    request = Request("POST", "https://example.com/", {}, f"<Track>{number}</Track>".encode())
    assert len(list(PublishedDocuments(schema.encode()).problems(request))) == count
