"""Answers that rarely change are sent compressed, and not again to clients that have them."""

from __future__ import annotations

import base64
import gzip
import json

import pytest

from shipcli.api.http.compact import takes_gzip
from shipcli.api.in_process import InProcess
from shipcli.features.core.app import App
from shipcli.features.identity.api_keys import create_key
from tests.factories import ITEM, RECIPIENT

SHARED = ("/v1/references", "/v1/carriers", "/shipping-openapi", "/openapi/")


@pytest.mark.parametrize("path", SHARED)
def test_shared_texts_are_compressed_and_sent_once(app: App, path: str) -> None:
    api = InProcess(app)
    plain = api.send("GET", path, "", {}, b"")
    packed = api.send("GET", path, "", {"accept-encoding": "br, gzip"}, b"")
    assert "content-encoding" not in plain.headers
    assert packed.headers["content-encoding"] == "gzip"
    assert "accept-encoding" in packed.headers["vary"]
    assert int(packed.headers["content-length"]) == len(packed.content) < len(plain.content) / 2
    assert gzip.decompress(packed.content) == plain.content
    tag = plain.headers["etag"]
    again = api.send("GET", path, "", {"if-none-match": f'"other", {tag}'}, b"")
    assert (again.status, again.content, again.headers["etag"]) == (304, b"", tag)
    assert api.send("GET", path, "", {"if-none-match": 'W/"other"'}, b"").status == 200
    api.close()


def test_both_forms_of_the_document_have_tags_of_their_own(app: App) -> None:
    api = InProcess(app)
    tags = {
        api.send("GET", "/shipping-openapi", "", {"accept": kind}, b"").headers["etag"]
        for kind in ("application/json", "text/yaml")
    }
    assert len(tags) == 2
    api.close()


def test_objects_and_lists_are_sent_again_only_if_they_changed(app: App) -> None:
    api = InProcess(app.in_mode(True))
    sent = {"content-type": "application/json"}
    made = json.loads(api.send("POST", "/v1/addresses", "", sent, json.dumps(RECIPIENT).encode()).content)
    paths = (f"/v1/addresses/{made['id']}", "/v1/addresses")
    tags = {path: api.send("GET", path, "", {}, b"").headers["etag"] for path in paths}
    for path, tag in tags.items():
        again = api.send("GET", path, "", {"if-none-match": tag}, b"")
        assert (again.status, again.content, again.headers["etag"]) == (304, b"", tag)
        assert "content-length" not in again.headers
    api.send("PATCH", paths[0], "", sent, b'{"city": "Graz"}')
    for path, tag in tags.items():
        assert api.send("GET", path, "", {"if-none-match": tag}, b"").status == 200
    assert api.send("GET", "/v1/addresses", "limit=1", {}, b"").headers["etag"].startswith('W/"')
    api.close()


def test_objects_are_kept_by_their_client_alone(app: App) -> None:
    api = InProcess(app.in_mode(True))
    for path in ("/v1/shipments", "/v1/orders", "/v1/trackers", "/v1/rules"):
        headers = api.send("GET", path, "", {}, b"").headers
        assert headers["cache-control"] == "private, no-cache"
        assert {"authorization", "x-test-mode", "accept-encoding"} <= set(headers["vary"].split(", "))
    api.close()


def test_objects_are_compressed_for_those_who_send_a_key_themselves(app: App) -> None:
    key = create_key(app.in_mode(True)).key
    api = InProcess(app.in_mode(True))
    for number in range(6):
        order = {"order_id": f"compact-{number}", "shipping_to": RECIPIENT, "line_items": [ITEM]}
        api.send("POST", "/v1/orders", "", {"content-type": "application/json"}, json.dumps(order).encode())
    plain = api.send("GET", "/v1/orders", "", {}, b"")
    packed = api.send(
        "GET", "/v1/orders", "", {"authorization": f"Token {key}", "accept-encoding": "gzip"}, b""
    )
    assert (packed.headers["content-encoding"], packed.headers["etag"]) == ("gzip", plain.headers["etag"])
    assert len(packed.content) < len(plain.content) / 3
    assert gzip.decompress(packed.content) == plain.content
    basic = "Basic " + base64.b64encode(f"{key}:".encode()).decode()
    by_browser = api.send("GET", "/v1/orders", "", {"authorization": basic, "accept-encoding": "gzip"}, b"")
    assert by_browser.status == 200
    assert "content-encoding" not in by_browser.headers
    api.close()


def test_secrets_are_neither_kept_nor_compressed(app: App) -> None:
    api = InProcess(app.in_mode(True))
    listed = json.loads(api.send("GET", "/v1/connections", "", {}, b"").content)
    for path in ("/v1/connections", f"/v1/connections/{listed['results'][0]['id']}", "/v1/webhooks"):
        reply = api.send("GET", path, "", {"accept-encoding": "gzip", "if-none-match": "*"}, b"")
        assert (reply.status, reply.headers["cache-control"]) == (200, "no-store")
        assert not {"content-encoding", "etag"} & set(reply.headers)
        json.loads(reply.content)
    api.close()


def test_refusals_and_changes_have_no_tag(app: App) -> None:
    api = InProcess(app.in_mode(True))
    for method, path in (
        ("GET", "/v1/orders/nope"),
        ("GET", "/v1/carriers/nope/services"),
        ("POST", "/v1/orders"),
    ):
        reply = api.send(method, path, "", {"if-none-match": "*", "content-type": "application/json"}, b"{}")
        assert reply.status >= 400
        assert "etag" not in reply.headers
    api.close()


@pytest.mark.parametrize(
    ("accepted", "expected"),
    [
        (b"gzip", True),
        (b"*", True),
        (b"deflate, GZIP;q=0.5", True),
        (b"gzip;q=0", False),
        (b"br", False),
        (b"", False),
    ],
)
def test_clients_say_whether_they_take_gzip(accepted: bytes, expected: bool) -> None:
    assert takes_gzip(accepted) is expected
