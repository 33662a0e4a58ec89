"""`shipcli options`."""

from __future__ import annotations

from shipcli.cli.command_loader import Verbs
from shipcli.cli.console.output import show_list
from shipcli.cli.global_options import explain_options

verb = Verbs()


@verb
def options() -> None:
    """Explain the options that every command takes.

    They may stand anywhere on the command line.

    Examples:
    shipcli options
    shipcli options --json
    """
    show_list(explain_options(), ("option", "description"))
