"""The data that goes to a printer, the error if the printer does not accept it, and the states of a job."""

from __future__ import annotations

import os
from dataclasses import dataclass, field
from typing import ClassVar

from shipcli.models.basics.errors import ShipcliError

WAITING, SENDING, PRINTED = "waiting", "sending", "printed"
UNKNOWN, CANCELLED, REPLACED = "unknown", "cancelled", "replaced"
SAVED = "saved"  # written to a file and not printed: no job of a printer
OPEN = (WAITING, SENDING, UNKNOWN)
ON_PAPER = (PRINTED, UNKNOWN, REPLACED)  # some of it may lie in the tray
FIRST, AGAIN = "first", "again"  # only what was never printed; a new copy whatever was printed


WAIT_S = 2.0


class PrinterError(ShipcliError):
    """The printer did not accept it; the label is still stored. `begun`: some of it may have been printed."""

    code = "printer"
    exit_code: ClassVar[int] = 10
    status = 502

    def __init__(self, message: str, *, hint: str = "", begun: bool = False) -> None:
        super().__init__(message)
        self.hint = hint
        self.begun = begun


@dataclass(frozen=True)
class PrintSheet:
    """The data that goes to a printer in one piece.

    Units: `media` is width and height in inches, where the paper is known; `wait_s` is how long a network
           printer that has taken everything is given to close the connection, or to break off. One that is
           known to close it (`closes`) has longer, and has failed if it does not. `mark` is the job and who
           sends it, by which a spool folder tells what became of it.
    """

    content: bytes
    format: str
    title: str = "label"
    copies: int = 1
    media: tuple[float, float] | None = None
    wait_s: float = WAIT_S
    closes: bool = False
    mark: str = field(default_factory=lambda: f"{os.urandom(4).hex()}-{os.urandom(4).hex()}")
