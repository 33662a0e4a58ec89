"""`shipcli logs`: calls of the API server that changed something or asked a carrier; of a sandbox all."""

from __future__ import annotations

import time
from typing import Annotated, Any

import typer

from shipcli.cli.arguments.listing import Limit, StopAfter
from shipcli.cli.arguments.log_rows import About, StatusCodes, list_log_rows, read_log_rows
from shipcli.cli.console.formats import split_names
from shipcli.cli.console.output import MOST_COUNTED, show_each, show_first, show_now, show_text
from shipcli.cli.console.stderr import escape_line
from shipcli.cli.current_run import get_run
from shipcli.cli.gateway import ask
from shipcli.cli.verbs import Verbs
from shipcli.features.admin import log_queries
from shipcli.features.core import app as core_app
from shipcli.features.core import targets
from shipcli.models.basics.json import dumps

verb = Verbs()
COLUMNS = ("id", "started_at", "method", "path", "status", "duration_ms", "object_id", "caller")
POLL_S = 0.5
HERE = "http://127.0.0.1:5002"

Ids = Annotated[
    list[str],
    typer.Argument(metavar="ID...", help="Ids of log rows or of requests, @last, @-2, or - for stdin."),
]
Path = Annotated[str | None, typer.Option("--path", metavar="TEXT", help="Only paths that contain this.")]


@verb("list")
def list_logs(status: StatusCodes = None, about: About = None, path: Path = None, limit: Limit = 20) -> None:
    """List the calls of the API, newest first.

    Examples:
    shipcli logs list
    shipcli logs list --status 4xx,5xx --json=method,path,status
    """
    rows = list_log_rows(log_queries.LOGS, about, split_names(status), path, limit + MOST_COUNTED)
    show_first(rows, limit, COLUMNS)


@verb
def get(ids: Ids) -> None:
    """Show calls with request and response.

    Examples:
    shipcli logs list --ids | shipcli logs get -
    shipcli logs list --status 5xx --ids | shipcli logs get - --json
    """
    show_each(read_log_rows(log_queries.LOGS, ids), COLUMNS)


@verb
def curl(
    ids: Ids,
    base: Annotated[
        str | None,
        typer.Option("--base", metavar="URL", help="Server to send it to; by default that of the log."),
    ] = None,
) -> None:
    """Print calls as curl commands; the key is read from SHIPCLI_API_KEY.

    Examples:
    shipcli logs list --ids | shipcli logs curl -
    shipcli logs list --object @last --ids | shipcli logs curl -
    """
    rows = read_log_rows(log_queries.LOGS, ids)
    server = base or _find_server()
    show_text("".join(f"{log_queries.format_curl(row, server)}\n" for row in rows))


def _find_server() -> str:
    """The address of the server that logged the calls: the one named, else the last one that served here."""
    run = get_run()
    return run.api_url or core_app.read_fact(run.app.store, targets.SERVED_AT) or HERE


@verb
def tail(
    status: StatusCodes = None,
    limit: StopAfter = None,
) -> None:
    """Print calls as they happen.

    Examples:
    shipcli logs tail
    shipcli logs tail --status 4xx,5xx --json
    """
    statuses = split_names(status)
    newest = ask(log_queries.find, log_queries.LOGS, limit=1)
    after, count = (newest[0]["id"] if newest else ""), 0
    while limit is None or count < limit:
        rows = ask(log_queries.list_since, log_queries.LOGS, after=after)
        for row in rows[: limit and limit - count]:
            after = row["id"]
            if not statuses or _is_wanted(row, statuses):
                count += 1
                _write(row)
        if not rows:
            time.sleep(POLL_S)


def _is_wanted(row: dict[str, Any], statuses: list[str]) -> bool:
    status = str(row["status"])
    return any(word in (status, f"{status[0]}xx") for word in statuses)


def _write(row: dict[str, Any]) -> None:
    shown = [escape_line(str(row[name])) for name in COLUMNS if row[name] is not None]
    plain = get_run().options.format in ("json", "ndjson")
    show_now(dumps(row) if plain else "\t".join(shown))
