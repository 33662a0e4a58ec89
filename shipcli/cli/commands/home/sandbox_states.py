"""States of a sandbox: `shipcli sandbox reset`, `shipcli sandbox snapshot`, `shipcli sandbox workspace`."""

from __future__ import annotations

from typing import Annotated

import typer

from shipcli.cli.console.output import show, show_list
from shipcli.cli.console.prompts import would
from shipcli.cli.gateway import ask
from shipcli.cli.usage_errors import Usage
from shipcli.features.sandbox import snapshots, workspaces

SNAPSHOT = ("name", "now", "bytes")
WORKSPACE = ("id", "api_key", "live_api_key")
SNAPSHOT_USES = {
    "save": snapshots.save_snapshot,
    "restore": snapshots.restore_snapshot,
    "remove": snapshots.remove_snapshot,
}


def reset() -> None:
    """Put everything in the sandbox back as it was at its start.

    Examples:
    shipcli sandbox reset
    shipcli sandbox reset --dry-run
    """
    if not would("put everything back as it was at the start"):
        show(ask(snapshots.reset), SNAPSHOT)


def snapshot(
    action: Annotated[
        str, typer.Argument(metavar="save|restore|remove|list", help="What to do with it.")
    ] = "list",
    name: Annotated[str | None, typer.Argument(metavar="[NAME]", help="Name of the snapshot.")] = None,
) -> None:
    """Save the state of the sandbox under a name, and put it back.

    Examples:
    shipcli sandbox snapshot save paid
    shipcli sandbox snapshot restore paid
    """
    if action == "list":
        show_list(ask(snapshots.list_snapshots), SNAPSHOT)
        return
    use = SNAPSHOT_USES.get(action)
    if use is None or not name:
        raise Usage("say what to do, and the name: shipcli sandbox snapshot save|restore|remove NAME")
    if not would(f"{action} the snapshot {name}"):
        show(ask(use, name), SNAPSHOT)


def workspace(
    action: Annotated[
        str, typer.Argument(metavar="create|remove|list", help="What to do with it.")
    ] = "create",
    id: Annotated[str | None, typer.Argument(metavar="[ID]", help="Id of the workspace.")] = None,
) -> None:
    """Make a sandbox within the sandbox: its key sees nothing of the others.

    Examples:
    shipcli sandbox workspace create
    shipcli sandbox workspace list --json
    """
    if action == "list":
        show_list(ask(workspaces.list_workspaces), WORKSPACE[:1])
    elif action == "create":
        if not would("make a workspace"):
            show(ask(workspaces.create_workspace), WORKSPACE)
    elif action == "remove" and id:
        if not would(f"remove the workspace {id}"):
            show(ask(workspaces.remove_workspace, id), WORKSPACE[:1])
    else:
        raise Usage("say what to do: shipcli sandbox workspace create, list, or remove ID")
