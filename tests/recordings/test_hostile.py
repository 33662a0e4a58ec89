"""Servers that are slow, cut answers or send too much: clients get what was sent, the file stays whole."""

from __future__ import annotations

import gzip
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

import httpx
import pytest

from shipcli.models import Conflict, Invalid
from shipcli.models.basics.errors import NotFound
from shipcli.recordings import proxy
from shipcli.recordings.exchanges import RecordingWriter, read_recording
from tests.recordings.conftest import recorded, served

LONG = proxy.MOST_KEPT + 1
PIECE = b"x" * 65536


async def misbehave(scope: Any, receive: Any, send: Callable[[Any], Awaitable[None]]) -> None:
    """Answer as the path says."""
    if scope["type"] != "http":
        return
    name = scope["path"].strip("/")
    packed = gzip.compress(b'{"packed": true, "email": "a.person@example.org"}')
    heads: dict[str, list[tuple[bytes, bytes]]] = {
        "gzip": [(b"content-encoding", b"gzip"), (b"content-type", b"application/json")],
        "cut": [(b"content-length", b"100"), (b"content-type", b"application/json")],
        "label": [(b"content-type", b"image/png"), (b"set-cookie", b"session=secret-cookie")],
        "drip": [(b"content-type", b"application/json")],
        "long": [(b"content-type", b"application/json")],
    }
    pieces: dict[str, list[bytes]] = {
        "gzip": [packed[:10], packed[10:]],
        "cut": [b'{"half": '],
        "label": [b"\x89PNG\x00\xff"],
        "drip": [b"{", b'"a"', b": 1", b"}"],
        "long": [PIECE] * (LONG // len(PIECE) + 1),
    }
    await send({"type": "http.response.start", "status": 200, "headers": heads[name]})
    for piece in pieces[name]:
        await send({"type": "http.response.body", "body": piece, "more_body": True})
    await send({"type": "http.response.body", "body": b""})


def test_answers_pass_unchanged_and_whole_ones_are_kept(tmp_path: Path) -> None:
    path = tmp_path / "hostile.jsonl"
    headers = {"Accept-Encoding": "gzip", "Cookie": "session=mine", "Authorization": "Token secret-key"}
    with (
        served(misbehave) as server,
        recorded(server, path) as address,
        httpx.Client(trust_env=False, timeout=30, headers=headers) as client,
    ):
        packed = client.get(f"{address}/gzip")
        with pytest.raises(httpx.RemoteProtocolError):
            client.get(f"{address}/cut")
        label = client.get(f"{address}/label")
        drip = client.get(f"{address}/drip")
        long = client.get(f"{address}/long")
    assert packed.json()["packed"]
    assert packed.headers["content-encoding"] == "gzip"
    assert label.content == b"\x89PNG\x00\xff"
    assert drip.json() == {"a": 1}
    assert len(long.content) >= LONG
    rows = {row.path: row for row in read_recording(path)}
    assert list(rows) == ["/gzip", "/label", "/drip", "/long"]
    assert rows["/gzip"].answer["email"].endswith("@example.com")
    assert rows["/label"].file == {"type": "image/png", "bytes": 6}
    assert rows["/long"].file == {"type": "application/json", "bytes": None}
    text = path.read_text()
    assert [word for word in ("secret", "session", "a.person") if word in text] == []


def test_a_server_that_is_not_there_is_said(tmp_path: Path) -> None:
    path = tmp_path / "nobody.jsonl"
    with recorded("http://127.0.0.1:9", path) as address, httpx.Client(trust_env=False) as client:
        reply = client.get(f"{address}/v1/shipments")
    assert (reply.status_code, reply.json()["errors"][0]["code"]) == (502, "unreachable")
    assert read_recording(path) == []


def test_what_a_killed_recorder_left_is_read(tmp_path: Path) -> None:
    path = tmp_path / "killed.jsonl"
    with served(misbehave) as server, recorded(server, path) as address:
        for _ in range(2):
            httpx.get(f"{address}/drip", trust_env=False)
    content = path.read_bytes()
    lines = content.splitlines(keepends=True)
    for length in (len(content) - 1, len(content) - len(lines[-1]) // 2):
        path.write_bytes(content[:length])
        assert len(read_recording(path)) == 1


@pytest.mark.parametrize("text", ["", "{}\n", "[]\n", "no json\n", '{"shipcli_recording": 1}\n{"a": 1}\n'])
def test_another_file_is_refused(tmp_path: Path, text: str) -> None:
    path = tmp_path / "other.jsonl"
    path.write_text(text)
    with pytest.raises(Invalid, match=r"other\.jsonl"):
        read_recording(path)


def test_a_file_is_not_overwritten_and_one_that_is_missing_is_said(tmp_path: Path) -> None:
    RecordingWriter(tmp_path / "a.jsonl", "http://127.0.0.1:9").close()
    with pytest.raises(Conflict):
        RecordingWriter(tmp_path / "a.jsonl", "http://127.0.0.1:9")
    with pytest.raises(NotFound):
        read_recording(tmp_path / "b.jsonl")
