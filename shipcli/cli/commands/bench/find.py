"""`shipcli find`."""

from __future__ import annotations

from typing import Annotated

import typer

from shipcli.cli.arguments.listing import Limit
from shipcli.cli.console.list_views import VIEWS
from shipcli.cli.console.output import show_first
from shipcli.cli.current_run import get_run
from shipcli.cli.verbs import Verbs
from shipcli.workflows import find as workflow

verb = Verbs()
COLUMNS = ("kind", "id", "number", "reference", "name", "status")


@verb
def find(
    words: Annotated[
        list[str], typer.Argument(metavar="WORDS...", help="Each must occur somewhere in the object.")
    ],
    limit: Limit = 20,
) -> None:
    """Find shipments, orders, trackers and addresses by any words in them.

    Articles are searched for in orders that are still open.

    Examples:
    shipcli find "brooks boston"
    shipcli find 1042
    """
    show_first(workflow.find(get_run().gateway, words), limit, COLUMNS, view=VIEWS["found"])
