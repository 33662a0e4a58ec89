"""What a carrier's own description forbids, as a simulator refuses it: `schema.json` beside its catalogue.

The file is made from the published OpenAPI description and holds names, patterns and enumerations only, of
the operations that are called, in OpenAPI's form; of an XSD it is `schema.xml` (see `published_documents`).
It is read when the first request is looked at.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from decimal import Decimal
from functools import cache, cached_property
from pathlib import Path
from typing import Any, Protocol

from shipcli.carrier.simulation.reasons import (
    NOT_TAKEN,
    REQUIRED,
    explain_choice,
    explain_count,
    explain_form,
    explain_kind,
    explain_length,
    explain_number,
)
from shipcli.carrier.simulation.rules import RuleProblem
from shipcli.carrier.wire.calls import Request
from shipcli.models import json as plain_json

NAME, XML_NAME = "schema.json", "schema.xml"
PREFIX = "#/components/schemas/"
ALTERNATIVES = ("oneOf", "anyOf")
KINDS: Mapping[str, tuple[type, ...]] = {
    "string": (str,),
    "object": (dict,),
    "array": (list,),
    "boolean": (bool,),
    "number": (int, float, Decimal),
    "integer": (int, float, Decimal),
}
Schema = Mapping[str, Any]


class PublishedRules(Protocol):
    """What a description forbids, in whatever form it is."""

    def problems(self, request: Request) -> Iterator[RuleProblem]:
        """Yield everything that is wrong with a request."""


@cache
def read_published_schema(module_file: str) -> PublishedRules | None:
    """The schema beside a module or in the folder above it; None if the carrier has none."""
    folder = Path(module_file).parent
    places = [directory / name for directory in (folder, folder.parent) for name in (NAME, XML_NAME)]
    path = next((path for path in places if path.is_file()), None)
    if path is None:
        return None
    if path.suffix == ".xml":
        # Carriers that speak JSON never load the XML library for it.
        from shipcli.carrier.simulation.published_documents import PublishedDocuments

        return PublishedDocuments(path.read_bytes())
    return PublishedSchema(plain_json.loads(path.read_bytes()))


class PublishedSchema:
    """The operations of one carrier, as far as their bodies are described."""

    def __init__(self, document: Schema) -> None:
        self._document = document

    @cached_property
    def _bodies(self) -> list[tuple[str, re.Pattern[str], Schema]]:
        """Method, pattern of the path and schema of what is sent as JSON."""
        return [
            (method.upper(), compile_path(path), content["application/json"]["schema"])
            for path, operations in self._document["paths"].items()
            for method, operation in operations.items()
            if "application/json" in (content := operation.get("requestBody", {}).get("content", {}))
        ]

    def problems(self, request: Request) -> Iterator[RuleProblem]:
        """Yield everything that is wrong with the JSON body of a request."""
        if "json" not in request.header("content-type"):
            return
        for method, pattern, schema in self._bodies:
            if method == request.method and pattern.fullmatch(request.path):
                yield from self.check(request.json, schema, "")
                return

    def check(self, value: Any, schema: Schema, path: str) -> Iterator[RuleProblem]:
        """Yield what is wrong with one value, of alternatives by the one that finds least."""
        while "$ref" in schema:
            schema = self._document["components"]["schemas"][schema["$ref"].removeprefix(PREFIX)]
        if value is None and schema.get("nullable"):
            return
        for text, reason in list_misfits(value, schema):
            yield RuleProblem(path, "", f"{path}: {text}", reason, value)
        if isinstance(value, dict):
            yield from self._check_members(value, schema, path)
        elif isinstance(value, list) and "items" in schema:
            for member in value:
                yield from self.check(member, schema["items"], path)
        for key in ALTERNATIVES:
            verdicts = [list(self.check(value, branch, path)) for branch in schema.get(key, ())]
            yield from min(verdicts, key=len, default=())

    def _check_members(self, value: Mapping[str, Any], schema: Schema, path: str) -> Iterator[RuleProblem]:
        members = schema.get("properties", {})
        for name in schema.get("required", ()):
            if name not in value:
                yield RuleProblem(join(path, name), "", f"{join(path, name)}: is required", REQUIRED)
        for name, inner in value.items():
            if name in members:
                yield from self.check(inner, members[name], join(path, name))
            elif schema.get("additionalProperties") is False:
                text = f"{join(path, name)}: no such member is known"
                yield RuleProblem(join(path, name), "", text, NOT_TAKEN, inner)


def compile_path(path: str) -> re.Pattern[str]:
    parts = re.split(r"\{[^{}]+\}", path.rstrip("/"))
    return re.compile("[^/]+".join(map(re.escape, parts)) + "/?")


def join(path: str, name: str) -> str:
    return f"{path}/{name}" if path else name


def list_misfits(value: Any, schema: Schema) -> Iterator[tuple[str, str]]:
    """What a value itself is not, without its members: in the words of the description, and of its origin."""
    kind = schema.get("type", "")
    if kind in KINDS and not is_of_kind(value, kind):
        yield f"is not of the type {kind}", explain_kind(kind)
        return
    if "enum" in schema and value not in schema["enum"]:
        yield "is none of the values that are known", explain_choice([*map(str, schema["enum"])])
    if isinstance(value, str):
        yield from list_text_misfits(value, schema)
    elif isinstance(value, list):
        least, most = schema.get("minItems", 0), schema.get("maxItems", len(value))
        if not least <= len(value) <= most:
            yield "has too few or too many members", explain_count(least, most)
    elif is_number(value):
        least, most = schema.get("minimum", value), schema.get("maximum", value)
        if not least <= value <= most:
            yield "is too small or too large", explain_number(least, most, value)


def is_number(value: Any) -> bool:
    return isinstance(value, int | float | Decimal) and not isinstance(value, bool)


def list_text_misfits(value: str, schema: Schema) -> Iterator[tuple[str, str]]:
    least, most = schema.get("minLength", 0), schema.get("maxLength", len(value))
    if not least <= len(value) <= most:
        yield "is too short or too long", explain_length(least, most, value)
    if "pattern" in schema and not re.search(schema["pattern"], value):
        yield f"does not match {schema['pattern']}", explain_form(schema["pattern"])


def is_of_kind(value: Any, kind: str) -> bool:
    if isinstance(value, bool):
        return kind == "boolean"
    if kind == "integer" and isinstance(value, Decimal | float):
        return value == int(value)
    return isinstance(value, KINDS[kind])
