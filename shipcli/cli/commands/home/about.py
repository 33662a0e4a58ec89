"""`shipcli version` and `shipcli options`."""

from __future__ import annotations

import sys

from shipcli import __version__
from shipcli.cli.console.output import show_list, show_word
from shipcli.cli.global_options import explain_options
from shipcli.cli.verbs import Verbs

verb = Verbs()


@verb
def version() -> None:
    """Print the version.

    Examples:
    shipcli version
    shipcli version --json
    """
    about = {"version": __version__, "python": sys.version.split()[0], "platform": sys.platform}
    show_word(f"shipcli {__version__}", about)


@verb
def options() -> None:
    """Explain the options that every command takes.

    They may stand anywhere on the command line.

    Examples:
    shipcli options
    shipcli options --json
    """
    show_list(explain_options(), ("option", "description"))
