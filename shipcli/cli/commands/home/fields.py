"""`shipcli fields`."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Annotated, Any

import typer

from shipcli.cli.command_loader import build
from shipcli.cli.command_table import find_noun, list_calls
from shipcli.cli.console.output import show_list
from shipcli.cli.usage_errors import Usage
from shipcli.cli.verbs import Verbs
from shipcli.operations.components import name_model
from shipcli.operations.named_schemas import make_schemas
from shipcli.operations.schema import find_model
from shipcli.operations.table import DESCRIBED

COLUMNS = ("field", "type", "required", "description")
USUAL = "create"
DATA = "-d"
SHOWN_WORDS = 8

verb = Verbs()


@verb
def fields(
    words: Annotated[
        list[str], typer.Argument(metavar="COMMAND...", help="A command with -d, such as orders create.")
    ],
) -> None:
    """List the fields that -d and --from-file set, with what each means.

    They are those of the API.

    Examples:
    shipcli fields addresses create
    shipcli fields orders
    shipcli fields shipments create --json
    """
    show_list(list(list_fields(*_find_schema(words))), COLUMNS)


def _find_schema(words: Sequence[str]) -> tuple[dict[str, Any], str]:
    """All published schemas, and the name of that which the command sends.

    Errors: Usage for a command without fields of its own.
    """
    noun = find_noun(words[0])
    if not noun:
        raise Usage(f"there is no command {words[0]!r}")
    path = [noun.name, *(words[1:] or ([USUAL] if noun.verbs else []))]
    command = build(tuple(path))
    if command and any(DATA in param.opts for param in command.params):
        bodies = {row.name: row.body for row in DESCRIBED if row.body}
        for call in list_calls(path):
            if call in bodies:
                return make_schemas(), name_model(bodies[call])
    raise Usage(f"shipcli {' '.join(path)} has no {DATA}: it sets no fields")


def list_fields(schemas: dict[str, Any], name: str) -> Iterator[dict[str, Any]]:
    """The fields of a schema, those of an object inside it once, after the first field that holds one."""
    yield from _walk(schemas, name, "", {})


def _walk(schemas: dict[str, Any], name: str, before: str, seen: dict[str, str]) -> Iterator[dict[str, Any]]:
    required = schemas[name].get("required", ())
    for field, described in schemas[name].get("properties", {}).items():
        path = f"{before}{field}"
        inside, is_list = find_model(described), "items" in described
        first = seen.setdefault(inside, path) if inside in schemas else path
        row = {"type": _name_type(described, inside, is_list), "required": field in required}
        like = f" Its fields are those of {first}." if first != path else ""
        yield {"field": path, **row, "description": described.get("description", "") + like}
        if inside in schemas and first == path:
            yield from _walk(schemas, inside, f"{path}{'[0]' if is_list else ''}.", seen)


def _name_type(schema: dict[str, Any], inside: str, is_list: bool) -> str:
    kind = "object" if inside else str((schema.get("items") or schema).get("type", "object"))
    words = (schema.get("items") or schema).get("enum")
    if words and len(words) <= SHOWN_WORDS:
        kind = " | ".join(str(word) for word in words if word not in ("", None))
    return f"list of {kind}" if is_list else kind
