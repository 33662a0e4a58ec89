"""Names of printers and scales: what they may be, and what is said of one that is not there."""

from __future__ import annotations

import re
from collections.abc import Iterable

from shipcli.models.basics.errors import Invalid, NotFound
from shipcli.models.basics.text import find_nearest

_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,63}")


def check_device_name(name: str) -> None:
    """Errors: Invalid for a name that can't be typed everywhere."""
    if not _NAME.fullmatch(name):
        allowed = "letters, digits, dots, dashes and underscores"
        raise Invalid("name", f"{name!r} is not a valid name: use {allowed}")


def explain_unknown_device(kind: str, name: str, names: Iterable[str]) -> NotFound:
    """There is no printer or scale of this name; with the nearest one."""
    near = find_nearest(name, names)
    return NotFound(kind, message=f"There is no {kind} {name}{f'; did you mean {near}?' if near else ''}")
