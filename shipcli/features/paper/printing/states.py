"""The states of a print job, and whether a first or another copy is wanted."""

from __future__ import annotations

WAITING, SENDING, PRINTED = "waiting", "sending", "printed"
UNKNOWN, CANCELLED, REPLACED = "unknown", "cancelled", "replaced"
SAVED = "saved"  # written to a file and not printed: no job of a printer
OPEN = (WAITING, SENDING, UNKNOWN)
ON_PAPER = (PRINTED, UNKNOWN, REPLACED)  # some of it may lie in the tray
FIRST, AGAIN = "first", "again"  # only what was never printed; a new copy whatever was printed
