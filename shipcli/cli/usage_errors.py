"""Errors of a command line, and the user's refusal."""

from __future__ import annotations

from collections.abc import Sequence

from shipcli.models.basics.errors import ShipcliError


class Usage(ShipcliError):
    """The command line itself is wrong; nothing was done."""

    code = "usage"
    exit_code = 2  # as click's

    def __init__(self, message: str, *, hint: str = "", more: Sequence[str] = ()) -> None:
        super().__init__(message)
        self.hint = hint
        self.more = tuple(more)


class Declined(ShipcliError):
    """The user was asked and declined."""

    code = "declined"

    def __init__(self) -> None:
        super().__init__("nothing was done")
