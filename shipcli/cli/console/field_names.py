"""Fields that a command names, to be shown, sorted by or set: one that no object can have is an error."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, get_args, get_origin

from shipcli.cli.console.paths import split_path
from shipcli.cli.usage_errors import Usage
from shipcli.models.basics.text import find_nearest

ID = "id"  # of a stored object, which stands for its fields
# Objects with keys of a user's or a carrier's own: nobody can tell which there are.
FREE_FORM = frozenset({"metadata", "meta", "options", "config", "credentials", "info", "data", "details",
                       "value", "record", "request", "reply", "response", "query", "body",
                       "fields_mapping"})  # fmt: skip
# Commands that change nothing, by their last word: they refuse a field that is not there.
READ_ONLY_VERBS = frozenset({"list", "get", "find", "quote", "show", "presets", "services", "options",
                             "fields", "track", "tail", "ledger", "tables", "query", "path", "info",
                             "schema", "check", "status", "deliveries", "queue", "jobs", "validate",
                             "doctor", "version"})  # fmt: skip


def has_changed_nothing(path: Sequence[str], acted: bool) -> bool:
    """Whether a command may still end in an error; `acted` is whether it was about to change something."""
    return path[:1] == ("export",) or (not acted and bool(READ_ONLY_VERBS.intersection(path[-1:])))


def list_declared_fields(path: Sequence[str]) -> Mapping[str, Any]:
    """The fields of a list's objects, for an empty list; empty if the API has no such list."""
    from shipcli.cli.command_table import list_calls
    from shipcli.operations.control_plane import CONTROL
    from shipcli.operations.operation import Listing
    from shipcli.operations.table import OPERATIONS

    calls, rows = list_calls(path), (*OPERATIONS, *CONTROL)
    items = [row.answer.item for row in rows if row.name in calls and isinstance(row.answer, Listing)]
    return dict.fromkeys(items[0].model_fields) if len(items) == 1 else {}


def check_fields(row: Mapping[str, Any], paths: Iterable[str], option: str) -> None:
    """Errors: Usage naming the nearest field, for a path that does not exist in rows such as this one."""
    for path in paths:
        unknown = find_unknown(row, path)
        if unknown:
            raise _make_field_error(option, path, *unknown)


def _make_field_error(option: str, path: str, name: str, names: Sequence[str]) -> Usage:
    near = find_nearest(name, names)
    suggestion = f"did you mean {near}?" if near else f"there are {', '.join(names)}"
    return Usage(f"{option} {path}: there is no field {name}; {suggestion}")


def find_unknown(row: Mapping[str, Any], path: str) -> tuple[str, list[str]] | None:
    """The step of a path that is not a key there, and the existing keys; None for a good path.

    What is null, a list without that position, or has keys of somebody's own may have it another time.
    """
    value: Any = row
    for step in [] if path in row else split_path(path):
        if isinstance(value, list) and isinstance(step, int):
            value = value[step] if step < len(value) else None
        elif isinstance(value, Mapping) and value and str(step) not in value:
            return str(step), [str(key) for key in value]
        else:
            value = value.get(str(step)) if isinstance(value, Mapping) and step not in FREE_FORM else None
        if value is None:
            return None
    return None


# -- fields of a body ------------------------------------------------------------------------------


def check_data_paths(model: Any, paths: Iterable[str]) -> None:
    """Errors: Usage naming the nearest field, for a path that leads to no field of the model."""
    for path in paths:
        kinds: list[Any] = [model]
        for step in (name for name in split_path(path) if isinstance(name, str)):
            fields = _list_fields(kinds)
            if not fields:
                break  # keys of the user's own, or a plain value, which the model checks
            if step not in fields:
                raise _make_field_error("-d", path, step, sorted(fields))
            kinds = fields[step]


def _list_fields(kinds: Iterable[Any]) -> dict[str, list[Any]]:
    """The fields of the models among some types, with their types; none if any key is allowed."""
    fields: dict[str, list[Any]] = {}
    for kind in kinds:
        for part in _split_type(kind):
            if part is Any or get_origin(part) is dict or part in (dict, Mapping):
                return {}
            for name, info in getattr(part, "model_fields", {}).items():
                fields.setdefault(name, []).append(info.annotation)
    return {ID: [], **fields} if fields else {}


def _split_type(kind: Any) -> Iterator[Any]:
    """A type, or the types that make up a union, a list or an annotated type."""
    if get_origin(kind) in (None, dict):
        yield kind
        return
    for inner in get_args(kind):
        yield from _split_type(inner)
