"""Answers that rarely change are sent compressed, and not again to clients that have them."""

from __future__ import annotations

import gzip
import json

import pytest

from shipcli.api.compact import takes_gzip
from shipcli.api.in_process import InProcess
from shipcli.features.core.app import App

SHARED = ("/v1/references", "/v1/carriers", "/shipping-openapi", "/openapi/swagger-ui.css")


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


def test_what_may_hold_secrets_is_not_compressed(app: App) -> None:
    api = InProcess(app.in_mode(True))
    for path in ("/v1/connections", "/v1/webhooks", "/v1/shipments"):
        reply = api.send("GET", path, "", {"accept-encoding": "gzip"}, b"")
        assert "content-encoding" not in reply.headers
        json.loads(reply.content)
    lacking = api.send("GET", "/v1/carriers/nope/services", "", {"accept-encoding": "gzip"}, b"")
    assert "etag" not in lacking.headers
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
