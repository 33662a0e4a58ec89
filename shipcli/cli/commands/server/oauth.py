"""`shipcli oauth`: programs that may ask users of the server on this machine for access."""

from __future__ import annotations

from typing import Annotated

import typer

from shipcli.cli.arguments.selectors import expand_stdin
from shipcli.cli.console.output import show, show_list
from shipcli.cli.console.prompts import would
from shipcli.cli.console.stderr import note
from shipcli.cli.flows.for_each import is_agreed
from shipcli.cli.gateway import ask
from shipcli.cli.verbs import Verbs
from shipcli.features.sandbox import tools
from shipcli.models import sandbox as bodies

verb = Verbs()
COLUMNS = ("id", "name", "public", "scope", "redirect_uris", "created_at")


@verb
def create(
    name: Annotated[str, typer.Argument(metavar="NAME", help="Name that users are shown.")],
    redirect_uri: Annotated[
        list[str] | None,
        typer.Option(
            "--redirect-uri",
            metavar="URI",
            help="Address that users return to; repeat it. A loopback address matches any port.",
        ),
    ] = None,
    scope: Annotated[
        list[str] | None,
        typer.Option(
            "--scope", metavar="SCOPE", help="What it may ask for: read, write, openid; by default all."
        ),
    ] = None,
    public: Annotated[
        bool, typer.Option("--public", help="It has no secret, as an app or a web page can't keep one.")
    ] = False,
) -> None:
    """Create a client; its secret is shown only once.

    Examples:
    shipcli oauth create "Shop plug-in" --redirect-uri https://shop.example/back
    shipcli oauth create Reports --scope read --json
    """
    if would(f"add the client {name}"):
        return
    data = bodies.OAuthClientData(
        name=name, redirect_uris=redirect_uri or [], scopes=scope or [], public=public
    )
    made = ask(tools.create_client, data)
    show(made)
    if "secret" in made:
        note("keep the secret now: it can't be shown again")


@verb("list")
def list_all() -> None:
    """List the clients, without their secrets.

    Examples:
    shipcli oauth list
    shipcli oauth list --json
    """
    show_list(ask(tools.list_clients), COLUMNS)


@verb
def remove(
    clients: Annotated[
        list[str], typer.Argument(metavar="CLIENT...", help="Ids of clients, or - for stdin.")
    ],
) -> None:
    """Remove clients and revoke their tokens.

    Examples:
    shipcli oauth list --ids | shipcli oauth remove -
    shipcli oauth list --ids | shipcli oauth remove - --dry-run
    """
    chosen = expand_stdin(clients)
    if is_agreed(f"remove {len(chosen)} client(s)"):
        show_list([ask(tools.remove_client, client) for client in chosen], COLUMNS)
