"""Dotted paths into objects: `recipient.city`, `parcels[0].weight`."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from shipcli.cli.usage_errors import Usage

_STEP = re.compile(r"\[(\d+)\]|([^.\[\]]+)")
_WHOLE = re.compile(r"[^.\[\]]+(?:\[\d+\]|\.[^.\[\]]+)*")
MISSING = object()
_MOST_ROWS = 10_000


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
    way = split_path(path)
    place: Any = target
    for step, following in zip(way, [*way[1:], None], strict=True):
        if following is None:
            _set(place, step, value, path)
            return
        inner = _take_step(place, step)
        if inner is MISSING or inner is None:
            inner = [] if isinstance(following, int) else {}
            _set(place, step, inner, path)
        place = inner


def _set(place: Any, step: int | str, value: Any, path: str) -> None:
    if isinstance(place, dict) and isinstance(step, str):
        place[step] = value
    elif isinstance(place, list) and isinstance(step, int) and step <= len(place) < _MOST_ROWS:
        place[step : step + 1] = [value]
    else:
        reason = (
            "leaves a gap" if isinstance(place, list) and isinstance(step, int) else "does not fit the object"
        )
        raise Usage(f"the path {path} {reason} at {step}")


def select_paths(value: Mapping[str, Any], paths: list[str]) -> dict[str, Any]:
    """The part of an object that some paths name, in its own shape; missing values are null."""
    chosen: dict[str, Any] = {}
    for path in paths:
        found = look_up(value, path)
        found = None if found is MISSING else found
        if path in value or "[" in path:
            chosen[path] = found
        else:
            assign(chosen, path, found)
    return chosen
