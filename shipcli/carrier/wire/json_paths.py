"""Plain JSON as carriers write it: members on a path, one thing or a list of them, nothing empty."""

from __future__ import annotations

from typing import Any, TypeAlias

Json: TypeAlias = dict[str, Any]


def as_list(value: Any) -> list[Any]:
    """Return the list of a member that is an object when there is one, and a list when there are several."""
    if value is None or value == "":
        return []
    return value if isinstance(value, list) else [value]


def get_path(body: Any, path: str) -> Any:
    """Return the value at a path such as "Response/Status/Code", or None; of a list the first item counts."""
    for name in path.split("/"):
        if isinstance(body, list):
            body = body[0] if body else None
        body = body.get(name) if isinstance(body, dict) else None
    return body


def set_path(body: Json, path: str, value: Any) -> None:
    """Set the value at a path, creating the objects on the way."""
    *way, last = path.split("/")
    for name in way:
        body = body.setdefault(name, {})
    body[last] = value


def fill_member(body: Json, name: str, usual: Any) -> Json:
    """Return an object with a member that it lacks: the number that was asked for, say."""
    return body if body.get(name) is not None else {**body, name: usual}


def drop_empty(value: Any) -> Any:
    """Return the value without members that are None, empty texts or empty containers, at any depth."""
    if isinstance(value, list):
        return [drop_empty(item) for item in value]
    if not isinstance(value, dict):
        return value
    filled = {}
    for name, item in value.items():
        inner = drop_empty(item)
        if inner or not (inner is None or isinstance(inner, str | list | dict)):  # 0 and False stay
            filled[name] = inner
    return filled
