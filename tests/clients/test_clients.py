"""Clients generated from the served document, from an address to a webhook on a server of their own.

Run by `.ci/run`, and by `pytest tests/clients` where Node.js and the extra `contract` are installed.
"""

from __future__ import annotations

import base64
import json
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import pytest

from shipcli.operations.document import make_openapi_document
from tests.api.running import Running
from tests.clients.generating import BUILDERS, Journey, run
from tests.processes import wait_for
from tests.worker.receiver import Received, receiving


@pytest.fixture(scope="module", params=sorted(BUILDERS))
def program(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Journey:
    """Every test runs once per generator."""
    return BUILDERS[request.param](tmp_path_factory.mktemp(request.param))


@dataclass(frozen=True)
class Made:
    """What the journey was told, what the webhook's address received, and the server to ask again."""

    told: dict[str, Any]
    received: list[Received]
    server: Running

    def __getitem__(self, step: str) -> Any:
        return self.told[step]

    def ask(self, path: str) -> Any:
        status, found = self.server.ask("GET", path)
        assert status == 200
        return found


@pytest.fixture(scope="module")
def made(program: Journey) -> Iterator[Made]:
    with (
        Running("sandbox", "up", "--carriers", "all", "--port", "0", "--json") as server,
        receiving() as receiver,
    ):
        words = [*program.words, server.said["url"], server.said["api_key"], receiver.url()]
        told = json.loads(run(words, **program.environ))
        wait_for(lambda: len(receiver.received) >= 2)
        yield Made(told, receiver.received, server)
        assert server.stop() == 0
    assert "Traceback" not in server.err


def test_the_whole_client_loads_or_compiles(program: Journey) -> None:
    assert len(program.files) > len(make_openapi_document()["components"]["schemas"])


def test_an_address_is_kept(made: Made) -> None:
    kept = made.ask(f"/v1/addresses/{made['address']['id']}")
    for field in ("id", "person_name", "city", "postal_code", "country_code", "residential"):
        assert made["address"][field] == kept[field]
    assert kept["city"] == "Phoenix"


def test_a_draft_has_rates(made: Made) -> None:
    draft = made["draft"]
    assert (draft["status"], draft["reference"], draft["test_mode"]) == ("draft", "J-1", True)
    assert {rate["carrier_name"] for rate in draft["rates"]} == {"ups"}
    assert all(rate["total_charge"] > 0 and rate["currency"] == "USD" for rate in draft["rates"])


def test_the_rate_that_was_chosen_is_bought(made: Made) -> None:
    bought = made["bought"]
    assert (bought["id"], bought["status"]) == (made["draft"]["id"], "purchased")
    assert bought["selected_rate"]["id"] == made["draft"]["rates"][0]["id"]
    assert bought["tracking_number"].startswith("1Z")


def test_the_label_downloads_as_pdf(made: Made) -> None:
    label = base64.b64decode(made["label"])
    assert label.startswith(b"%PDF-")
    assert label.rstrip().endswith(b"%%EOF")


def test_the_tracker_of_the_label_is_found(made: Made) -> None:
    tracker = made["tracker"]
    assert tracker["id"] == made["bought"]["tracker_id"]
    assert tracker["tracking_number"] == made["bought"]["tracking_number"]
    assert tracker["carrier_name"] == "ups"
    assert [one["id"] for one in made["found"]["results"]] == [tracker["id"]]


def test_the_webhook_is_kept_and_tried(made: Made) -> None:
    kept = made.ask(f"/v1/webhooks/{made['webhook']['id']}")
    assert (kept["enabled_events"], kept["secret"]) == (["shipment_cancelled"], made["webhook"]["secret"])
    assert made["trial"] == {"operation": "Test Webhook", "success": True}
    assert json.loads(made.received[0].body) == {"payload": {"order": 1042}}


def test_the_webhook_is_told_that_the_label_was_voided(made: Made) -> None:
    assert (made["voided"]["id"], made["voided"]["status"]) == (made["bought"]["id"], "cancelled")
    event = json.loads(made.received[1].body)
    assert (event["type"], event["data"]["id"]) == ("shipment_cancelled", made["bought"]["id"])
    assert made.received[1].headers["x-event-id"] == made["webhook"]["secret"]


def test_what_is_not_there_is_told_with_its_code(made: Made) -> None:
    missing = made["missing"]
    assert (missing["status"], missing["errors"][0]["code"]) == (404, "not_found")
