"""Run a command for several objects: each is tried, results are shown, failures are reported."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TypeVar

from shipcli.cli.console.prompts import confirm, would
from shipcli.cli.usage_errors import Declined
from shipcli.features.core.interruption import Interrupted, check_interruption, defer_interruption
from shipcli.models.basics.errors import LimitReached, ShipcliError

PARTLY = 9
W = TypeVar("W")
R = TypeVar("R")


class Stopped(ShipcliError):
    """The user said no to one of several; what was done before stays done."""

    code = "declined"

    def __init__(self, done: int, of: int) -> None:
        super().__init__(f"stopped: {done} of {of} done")


class Broken(Interrupted):
    """The run was interrupted; what was done before stays done."""

    def __init__(self, failed: Sequence[tuple[str, ShipcliError]], done: int, of: int) -> None:
        super().__init__(f"interrupted: {done} done, {len(failed)} failed, {of - done - len(failed)} left")
        self.errors = [*_name_errors(failed), ShipcliError(self.message, code=self.code)]


class Partly(ShipcliError):
    """Some of several failed; it has its own exit code unless all of them failed."""

    code = "partial"

    def __init__(self, failed: Sequence[tuple[str, ShipcliError]], *, of: int, next_step: str = "") -> None:
        first = failed[0][1]
        self.errors = _name_errors(failed)
        super().__init__(f"{len(failed)} of {of} failed")
        whole = len(failed) == of
        self.code = first.code if whole else self.code
        self.exit_code = first.exit_code if whole else PARTLY  # type: ignore[misc]  # as many codes as kinds
        self.hint = next_step


def _name_errors(failed: Sequence[tuple[str, ShipcliError]]) -> list[ShipcliError]:
    return [ShipcliError(f"{name}: {error.message or error.code}") for name, error in failed]


def is_agreed(what: str, wanted: Sequence[object]) -> bool:
    """Whether to go on with everything that the command names; nothing is asked if there is nothing.

    False in a dry run, which says what would be done.
    Errors: as `confirm`.
    """
    if not wanted:
        return True
    if would(what):
        return False
    confirm(what)
    return True


def run_each(
    wanted: Sequence[W],
    work: Callable[[W], R],
    show: Callable[[list[R]], None],
    *,
    name: Callable[[W], str] = str,
    ends: tuple[type[BaseException], ...] = (),
) -> None:
    """Do the work for each and show the results in the given order; an empty list if there are none.

    A limit, a refusal to consent, an interruption and the errors named in `ends` stop the run; what was done
    until then is shown all the same.
    Errors: that of a single object; Partly if some of several failed.
    """
    if len(wanted) == 1:
        with defer_interruption():
            only = work(wanted[0])
        show([only])
        return
    stops: tuple[type[BaseException], ...] = (LimitReached, Declined, Interrupted, *ends)
    done: list[R] = []
    failed: list[tuple[str, ShipcliError]] = []
    try:
        with defer_interruption():
            for one in wanted:
                try:
                    check_interruption()
                    done.append(work(one))
                except stops:
                    raise
                except ShipcliError as error:
                    failed.append((name(one), error))
    except Interrupted:
        raise Broken(failed, len(done), len(wanted)) from None
    except Declined:
        raise Stopped(len(done), len(wanted)) from None
    finally:
        if done or not wanted:
            show(done)
    if failed:
        raise Partly(failed, of=len(wanted))
