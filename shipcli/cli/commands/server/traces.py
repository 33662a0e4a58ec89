"""`shipcli traces`: exchanges with carriers, without secrets and label data."""

from __future__ import annotations

from typing import Annotated

import typer

from shipcli.cli.arguments.listing import Limit
from shipcli.cli.arguments.selectors import spell_out
from shipcli.cli.command_loader import Verbs
from shipcli.cli.console.formats import names
from shipcli.cli.console.output import show_each, show_list
from shipcli.cli.current_run import current

verb = Verbs()
COLUMNS = ("id", "started_at", "carrier_name", "carrier_id", "verb", "status", "duration_ms", "object_id")


@verb("list")
def list_traces(
    object_id: Annotated[
        str | None, typer.Option("--object", metavar="ID", help="What they were about.")
    ] = None,
    carrier_name: Annotated[
        str | None, typer.Option("--carrier-name", help="Carrier slug, or a part of it.")
    ] = None,
    status: Annotated[str | None, typer.Option("--status", metavar="A,B", help="404, or 4xx,5xx.")] = None,
    limit: Limit = 20,
) -> None:
    """List the exchanges with carriers, newest first.

    Examples:
    shipcli traces list
    shipcli traces list --carrier-name ups --status 4xx,5xx --json
    """
    from shipcli.features.ops.log_queries import TRACES, find

    app, wanted = current().app, names(status)
    show_list(find(app, TRACES, object_id=object_id, status=wanted, text=carrier_name, limit=limit), COLUMNS)


@verb
def get(
    ids: Annotated[list[str], typer.Argument(metavar="ID...", help="Ids of exchanges, or - for stdin.")],
) -> None:
    """Show exchanges with what was sent and answered.

    Examples:
    shipcli traces list --ids | shipcli traces get -
    shipcli traces list --carrier-name ups --ids | shipcli traces get - --json
    """
    from shipcli.features.ops.log_queries import TRACES
    from shipcli.features.ops.log_queries import get as read

    app = current().app
    show_each([read(app, TRACES, one) for one in spell_out(ids)], COLUMNS)
