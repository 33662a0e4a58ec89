"""`shipcli oauth`: programs that may ask users of the server on this machine for access."""

from __future__ import annotations

from typing import Annotated

import typer

from shipcli.cli.arguments.selectors import expand_stdin
from shipcli.cli.command_loader import Verbs
from shipcli.cli.console.output import show, show_list
from shipcli.cli.console.prompts import confirm, would
from shipcli.cli.console.stderr import note
from shipcli.cli.current_run import get_run

verb = Verbs()
COLUMNS = ("id", "name", "public", "scope", "redirect_uris", "created_at")


@verb
def create(
    name: Annotated[str, typer.Argument(metavar="NAME", help="What users are told it is called.")],
    redirect_uri: Annotated[
        list[str] | None,
        typer.Option(
            "--redirect-uri",
            metavar="URI",
            help="Where users are sent back to; may be repeated. The port of a loopback address is free.",
        ),
    ] = None,
    scope: Annotated[
        list[str] | None,
        typer.Option("--scope", help="What it may ask for: read, write, openid; all when none is named."),
    ] = None,
    public: Annotated[
        bool, typer.Option("--public", help="It can't keep a secret: an app, or a page in a browser.")
    ] = False,
) -> None:
    """Add a client; its secret is shown once.

    Examples:
    shipcli oauth create "Shop plug-in" --redirect-uri https://shop.example/back
    shipcli oauth create Reports --scope read --json
    """
    from shipcli.features.identity.oauth_clients import SCOPES, create_client

    if would(f"add the client {name}"):
        return
    made = create_client(
        get_run().app, name, redirect_uris=redirect_uri or (), scopes=scope or SCOPES, public=public
    )
    show(made.plain())
    if made.secret:
        note("keep the secret now: it can't be shown again")


@verb("list")
def list_clients() -> None:
    """List the clients; their secrets are not kept.

    Examples:
    shipcli oauth list
    shipcli oauth list --json
    """
    from shipcli.features.identity.oauth_clients import list_clients as found

    show_list([client.plain() for client in found(get_run().app)], COLUMNS)


@verb
def remove(
    clients: Annotated[
        list[str], typer.Argument(metavar="CLIENT...", help="Ids of clients, or - for stdin.")
    ],
) -> None:
    """Remove clients; what they were given is refused from now on.

    Examples:
    shipcli oauth list --ids | shipcli oauth remove -
    shipcli oauth list --ids | shipcli oauth remove - --dry-run
    """
    from shipcli.features.identity.oauth_clients import remove_client

    chosen = expand_stdin(clients)
    if would(f"remove {len(chosen)} client(s)"):
        return
    confirm(f"remove {len(chosen)} client(s)")
    show_list([remove_client(get_run().app, one).plain() for one in chosen], COLUMNS)
