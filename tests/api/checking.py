"""Answers against the served document, more strictly than clients need: no property that is not declared.

Operations that the document leaves out are held to what their rows say.
"""

from __future__ import annotations

import json
import re
from dataclasses import replace
from datetime import datetime
from functools import cache
from typing import Any
from urllib.parse import urlsplit

from jsonschema import Draft202012Validator, FormatChecker

from shipcli.models import Model
from shipcli.operations.components import gather_names
from shipcli.operations.document import make_openapi_document, make_responses
from shipcli.operations.named_schemas import make_envelopes
from shipcli.operations.operation import Anything, Operation
from shipcli.operations.table import STEPS

METHODS = ("get", "post", "put", "patch", "delete")
# Errors of batch rows say which row; the published error does not declare it.
BEYOND = {"APIError": {"index": {"type": "integer"}}}
formats = FormatChecker(formats=())


@formats.checks("uri")
def _is_uri(value: object) -> bool:
    return not isinstance(value, str) or bool(urlsplit(value).scheme and urlsplit(value).netloc)


@formats.checks("uri-reference")
def _is_reference(value: object) -> bool:
    return not isinstance(value, str) or value.startswith("/")


@formats.checks("date-time", raises=ValueError)
def _is_moment(value: object) -> bool:
    return not isinstance(value, str) or datetime.fromisoformat(value).tzinfo is not None


def strict(schema: Any) -> Any:
    """A schema of OpenAPI 3.0 as JSON Schema; objects have no other properties than those declared."""
    if isinstance(schema, list):
        return [strict(one) for one in schema]
    if not isinstance(schema, dict):
        return schema
    found = {
        key: value if key == "enum" else strict(value) for key, value in schema.items() if key != "example"
    }
    if "properties" in found:
        found.setdefault("additionalProperties", False)
    if found.pop("nullable", False):
        return {"anyOf": [found, {"type": "null"}]}
    return found


@cache
def components() -> dict[str, Any]:
    published = make_openapi_document()["components"]["schemas"] | make_envelopes(STEPS)
    schemas = {name: dict(schema) for name, schema in published.items()}
    for name, more in BEYOND.items():
        schemas[name]["properties"] = {**schemas[name]["properties"], **more}
    return {"schemas": {name: strict(schema) for name, schema in schemas.items()}}


@cache
def paths() -> dict[str, dict[str, Any]]:
    """Every path, and what its methods answer."""
    found = {path: dict(rows) for path, rows in make_openapi_document()["paths"].items()}
    for row in STEPS:
        found.setdefault(row.path, {})[row.method.lower()] = {"responses": make_responses(_published(row))}
    return found


def _published(row: Operation) -> Operation:
    """The operation; its answer is any object where the document does not describe it."""
    model = row.answer
    if isinstance(model, type) and issubclass(model, Model) and model.__name__ not in gather_names():
        return replace(row, answer=Anything)
    return row


@cache
def places() -> list[tuple[re.Pattern[str], str]]:
    """Every documented path as a pattern, the plainest first."""
    plainest = sorted(paths(), key=lambda path: path.count("{"))
    return [(re.compile(re.sub(r"\{[^}]+\}", "[^/]+", path)), path) for path in plainest]


def documented(method: str, path: str) -> dict[str, Any] | None:
    """What the document says of an operation."""
    for pattern, known in places():
        if pattern.fullmatch(path):
            found: dict[str, Any] | None = paths()[known].get(method.lower())
            if found:
                return found
    return None


@cache
def validator(text: str) -> Draft202012Validator:
    return Draft202012Validator({**json.loads(text), "components": components()}, format_checker=formats)


def check(method: str, path: str, status: int, media_type: str, content: bytes) -> None:
    """Whether an answer is one that the document declares for its operation."""
    operation = documented(method, path)
    if operation is None:
        assert status in (404, 405), f"{method} {path} is not documented and answers {status}"
        schema: Any = {"$ref": "#/components/schemas/ErrorResponse"}
    else:
        declared = operation["responses"]
        assert str(status) in declared, f"{method} {path} answers {status}, not one of {', '.join(declared)}"
        assert media_type in declared[str(status)]["content"], f"{method} {path} answers {media_type}"
        schema = declared[str(status)]["content"][media_type]["schema"]
    if media_type == "application/json":
        conforms(json.loads(content), schema)


def conforms(value: Any, schema: Any) -> None:
    """Errors: AssertionError saying what is wrong where."""
    errors = validator(json.dumps(strict(schema))).iter_errors(value)
    said = [f"{error.json_path}: {error.message[:300]}" for error in errors]
    assert not said, "\n".join(said)
