"""`shipcli traces`: exchanges with carriers, without secrets and label data."""

from __future__ import annotations

from typing import Annotated

import typer

from shipcli.cli.arguments.listing import Limit
from shipcli.cli.arguments.log_rows import About, StatusCodes, list_log_rows, read_log_rows
from shipcli.cli.console.formats import split_names
from shipcli.cli.console.output import MOST_COUNTED, show_each, show_first
from shipcli.cli.verbs import Verbs
from shipcli.features.admin import log_queries

verb = Verbs()
COLUMNS = ("id", "started_at", "carrier_name", "carrier_id", "verb", "status", "duration_ms", "object_id")


@verb("list")
def list_traces(
    about: About = None,
    carrier_name: Annotated[
        str | None,
        typer.Option("--carrier-name", metavar="CARRIER", help="Only carriers whose name contains this."),
    ] = None,
    status: StatusCodes = None,
    limit: Limit = 20,
) -> None:
    """List the exchanges with carriers, newest first.

    Examples:
    shipcli traces list --object @last
    shipcli traces list --carrier-name ups --status 4xx,5xx --json
    """
    rows = list_log_rows(log_queries.TRACES, about, split_names(status), carrier_name, limit + MOST_COUNTED)
    show_first(rows, limit, COLUMNS)


@verb
def get(
    ids: Annotated[
        list[str], typer.Argument(metavar="ID...", help="Ids of exchanges, @last, @-2, or - for stdin.")
    ],
) -> None:
    """Show exchanges with request and response.

    Examples:
    shipcli traces get @last
    shipcli traces list --carrier-name ups --ids | shipcli traces get - --json
    """
    show_each(read_log_rows(log_queries.TRACES, ids), COLUMNS)
