"""The faults of a sandbox are asked for by name, and a name that does not exist is refused."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from shipcli.bootstrap import open_app
from shipcli.features.book.drafts import make_draft
from shipcli.models import Invalid, ShipmentData
from tests.api.conftest import Client, body

WRONG = {"sandbox_scenario": "timeuot"}


@pytest.mark.parametrize(
    ("path", "place"),
    [("/v1/shipments", "options"), ("/v1/shipments", "metadata"), ("/v1/proxy/rates", "options")],
)
def test_a_request_with_an_unknown_scenario_is_refused_with_the_names(
    api: Client, path: str, place: str
) -> None:
    reply = api.post(path, body(**{place: WRONG}))
    assert (reply.status, reply.error["code"]) == (400, "validation")
    (reason,) = reply.error["details"][place]["sandbox_scenario"]
    assert "Did you mean timeout?" in reason
    assert "garbled" in reason
    assert "rate_limited" in reason


@pytest.mark.parametrize("place", ["options", "metadata"])
def test_a_draft_does_not_take_an_unknown_scenario_later(api: Client, place: str) -> None:
    draft = api.made("/v1/shipments", body())
    path = f"/v1/shipments/{draft['id']}"
    assert api.put(path, {place: WRONG}).status == 400
    if place == "metadata":
        wanted = {"selected_rate_id": draft["rates"][0]["id"], "metadata": WRONG}
        assert api.post(f"{path}/purchase", wanted).status == 400
    else:
        assert api.post(f"{path}/rates", {"options": WRONG}).status == 400
    assert api.get(path).json["status"] == "draft"


def test_a_label_is_not_bought_under_an_unknown_scenario(api: Client) -> None:
    rates = api.made("/v1/proxy/rates", body())["rates"]
    wanted = body(rates=rates, selected_rate_id=rates[0]["id"], options=WRONG)
    reply = api.post("/v1/proxy/shipping", wanted)
    assert (reply.status, list(reply.error["details"])) == (400, ["options"])


def test_a_connection_with_an_unknown_scenario_is_refused(api: Client) -> None:
    credentials = {"display_name": "Van", "custom_carrier_name": "van"}
    given: dict[str, Any] = {"carrier_name": "generic", "carrier_id": "van", "credentials": credentials}
    assert api.post("/v1/connections", {**given, "config": WRONG}).status == 400
    made = api.made("/v1/connections", {**given, "config": {"sandbox_scenario": "slow"}})
    reply = api.patch(f"/v1/connections/{made['id']}", {"config": WRONG})
    assert (reply.status, list(reply.error["details"])) == (400, ["config"])


def test_outside_of_a_sandbox_the_word_means_nothing(tmp_path: Path) -> None:
    app = open_app(tmp_path / "home", environ={})
    data = ShipmentData.model_validate(body(options=WRONG))
    assert make_draft(app, data).options["sandbox_scenario"] == "timeuot"
    app.close()
    box = open_app(tmp_path / "box", sandbox=True, environ={})
    with pytest.raises(Invalid):
        make_draft(box, data)
    box.close()
