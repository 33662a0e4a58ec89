"""Web Tools: what neither the cases nor the contract show."""

from __future__ import annotations

from contextlib import closing
from pathlib import Path

import pytest

from shipcli.bootstrap import open_app
from shipcli.carrier import Context, registry
from shipcli.carrier.sending.jobs import CarrierJob
from shipcli.carrier.sending.transport import RetiredTransport, SimulatorTransport
from shipcli.models import RateRequest
from tests.carriers.bench import MONDAY, Bench

FAMILY = {"usps_wt": "usps", "usps_wt_international": "usps_international"}


@pytest.mark.parametrize(("slug", "successor"), FAMILY.items())
def test_a_live_call_names_the_carrier_to_use_instead_and_nothing_is_sent(
    slug: str, successor: str, tmp_path: Path
) -> None:
    carrier_class = registry.get(slug)
    bench = Bench(carrier_class, ("US", "US" if slug == "usps_wt" else "CA"))
    carrier = carrier_class.open(carrier_class.sample_account, {}, Context(now=MONDAY))
    request = RateRequest.model_validate(bench.shipment())
    with closing(open_app(tmp_path, environ={})) as app:
        outcome = app.driver.run(CarrierJob.of(carrier, "rate", request))
    assert [one.message for one in outcome.messages] == [
        f"The API of {carrier.name} has been switched off: use {successor} instead"
    ]


@pytest.mark.parametrize("slug", FAMILY)
def test_the_sandbox_is_asked_as_ever(slug: str, tmp_path: Path) -> None:
    carrier_class = registry.get(slug)
    carrier = carrier_class.open(carrier_class.sample_account, {"sandbox": True}, Context(now=MONDAY))
    with closing(open_app(tmp_path, environ={})) as app:
        assert isinstance(app.driver.transport_of(carrier), SimulatorTransport)
        live = carrier_class.open(carrier_class.sample_account, {}, Context(now=MONDAY))
        assert isinstance(app.driver.transport_of(live), RetiredTransport)
