"""How a command reaches a use-case: in this process, or on the server that the line names."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Concatenate

from shipcli.cli.current_run import get_run
from shipcli.gateway.gateway import OnlyHere, P, R

if TYPE_CHECKING:
    from shipcli.features.core.app import App


def ask(use: Callable[Concatenate[App, P], R], *given: P.args, **named: P.kwargs) -> R:
    """What a use-case answers, wherever it runs.

    Errors: those of the use-case; off this machine those of the network as well.
    """
    return get_run().gateway.ask(use, *given, **named)


def refuse_server(what: str) -> None:
    """Errors: OnlyHere when the line names a server, which has no word for this."""
    if get_run().api_url:
        raise OnlyHere(what)
