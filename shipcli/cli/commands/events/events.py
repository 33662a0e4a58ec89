"""`shipcli events`."""

from __future__ import annotations

from typing import Annotated

import typer

from shipcli.cli.arguments.listing import Every, Limit, Offset, Paging, Sort, show_page
from shipcli.cli.arguments.selectors import Ids, select
from shipcli.cli.command_loader import Verbs
from shipcli.cli.console.output import Raw, show_each
from shipcli.cli.current_run import current
from shipcli.models.errors import NotFound

verb = Verbs()
COLUMNS = ("id", "type", "data.id", "pending_webhooks", "created_at")


@verb("list")
def list_events(
    type: Annotated[str | None, typer.Option("--type", metavar="A,B", help="Names of events.")] = None,
    object_id: Annotated[
        str | None, typer.Option("--object", metavar="ID", help="What they are about.")
    ] = None,
    limit: Limit = 20,
    offset: Offset = 0,
    every: Every = False,
    sort: Sort = None,
) -> None:
    """List what happened, newest first."""
    from shipcli.gateway.where import Where
    from shipcli.store.query import equal, one_of

    where = [one_of("type", [name.strip() for name in type.split(",")])] if type else []
    where += [equal("object_id", object_id)] if object_id else []
    show_page("event", Where(conditions=where), COLUMNS, Paging(limit, offset, every, sort))


@verb
def get(ids: Ids) -> None:
    """Show events."""
    app = current().app
    found = []
    for one in select("event", ids):
        text = app.store.raw("event", one, app.test_mode)
        if text is None:
            raise NotFound("event", one)
        found.append(Raw(text))
    show_each(found, COLUMNS)
