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


class ExtraMissing(ShipcliError):
    """A package that is installed on demand only."""

    code = "extra_missing"

    def __init__(self, command: str, package: str, extra: str) -> None:
        super().__init__(f"`{command}` needs the package {package}, which is not installed")
        self.hint = f"pip install 'shipcli[{extra}]'"


class Declined(ShipcliError):
    """The user was asked and declined."""

    code = "declined"

    def __init__(self) -> None:
        super().__init__("nothing was done")
