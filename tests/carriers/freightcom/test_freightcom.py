"""Freightcom: what neither the cases nor the contract show."""

from __future__ import annotations

from shipcli.carriers.freightcom import Freightcom

from shipcli.carrier.sending.transport import RetiredTransport
from tests.carriers.bench import Bench, said


def test_the_live_service_is_not_asked_and_it_is_said_why() -> None:
    bench = Bench(Freightcom, ("CA", "CA"))
    request = bench.request(service="freightcom_ups_standard")
    bench.driver.transport_of = lambda carrier: RetiredTransport(Freightcom)
    outcome = bench.ask("ship", request)
    bench.close()
    assert (outcome.result, outcome.unknown) == (None, False)
    assert said(outcome) == (
        "carrier_retired: The API of Freightcom is superseded by one that shipcli does not speak"
    )


def test_every_service_has_a_number_of_its_own() -> None:
    codes = [row.code for row in Freightcom.services]
    assert len(codes) == len(set(codes)) == 45
