"""`shipcli sandbox fault | requests | inbox | expect | scenarios`, as a test writes them."""

from __future__ import annotations

from pathlib import Path

import pytest
from starlette.testclient import TestClient

from shipcli.api.app import build
from shipcli.bootstrap import open_app
from tests.api.conftest import BASE, client_of
from tests.cli.conftest import Cli
from tests.homes import copy_sandbox

pytestmark = pytest.mark.usefixtures("served")


@pytest.fixture
def served(home: Path) -> None:
    """A sandbox that was asked for its addresses twice, and for an object that it does not have."""
    app = open_app(copy_sandbox(home), sandbox=True, environ={})
    with TestClient(build(app), base_url=BASE) as http:
        api = client_of(app, http)
        for path in ("/v1/addresses", "/v1/addresses", "/v1/shipments/shp_none"):
            api.get(path)
    app.close()


def test_expectations_end_with_their_code(cli: Cli) -> None:
    right = cli("--sandbox", "sandbox", "expect", "GET /v1/addresses", "--times", "2", "--json")
    assert (right.code, right.json["met"]) == (0, True)
    wrong = cli("--sandbox", "sandbox", "expect", "GET /v1/addresses", "POST /v1/orders", "--nothing-else")
    assert wrong.code == 1
    assert "- POST /v1/orders" in wrong.err
    assert "+ GET /v1/shipments/shp_none" in wrong.err


def test_requests_are_listed_and_cleared(cli: Cli) -> None:
    rows = cli("--sandbox", "sandbox", "requests", "/v1/shipments/*", "--status", "4xx", "--json").json
    assert [row["path"] for row in rows] == ["/v1/shipments/shp_none"]
    assert cli("--sandbox", "sandbox", "requests", "--clear", "--json").json == {"cleared": 3}
    assert cli("--sandbox", "sandbox", "requests", "--json").json == []
    assert cli("--sandbox", "sandbox", "inbox", "--json").json == []


def test_faults_are_added_listed_and_removed(cli: Cli) -> None:
    words = ("POST /v1/shipments", "--status", "503", "--times", "2", "--body", '{"a": 1}')
    added = cli("--sandbox", "sandbox", "fault", "add", *words, "--json").json
    assert (added["id"], added["body"]) == ("fault-1", {"a": 1})
    profile = cli("--sandbox", "sandbox", "fault", "profile", "carrier-down", "ups", "--json").json
    assert [rule["carrier"] for rule in profile] == ["ups"]
    assert len(cli("--sandbox", "sandbox", "fault", "--json").json) == 2
    assert cli("--sandbox", "sandbox", "fault", "remove", "fault-1", "--json").json["id"] == "fault-1"
    assert len(cli("--sandbox", "sandbox", "fault", "remove", "all", "--json").json) == 1
    for wrong in (("add",), ("profile", "calm"), ("remove",), ("break",)):
        assert cli("--sandbox", "sandbox", "fault", *wrong).code == 6
    assert cli("--sandbox", "sandbox", "fault", "remove", "fault-9").code == 3


def test_scenarios_are_listed_with_their_carriers(cli: Cli) -> None:
    rows = {row["name"]: row for row in cli("--sandbox", "sandbox", "scenarios", "--json").json}
    assert "usps" in rows["declined"]["carriers"]
