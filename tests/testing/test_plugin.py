"""The pytest plugin, used as a project of others would."""

from __future__ import annotations

import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from shipcli.testing import SandboxFailure, SandboxServer, ShippingSandbox, open_in_process, serve_sandbox
from tests.factories import PARCEL, RECIPIENT, SHIPPER
from tests.homes import copy_sandbox
from tests.processes import PATIENCE_S
from tests.worker.receiver import receiving

PAGE = (Path(__file__).parents[2] / "docs" / "sandbox.md").read_text("utf-8")
# As if it was not installed: by its module, whatever entry points there are.
PYTEST = (sys.executable, "-m", "pytest", "-q", "-p", "no:shipping_sandbox", "-p", "shipcli.testing.plugin",
          "-p", "no:cacheprovider")  # fmt: skip
LABEL = {"shipper": SHIPPER, "recipient": RECIPIENT, "parcels": [PARCEL], "carrier_ids": ["ups"],
         "service": "ups_ground"}  # fmt: skip
SETTINGS = "[pytest]\nfilterwarnings = error\nshipping_sandbox_carriers = ups,generic\n"
SIDE_BY_SIDE = """
import pytest

@pytest.mark.parametrize("number", range(4))
def test_nobody_else_is_here(shipping_sandbox, number):
    address = {"person_name": f"P{number}", "city": "Boston", "country_code": "US"}
    assert shipping_sandbox.client.post("/v1/addresses", json=address).status_code == 201
    assert shipping_sandbox.client.get("/v1/addresses").json()["count"] == 1
"""


def read_example() -> str:
    """The first test of the page on the sandbox."""
    blocks = re.findall(r"```python\n(.*?)```", PAGE, re.DOTALL)
    return next(block for block in blocks if "def test_" in block)


@pytest.mark.slow
def test_the_first_test_of_a_new_user_is_ten_lines(tmp_path: Path) -> None:
    """It runs beside others under xdist, which do not meet it."""
    example = read_example()
    assert len(example.strip().splitlines()) <= 10
    (tmp_path / "test_shop.py").write_text(example)
    (tmp_path / "test_others.py").write_text(SIDE_BY_SIDE)
    (tmp_path / "pytest.ini").write_text(SETTINGS)
    done = subprocess.run(
        [*PYTEST, "-n", "2"], cwd=tmp_path, capture_output=True, text=True, timeout=PATIENCE_S, check=False
    )
    assert done.returncode == 0, done.stdout + done.stderr
    assert "5 passed" in done.stdout


@pytest.fixture(scope="module")
def server() -> Iterator[SandboxServer]:
    with serve_sandbox("ups,fedex") as served:
        yield served


@pytest.fixture(scope="module")
def start(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return copy_sandbox(tmp_path_factory.mktemp("start") / "home")


@pytest.fixture(params=["served", "in_process"])
def sandbox(request: pytest.FixtureRequest, server: SandboxServer, start: Path) -> Iterator[ShippingSandbox]:
    opened = server.open_workspace() if request.param == "served" else open_in_process(start=start)
    with opened as made:
        yield made


def buy(sandbox: ShippingSandbox) -> dict[str, str]:
    answer = sandbox.client.post("/v1/shipments", json=LABEL)
    assert answer.status_code == 201, answer.text
    return dict(answer.json())


def test_a_parcel_is_delivered_and_the_webhooks_came(sandbox: ShippingSandbox) -> None:
    with receiving() as receiver:
        hook = {"url": receiver.url(), "enabled_events": ["all"]}
        assert sandbox.client.post("/v1/webhooks", json=hook).status_code == 201
        sandbox.clock.freeze("2026-01-05T09:00Z")
        events = sandbox.advance(buy(sandbox), to="delivered")
        assert events[-1]["status"] == "delivered"
        assert sandbox.clock.now == "2026-01-07T22:00:00+00:00"
        assert sorted(sandbox.inbox.types[:2]) == ["shipment_purchased", "tracker_created"]
        assert len(receiver.received) == len(sandbox.inbox.list()) == 8
        assert len(sandbox.inbox.list("shipment_fulfilled")) == 1


def test_what_came_is_compared_with_what_is_expected(sandbox: ShippingSandbox) -> None:
    buy(sandbox)
    sandbox.expect("POST /v1/shipments", times=1)
    assert [row["path"] for row in sandbox.requests(method="POST")] == ["/v1/shipments"]
    with pytest.raises(SandboxFailure, match="POST /v1/shipments"):
        sandbox.expect("POST /v1/shipments", times=2)


def test_a_fault_is_injected_until_it_is_removed(sandbox: ShippingSandbox) -> None:
    sandbox.faults.add("POST /v1/shipments", status=503)
    assert sandbox.client.post("/v1/shipments", json=LABEL).status_code == 503
    sandbox.faults.clear()
    assert sandbox.faults.list() == []
    buy(sandbox)


def test_everything_is_put_back(sandbox: ShippingSandbox) -> None:
    buy(sandbox)
    sandbox.save("one")
    buy(sandbox)
    sandbox.restore("one")
    assert sandbox.client.get("/v1/shipments").json()["count"] == 1
    sandbox.faults.add("GET *", status=500)
    sandbox.reset()
    assert sandbox.client.get("/v1/shipments").json()["count"] == 0
    assert sandbox.requests(path="/v1/shipments", method="POST") == []


def test_live_data_are_apart(sandbox: ShippingSandbox) -> None:
    buy(sandbox)
    assert sandbox.live_client.get("/v1/shipments").json()["count"] == 0


def test_an_event_is_sent_on_demand(sandbox: ShippingSandbox) -> None:
    buy(sandbox)
    assert sandbox.trigger("tracker_updated", "on_hold", metadata={"order": 1})["status"] == "on_hold"


def test_what_the_sandbox_refuses_fails_the_test(sandbox: ShippingSandbox) -> None:
    with pytest.raises(SandboxFailure, match="not a span"):
        sandbox.clock.advance("soon")
