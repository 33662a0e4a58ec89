"""Sends the examples of the reference; `python -m tests.api.operations.examples` keeps the answers."""

from __future__ import annotations

import re
import sys
import tempfile
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any
from urllib.parse import urlencode

from shipcli.api.in_process import InProcess
from shipcli.bootstrap import open_app
from shipcli.features.admin.settlement import settle_all
from shipcli.features.core.app import App
from shipcli.features.identity import users
from shipcli.features.sandbox.reference_objects import make_reference_objects
from shipcli.models import json
from shipcli.models.base import Model
from shipcli.models.sentences.body_examples import BODIES, PDF, find_path_example
from shipcli.operations.answer_examples import FILE
from shipcli.operations.components import name_model
from shipcli.operations.operation import Anything, Listing, Many, Operation
from shipcli.operations.table import DESCRIBED
from tests.api.samples import code_of
from tests.homes import copy_sandbox

LAST = ("DELETE",)  # what others read is removed at the end
LOGIN = BODIES["TokenObtainPair"]
LONG, KEPT = 400, 2
HTML = "<!doctype html>..."
KEYS = ("VERSION", "HOST", "OPENAPI", "carriers", "carrier_hubs", "carrier_capabilities")


@dataclass(frozen=True)
class Tried:
    """What an example was answered."""

    row: Operation
    status: int
    content: bytes


def send_all(app: App) -> Iterator[Tried]:
    """Send each example as it stands, those that remove something last; a log-in needs a user.

    A worker of the sandbox had its turn before: what is to be resolved by a person is still in doubt.
    """
    make_reference_objects(app)
    settle_all(app.in_mode(True))
    users.create_user(app, LOGIN["email"], LOGIN["password"])
    uri = ""
    api, tokens = InProcess(app.in_mode(True)), {}
    for row in sorted(DESCRIBED, key=lambda row: row.method in LAST):
        if row.is_form:
            continue
        if row.name == "getVerifiedToken":
            uri = users.enrol(app, LOGIN["email"])
            pair = api.send(
                "POST", "/api/token", "", {"content-type": "application/json"}, json.dump_bytes(LOGIN)
            )
            tokens = {**json.loads(pair.content), "otp_token": code_of(uri, datetime.now(UTC))}
        headers, content = {"content-type": "application/json"}, fill_body(row, tokens)
        reply = api.send(row.method, fill_path(row), fill_query(row), headers, content)
        if row.name in ("authenticate", "getVerifiedToken"):
            tokens = json.loads(reply.content)
            tokens["token"] = tokens["access"]
        yield Tried(row, reply.status, reply.content)
    api.close()


def fill_path(row: Operation) -> str:
    """The path with the reference's values."""
    return row.path.format(**{name: find_path_example(row.name, row.path, name) for name in row.path_names})


def fill_query(row: Operation) -> str:
    """The query that is required, and what else the reference has values for."""
    values = {one.name: find_path_example(row.name, row.path, one.name) for one in row.query}
    required = {one.name for one in row.query if one.required}
    return urlencode({name: value for name, value in values.items() if value or name in required})


def fill_body(row: Operation, tokens: Mapping[str, str]) -> bytes:
    """The example; tokens are those of a log-in before."""
    if not row.body:
        return b""
    body = BODIES[name_model(row.body)]
    return json.dump_bytes(
        {name: tokens.get(name, value) for name, value in body.items()} if tokens else body
    )


def list_answers(tried: list[Tried]) -> dict[str, Any]:
    """An answer for each published model, and for each operation whose answer has none."""
    answers: dict[str, Any] = {}
    for row, value in ((one.row, json.loads(one.content)) for one in tried):
        answer = row.answer
        if isinstance(answer, Listing):
            continue
        name = row.name
        if isinstance(answer, Many):
            name, value = name_model(answer.item), value[0]
        if answer is not Anything and isinstance(answer, type) and issubclass(answer, Model):
            name = name_model(answer)
        if name not in answers or len(json.dumps(shorten(value))) > len(json.dumps(answers[name])):
            answers[name] = shorten(value)  # the fullest
    answers["references"] = {key: answers["references"][key] for key in KEYS}
    return dict(sorted(answers.items()))


def shorten(value: Any, key: str = "") -> Any:
    """The same without secrets, long texts and long lists."""
    if isinstance(value, list):
        return [shorten(item) for item in value[: 1 if key == "" else KEPT]]
    if isinstance(value, dict):
        return {name: shorten(item, name) for name, item in list(value.items())[:40]}
    if key in ("access", "refresh"):
        return "eyJhbGciOiJIUzI1NiJ9.e30.signature"
    if key == "secret":
        return "whsec_" + "0" * 32
    if isinstance(value, str) and len(value) > LONG:
        return HTML if value.startswith("<!doctype html>") else PDF
    return re.sub(r"^http://localhost/", "http://127.0.0.1:5002/", value) if isinstance(value, str) else value


def main() -> None:
    """Write the answers into the package."""
    with tempfile.TemporaryDirectory() as folder:
        app = open_app(copy_sandbox(Path(folder) / "home"), sandbox=True, environ={})
        tried = list(send_all(app))
        app.close()
    failed = [(one.row.name, one.status, one.content[:200]) for one in tried if one.status >= 300]
    if failed:
        sys.exit(str(failed))
    target = Path(__file__).parents[3] / "shipcli" / "operations" / FILE
    target.write_text(json.dumps(list_answers(tried), indent=True) + "\n", "utf-8")


if __name__ == "__main__":
    main()
