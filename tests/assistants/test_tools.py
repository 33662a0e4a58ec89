"""Which tools an assistant gets, what they take, and what they answer."""

from __future__ import annotations

from typing import Any

import jsonschema
import pytest
from mcp import Client

from shipcli.assistants.calls import hide_secrets
from shipcli.assistants.tool_table import NEVER, SHIP, Permission, choose_tools, list_offered
from shipcli.assistants.toolbox import make_ship_tool, make_tool
from shipcli.models import Invalid
from shipcli.operations.operation import Operation
from tests.assistants.conftest import SHIPMENT, Desk, call

EVERY = {row.name: row for row in list_offered()}


async def list_hints(client: Client) -> dict[str, Any]:
    return {tool.name: tool.annotations for tool in (await client.list_tools()).tools}


def test_without_allowance_everything_only_reads(desk: Desk) -> None:
    hints = desk.use(desk.open(), list_hints)
    assert SHIP not in hints
    assert 12 <= len(hints) <= 20
    assert all(hint.read_only_hint and not hint.destructive_hint for hint in hints.values())


def test_hints_say_what_is_taken_away(desk: Desk) -> None:
    hints = desk.use(desk.open(Permission.WRITE, Permission.BUY), list_hints)
    assert not hints["createShipment"].destructive_hint
    assert not hints["createShipment"].idempotent_hint
    assert hints["cancelShipment"].destructive_hint
    assert hints["cancelShipment"].idempotent_hint
    assert hints["fetchRates"].read_only_hint
    assert hints[SHIP].destructive_hint


def test_what_is_not_allowed_is_refused(desk: Desk) -> None:
    async def job(client: Client) -> list[Any]:
        return [
            await call(client, "ship", shipment=SHIPMENT),
            await call(client, "createShipment", body=SHIPMENT),
            await call(client, "buyLabel", body={}),
        ]

    assert {answer["errors"][0]["code"] for answer in desk.use(desk.open(), job)} == {"not_found"}


def test_no_other_tool_buys() -> None:
    assert not NEVER.intersection(EVERY)
    assert not {row.tag for row in EVERY.values()}.intersection({"Auth", "Steps", "Webhooks"})


def test_a_draft_that_would_be_bought_at_once_is_refused(desk: Desk) -> None:
    body = {**SHIPMENT, "service": "ups_ground"}
    assistant = desk.open(Permission.WRITE)
    answer = desk.use(assistant, lambda client: call(client, "createShipment", body=body))
    assert "ship" in answer["errors"][0]["message"]


@pytest.mark.parametrize("row", EVERY.values(), ids=EVERY)
def test_schemas_are_valid_and_complete(row: Operation) -> None:
    schema = make_tool(row).schema
    jsonschema.Draft202012Validator.check_schema(schema)
    assert set(row.path_names) <= set(schema.get("required", ()))
    if row.body:
        jsonschema.Draft202012Validator(schema).is_valid({"body": {}})  # every reference leads somewhere


def test_a_shipment_fits_the_schema_of_the_purchase() -> None:
    validator = jsonschema.Draft202012Validator(make_ship_tool().schema)
    validator.validate({"shipment": SHIPMENT, "rule": "cheapest"})
    assert not validator.is_valid({"shipment": {**SHIPMENT, "parcels": "none"}})


@pytest.mark.parametrize(("name", "part"), [("listOrder", "listOrders"), ("createParcel", "--allow write")])
def test_an_unknown_name_of_a_tool_is_explained(name: str, part: str) -> None:
    with pytest.raises(Invalid, match=part):
        choose_tools([name], (), is_sandbox=False)


def test_tools_of_the_sandbox_are_for_sandboxes() -> None:
    names = {row.name for row in choose_tools(["all"], [Permission.WRITE], is_sandbox=False)}
    assert "readSandboxLedger" not in names
    assert "updateParcel" in names


def test_a_mistake_is_told_with_its_field(desk: Desk) -> None:
    async def job(client: Client) -> list[Any]:
        return [
            await call(client, "fetchRates", body={**SHIPMENT, "parcels": []}),
            await call(client, "listShipments", limi=1),
            await call(client, "listShipments", limit="many"),
            await call(client, "retrieveShipment"),
            await call(client, "retrieveShipment", id="shp_nobody"),
        ]

    parcels, limit, amount, missing, unknown = desk.use(desk.open(), job)
    assert "parcels" in str(parcels["errors"])
    assert "limi" in limit["errors"][0]["details"]
    assert amount["errors"][0]["message"] == "limit: 'many' is not a whole number"
    assert "id" in missing["errors"][0]["details"]
    assert unknown["errors"][0]["code"] == "not_found"


def test_answers_hold_no_secrets_and_lists_no_rates(desk: Desk) -> None:
    async def job(client: Client) -> list[Any]:
        await call(client, "createShipment", body=SHIPMENT)
        return [await call(client, "listCarrierConnections"), await call(client, "listShipments", limit=1)]

    connections, shipments = desk.use(desk.open(Permission.WRITE), job)
    assert {row["credentials"] for row in connections["results"]} == {"***"}
    assert "rates" not in shipments["results"][0]
    signed = {"label_url": "https://ship.example/a.pdf?token=abc", "label": "x" * 500, "secret": "y"}
    shown = {
        "label_url": "https://ship.example/a.pdf?token=***",
        "label": "[500 characters]",
        "secret": "***",
    }
    assert hide_secrets(signed) == shown


def test_labels_and_scenarios_are_resources(desk: Desk) -> None:
    async def job(client: Client) -> None:
        quote = await call(client, "ship", shipment=SHIPMENT)
        await call(client, "ship", confirmation=quote["confirmation"])
        label, scenarios = (await client.list_resources()).resources
        pdf: Any = (await client.read_resource(label.uri)).contents[0]
        png: Any = (await client.read_resource(label.uri.replace(".pdf", ".png"))).contents[0]
        table: Any = (await client.read_resource(scenarios.uri)).contents[0]
        assert (pdf.mime_type, pdf.blob[:4]) == ("application/pdf", "JVBE")
        assert (png.mime_type, png.blob[:4]) == ("image/png", "iVBO")
        assert "sandbox_declined" in table.text

    desk.use(desk.open(Permission.BUY), job)
