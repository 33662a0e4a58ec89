"""An assistant buys what was confirmed, once, within the limit of the day."""

from __future__ import annotations

from typing import Any

import pytest
from mcp import Client
from mcp_types import ElicitResult

from shipcli.assistants.tool_table import Permission
from tests.assistants.conftest import SHIPMENT, Desk, call, count_labels

BUY = Permission.BUY


def test_a_label_is_quoted_then_bought_once(desk: Desk) -> None:
    async def job(client: Client) -> tuple[Any, ...]:
        quote = await call(client, "ship", shipment=SHIPMENT)
        assert count_labels(desk.app) == 0
        token = quote["confirmation"]
        return quote, [await call(client, "ship", confirmation=token) for _ in range(2)]

    assistant = desk.open(BUY)
    quote, bought = desk.use(assistant, job)
    again = desk.use(desk.open(BUY), lambda client: call(client, "ship", confirmation=quote["confirmation"]))
    assert {answer["shipment"]["id"] for answer in [*bought, again]} == {bought[0]["shipment"]["id"]}
    assert bought[0]["shipment"]["status"] == "purchased"
    assert f"{bought[0]['shipment']['selected_rate']['total_charge']:.2f} USD" == quote["price"]
    assert count_labels(desk.app) == 1


def test_the_limit_holds_for_the_day_and_after_a_restart(desk: Desk) -> None:
    async def buy(client: Client) -> Any:
        quote = await call(client, "ship", shipment=SHIPMENT)
        return await call(client, "ship", confirmation=quote["confirmation"]) if "bought" in quote else quote

    first = desk.use(desk.open(BUY), buy)
    price = first["shipment"]["selected_rate"]["total_charge"]
    refused = desk.use(desk.open(BUY, limit=f"{price + 1:.2f}USD"), buy)
    assert refused["errors"][0]["code"] == "limit_reached"
    other = desk.use(desk.open(BUY, limit=f"{price * 2:.2f}USD"), buy)
    assert other["bought"]
    assert count_labels(desk.app) == 2


def test_quotes_together_cannot_pass_the_limit(desk: Desk) -> None:
    async def job(client: Client) -> list[Any]:
        quotes = [await call(client, "ship", shipment=SHIPMENT) for _ in range(2)]
        return [await call(client, "ship", confirmation=quote["confirmation"]) for quote in quotes]

    probe = desk.use(desk.open(BUY), lambda client: call(client, "ship", shipment=SHIPMENT))
    limit = f"{float(probe['price'].split()[0]) * 1.5:.2f}USD"
    bought, refused = desk.use(desk.open(BUY, limit=limit), job)
    assert bought["bought"]
    assert refused["errors"][0]["code"] == "limit_reached"
    assert count_labels(desk.app) == 1


@pytest.mark.parametrize("token", ["x" * 32, "shp_1"])
def test_an_unknown_confirmation_buys_nothing(desk: Desk, token: str) -> None:
    answer = desk.use(desk.open(BUY), lambda client: call(client, "ship", confirmation=token))
    assert answer["errors"][0]["code"] == "confirmation_unknown"
    assert "new quote" in answer["hint"]


@pytest.mark.parametrize(
    "beside", [{"shipment": {**SHIPMENT, "reference": "another"}}, {"service": "ups_ground"}]
)
def test_a_confirmation_buys_nothing_beside_what_was_quoted(desk: Desk, beside: dict[str, Any]) -> None:
    async def job(client: Client) -> Any:
        quote = await call(client, "ship", shipment=SHIPMENT)
        return await call(client, "ship", confirmation=quote["confirmation"], **beside)

    refused = desk.use(desk.open(BUY), job)
    assert refused["errors"][0]["message"].startswith(
        f"{next(iter(beside))}: a confirmation buys what was quoted"
    )
    assert count_labels(desk.app) == 0


def test_a_label_billed_above_what_was_confirmed_is_voided(desk: Desk) -> None:
    async def job(client: Client) -> Any:
        quote = await call(client, "ship", shipment=SHIPMENT, service="sandbox_repriced")
        return await call(client, "ship", confirmation=quote["confirmation"])

    answer = desk.use(desk.open(BUY), job)
    assert "errors" in answer
    assert count_labels(desk.app) == 0


def test_a_price_that_changed_is_not_paid(desk: Desk) -> None:
    assistant = desk.open(BUY, Permission.WRITE)

    async def job(client: Client) -> Any:
        draft = await call(client, "createShipment", body=SHIPMENT)
        quote = await call(client, "ship", shipment_id=draft["id"])
        heavier = {"parcels": [{**SHIPMENT["parcels"][0], "weight": 30}]}
        parcel = draft["parcels"][0]["id"]
        await call(client, "updateParcel", id=parcel, body={"weight": heavier["parcels"][0]["weight"]})
        await call(client, "fetchShipmentRates", id=draft["id"])
        return await call(client, "ship", confirmation=quote["confirmation"])

    assistant = desk.open(BUY, Permission.WRITE, names=["updateParcel"])
    answer = desk.use(assistant, job)
    assert answer["errors"][0]["code"] == "price_changed"
    assert count_labels(desk.app) == 0


def test_a_reference_gets_no_second_label(desk: Desk) -> None:
    referenced = {**SHIPMENT, "reference": "order 7"}

    async def job(client: Client) -> list[Any]:
        quotes = [await call(client, "ship", shipment=referenced) for _ in range(2)]
        answers = [await call(client, "ship", confirmation=quote["confirmation"]) for quote in quotes]
        return [*answers, await call(client, "ship", shipment=referenced)]

    bought, second, third = desk.use(desk.open(BUY), job)
    assert bought["bought"]
    assert {answer["errors"][0]["code"] for answer in (second, third)} == {"already_bought"}
    assert count_labels(desk.app) == 1


@pytest.mark.parametrize("mode", ["legacy", "auto"])
@pytest.mark.parametrize(("action", "labels"), [("accept", 1), ("decline", 0)])
def test_a_client_that_can_asks_its_person(desk: Desk, mode: str, action: Any, labels: int) -> None:
    questions: list[str] = []

    async def answer(context: Any, params: Any) -> ElicitResult:
        questions.append(params.message)
        return ElicitResult(action=action, content={} if action == "accept" else None)

    reply = desk.use(
        desk.open(BUY),
        lambda client: call(client, "ship", shipment=SHIPMENT),
        mode=mode,
        elicitation_callback=answer,
    )
    assert reply["bought"] == bool(labels)
    assert "USD?" in questions[0]
    assert count_labels(desk.app) == labels
