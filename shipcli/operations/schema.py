"""The published schemas of models: JSON schemas in the form of OpenAPI 3.0.3.

There null is a flag beside the type, and a reference with anything beside it must be inside `allOf`.
"""

from __future__ import annotations

from decimal import Decimal
from functools import cache
from typing import Any

from pydantic.json_schema import GenerateJsonSchema, JsonSchemaMode, JsonSchemaValue
from pydantic_core import core_schema

from shipcli.models.base import Model

Schema = dict[str, Any]
REFERENCE = "#/components/schemas/"
_TAKEN_OUT = frozenset({"title", "description", "minItems", "minimum", "ge"})


class Published(GenerateJsonSchema):
    """Schemas with `nullable`, and literals as plain enumerations."""

    def nullable_schema(self, schema: core_schema.NullableSchema) -> JsonSchemaValue:
        """The inner schema, marked as nullable."""
        return {**_wrap(self.generate_inner(schema["schema"])), "nullable": True}

    def default_schema(self, schema: core_schema.WithDefaultSchema) -> JsonSchemaValue:
        """The schema with its default beside it."""
        return _wrap(super().default_schema(schema))

    def literal_schema(self, schema: core_schema.LiteralSchema) -> JsonSchemaValue:
        """An enumeration, even of a single word."""
        return {"type": "string", "enum": list(schema["expected"])}

    def encode_default(self, dft: Any) -> Any:
        """Write decimals as numbers."""
        return float(dft) if isinstance(dft, Decimal) else super().encode_default(dft)


def _wrap(schema: Schema) -> Schema:
    """Wrap a reference in `allOf`, so that other keys can stand beside it."""
    if "$ref" not in schema:
        return schema
    return {"allOf": [{"$ref": schema["$ref"]}]} | {
        key: value for key, value in schema.items() if key != "$ref"
    }


@cache
def list_properties(model: type[Model], mode: JsonSchemaMode = "validation") -> dict[str, Schema]:
    """The schema of every field; a reference is `REFERENCE` and the name of a model class."""
    whole = model.model_json_schema(
        by_alias=False, ref_template=REFERENCE + "{model}", schema_generator=Published, mode=mode
    )
    definition: Schema = whole.get("$defs", {}).get(model.__name__, whole)
    return {name: _tidy(schema) for name, schema in definition["properties"].items()}


def _tidy(schema: Schema) -> Schema:
    """A property as published: without our own texts, lower bounds and null as a default."""
    tidied = {key: value for key, value in _wrap(schema).items() if key not in _TAKEN_OUT}
    if tidied.get("default", ...) is None:
        del tidied["default"]
    if tidied.get("additionalProperties") is True:
        tidied["additionalProperties"] = {}
    if tidied.get("nullable") and "enum" in tidied:
        tidied["enum"] = [*tidied["enum"], None]
    return tidied


def describe_schema(schema: Schema, sentence: str | None) -> Schema:
    """The same schema, saying what it means."""
    return {**_wrap(schema), "description": sentence} if sentence else schema


def allow_null(schema: Schema) -> Schema:
    """The same schema, allowing null."""
    words = {"enum": [*schema["enum"], None]} if "enum" in schema and None not in schema["enum"] else {}
    return {**schema, **words, "nullable": True}


def forbid_null(schema: Schema) -> Schema:
    """The same schema, not allowing null."""
    words = {"enum": [word for word in schema["enum"] if word is not None]} if "enum" in schema else {}
    return {key: value for key, value in {**schema, **words}.items() if key != "nullable"}


def copy_limits(schema: Schema, other: Schema) -> Schema:
    """A property with the maximum length and the enumerated words of another one."""
    names = ("maxLength", "enum")
    limits: Schema = {key: other[key] for key in names if key in other and key not in schema}
    if "items" in schema and "enum" in other.get("items", {}):
        limits["items"] = other["items"]
    limited = {**schema, **limits}
    return allow_null(limited) if limited.get("nullable") else forbid_null(limited)


def find_model(schema: Schema) -> str:
    """The model that a schema names, itself, as a list or among others."""
    if "$ref" in schema:
        return str(schema["$ref"]).removeprefix(REFERENCE)
    others = [*schema.get("allOf", ()), *schema.get("anyOf", ()), *schema.get("oneOf", ())]
    return next(filter(None, map(find_model, [*others, *filter(None, [schema.get("items")])])), "")
