"""`shipcli methods`."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Annotated

import typer

from shipcli.cli.arguments.selectors import expand_stdin
from shipcli.cli.console.output import show, show_list
from shipcli.cli.console.prompts import would
from shipcli.cli.console.stderr import note
from shipcli.cli.current_run import get_run
from shipcli.cli.gateway import ask
from shipcli.cli.verbs import Verbs
from shipcli.features.book import methods
from shipcli.features.connections import catalog
from shipcli.models.basics.errors import Invalid
from shipcli.models.basics.text import find_nearest

COLUMNS = ("method", "service")
Name = Annotated[str, typer.Argument(metavar="METHOD", help="What the shop calls it, such as Express.")]
verb = Verbs()


@verb("list")
def list_methods() -> None:
    """List the methods that customers pay for, and the service that each is sent by.

    Examples:
    shipcli methods list
    shipcli methods list --json
    """
    show_list(methods.list_methods(get_run().local_app), COLUMNS)


@verb("map")
def map_method(
    method: Name,
    service: Annotated[
        str, typer.Argument(metavar="SERVICE", help="The service it is sent by, or cheapest or fastest.")
    ],
) -> None:
    """Say which service a method that customers pay for is sent by.

    `ship` and `orders fulfil` then buy that service for orders paid so, unless you name another; where it is
    not offered, the order fails and is named.

    Examples:
    shipcli methods map "Express" ups_2nd_day_air
    shipcli methods map "Free shipping" cheapest
    """
    _check_service(service)
    if not would(f"send {method} by {service}"):
        methods.map_method(get_run().local_app, method, service)
        show({"method": method, "service": service}, COLUMNS)


def _check_service(service: str) -> None:
    """Errors: Invalid with the nearest service."""
    services = {name for names in ask(catalog.get_reference, "services").values() for name in names}
    if service not in services and service not in methods.RULES:
        near = find_nearest(service, services)
        hint = f" Did you mean {near}?" if near else " See: shipcli references get services"
        raise Invalid("service", f"There is no service {service!r}.{hint}")


@verb("remove")
def remove(
    names: Annotated[
        list[str], typer.Argument(metavar="METHOD...", help="What the shop calls them; - for stdin.")
    ],
) -> None:
    """Forget which service methods are sent by.

    Examples:
    shipcli methods remove Express
    shipcli methods remove Express --dry-run
    """
    chosen: Iterable[str] = expand_stdin(names)
    for name in chosen:
        if not would(f"remove the method {name}"):
            methods.remove_method(get_run().local_app, name)
            note(f"the method {name} is sent by no certain service any more")
