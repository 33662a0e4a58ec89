"""The log of a command on standard error: lines, or JSON with `--log-format json`."""

from __future__ import annotations

import logging
import sys
from datetime import UTC, datetime

from shipcli.cli.console.stderr import escape_line
from shipcli.cli.global_options import Options
from shipcli.models.basics.json import dumps

DRIVER_LOGGER = "shipcli.driver"


def prepare_logging(options: Options) -> None:
    """Show log records: warnings, with `-v` more, with `-vv` all, with `-q` errors only."""
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(_Json() if options.log_format == "json" else _Plain(options.verbose))
    logger = logging.getLogger("shipcli")
    logger.handlers[:] = [handler]
    logger.propagate = False
    logger.setLevel(_choose_level(options))


def _choose_level(options: Options) -> int:
    if options.quiet:
        return logging.ERROR
    return (logging.WARNING, logging.INFO, logging.DEBUG)[min(options.verbose, 2)]


class _Plain(logging.Formatter):
    """Lines. A carrier's mistake has a trace of its own, so its traceback is shown with `-v` only."""

    def __init__(self, verbose: int) -> None:
        super().__init__()
        self._without_traceback = () if verbose else (DRIVER_LOGGER,)

    def format(self, record: logging.LogRecord) -> str:
        line = f"{record.levelname.lower()}: {escape_line(record.getMessage())}"
        if not record.exc_info or record.name.startswith(self._without_traceback):
            return line
        return f"{line}\n{_format_traceback(self, record)}"


class _Json(logging.Formatter):
    def format(self, record: logging.LogRecord) -> str:
        at = datetime.fromtimestamp(record.created, UTC).isoformat()
        row = {"at": at, "level": record.levelname.lower(), "logger": record.name}
        cause = {"traceback": _format_traceback(self, record)} if record.exc_info else {}
        return dumps({**row, "message": record.getMessage(), **cause})


def _format_traceback(formatter: logging.Formatter, record: logging.LogRecord) -> str:
    """The traceback of an unexpected error, without control characters."""
    assert record.exc_info
    return "\n".join(map(escape_line, formatter.formatException(record.exc_info).splitlines()))
