"""`shipcli references`: the maps of codes and words, offline."""

from __future__ import annotations

from typing import Annotated, Any

import typer

from shipcli.cli.console.output import show, show_list
from shipcli.cli.current_run import get_run
from shipcli.cli.gateway import ask
from shipcli.cli.verbs import Verbs
from shipcli.features.connections import catalog

verb = Verbs()


@verb
def get(
    name: Annotated[
        str | None, typer.Argument(metavar="[NAME]", help="Name of a map, such as countries.")
    ] = None,
) -> None:
    """Show a reference map, or the names of all maps.

    Examples:
    shipcli references
    shipcli references countries
    shipcli references get incoterms --json
    """
    if name is None:
        maps = ask(catalog.list_references, reduced=False)
        show_list([{"name": key, "entries": len(value)} for key, value in maps.items()], ("name", "entries"))
    else:
        _show(ask(catalog.get_reference, name))


def _show(reference: Any) -> None:
    if get_run().options.format in ("json", "yaml", "pick", "jq"):
        show(reference)
        return
    rows = (
        [{"code": key, "value": value} for key, value in reference.items()]
        if hasattr(reference, "items")
        else reference
    )
    show_list(rows, ("code", "value"))
