"""A server that answers what a recorded one answered."""

from __future__ import annotations

import base64
import re
from collections import defaultdict, deque
from collections.abc import Sequence
from typing import Any
from urllib.parse import parse_qsl

from shipcli.features.admin.request_log import FILES
from shipcli.recordings.exchanges import Exchange
from shipcli.recordings.matching import make_match_key
from shipcli.recordings.proxy import (
    Receive,
    Scope,
    Send,
    answer_json,
    read_body,
    read_content,
    send_content,
)
from shipcli.recordings.redaction import KEPT_HEADERS, SERVER

BLANK_PDF = (
    b"%PDF-1.4\n1 0 obj<</Type/Catalog/Pages 2 0 R>>endobj\n"
    b"2 0 obj<</Type/Pages/Kids[3 0 R]/Count 1>>endobj\n"
    b"3 0 obj<</Type/Page/Parent 2 0 R/MediaBox[0 0 288 432]>>endobj\ntrailer<</Root 1 0 R>>\n%%EOF\n"
)
_MASKED = re.compile(r"\[\d+ characters\]")


class RecordingPlayer:
    """Answers from a recording, as an ASGI application: equal requests get their answers in order, the last
    one again and again.
    """

    def __init__(self, exchanges: Sequence[Exchange]) -> None:
        self._answers: defaultdict[str, deque[Exchange]] = defaultdict(deque)
        for row in exchanges:
            self._answers[make_match_key(row.method, row.path, row.query, row.body)].append(row)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer one request; 404 if no such one was recorded."""
        if scope["type"] != "http":
            return
        headers = {name.decode("latin-1"): value.decode("latin-1") for name, value in scope["headers"]}
        body, _ = read_body(await read_content(receive), headers.get("content-type", ""))
        exchange = self.choose(scope["method"], scope["path"], scope["query_string"].decode("latin-1"), body)
        if exchange is None:
            text = f"{scope['method']} {scope['path']} was not recorded with this query and body"
            await answer_json(send, 404, "not_recorded", text)
            return
        named = {name: value for name, value in exchange.answer_headers.items() if name in KEPT_HEADERS}
        if exchange.file:
            await send_file(send, exchange, named)
            return
        here = f"http://{headers.get('host', '')}"
        await send_content(send, exchange.status, fill_in(exchange.answer, here), named)

    def choose(self, method: str, path: str, query: str, body: Any) -> Exchange | None:
        """The next answer to a request."""
        pairs = [list(pair) for pair in parse_qsl(query, keep_blank_values=True)]
        answers = self._answers.get(make_match_key(method, path, pairs, body))
        if not answers:
            return None
        return answers.popleft() if len(answers) > 1 else answers[0]


def fill_in(value: Any, here: str, name: str = "") -> Any:
    """An answer with links to here, and an empty page for each file that was not kept."""
    if isinstance(value, dict):
        return {key: fill_in(item, here, key) for key, item in value.items()}
    if isinstance(value, list):
        return [fill_in(item, here, name) for item in value]
    if not isinstance(value, str):
        return value
    if name in FILES and _MASKED.fullmatch(value):
        return base64.b64encode(BLANK_PDF).decode()
    return value.replace(SERVER, here)


async def send_file(send: Send, exchange: Exchange, headers: dict[str, str]) -> None:
    """An empty page in place of a file, of the type that the file had."""
    kind = (exchange.file or {}).get("type") or "application/octet-stream"
    content = BLANK_PDF if kind == "application/pdf" else b""
    named = {**headers, "content-type": kind, "content-length": str(len(content))}
    encoded = [(name.encode("latin-1"), value.encode("latin-1")) for name, value in named.items()]
    await send({"type": "http.response.start", "status": exchange.status, "headers": encoded})
    await send({"type": "http.response.body", "body": content})
