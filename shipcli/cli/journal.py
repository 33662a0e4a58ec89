"""What the program logs while a command runs, on standard error: lines, or JSON with `--log-format json`."""

from __future__ import annotations

import logging
import sys
from datetime import UTC, datetime

from shipcli.cli.notes import one_line
from shipcli.cli.options import Options


def listen(options: Options) -> None:
    """Show log records: warnings, with `-v` more, with `-vv` all, with `-q` errors only."""
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(_Json() if options.log_format == "json" else _Plain())
    logger = logging.getLogger("shipcli")
    logger.handlers[:] = [handler]
    logger.propagate = False
    logger.setLevel(_level(options))


def _level(options: Options) -> int:
    if options.quiet:
        return logging.ERROR
    return (logging.WARNING, logging.INFO, logging.DEBUG)[min(options.verbose, 2)]


class _Plain(logging.Formatter):
    def format(self, record: logging.LogRecord) -> str:
        return f"{record.levelname.lower()}: {one_line(record.getMessage())}"


class _Json(logging.Formatter):
    def format(self, record: logging.LogRecord) -> str:
        from shipcli.models.json import dumps

        at = datetime.fromtimestamp(record.created, UTC).isoformat()
        row = {"at": at, "level": record.levelname.lower(), "logger": record.name}
        return dumps({**row, "message": record.getMessage()})
