"""What a published schema forbids is refused: each keyword that simulators look at, and nothing else."""

from __future__ import annotations

from typing import Any

import pytest

from shipcli.carrier import Request
from shipcli.carrier.simulation.published_schema import PublishedSchema
from shipcli.models import json as plain_json

PARCEL = {
    "type": "object",
    "required": ["weight"],
    "additionalProperties": False,
    "properties": {
        "weight": {"type": "number", "minimum": 1, "maximum": 70},
        "pieces": {"type": "integer"},
        "phone": {"type": "string", "pattern": "^[0-9]{10}$"},
        "kind": {"type": "string", "enum": ["BOX", "BAG"]},
        "name": {"type": "string", "minLength": 2, "maxLength": 4, "nullable": True},
        "lines": {"type": "array", "maxItems": 2, "items": {"type": "string"}},
        "door": {"oneOf": [{"type": "string"}, {"type": "object", "required": ["code"]}]},
    },
}
DOCUMENT = {
    "paths": {
        "/labels/{version}": {
            "post": {
                "requestBody": {
                    "content": {"application/json": {"schema": {"$ref": "#/components/schemas/1"}}}
                }
            }
        }
    },
    "components": {"schemas": {"1": PARCEL}},
}


def places(body: Any, method: str = "POST") -> list[str]:
    request = Request(
        method,
        "https://api.example/labels/v2",
        {"content-type": "application/json"},
        plain_json.dump_bytes(body),
    )
    return [problem.path for problem in PublishedSchema(DOCUMENT).problems(request)]


@pytest.mark.parametrize(
    ("member", "value"),
    [
        ("weight", "2"), ("weight", 0), ("weight", 70.5), ("weight", True), ("pieces", 1.5), ("kind", "TUBE"),
        ("phone", "+1 503-555-0162"), ("name", "A"), ("name", "Abcde"), ("lines", ["a", "b", "c"]),
        ("lines", "a"), ("lines", [7]), ("door", 7), ("color", "red"),
    ],
)  # fmt: skip
def test_what_a_schema_forbids_is_named_by_its_place(member: str, value: Any) -> None:
    assert set(places({"weight": 2, member: value})) == {member}


@pytest.mark.parametrize(
    ("member", "value"),
    [
        ("weight", 2.5),
        ("pieces", 2.0),
        ("phone", "5035550162"),
        ("name", None),
        ("lines", []),
        ("door", {"code": 1}),
    ],
)
def test_what_a_schema_allows_passes(member: str, value: Any) -> None:
    assert places({"weight": 2, member: value}) == []


def test_what_is_required_is_missed() -> None:
    assert places({"kind": "BOX"}) == ["weight"]


def test_another_operation_is_not_looked_at() -> None:
    assert places({"kind": "TUBE"}, "PUT") == []
