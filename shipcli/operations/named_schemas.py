"""The named schemas of the served document: errors, models, pages of lists, credentials of carriers."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from typing import Any

from shipcli.carrier import registry
from shipcli.models.sentences import list_sentences
from shipcli.models.sentences.accounts import CREDENTIALS as ACCOUNT_FIELDS
from shipcli.models.sentences.body_examples import BODIES
from shipcli.operations.answer_examples import read_answers
from shipcli.operations.components import COMPONENTS, CREDENTIALS, make_schema, name_model
from shipcli.operations.operation import Listing, Operation
from shipcli.operations.schema import REFERENCE, Schema, allow_null, describe_schema
from shipcli.operations.table import DESCRIBED, list_carrier_slugs, list_trackable_carriers

ERRORS, REFUSALS = "ErrorResponse", "ErrorMessages"
OBJECT: Schema = {"type": "object", "additionalProperties": {}}
CREDENTIAL_TYPES: dict[str, Schema] = {
    "boolean": {"type": "boolean"}, "integer": {"type": "integer"}, "float": {"type": "number"},
    "object": {"type": "object"}, "list": {"type": "array", "items": {}},
}  # fmt: skip


@cache
def make_schemas() -> dict[str, Schema]:
    """Every named schema."""
    carriers, tracking = list_carrier_slugs(), list_trackable_carriers()
    examples = {**BODIES, **read_answers(), **_list_page_examples()}
    schemas = {
        **_make_error_schemas(),
        **{row.name: make_schema(row, carriers, tracking) for row in COMPONENTS},
        **make_envelopes(DESCRIBED),
        **_make_account_schemas(),
    }
    return {
        name: {**schema, "example": examples[name]} if name in examples else schema
        for name, schema in schemas.items()
    }


def _list_page_examples() -> dict[str, Any]:
    """A page with a single object for each list."""
    return {
        row.answer.envelope: {
            "count": 1,
            "next": None,
            "previous": None,
            "results": [read_answers()[name_model(row.answer.item)]],
        }
        for row in DESCRIBED
        if isinstance(row.answer, Listing)
    }


def _make_error_schemas() -> dict[str, Schema]:
    texts: Schema = {name: {"type": "string"} for name in ("message", "code")}
    fields = {
        "APIError": {**texts, "details": OBJECT},
        ERRORS: {"errors": _make_array_schema("APIError")},
        REFUSALS: {"messages": _make_array_schema("Message"), "errors": _make_array_schema("APIError")},
    }
    return {
        name: {"type": "object", "properties": _describe_fields(properties, f"{name}.")}
        for name, properties in fields.items()
    }


def _describe_fields(properties: dict[str, Schema], prefix: str = "") -> dict[str, Schema]:
    """The properties with what they mean, by the sentences of no model."""
    sentences = list_sentences()
    return {
        name: describe_schema(schema, sentences.get(prefix + name) or sentences.get(name))
        for name, schema in properties.items()
    }


def _make_array_schema(name: str) -> Schema:
    return {"type": "array", "items": {"$ref": REFERENCE + name}}


def make_envelopes(rows: Sequence[Operation]) -> dict[str, Schema]:
    """The pages of lists."""
    link: Schema = {"type": "string", "format": "uri", "nullable": True}
    return {
        row.answer.envelope: {
            "type": "object",
            "properties": _describe_fields(
                {
                    "count": {"type": "integer", "nullable": True},
                    "next": link,
                    "previous": link,
                    "results": _make_array_schema(name_model(row.answer.item)),
                }
            ),
            "required": ["results"],
        }
        for row in rows
        if isinstance(row.answer, Listing)
    }


def _make_account_schemas() -> dict[str, Schema]:
    """The credentials of every carrier. Some carriers have the same fields, so one may fit several."""
    fields = {facts.slug: facts.connection_fields for facts in registry.list_facts()}
    choice: Schema = {"anyOf": [{"$ref": REFERENCE + slug} for slug in fields]}
    return {CREDENTIALS: choice} | {slug: _make_account_schema(rows) for slug, rows in fields.items()}


def _make_account_schema(rows: dict[str, dict[str, Any]]) -> Schema:
    required = sorted(name for name, row in rows.items() if row.get("required"))
    return {
        "type": "object",
        "properties": {
            name: describe_schema(_make_credential_schema(row), ACCOUNT_FIELDS.get(name))
            for name, row in rows.items()
        },
        **({"required": required} if required else {}),
    }


def _make_credential_schema(row: dict[str, Any]) -> Schema:
    """One field of an account; one that is not required is null if it was not given."""
    schema: Schema = dict(CREDENTIAL_TYPES.get(str(row.get("type")), {"type": "string"}))
    if row.get("enum"):
        schema["enum"] = list(row["enum"])
    return schema if row.get("required") else allow_null(schema)
