"""Operations under `/_sandbox/`: sandboxes alone have them, for a key that may write and no foreign page."""

from __future__ import annotations

from pathlib import Path

import pytest
from starlette.testclient import TestClient

from shipcli.api.app import build
from shipcli.bootstrap import open_app
from shipcli.features.core.app import App
from shipcli.operations.control_plane import CONTROL
from shipcli.operations.document import make_openapi_document
from shipcli.operations.operation import Operation
from tests.api.conftest import BASE, Client, body, client_of

control_rows = pytest.mark.parametrize("row", CONTROL, ids=lambda row: row.id)


def ask(client: Client, row: Operation, **headers: str) -> int:
    sent = {} if row.body else None
    return client.ask(row.method, row.path.replace("{", "").replace("}", ""), sent, **headers).status


@control_rows
def test_a_sandbox_is_controlled_with_a_key_that_may_write(
    app: App, http: TestClient, anybody: Client, row: Operation
) -> None:
    assert ask(anybody, row) == 401
    assert ask(client_of(app, http, scope="read"), row) == 403


@control_rows
@pytest.mark.parametrize("origin", ["https://shop.example", "http://localhost:3000", "null"])
def test_a_page_of_another_origin_controls_no_sandbox(api: Client, row: Operation, origin: str) -> None:
    assert ask(api, row, origin=origin) == 403


@control_rows
def test_the_published_document_leaves_the_control_plane_out(row: Operation) -> None:
    assert row.path.startswith("/_sandbox/")
    assert row.path not in make_openapi_document()["paths"]


def test_no_other_store_can_be_controlled(tmp_path: Path) -> None:
    app = open_app(tmp_path, environ={})
    with TestClient(build(app), base_url=BASE) as http:
        client = client_of(app, http)
        assert {ask(client, row) for row in CONTROL} == {404}
    app.close()


def test_the_ledger_tells_what_was_sold(api: Client) -> None:
    bought = api.made("/v1/shipments", body(service="standard_service"))
    (row,) = [row for row in api.get("/_sandbox/ledger").json if row["number"] == bought["tracking_number"]]
    assert (row["service"], row["voided"]) == ("standard_service", None)
