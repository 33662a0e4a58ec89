"""What all simulated carriers do: quote, buy, void, pick up, manifest."""

from __future__ import annotations

import base64
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from decimal import Decimal
from typing import Any

import pytest

from shipcli.carrier.limits import is_among
from shipcli.carrier.simulation.bookings import BookedItem, Booking, Party
from shipcli.carrier.simulation.price_list import read_tariff
from shipcli.carrier.simulation.rules import Rules
from shipcli.carrier.simulation.simulator import Refusal, Simulator, Surcharge, Tariff, route
from shipcli.carrier.wire.calls import Reply, Request
from shipcli.drawing import Unprintable
from tests.memory_ledger import MemoryLedger

HERE = Party(country="US", name="Ann", lines=("1 Dock Rd",), city="Memphis", state="TN", postal_code="38103")
THERE = replace(HERE, name="Bo", postal_code="97201")
ORDER = Rules(("weight", "required, number 0.01..", "W1", "How heavy is it?"))


class OneCarrier(Simulator):
    slug = "shop"
    tariffs = (
        Tariff(code="SLOW", base=Decimal(5), per_kg=Decimal(1), days=3, max_kg=Decimal(30)),
        Tariff(code="FAST", base=Decimal(9), per_kg=Decimal(2), days=1, max_kg=Decimal(10)),
    )
    surcharges = {"signature": Surcharge(Decimal(2), per_parcel=True), "remote": Surcharge(Decimal(6))}
    refusals = {"voided_before": ("V7", "{} is gone already", 400)}
    auth_scheme = "basic"

    @route("POST", "/orders")
    def order(self, request: Request, path: dict[str, str]) -> Reply:
        self.enforce(ORDER, request.json)
        return self.json({})

    @route("POST", "/xml", root="ask")
    def ask(self, request: Request, path: dict[str, str]) -> Reply:
        return self.json({"answered": "ask"})

    @route("POST", "/xml", action="tell")
    def tell(self, request: Request, path: dict[str, str]) -> Reply:
        return self.json({"answered": "tell"})


class Clock:
    now = datetime(2025, 3, 3, 15, tzinfo=UTC)

    def __call__(self) -> datetime:
        return self.now


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def simulator(clock: Clock) -> OneCarrier:
    return OneCarrier(MemoryLedger(), clock)


def booking(*weights: int, **values: Any) -> Booking:
    plain: dict[str, Any] = {"service": "SLOW", "reference": "R1", "key": "k1", **values}
    return Booking(shipper=HERE, recipient=THERE, weights=tuple(map(Decimal, weights or (1,))), **plain)


def refused(what: Any, *arguments: Any) -> str:
    with pytest.raises(Refusal) as no:
        what(*arguments)
    return str(no.value.code)


def test_a_quote_has_every_service_that_takes_all_parcels(simulator: OneCarrier) -> None:
    assert [one.offer.code for one in simulator.backend.quote(booking(1, 1))] == ["SLOW", "FAST"]
    assert [one.offer.code for one in simulator.backend.quote(booking(1, 20))] == ["SLOW"]
    assert refused(simulator.backend.quote, booking(99)) == "no_service"


def test_surcharges_are_added_once_or_for_each_parcel(simulator: OneCarrier) -> None:
    plain = simulator.backend.price(booking(1, 1)).total
    assert simulator.backend.price(booking(1, 1, extras=("signature",))).total - plain == 4
    assert simulator.backend.price(booking(1, 1, extras=("remote",))).total - plain == 6


def test_money_is_that_of_the_sender_where_the_carrier_bills_so(simulator: OneCarrier) -> None:
    class Local(OneCarrier):
        local_money = True

    there = replace(booking(1), shipper=replace(HERE, country="CA"))
    local = Local(MemoryLedger(), simulator.clock).backend.price(there)
    assert (local.currency, simulator.backend.price(there).currency) == ("CAD", "USD")
    assert local.total > simulator.backend.price(there).total


def test_a_sale_enters_every_parcel_and_shares_the_price(simulator: OneCarrier) -> None:
    sale = simulator.backend.buy(booking(1, 2, 3))
    assert len(set(sale.numbers)) == 3
    assert sum((one["total"] for one in sale.records), Decimal(0)) == sale.priced.total
    assert [one["number"] for one in simulator.backend.find_by_key("k1")] == list(sale.numbers)


@pytest.mark.parametrize(
    "said",
    [
        {"reference": "R 🙂"},
        {"references": (None, "R 🙂")},
        {"sender": replace(HERE, name="Ana 🙂")},
        {"items": (BookedItem(description="Mug 🙂"),)},
    ],
)
def test_nothing_is_sold_whose_papers_no_font_can_print(simulator: OneCarrier, said: dict[str, Any]) -> None:
    with pytest.raises(Unprintable):
        simulator.backend.buy(replace(booking(1, 1), recipient=replace(THERE, country="FR"), **said))
    assert list(simulator.ledger.everything()) == []


def test_goods_that_no_paper_names_may_have_any_name(simulator: OneCarrier) -> None:
    assert simulator.backend.buy(booking(items=(BookedItem(description="Mug 🙂"),))).numbers


def test_a_magic_reference_is_the_number(simulator: OneCarrier) -> None:
    assert simulator.backend.buy(booking(1, reference="SC0300000004")).numbers == ("SC0300000004",)


def test_a_label_is_voided_once_and_not_when_it_is_closed_or_delivered(
    simulator: OneCarrier, clock: Clock
) -> None:
    first, second, third = (simulator.backend.buy(booking(1)).identifier for _ in range(3))
    simulator.backend.void(first)
    assert refused(simulator.backend.void, first) == "V7"
    assert refused(simulator.backend.void, "nobody") == "unknown_label"
    number, labels = simulator.backend.manifest([second])
    assert (labels[0]["manifest"], refused(simulator.backend.void, second)) == (number, "too_late")
    assert refused(simulator.backend.manifest, [second]) == "closed_before"
    clock.now += timedelta(days=9)
    assert refused(simulator.backend.void, third) == "too_late"


def test_a_refusal_names_all_that_it_is_about(simulator: OneCarrier) -> None:
    first, second, third = (simulator.backend.buy(booking(1)).identifier for _ in range(3))
    simulator.backend.void(first)
    simulator.backend.void(third)
    with pytest.raises(Refusal, match=f"^{first}, {third} is gone already$"):
        simulator.backend.manifest([first, second, third])


def test_a_day_is_not_over_until_it_is_over_everywhere(simulator: OneCarrier, clock: Clock) -> None:
    clock.now = datetime(2025, 3, 4, 2, tzinfo=UTC)
    assert simulator.backend.schedule_pickup("2025-03-03")["day"] == "2025-03-03"


def test_a_collection_is_booked_changed_and_cancelled(simulator: OneCarrier) -> None:
    booked = simulator.backend.schedule_pickup("2025-03-04")
    assert simulator.backend.update_pickup(booked["number"], "2025-03-05")["day"] == "2025-03-05"
    simulator.backend.cancel_pickup(booked["number"])
    assert refused(simulator.backend.cancel_pickup, booked["number"]) == "unknown_pickup"
    assert {
        refused(simulator.backend.schedule_pickup, day) for day in ("2025-03-02", "2025-03-09", "soon")
    } == {"bad_day"}


def test_an_address_says_its_country_in_full() -> None:
    assert HERE.block()[-1] == "UNITED STATES"
    assert HERE.block("CA")[-1] == "UNITED STATES"
    assert "UNITED STATES" not in HERE.block("US")


def test_places_may_be_unions_and_exceptions() -> None:
    assert is_among("FR", ("EU",))
    assert not is_among("FR", ("!EU",))
    assert is_among("US", ("!EU",))
    assert not is_among("US", ("EU", "GB"))
    assert read_tariff({"code": "A", "base": "5.5", "per_kg": 1, "days": 2}).base == Decimal("5.5")


# -- what the simulator does by itself -------------------------------------------------------------


def send(simulator: OneCarrier, path: str, content: bytes, login: str = "ann:pw", **headers: str) -> Reply:
    basic = "Basic " + base64.b64encode(login.encode()).decode()
    return simulator.answer(Request("POST", f"https://x{path}", {"Authorization": basic, **headers}, content))


@pytest.mark.parametrize("login", ["", "ann:denied", ":"])
def test_wrong_credentials_are_refused(simulator: OneCarrier, login: str) -> None:
    reply = send(simulator, "/orders", b'{"weight": 1}', login)
    assert (reply.status, reply.json["errors"][0]["code"]) == (401, "bad_login")


def test_a_request_that_breaks_a_rule_is_refused(simulator: OneCarrier) -> None:
    reply = send(simulator, "/orders", b"{}")
    assert reply.json["errors"] == [{"code": "W1", "message": "How heavy is it?"}]
    assert send(simulator, "/orders", b'{"weight": 1}').status == 200


def test_documents_of_one_address_are_told_apart(simulator: OneCarrier) -> None:
    assert send(simulator, "/xml", b"<ask/>").json == {"answered": "ask"}
    soap = b"<Envelope><Body><ask/></Body></Envelope>"
    assert send(simulator, "/xml", soap).json == {"answered": "ask"}
    assert send(simulator, "/xml", b"<x/>", SOAPAction='"urn:a/tell"').json == {"answered": "tell"}
    assert send(simulator, "/xml", b"<x/>").status == 404


def test_a_token_is_fresh_for_its_time(simulator: OneCarrier, clock: Clock) -> None:
    token = simulator.issue_token()
    assert simulator.is_fresh(token)
    clock.now += timedelta(hours=2)
    assert not simulator.is_fresh(token)
    assert not simulator.is_fresh("made-up-1")
