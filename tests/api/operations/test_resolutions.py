"""What became of purchases, pickups and manifests that nobody else can look up, said over HTTP."""

from __future__ import annotations

import base64
from typing import Any

import pytest

from shipcli.operations.table import RESOLUTIONS
from tests.api.conftest import Client
from tests.factories import body

NUMBER = "779017972697"
LABEL = base64.b64encode(b"%PDF-1.4\n%%EOF").decode()


@pytest.fixture
def path(api: Client) -> str:
    """A shipment that may have been bought."""
    draft = api.made("/v1/shipments", body(carrier_ids=["fedex"]))
    chosen = {"selected_rate_id": draft["rates"][0]["id"], "metadata": {"sandbox_scenario": "closed"}}
    reply = api.post(f"/v1/shipments/{draft['id']}/purchase", chosen)
    assert reply.status == 424
    assert f"POST /v1/shipments/{draft['id']}/resolve" in reply.json["messages"][-1]["message"]
    return f"/v1/shipments/{draft['id']}"


def test_a_purchase_is_resolved_with_its_label(api: Client, path: str) -> None:
    reply = api.post(f"{path}/resolve", {"bought": True, "tracking_number": NUMBER, "label": LABEL})
    assert (reply.status, reply.json["status"], reply.json["tracking_number"]) == (200, "purchased", NUMBER)
    assert api.get(reply.json["label_url"]).content.startswith(b"%PDF")


def test_a_wrong_answer_is_corrected(api: Client, path: str) -> None:
    assert api.post(f"{path}/resolve", {"bought": False}).json["status"] == "draft"
    bought = api.post(f"{path}/resolve", {"bought": True, "tracking_number": NUMBER})
    assert bought.json["tracking_number"] == NUMBER
    assert api.post(f"{path}/resolve", {"bought": False}).json["status"] == "draft"


@pytest.mark.parametrize(
    "given",
    [
        {},
        {"bought": True},
        {"bought": True, "tracking_number": "7790"},
        {"bought": True, "tracking_number": NUMBER, "label": "aGVsbG8="},
    ],
)
def test_an_answer_that_says_too_little_or_wrong_is_refused(
    api: Client, path: str, given: dict[str, Any]
) -> None:
    assert api.post(f"{path}/resolve", given).status == 400
    assert api.get(path).json["status"] == "needs_attention"


@pytest.mark.parametrize("row", RESOLUTIONS, ids=lambda row: row.path)
def test_they_need_credentials_and_something_unknown(api: Client, anybody: Client, row: Any) -> None:
    place = row.path.format(id="no_such")
    said = {"bought": False, "booked": False, "made": False}
    given = {name: value for name, value in said.items() if name in row.body.model_fields}
    assert anybody.post(place, given).error["code"] == "not_authenticated"
    assert api.post(place, given).error["code"] == "not_found"
