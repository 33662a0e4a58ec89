"""`shipcli keys`: API keys of the server on this machine."""

from __future__ import annotations

from typing import Annotated

import typer

from shipcli.cli.console.output import show, show_list
from shipcli.cli.console.prompts import would
from shipcli.cli.console.stderr import note
from shipcli.cli.current_run import get_run
from shipcli.cli.flows.for_each import is_agreed
from shipcli.cli.gateway import ask
from shipcli.cli.verbs import Verbs
from shipcli.features.sandbox import tools
from shipcli.models import sandbox as bodies

verb = Verbs()
COLUMNS = ("id", "name", "test_mode", "scope", "created_at", "revoked_at")

Named = Annotated[list[str], typer.Argument(metavar="KEY...", help="Ids, names, or the keys themselves.")]


@verb
def create(
    name: Annotated[str, typer.Option("--name", metavar="TEXT", help="Description.")] = "",
    scope: Annotated[
        str, typer.Option("--scope", metavar="SCOPE", help="What it may do: read or write.")
    ] = "write",
) -> None:
    """Create an API key for test or live data; it is shown only once.

    Examples:
    shipcli keys create --name shop
    shipcli keys create --name reports --scope read --json
    """
    run = get_run()
    mode = "live" if run.live else "test"
    if would(f"make a key for {mode} data that may {scope}"):
        return
    made = ask(tools.create_key, bodies.KeyData(name=name, scope=scope))
    show(made, ("key", *COLUMNS))
    note("keep the key now: it can't be shown again")


@verb("list")
def list_all(
    revoked: Annotated[bool, typer.Option("--revoked", help="Include revoked keys.")] = False,
) -> None:
    """List the API keys, without the keys themselves.

    Examples:
    shipcli keys list
    shipcli keys list --json=name,scope
    """
    show_list(ask(tools.list_keys, revoked=revoked), COLUMNS)


@verb
def revoke(keys: Named) -> None:
    """Revoke API keys.

    Examples:
    shipcli keys revoke desk
    shipcli keys revoke desk --dry-run
    """
    if is_agreed(f"revoke {len(keys)} key(s)"):
        show_list([ask(tools.revoke_key, key) for key in keys], COLUMNS)
