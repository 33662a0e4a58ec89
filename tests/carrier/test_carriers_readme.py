"""The carrier in carriers/README.md works as it stands there."""

from __future__ import annotations

import base64
import re
from collections.abc import Iterator
from decimal import Decimal
from pathlib import Path

import pytest

from shipcli.carrier import registry
from shipcli.drawing import count_pages
from shipcli.models import CancelRequest, TrackingRequest, json
from tests.carriers.bench import AnyCarrier, Bench, parcel, said
from tests.carriers.borders import list_faults
from tests.carriers.declared_goods import check_declared_goods
from tests.carriers.errands import OF_TWO_PARCELS, lane_abroad
from tests.carriers.later_calls import problems
from tests.carriers.option_probes import find_silent_options
from tests.carriers.plugin import installed
from tests.carriers.recordings import Case
from tests.carriers.replay import replay

README = Path(__file__).resolve().parents[2] / "carriers" / "README.md"
BLOCK = re.compile(r"^```python\n# acme/(\w+\.py)\n(.*?)^```", re.DOTALL | re.MULTILINE)
DATA = re.compile(r"^```json acme/(\w+\.json)\n(.*?)^```", re.DOTALL | re.MULTILINE)
BOLT = re.compile(r"^```python\n# bolt/(\w+\.py)\n(.*?)^```", re.DOTALL | re.MULTILINE)
CASE = re.compile(r"^```json\n(\{\n  \"carrier\".*?)^```", re.DOTALL | re.MULTILINE)


@pytest.fixture(scope="module")
def acme(tmp_path_factory: pytest.TempPathFactory) -> Iterator[AnyCarrier]:
    files = dict(BLOCK.findall(README.read_text()) + DATA.findall(README.read_text()))
    with installed(tmp_path_factory.mktemp("plugin"), "acme", "Acme", files) as carrier_class:
        yield carrier_class


@pytest.fixture
def bench(acme: AnyCarrier) -> Iterator[Bench]:
    made = Bench(acme)
    yield made
    made.close()


def test_the_readme_shows_all_four_files() -> None:
    names = [name for found in (BLOCK, DATA) for name, _ in found.findall(README.read_text())]
    assert sorted(names) == ["__init__.py", "catalogue.json", "sandbox.py", "wire.py"]


def test_it_is_listed_beside_the_others(acme: AnyCarrier) -> None:
    assert "acme" in registry.list_slugs()
    assert acme.capabilities() == ["rating", "shipping", "tracking"]


def test_it_quotes(bench: Bench) -> None:
    quotes = bench.quote(parcel("1"), parcel("2")).result or []
    assert {one.service for one in quotes} == {"acme_ground", "acme_express"}


def test_it_keeps_its_limits(acme: AnyCarrier) -> None:
    assert [fault for row in acme.limits.rows for fault in list_faults(acme, row)] == []


def test_it_sells_finds_again_and_voids(bench: Bench) -> None:
    outcome = bench.buy(parcel("1"), parcel("2"))
    assert outcome.result, said(outcome)
    label = outcome.result
    assert count_pages(base64.b64decode(label.docs["label"])) == 2
    found = bench.ask("track", TrackingRequest(tracking_numbers=[label.tracking_number])).result or []
    assert [one.status for one in found] == ["pending"]
    request = bench.request(parcel("1"), parcel("2"))
    again = bench.ask("recover", request, key=f"{bench.purchases:032x}").result
    assert again == label
    request = CancelRequest(shipment_identifier=label.shipment_identifier)
    assert bench.ask("void", request).result
    assert "cancelled already" in said(bench.ask("void", request))


def test_it_keeps_what_the_contract_asks_of_every_carrier(acme: AnyCarrier) -> None:
    assert find_silent_options(acme) == []
    assert [*problems(acme, "ship", OF_TWO_PARCELS), *problems(acme, "void")] == []


def test_it_declares_the_goods_of_a_shipment_abroad(acme: AnyCarrier) -> None:
    bench = Bench(acme, lane_abroad(acme) or ("", ""))
    check_declared_goods(bench)
    bench.close()


def test_its_case_replays(acme: AnyCarrier) -> None:
    found = CASE.search(README.read_text())
    assert found
    report = replay(Case(Path("rates-readme.json"), json.loads(found[1])), lookup=lambda _: acme)
    assert report.lines == []


# -- the carrier that signs, and confirms before it numbers ------------------------------------------


@pytest.fixture(scope="module")
def bolt(tmp_path_factory: pytest.TempPathFactory) -> Iterator[AnyCarrier]:
    files = dict(BOLT.findall(README.read_text()))
    with installed(tmp_path_factory.mktemp("bolt"), "bolt", "Bolt", files) as carrier_class:
        yield carrier_class


def test_an_order_is_known_by_its_identifier_and_then_by_its_number(bolt: AnyCarrier) -> None:
    bench = Bench(bolt)
    assert [quote.total_charge for quote in bench.quote(parcel("9")).result or []] == [Decimal("12.5")]
    outcome = bench.buy()
    assert outcome.result, said(outcome)
    (bought,) = outcome.bought
    assert (bought.tracking_number, bought.shipment_identifier) == (None, outcome.result.shipment_identifier)
    assert outcome.result.tracking_number == str(outcome.result.shipment_identifier)[1:]
    assert bench.ask("void", CancelRequest(shipment_identifier=outcome.result.shipment_identifier)).result
    bench.close()


@pytest.mark.parametrize("verb", ["ship", "void"])
def test_no_call_of_it_that_goes_wrong_loses_an_order(
    bolt: AnyCarrier, verb: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("shipcli.carrier.sending.call_sender.BACKOFF_S", (0.0, 0.0))
    assert problems(bolt, verb) == []


def test_a_wrong_key_or_signature_is_refused(bolt: AnyCarrier, monkeypatch: pytest.MonkeyPatch) -> None:
    bench = Bench(bolt)
    monkeypatch.setattr(bolt, "sign", lambda self, request: request)
    assert "Who are you?" in said(bench.quote())
    bench.close()
    bench = Bench(bolt, credentials={"api_key": "denied"})
    assert "Who are you?" in said(bench.quote())
    bench.close()
