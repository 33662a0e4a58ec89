"""Dotted paths into objects: `recipient.city`, `parcels[0].weight`."""

from __future__ import annotations

import re
from collections.abc import Mapping
from itertools import pairwise
from typing import Any

from shipcli.cli.usage_errors import Usage

_STEP = re.compile(r"\[(\d+)\]|([^.\[\]]+)")
_WHOLE = re.compile(r"[^.\[\]]+(?:\[\d+\]|\.[^.\[\]]+)*")
MISSING = object()
_MAX_ROWS = 10_000


def split_path(path: str) -> list[int | str]:
    """The steps of a path.

    Errors: Usage for text that is not a path.
    """
    if not _WHOLE.fullmatch(path):
        raise Usage(f"{path!r} is not a path such as recipient.city or parcels[0].weight")
    return [int(position) if position else key for position, key in _STEP.findall(path)]


def look_up(value: Any, path: str) -> Any:
    """The value at a path; MISSING if the path does not exist. A key that contains the dots wins."""
    if isinstance(value, Mapping) and path in value:
        return value[path]
    for step in split_path(path):
        value = _take_step(value, step)
    return value


def _take_step(value: Any, step: int | str) -> Any:
    if isinstance(value, Mapping):
        return value.get(str(step), MISSING)
    if isinstance(value, list | tuple):
        position = int(step) if str(step).isdecimal() else len(value)
        return value[position] if position < len(value) else MISSING
    return MISSING


def assign(target: dict[str, Any], path: str, value: Any) -> None:
    """Set the value at a path, making the objects and lists on the way.

    Errors: Usage if the path leads through anything but objects and lists, or leaves a gap in a list.
    """
    steps = split_path(path)
    parent: Any = target
    for step, following in pairwise(steps):
        child = _take_step(parent, step)
        if child is MISSING or child is None:
            child = [] if isinstance(following, int) else {}
            _set(parent, step, child, path)
        parent = child
    _set(parent, steps[-1], value, path)


def _set(parent: Any, step: int | str, value: Any, path: str) -> None:
    if isinstance(parent, dict) and isinstance(step, str):
        parent[step] = value
    elif isinstance(parent, list) and isinstance(step, int):
        if not step <= len(parent) < _MAX_ROWS:
            raise Usage(f"the path {path} leaves a gap at {step}")
        parent[step : step + 1] = [value]
    else:
        raise Usage(f"the path {path} does not fit the object at {step}")


def select_paths(value: Mapping[str, Any], paths: list[str]) -> dict[str, Any]:
    """The part of an object that some paths name, in its own shape; missing values are null."""
    chosen: dict[str, Any] = {}
    for path in paths:
        part = look_up(value, path)
        part = None if part is MISSING else part
        if path in value or "[" in path:
            chosen[path] = part
        else:
            assign(chosen, path, part)
    return chosen
