"""Paths that `-d` names: one that leads to no field of the body is a mistake."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any, get_args, get_origin

from shipcli.cli.console.paths import split_path
from shipcli.cli.usage_errors import Usage
from shipcli.models.basics.text import find_nearest

ID = "id"  # of a stored object, in the place of its fields


def check_paths(model: Any, paths: Iterable[str]) -> None:
    """Errors: Usage naming the nearest field, for a path that leads to no field of the model."""
    for path in paths:
        kinds: list[Any] = [model]
        for step in (one for one in split_path(path) if isinstance(one, str)):
            fields = _list_fields(kinds)
            if not fields:
                break  # keys of the user's own, or a plain value, which the model says
            if step not in fields:
                near = find_nearest(step, fields)
                asked = f"did you mean {near}?" if near else f"there are {', '.join(sorted(fields))}"
                raise Usage(f"-d {path}: there is no field {step}; {asked}")
            kinds = fields[step]


def _list_fields(kinds: Iterable[Any]) -> dict[str, list[Any]]:
    """The fields of the models among some types, with their types; none where any key may stand."""
    found: dict[str, list[Any]] = {}
    for kind in kinds:
        for part in _split_type(kind):
            if part is Any or get_origin(part) is dict or part in (dict, Mapping):
                return {}
            for name, info in getattr(part, "model_fields", {}).items():
                found.setdefault(name, []).append(info.annotation)
    return {ID: [], **found} if found else {}


def _split_type(kind: Any) -> Iterator[Any]:
    """A type, or the types that make up a union, a list or an annotated type."""
    if get_origin(kind) in (None, dict):
        yield kind
        return
    for inner in get_args(kind):
        yield from _split_type(inner)
