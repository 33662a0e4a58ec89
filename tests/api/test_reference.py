"""The reference page: what it holds, whom it gives a key, and the examples that it has made."""

from __future__ import annotations

from pathlib import Path

import pytest
from starlette.testclient import TestClient

from shipcli.api.app import build
from shipcli.api.pages.reference.content import gather_reference
from shipcli.api.pages.reference.prose import render_prose, split_chapters
from shipcli.api.pages.reference.type_names import describe_type
from shipcli.bootstrap import open_app
from shipcli.features.core.app import App
from shipcli.features.sandbox.ready_examples import FRESH
from shipcli.models.sentences.body_examples import BODIES, number_id
from shipcli.operations.document import make_openapi_document
from tests.api.conftest import BASE, Client, client_of

HERE = ("127.0.0.1", 50000)


def test_the_page_loads_nothing_from_elsewhere(anybody: Client) -> None:
    moved = anybody.get("/openapi")
    assert (moved.status, moved.headers["location"]) == (301, "/openapi/")
    page = anybody.get("/openapi/")
    assert page.headers["content-type"].startswith("text/html")
    assert "default-src 'none'" in page.headers["content-security-policy"]
    assert b'src="http' not in page.content
    assert b'href="http' not in page.content
    for name in ("style.css", "script.js"):
        assert anybody.get(f"/openapi/{name}").status == 200


def test_the_page_shows_every_operation_and_model_of_the_document() -> None:
    document, reference = make_openapi_document(), gather_reference()
    operations = [operation for group in reference["groups"] for operation in group.operations]
    assert {(row.method.lower(), row.path) for row in operations} == {
        (method, path) for path, methods in document["paths"].items() for method in methods
    }
    assert {model.name for model in reference["models"]} == set(document["components"]["schemas"])
    assert all(operation.text and operation.answers for operation in operations)


def test_texts_become_html() -> None:
    assert render_prose("Send `a < b`,\nor <b>.") == "<p>Send <code>a &lt; b</code>, or &lt;b&gt;.</p>"
    assert render_prose("- one\n  more\n- two") == "<ul><li>one more</li><li>two</li></ul>"
    intro, chapters = split_chapters("Hello.\n\n## Test values\nSome.\n\n## Keys\nMore.\n")
    assert intro == "<p>Hello.</p>"
    assert [(row.anchor, row.html) for row in chapters] == [
        ("guide-test-values", "<p>Some.</p>"),
        ("guide-keys", "<p>More.</p>"),
    ]


@pytest.mark.parametrize(
    ("schema", "expected"),
    [
        (
            {"type": "string", "maxLength": 35, "nullable": True},
            ("text, at most 35 characters, or null", "", ()),
        ),
        ({"type": "array", "items": {"$ref": "#/components/schemas/Rate"}}, ("list", "Rate", ())),
        ({"type": "string", "enum": ["PDF", ""], "default": "PDF"}, ("word, if absent PDF", "", ("PDF",))),
        ({"allOf": [{"$ref": "#/components/schemas/Duty"}], "nullable": True}, ("or null", "Duty", ())),
        ({"type": "boolean", "default": False}, ("true or false, if absent false", "", ())),
        ({}, ("any value", "", ())),
    ],
)
def test_types_are_said_in_words(schema: dict[str, object], expected: tuple[object, ...]) -> None:
    assert describe_type(schema) == expected


def test_whoever_sits_at_the_machine_of_a_sandbox_gets_a_key_for_the_page(app: App) -> None:
    with TestClient(build(app), base_url=BASE, client=HERE) as http:
        key = http.post("/_window/key").json()["key"]
        assert http.post("/_window/key").json()["key"] == key
        made = http.post("/_sandbox/examples", headers={"authorization": f"Token {key}"}, json={})
        assert (made.status_code, made.headers["x-test-mode"]) == (200, "True")


def test_nobody_else_gets_one(app: App, tmp_path: Path) -> None:
    with TestClient(build(app), base_url=BASE, client=("192.0.2.7", 50000)) as http:
        assert http.post("/_window/key").status_code == 403
    with TestClient(build(app), base_url=BASE, client=HERE) as http:
        for headers in (
            {"origin": "https://shop.example"},
            {"sec-fetch-site": "cross-site"},
        ):
            assert http.post("/_window/key", headers=headers).status_code == 403
    server = open_app(tmp_path, environ={})
    with TestClient(build(server), base_url=BASE, client=HERE) as http:
        assert http.post("/_window/key").status_code == 404
    server.close()


@pytest.mark.parametrize("body", FRESH)
def test_an_example_that_depends_on_the_sandbox_is_made_ready(app: App, api: Client, body: str) -> None:
    made = api.ask("POST", "/_sandbox/examples", {"body": body})
    assert set(made.json["body"]) == set(BODIES[body])
    assert app.store.get("shipment", number_id("shp_", 4)) is not None
    assert made.headers["cache-control"] == "no-store"


def test_a_log_in_that_was_made_ready_works(api: Client, anybody: Client) -> None:
    for body, path in (
        ("TokenObtainPair", "/api/token"),
        ("TokenRefresh", "/api/token/refresh"),
        ("VerifiedTokenObtainPair", "/api/token/verified"),
    ):
        ready = api.ask("POST", "/_sandbox/examples", {"body": body}).json["body"]
        assert anybody.ask("POST", path, ready).status == 201


def test_an_unknown_example_is_refused(api: Client) -> None:
    assert api.ask("POST", "/_sandbox/examples", {"body": "Nothing"}).status == 404


def test_a_sandbox_without_the_carriers_of_the_examples_says_so(tmp_path: Path) -> None:
    bare = open_app(tmp_path, sandbox=True, environ={}, carriers="ups")
    with TestClient(build(bare), base_url=BASE) as http:
        reply = client_of(bare, http).ask("POST", "/_sandbox/examples", {})
        assert (reply.status, "UPS, USPS and FedEx" in reply.error["message"]) == (409, True)
    bare.close()
