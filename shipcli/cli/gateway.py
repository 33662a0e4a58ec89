"""How a command calls a use-case: in this process, or on the server that the command names."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Concatenate

from shipcli.cli.console.progress import show_progress
from shipcli.cli.current_run import get_run
from shipcli.gateway.gateway import LocalOnly, P, R

if TYPE_CHECKING:
    from shipcli.features.core.app import App


def ask(use: Callable[Concatenate[App, P], R], *arguments: P.args, **named: P.kwargs) -> R:
    """The result of a use-case, wherever it runs.

    Errors: those of the use-case; with a server those of the network as well.
    """
    with show_progress(" ".join(get_run().path)):
        return get_run().gateway.ask(use, *arguments, **named)


def refuse_server(what: str) -> None:
    """Errors: OnlyHere if the command names a server, as the API does not offer this."""
    if get_run().api_url:
        raise LocalOnly(what)
