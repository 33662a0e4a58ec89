"""`shipcli version`."""

from __future__ import annotations

import sys

from shipcli import __version__
from shipcli.cli.command_loader import Verbs
from shipcli.cli.console.output import show_word

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
