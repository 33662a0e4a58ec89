"""What Schemathesis is told beyond the document: examples that succeed, and what leads on from an answer.

Loaded by Schemathesis. `SHIPCLI_PROPERTIES_WORLD` names a file that holds a `World` as JSON.
"""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import schemathesis
from hypothesis import strategies as st
from schemathesis import HookContext

from tests.properties.world import FORM, NOWHERE, World

WORLD = World(**json.loads(Path(os.environ["SHIPCLI_PROPERTIES_WORLD"]).read_text("utf-8")))
ID = {"id": "$response.body#/id"}
CHOICE = {"selected_rate_id": "$response.body#/rates/0/id"}
# Where an answer leads: path, method and status, then the operation, its path values and its body.
LINKS: dict[tuple[str, str, str], list[tuple[str, dict[str, str], Any]]] = {
    ("/v1/shipments", "post", "201"): [("$$$$$purchase", ID, CHOICE)],
    ("/v1/shipments/{id}/rates", "post", "200"): [("$$$$$purchase", ID, CHOICE)],
    ("/v1/shipments/{id}/purchase", "post", "200"): [
        ("download_label", {**ID, "format": "pdf"}, None),
        ("$$$$$cancel", ID, None),
        ("$$$$$$retrieve", {"id_or_tracking_number": "$response.body#/tracking_number"}, None),
    ],
}


@schemathesis.hook
def before_load_schema(context: HookContext, raw_schema: dict[str, Any]) -> None:
    """Give examples to bodies and parameters, and links to answers."""
    for path, operations in raw_schema["paths"].items():
        for method, operation in operations.items():
            _exemplify(path, operation, WORLD.spare if method == "delete" else WORLD.ids)
    for (path, method, status), links in LINKS.items():
        answer = raw_schema["paths"][path][method]["responses"][status]
        answer["links"] = {id: _link(id, values, body) for id, values, body in links}


def _link(id: str, values: dict[str, str], body: Any) -> dict[str, Any]:
    return {"operationId": id, "parameters": values, **({"requestBody": body} if body else {})}


def _exemplify(path: str, operation: dict[str, Any], ids: dict[str, str]) -> None:
    for parameter in operation.get("parameters", []):
        if value := _value(path, parameter, ids):
            parameter["example"] = value
    for media in operation.get("requestBody", {}).get("content", {}).values():
        values = WORLD.bodies.get(_name(media["schema"]), [])
        media["examples"] = {str(number): {"value": value} for number, value in enumerate(values)}


def _name(schema: dict[str, Any]) -> str:
    return str(schema.get("$ref", FORM)).rpartition("/")[2]


def _value(path: str, parameter: dict[str, Any], ids: dict[str, str]) -> str | None:
    """An example of a parameter, if there is one."""
    name, words = parameter["name"], parameter["schema"].get("enum")
    if parameter["in"] == "query" or name in WORLD.words:
        return WORLD.words.get(name)
    if name == "carrier_name":
        return _nearest(path, WORLD.carriers)
    return _nearest(path, ids) if name.startswith("id") else words and words[0]


def _nearest(path: str, values: dict[str, str]) -> str | None:
    """The value of the longest start of a path."""
    starts = [start for start in values if path.startswith(start)]
    return values[max(starts, key=len)] if starts else None


@schemathesis.hook
def flatmap_body(context: HookContext, body: Any) -> st.SearchStrategy[Any]:
    """A random body as it is, or some of its fields in a good one."""
    good = _good(context)
    if not good or not isinstance(body, dict) or not body:
        return st.just(body)
    fields = st.sets(st.sampled_from(sorted(body)), max_size=3)
    mixed = st.builds(lambda one, names: {**one, **{name: body[name] for name in names}},
                      st.sampled_from(good), fields)  # fmt: skip
    return st.one_of(st.just(body), mixed)


def _good(context: HookContext) -> list[Any]:
    names = [_name(one.definition["schema"]) for one in context.operation.body]
    return [value for name in names for value in WORLD.bodies.get(name, [])]


@schemathesis.hook
def before_call(context: HookContext, case: schemathesis.Case, kwargs: dict[str, Any]) -> None:
    """Keep webhooks on this machine: a random address may be somebody's."""
    url = case.body.get("url") if isinstance(case.body, dict) else None
    if isinstance(url, str) and urlsplit(url).netloc:
        case.body["url"] = NOWHERE
