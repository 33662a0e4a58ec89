"""What goes out is valid by the carrier's own schemas, where there are any beside the recordings."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from lxml import etree

from shipcli.carrier import Request
from tests.carriers import deviations
from tests.carriers.bench import AnyCarrier, Bench, lane
from tests.carriers.deviations import HERE
from tests.carriers.errands import ERRANDS, OF_TWO_PARCELS, lane_abroad, run_errand, verbs_of
from tests.carriers.places import RECORDED
from tests.carriers.promises import needs
from tests.carriers.recordings import find
from tests.carriers.replay import login_names, run
from tests.carriers.schemas import Schemas, schemas_of
from tests.carriers.tap import Tap
from tests.shared import find_shared

ENVELOPES = ("http://schemas.xmlsoap.org/soap/envelope/", "http://www.w3.org/2003/05/soap-envelope")
UNEXPECTED, BELOW_ROOT = "SCHEMAV_ELEMENT_CONTENT", 2  # of an error: its kind, and the depth of its path
STRANGER = "This element is not expected"  # where none is missing but one is of another document


def documents(request: Request) -> Iterator[Any]:
    """The XML documents of a request: its body, or what the body of its envelope holds, or its fields."""
    for content in contents(request):
        try:
            root = etree.fromstring(content)
        except etree.XMLSyntaxError:
            continue
        spaces = {etree.QName(root).namespace}
        yield from root.iterfind("{*}Body/*") if spaces & set(ENVELOPES) else [root]


def contents(request: Request) -> list[bytes]:
    """What may be a document: the body, or the fields of a form or of the query."""
    is_form = request.header("content-type").startswith("application/x-www-form-urlencoded")
    fields = {**request.query, **(request.form if is_form else {})}
    return [request.content, *(value.encode() for value in fields.values())]


def errors(schemas: Schemas, document: Any) -> list[str]:
    """What is wrong with a document by the one of its schemas that likes it best.

    Several documents may share their root; a schema that does not know what it holds is of another one.
    """
    name, said = etree.QName(document).localname, []
    for schema in schemas.get(document.tag, ()):
        schema.validate(etree.fromstring(etree.tostring(document)))
        log = list(schema.error_log)
        is_other = any(
            one.type_name == UNEXPECTED and one.path.count("/") == BELOW_ROOT and STRANGER in one.message
            for one in log
        )
        said.append((is_other, [f"{name}: {one.message}" for one in log]))
    return min(said, key=lambda one: (one[0], len(one[1])), default=(False, []))[1]


def sent_by(carrier_class: AnyCarrier) -> Iterator[Request]:
    """All that goes out in its own cases, for every verb at home, and for two parcels at home and abroad."""
    yield from sent_in_cases(carrier_class)
    home, abroad = lane(carrier_class), lane_abroad(carrier_class)
    for verb in verbs_of(carrier_class):
        yield from sent(carrier_class, home, verb)
    for where in filter(None, (home, abroad)):
        if carrier_class.can("ship") and carrier_class.can("rate"):
            yield from sent(carrier_class, where, "ship", two=True)


def sent(carrier_class: AnyCarrier, where: tuple[str, str], verb: str, *, two: bool = False) -> list[Request]:
    bench = Bench(carrier_class, where)
    try:
        request = (OF_TWO_PARCELS if two else ERRANDS)[verb](bench)
        tap = Tap(bench)
        run_errand(bench, verb, request)
        return tap.sent
    finally:
        bench.close()


def sent_in_cases(carrier_class: AnyCarrier) -> Iterator[Request]:
    for case in find([HERE / carrier_class.slug / "cases"]):
        for name in login_names(case, carrier_class)[:1]:
            yield from (one.request for one in run(case, carrier_class, name)[1].sent)


@needs(network=True, when=lambda carrier: not RECORDED.is_dir() or bool(schemas_of(carrier.slug)))
def test_what_goes_out_is_valid_by_the_carriers_schemas(carrier_class: AnyCarrier) -> None:
    find_shared("carriers")
    schemas = schemas_of(carrier_class.slug)
    found = [one for request in sent_by(carrier_class) for one in documents(request)]
    assert any(one.tag in schemas for one in found), "no document that goes out is in its schemas"
    wrong = list(dict.fromkeys(line for one in found for line in errors(schemas, one)))
    declared = [
        one for one in deviations.of_carrier(carrier_class.slug) if one.operation == deviations.SCHEMA
    ]
    assert deviations.covering(wrong, declared) == declared, "take out what departs from no schema any more"
    wrong = deviations.undeclared(wrong, declared)
    assert not wrong, "\n".join(["", *wrong])
