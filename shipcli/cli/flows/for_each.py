"""Run a command for several objects: each is tried, results are shown, failures are reported."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, TypeVar

from shipcli.cli.arguments.selectors import remember
from shipcli.cli.console.output import show_each
from shipcli.cli.console.progress import show_progress
from shipcli.cli.console.prompts import confirm, would
from shipcli.cli.console.stderr import note
from shipcli.cli.current_run import get_run
from shipcli.cli.usage_errors import Declined
from shipcli.features.core.interruption import Interrupted, check_interruption, defer_interruption
from shipcli.models.basics.errors import LimitReached, ShipcliError
from shipcli.models.basics.text import count_text

PARTIAL_FAILURE = 9
W = TypeVar("W")
R = TypeVar("R")


class RunDeclined(ShipcliError):
    """The user said no to one of several; what was done before stays done."""

    code = "declined"

    def __init__(self, done: int, of: int) -> None:
        super().__init__(f"stopped: {done} of {of} done")


class RunInterrupted(Interrupted):
    """The run was interrupted; what was done before stays done."""

    def __init__(self, failed: Sequence[tuple[str, ShipcliError]], done: int, of: int) -> None:
        super().__init__(f"interrupted: {done} done, {len(failed)} failed, {of - done - len(failed)} left")
        self.errors = [*_name_errors(failed), ShipcliError(self.message, code=self.code)]


class PartialFailure(ShipcliError):
    """Some of several failed; it has its own exit code unless all of them failed."""

    code = "partial"

    def __init__(self, failed: Sequence[tuple[str, ShipcliError]], *, of: int, next_step: str = "") -> None:
        first = failed[0][1]
        self.errors = _name_errors(failed)
        super().__init__(f"{len(failed)} of {of} failed")
        limits = (error for _, error in failed if isinstance(error, LimitReached))
        limit = next(limits, first if len(failed) == of else None)
        self.code = limit.code if limit else self.code
        self.exit_code = limit.exit_code if limit else PARTIAL_FAILURE  # type: ignore[misc]  # as many codes as kinds
        self.hint = next_step


def _name_errors(failed: Sequence[tuple[str, ShipcliError]]) -> list[ShipcliError]:
    return [ShipcliError(f"{name}: {error.message or error.code}") for name, error in failed]


def is_agreed(what: str, amount: str | None = None) -> bool:
    """Whether to go on: the user consented. False in a dry run, which says what would be done.

    Errors: as `confirm`.
    """
    if would(f"{what} for {amount}" if amount else what):
        return False
    confirm(what, amount)
    return True


def note_finished(what: str, names: Sequence[str]) -> None:
    """Say of which objects the command was finished before, as when its line is repeated after a crash."""
    if names:
        note(f"{what} before: {', '.join(names)}")


def store_each(
    kind: str,
    bodies: Sequence[W],
    create: Callable[[W], Any],
    columns: Sequence[str],
    *,
    name: Callable[[W], str],
) -> None:
    """Create an object of each body and show them all; a dry run only counts them."""

    def show_made(made: list[Any]) -> None:
        remember(kind, *(str(entry.id) for entry in made))
        show_each(made, columns)

    if not would(f"store {count_text(len(bodies), kind)}"):
        run_each(bodies, create, show_made, name=name)


def run_each(
    items: Sequence[W],
    work: Callable[[W], R],
    show: Callable[[list[R]], None],
    *,
    name: Callable[[W], str] = str,
    ends: tuple[type[BaseException], ...] = (),
) -> None:
    """Do the work for each and show the results in the given order; an empty list if there are none.

    A refusal to consent, an interruption and the errors named in `ends` stop the run; what was done until
    then is shown all the same. What is dearer than what is left of a budget is passed over.
    Errors: that of a single object; PartialFailure if some of several failed.
    """
    what = " ".join(get_run().path)
    if len(items) == 1:
        with show_progress(what), defer_interruption():
            only = work(items[0])
        show([only])
        return
    stops: tuple[type[BaseException], ...] = (Declined, Interrupted, *ends)
    done: list[R] = []
    failed: list[tuple[str, ShipcliError]] = []
    try:
        with show_progress(what, len(items)) as tell, defer_interruption():
            for item in items:
                try:
                    check_interruption()
                    done.append(work(item))
                except stops:
                    raise
                except ShipcliError as error:
                    failed.append((name(item), error))
                tell(len(done) + len(failed))
    except Interrupted:
        raise RunInterrupted(failed, len(done), len(items)) from None
    except Declined:
        raise RunDeclined(len(done), len(items)) from None
    finally:
        if done or not items:
            show(done)
    if failed:
        raise PartialFailure(failed, of=len(items))
