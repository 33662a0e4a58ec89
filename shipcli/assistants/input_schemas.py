"""The JSON schema of what a tool takes, from the served document: its texts stand there once."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from shipcli.models import ShipmentData
from shipcli.models.base import Model
from shipcli.operations.components import gather_names, name_model
from shipcli.operations.document import list_parameters
from shipcli.operations.named_schemas import make_schemas
from shipcli.operations.operation import Operation
from shipcli.operations.schema import REFERENCE, Schema

DEFINITIONS = "#/$defs/"
BODY = "body"


def make_input_schema(operation: Operation) -> Schema:
    """The values of the path and the query by name, and the body."""
    parameters = list_parameters(operation)
    properties = {row["name"]: _describe(row) for row in parameters}
    required = [row["name"] for row in parameters if row.get("required")]
    if operation.body is None:
        return make_object(properties, required)
    if operation.body.__name__ not in gather_names():
        return _add_unpublished(make_object(properties, required), operation.body)
    name = name_model(operation.body)
    needed = [BODY] if make_schemas()[name].get("required") else []
    return make_object({**properties, BODY: {"$ref": REFERENCE + name}}, [*required, *needed])


def _add_unpublished(schema: Schema, body: type[Model]) -> Schema:
    """The schema with a body that no document publishes, as its model describes it."""
    whole = body.model_json_schema()
    definitions = whole.pop("$defs", {})
    needed = [*schema.get("required", ()), *([BODY] if whole.get("required") else [])]
    return {
        **schema,
        "properties": {**schema["properties"], BODY: whole},
        **({"required": needed} if needed else {}),
        **({"$defs": {**schema.get("$defs", {}), **definitions}} if definitions else {}),
    }


def _describe(parameter: Schema) -> Schema:
    text = {"description": parameter["description"]} if "description" in parameter else {}
    return {**parameter["schema"], **text}


def make_object(properties: dict[str, Schema], required: Iterable[str] = ()) -> Schema:
    """A schema of these properties, with the definitions that they refer to, as JSON schema has them."""
    whole: Schema = {"type": "object", "properties": properties, "additionalProperties": False}
    if names := list(required):
        whole["required"] = names
    definitions = {name: convert(make_schemas()[name]) for name in sorted(_gather(properties))}
    converted: Schema = convert(whole)
    return {**converted, "$defs": definitions} if definitions else converted


def make_shipment_schema() -> Schema:
    """The schema of a shipment that is to be made."""
    return {"$ref": REFERENCE + name_model(ShipmentData)}


def _gather(value: Any) -> set[str]:
    """The names of all components that a schema refers to, directly or by others."""
    names: set[str] = set()
    waiting = list(_list_references(value))
    while waiting:
        name = waiting.pop()
        if name not in names:
            names.add(name)
            waiting += _list_references(make_schemas()[name])
    return names


def _list_references(value: Any) -> Iterator[str]:
    if isinstance(value, dict):
        if isinstance(value.get("$ref"), str):
            yield value["$ref"].removeprefix(REFERENCE)
        for item in value.values():
            yield from _list_references(item)
    elif isinstance(value, list):
        for item in value:
            yield from _list_references(item)


def convert(value: Any) -> Any:
    """A schema of OpenAPI 3.0 as JSON schema: null is a type of its own there, not a flag."""
    if isinstance(value, list):
        return [convert(item) for item in value]
    if not isinstance(value, dict):
        return value
    schema = {key: convert(item) for key, item in value.items() if key not in ("nullable", "example")}
    if isinstance(schema.get("$ref"), str):
        schema["$ref"] = DEFINITIONS + schema["$ref"].removeprefix(REFERENCE)
    if value.get("nullable") is not True:
        return schema
    if isinstance(schema.get("type"), str) and "enum" not in schema:
        return {**schema, "type": [schema["type"], "null"]}
    return {"anyOf": [schema, {"type": "null"}]}
