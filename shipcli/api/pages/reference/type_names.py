"""Types of the document in words."""

from __future__ import annotations

from typing import NamedTuple

from shipcli.operations.schema import Schema, find_model

NAMES = {
    "string": "text", "integer": "whole number", "number": "number", "boolean": "true or false",
    "object": "object",
}  # fmt: skip
FORMATS = {"date": "date, YYYY-MM-DD", "date-time": "time, ISO 8601", "uri": "address", "binary": "file"}


class Described(NamedTuple):
    """A type in words, the model that it names, and the words that it allows."""

    text: str
    model: str = ""
    words: tuple[str, ...] = ()


def describe_type(schema: Schema) -> Described:
    """A type in words."""
    described = _describe_bare(schema)
    facts = [described.text]
    if "maxLength" in schema:
        facts.append(f"at most {schema['maxLength']} characters")
    if schema.get("default") not in (None, [], {}, ""):
        facts.append(f"if absent {_name_default(schema['default'])}")
    if schema.get("nullable"):
        facts.append("or null")
    return described._replace(text=", ".join(filter(None, facts)))


def _describe_bare(schema: Schema) -> Described:
    if schema.get("type") == "array":
        item = _describe_bare(schema["items"])
        return Described("list" if item.model else f"list: {item.text}", item.model, item.words)
    if model := find_model(schema):
        return Described("", model)
    if "enum" in schema:
        return Described("word", "", tuple(str(word) for word in schema["enum"] if word not in (None, "")))
    return Described(FORMATS.get(schema.get("format", ""), NAMES.get(schema.get("type", ""), "any value")))


def _name_default(value: object) -> str:
    if isinstance(value, dict):
        return ", ".join(f"{name} {item}" for name, item in value.items() if item is not None)
    return str(value).lower() if isinstance(value, bool) else str(value)
