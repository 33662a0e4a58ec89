"""How stored dictionaries change: metadata, options, credentials, config."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any


def merge_keys(stored: Mapping[str, Any], given: Mapping[str, Any] | None) -> dict[str, Any]:
    """Keys added and replaced; a null removes its key."""
    changes = given or {}
    kept = {key: value for key, value in stored.items() if key not in changes}
    return {**kept, **{key: value for key, value in changes.items() if value is not None}}
