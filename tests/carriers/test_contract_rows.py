"""One value of an answer that makes no sense loses no more than its own row, and never a paid label.

Every answer of the cases and recordings is given to the reader with each of its values removed, null, and of
another type in turn.
"""

from __future__ import annotations

import logging
import re
from collections.abc import Iterator, Sequence
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

import pytest
from shipcli.carriers.asendia_us import AsendiaUs
from shipcli.carriers.dhl_parcel_de import DhlParcelDe
from shipcli.carriers.dpdhl import Dpdhl
from shipcli.carriers.seko import Seko
from shipcli.carriers.seko.manifests import read_manifest
from shipcli.carriers.sendle import Sendle
from shipcli.carriers.usps import Usps
from shipcli.carriers.usps_wt import UspsWt

from shipcli.carrier import Reply, Request
from shipcli.carrier.sending.jobs import FlowOutcome
from shipcli.carrier.wire.rows import UNREADABLE_ROW, collect_unread, read_each
from shipcli.carrier.wire.xml import parse, require
from shipcli.models import CancelRequest, Tracking
from tests.carriers.bench import AnyCarrier, Bench, said
from tests.carriers.damage import Damage, list_damages
from tests.carriers.places import HAND_MADE, list_recorded_rows
from tests.carriers.recordings import Case, find
from tests.carriers.replay import Rerun
from tests.carriers.tap import Tap

# What names a bought shipment or holds its paper, or says whether it was bought at all.
NAMES_IT = re.compile(
    r"(?i)number|numero|id\b|ids\b|code|label|image|content|document|file|pages|strings|error|erreur|msg|success"
    r"|status|barcode|connote|connumber|reference|tracking|etiquette|suivi|pin/value|url|pdf|zpl|data|result|mime|shipmentno"
)

# What says whether there is a collection at all, and the member that a form is in.
DECIDES_IT = re.compile(r"on-demand-tour|ResponseMessage|CollectionOrder")


@pytest.fixture(scope="module")
def rerun() -> Iterator[Rerun]:
    logging.getLogger("shipcli.driver").setLevel(logging.CRITICAL)
    runner = Rerun()
    yield runner
    runner.driver.close()
    logging.getLogger("shipcli.driver").setLevel(logging.NOTSET)


def list_cases(operation: str) -> list[Any]:
    """Hand-made cases, and those beside the checkout where there are any."""

    def read(place: Path) -> list[Case]:
        return [case for case in find_checked(place) if case.operation == operation]

    return [*read(HAND_MADE), *list_recorded_rows(read)]


@cache
def find_checked(place: Path) -> list[Case]:
    """Those whose exchange and parsed result are both recorded."""
    return [case for case in find([place]) if case.data.get("http") and "parsed" in case.checks]


def skip_others(case: Case, request: pytest.FixtureRequest) -> None:
    chosen = request.config.getoption("--carrier")
    if chosen and case.slug not in chosen:
        pytest.skip("another carrier was asked for")


def explain(damage: Damage, outcome: FlowOutcome[Any]) -> str:
    return f"{damage.place}: {[f'{one.code}: {one.message}' for one in outcome.messages]}"


@pytest.mark.parametrize("case", list_cases("rates"), ids=lambda case: case.key)
def test_one_unreadable_value_loses_one_price_at_most(
    case: Case, rerun: Rerun, request: pytest.FixtureRequest
) -> None:
    skip_others(case, request)
    whole = rerun.run(case).result or []
    for damage in list_damages(case) if whole else ():
        outcome = rerun.run(damage.case)
        assert len(outcome.result or []) >= len(whole) - 1, explain(damage, outcome)
        assert "unreadable_reply" not in {one.code for one in outcome.messages}, explain(damage, outcome)


@pytest.mark.parametrize("case", list_cases("tracking"), ids=lambda case: case.key)
def test_one_unreadable_value_loses_one_scan_or_one_parcel_at_most(
    case: Case, rerun: Rerun, request: pytest.FixtureRequest
) -> None:
    skip_others(case, request)
    whole: list[Tracking] = rerun.run(case).result or []
    for damage in list_damages(case) if whole else ():
        outcome = rerun.run(damage.case)
        rest: list[Tracking] = outcome.result or []
        assert len(rest) >= len(whole) - 1, explain(damage, outcome)
        assert len(rest) == len(whole) or outcome.messages, explain(damage, outcome)
        if len(rest) == len(whole):
            lost = sum(len(one.events) for one in whole) - sum(len(one.events) for one in rest)
            assert lost <= 1, explain(damage, outcome)


@pytest.mark.parametrize("case", list_cases("shipment"), ids=lambda case: case.key)
def test_one_unreadable_value_loses_no_paid_label(
    case: Case, rerun: Rerun, request: pytest.FixtureRequest
) -> None:
    skip_others(case, request)
    whole = rerun.run(case).result
    for damage in list_damages(case) if whole else ():
        outcome = rerun.run(damage.case)
        spared = not outcome.unknown or outcome.paid or NAMES_IT.search(damage.place)
        assert outcome.result or spared, explain(damage, outcome)


@pytest.mark.parametrize(
    "case",
    [case for operation in ("pickup", "pickup_update", "manifest") for case in list_cases(operation)],
    ids=lambda case: case.key,
)
def test_one_unreadable_value_loses_no_collection_and_no_manifest(
    case: Case, rerun: Rerun, request: pytest.FixtureRequest
) -> None:
    skip_others(case, request)
    whole = rerun.run(case).result
    for damage in list_damages(case) if whole else ():
        outcome = rerun.run(damage.case)
        spared = NAMES_IT.search(damage.place) or DECIDES_IT.search(damage.place)
        assert outcome.result or spared, explain(damage, outcome)


def test_one_unreadable_manifest_of_several_loses_no_other() -> None:
    rows = [
        {"ManifestedConnotes": 7, "ManifestContent": "JVBERi0="},
        {"ManifestNumber": "M2", "ManifestedConnotes": ["C3"]},
    ]
    with collect_unread() as messages:
        manifest = read_manifest({"OutboundManifest": rows})
    assert manifest.meta == {"ManifestNumber": "M2", "ManifestNumbers": ["M2"], "ManifestConnotes": ["C3"]}
    assert manifest.doc
    assert {one.code for one in messages} == {UNREADABLE_ROW}


# -- the kit ---------------------------------------------------------------------------------------


def read_price(row: dict[str, Any]) -> int:
    return int(row["price"]["amount"])


def test_the_row_that_cannot_be_read_is_named_by_what_it_lacks_and_never_by_a_value() -> None:
    rows = [{"price": {"amount": "5"}}, {"price": {"amount": "s3cret"}}, {"price": {}}, {"price": None}]
    with collect_unread() as messages:
        assert read_each(rows, read_price) == [5]
    assert [one.code for one in messages] == [UNREADABLE_ROW] * 2
    assert "price/amount" in str(messages[0].message)
    assert "s3cret" not in str(messages)
    assert "(price)" in str(messages[1].message)


def test_a_row_of_xml_is_named_by_its_path() -> None:
    root = parse("<Prices><Price><Amount>5</Amount></Price><Price><Amount/></Price></Prices>")
    with collect_unread() as messages:
        assert read_each(root.findall("Price"), lambda node: int(require(node, "Amount"))) == [5]
    assert "Price/Amount" in str(messages[0].message)


# -- voids -----------------------------------------------------------------------------------------


class Answer(NamedTuple):
    """What a carrier answers to the void of two labels, and where it says nothing of the second."""

    carrier_class: AnyCarrier
    replies: Sequence[bytes]


SAID, UNSAID = "00340434161094042557", "00340434161094042564"
SOAP_STATE = f"""<E><Body><R><Status><statusCode>0</statusCode><statusText>ok</statusText></Status>
<DeletionState><shipmentNumber>{SAID}</shipmentNumber>
<Status><statusCode>0</statusCode><statusText>ok</statusText></Status></DeletionState>%s</R></Body></E>"""
HALF_VOIDS = (
    Answer(Seko, [b'{"%s": "Deleted"}' % SAID.encode()]),
    Answer(Seko, [b'{"%s": "Deleted", "%s": 7}' % (SAID.encode(), UNSAID.encode())]),
    Answer(AsendiaUs, [b'{"responseStatusCode": 200}', b'{"responseStatusMessage": ""}']),
    Answer(UspsWt, [b"<eVSCancelResponse><Status>Cancelled</Status></eVSCancelResponse>",
                    b"<eVSCancelResponse><Reason>-</Reason></eVSCancelResponse>"]),
    Answer(Usps, [b'{"status": "CANCELED"}', b'"status"']),
    Answer(Sendle, [b'{"state": "Cancelled"}', b"[]"]),
    Answer(DhlParcelDe, [b'{"items": [{"shipmentNo": "%s", "sstatus": {"title": "OK"}}]}' % SAID.encode()]),
    Answer(DhlParcelDe, [b'{"items": [{"shipmentNo": "%s", "sstatus": {"title": "OK"}}, {"shipmentNo": "%s", '
                         b'"sstatus": 7}]}' % (SAID.encode(), UNSAID.encode())]),
    Answer(Dpdhl, [(SOAP_STATE % "").encode()]),
    Answer(Dpdhl, [(SOAP_STATE % f"<DeletionState><shipmentNumber>{UNSAID}</shipmentNumber></DeletionState>")
                   .encode()]),
)  # fmt: skip


def is_void(request: Request) -> bool:
    text = f"{request.method} {request.url} {request.content!r}"
    return any(word in text for word in ("DELETE", "eVSCancel", "labels/delete", "DeleteShipmentOrder"))


@pytest.mark.parametrize("answer", HALF_VOIDS, ids=lambda one: one.carrier_class.slug)
def test_a_label_of_which_a_void_says_nothing_is_named_beside_the_others(answer: Answer) -> None:
    """The others are cancelled; this one counts as not cancelled."""
    bench = Bench(answer.carrier_class)
    replies = iter(answer.replies)
    tap = Tap(bench)
    tap.instead = lambda request: Reply(200, next(replies)) if is_void(request) else None
    request = CancelRequest(shipment_identifier=SAID, options={"shipment_identifiers": [SAID, UNSAID]})
    outcome = bench.ask("void", request)
    bench.close()
    assert outcome.result is not None, said(outcome)
    assert outcome.result.success is False
    assert [one.code for one in outcome.messages] == [UNREADABLE_ROW]
