"""`shipcli version`."""

from __future__ import annotations

import sys

from shipcli import __version__
from shipcli.cli.command_loader import Verbs
from shipcli.cli.console.output import show
from shipcli.cli.current_run import current

verb = Verbs()


@verb
def version() -> None:
    """Print the version.

    Examples:
    shipcli version
    shipcli version --json
    """
    if current().options.format:
        show({"version": __version__, "python": sys.version.split()[0], "platform": sys.platform})
    else:
        sys.stdout.write(f"shipcli {__version__}\n")
