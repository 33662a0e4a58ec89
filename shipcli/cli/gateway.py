"""How a command reaches a use-case: in this process, or on the server that the line names."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Concatenate, ParamSpec, TypeVar

from shipcli.cli.current_run import current

if TYPE_CHECKING:
    from shipcli.features.core.app import App

P = ParamSpec("P")
R = TypeVar("R")


def ask(use: Callable[Concatenate[App, P], R], *given: P.args, **named: P.kwargs) -> R:
    """What a use-case answers, wherever it runs.

    Errors: those of the use-case; off this machine those of the network as well.
    """
    run = current()
    if run.remote is None:
        return use(run.app, *given, **named)
    answer: R = run.remote.ask(use, *given, **named)
    return answer


def only_here(what: str) -> None:
    """Errors: OnlyHere when the line names a server, which has no word for this."""
    if current().remote is not None:
        from shipcli.remote.remote import OnlyHere

        raise OnlyHere(what)
