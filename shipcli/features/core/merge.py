"""Merging changes into stored dictionaries (metadata, options, credentials, config), and comparing them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any


def merge_keys(stored: Mapping[str, Any], requested: Mapping[str, Any] | None) -> dict[str, Any]:
    """Add and replace keys; a null removes its key."""
    changes = requested or {}
    unchanged = {key: value for key, value in stored.items() if key not in changes}
    return {**unchanged, **{key: value for key, value in changes.items() if value is not None}}


def drop_ids(value: Any) -> Any:
    """A document without ids, and without its shipments, which are stored elsewhere, to compare contents."""
    if isinstance(value, Mapping):
        names: Iterable[str] = (name for name in value if name not in ("id", "shipments"))
        return {name: drop_ids(value[name]) for name in names}
    return [drop_ids(item) for item in value] if isinstance(value, list) else value
