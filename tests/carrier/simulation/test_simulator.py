"""The base of the simulators: routes, scenarios, prices and the ledger."""

from __future__ import annotations

import asyncio
import threading
from decimal import Decimal
from typing import Any

import pytest

from shipcli.carrier import Call, Reply, Request
from shipcli.carrier.sending.transport import SimulatorTransport
from shipcli.carrier.simulation.ledger import StorageHost
from shipcli.carrier.simulation.price_list import Tariff, price, zone
from shipcli.carrier.simulation.simulator import Simulator, route
from tests.carrier.stub import NOON, make_stub, one, run
from tests.memory_ledger import MemoryLedger

GROUND = Tariff(code="GND", base=Decimal("4.10"), per_kg=Decimal("1.35"), days=4, domestic=True)
ABROAD = Tariff(code="INT", base=Decimal(20), per_kg=Decimal(4), days=8, domestic=False, max_kg=Decimal(2))


class StubSandbox(Simulator):
    slug = "stub"
    tariffs = (GROUND, ABROAD)

    @route("GET", "/labels/{number}")
    def look(self, request: Request, path: dict[str, str]) -> Reply:
        return self.json({"number": path["number"]})

    @route("POST", "/labels")
    def sell_one(self, request: Request, path: dict[str, str]) -> Reply:
        number = f"N{self.next_number()}"
        self.sell(number, reference=request.json.get("reference"), identifier=f"id-{number}")
        if request.json.get("crash"):
            raise RuntimeError("after writing")
        return self.json({"number": number}, 201)

    def authorise(self, request: Request) -> Reply | None:
        return (
            self.json({"error": "denied"}, 401) if self.refuses_credentials(request.header("x-key")) else None
        )


@pytest.fixture
def sandbox() -> StubSandbox:
    return StubSandbox(MemoryLedger(), lambda: NOON)


def ask(sandbox: StubSandbox, call: Call, **context: Any) -> Any:
    return run(SimulatorTransport(lambda slug: sandbox), one(call), make_stub(**context))


def test_a_path_finds_its_handler(sandbox: StubSandbox) -> None:
    assert ask(sandbox, Call("GET", "/labels/7")).result == {"number": "7"}


def test_a_simulator_that_waits_for_its_ledger_holds_up_no_other_flow() -> None:
    free = threading.Event()

    class WaitingSandbox(StubSandbox):
        def answer(self, request: Request) -> Reply:
            assert free.wait(5)
            return super().answer(request)

    transport = SimulatorTransport(lambda slug: WaitingSandbox(MemoryLedger(), lambda: NOON))

    async def ask_and_go_on() -> Reply:
        asked = asyncio.create_task(transport.send(Request("GET", "https://stub.test/labels/7", slug="stub")))
        await asyncio.sleep(0)
        free.set()
        return await asked

    assert asyncio.run(ask_and_go_on()).status == 200


@pytest.mark.parametrize(
    "call", [Call("GET", "/labels/7/8"), Call("PUT", "/labels"), Call("GET", "/")], ids=str
)
def test_an_unknown_path_is_not_found(sandbox: StubSandbox, call: Call) -> None:
    assert [note.code for note in ask(sandbox, call).messages] == ["404"]


@pytest.mark.parametrize(("key", "failed"), [("good", False), ("denied", True), ("was-expired-1", True)])
def test_credentials_that_say_denied_or_expired_are_refused(
    sandbox: StubSandbox, key: str, failed: bool
) -> None:
    assert ask(sandbox, Call("GET", "/labels/1", headers={"X-Key": key})).failed is failed


@pytest.mark.parametrize("scenario", ["error", "garbled", "unavailable", "closed", "rate_limited"])
def test_an_upset_carrier_answers_no_question(
    sandbox: StubSandbox, scenario: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("shipcli.carrier.sending.call_sender.BACKOFF_S", (0.0, 0.0))
    outcome = ask(sandbox, Call("GET", "/labels/1"), scenario=scenario)
    assert outcome.failed
    assert outcome.messages


def test_a_number_sold_is_known_by_number_and_identifier(sandbox: StubSandbox) -> None:
    ask(sandbox, Call("POST", "/labels", json={"reference": "R1"}))
    sold = sandbox.find_sold("N1")
    assert sold == sandbox.find_sold("id-N1")
    assert sold
    assert (sold["reference"], sold["bought_at"], sold["voided_at"]) == ("R1", NOON.isoformat(), None)
    assert sandbox.void_label(sold)["voided_at"]
    assert (sandbox.find_sold("N1") or {})["voided_at"]


def test_a_request_that_breaks_leaves_nothing_in_the_ledger(sandbox: StubSandbox) -> None:
    assert ask(sandbox, Call("POST", "/labels", json={"crash": True})).failed
    assert list(sandbox.ledger.everything()) == []


def test_a_sold_number_is_on_its_way(sandbox: StubSandbox) -> None:
    ask(sandbox, Call("POST", "/labels", json={}))
    found = sandbox.simulate_tracking("N1")
    assert found
    assert found.status == "pending"
    assert sandbox.simulate_tracking("N2") is None


def test_a_service_goes_where_it_is_sold_and_no_heavier_than_it_takes() -> None:
    assert [one.serves("US", "US", Decimal(1)) for one in (GROUND, ABROAD)] == [True, False]
    assert [one.serves("US", "GB", Decimal(1)) for one in (GROUND, ABROAD)] == [False, True]
    assert not ABROAD.serves("US", "GB", Decimal(3))


def test_a_price_is_its_base_and_fuel_to_the_cent_and_grows_with_weight_and_zone() -> None:
    offers = [price(GROUND, number, Decimal(kilos)) for number in (1, 8) for kilos in (0, 1, 30)]
    assert all(offer.total == offer.base + offer.fuel for offer in offers)
    assert all(offer.total == offer.total.quantize(Decimal("0.01")) for offer in offers)
    assert [offer.total for offer in offers[:3]] == sorted(offer.total for offer in offers[:3])
    assert offers[3].total > offers[0].total


def test_nothing_is_free() -> None:
    assert price(Tariff(code="0", base=Decimal(0), per_kg=Decimal(0), days=1), 1, Decimal(0)).total > 0


def test_zones_follow_the_postal_codes_at_home_and_the_border_abroad() -> None:
    assert [zone("US", "US", "10001", end) for end in ("10001", "20001", "99999")] == [1, 2, 8]
    assert zone("DE", "DE", "ß1", "S1") == 1
    assert (zone("US", "CA"), zone("US", "GB"), zone("US", "US")) == (9, 12, 1)


# -- files on a storage host -----------------------------------------------------------------------

STORE = "https://files.example/labels"


def fetch(host: StorageHost, name: str, **headers: str) -> Reply:
    return host.answer(Request("GET", f"{STORE}/{name}", headers))


def test_a_file_is_had_by_its_link_from_whoever_tells_no_credentials() -> None:
    host = StorageHost(MemoryLedger(), "stub", STORE)
    assert host.put("1.pdf", b"%PDF", "application/pdf") == f"{STORE}/1.pdf"
    got = fetch(host, "1.pdf")
    assert (got.status, got.content, got.header("content-type")) == (200, b"%PDF", "application/pdf")
    assert fetch(host, "1.pdf", Authorization="Basic x").status == 400
    assert fetch(host, "2.pdf").status == 403


@pytest.mark.parametrize(
    ("address", "url", "meant"),
    [
        (STORE, f"{STORE}/1.pdf", True),
        (STORE, "https://files.example/other", False),
        ("", "https://files.example/1", False),
    ],
)
def test_only_requests_to_its_address_are_for_the_storage_host(address: str, url: str, meant: bool) -> None:
    assert StorageHost(MemoryLedger(), "stub", address).hosts(Request("GET", url)) is meant
