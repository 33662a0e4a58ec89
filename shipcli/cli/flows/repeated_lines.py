"""Makes it safe to repeat a command that spends money, whatever happened to it the first time."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from shipcli.cli.console.output import OutputFailed
from shipcli.cli.console.stderr import note, warn
from shipcli.cli.current_run import get_run
from shipcli.features.core import idempotency
from shipcli.features.core.interruption import Interrupted
from shipcli.features.shipments import unconfirmed
from shipcli.models.basics.errors import IdempotencyConflict, OutcomeUnknown, ShipcliError, Unreachable

if TYPE_CHECKING:
    from shipcli.features.shipments.unconfirmed import PurchaseKey

MOST_NAMED = 10
STILL_OPEN = IdempotencyConflict().code


def list_places(line: Sequence[Any]) -> list[dict[str, Any]]:
    """Each purchase of a command with its place in it; in another command it is a different one."""
    whole = idempotency.digest_request(line)
    return [{"line": whole, "place": position} for position in range(len(line))]


@contextmanager
def keep_key(
    request: Mapping[str, Any], keys: list[PurchaseKey], named: str | None = None
) -> Iterator[str | None]:
    """The key to buy with in the block: the one that the user named, else the kept key of this request, which
    is added to the others to be forgotten with them.

    The key of a purchase that certainly failed is forgotten at once. Without a store on this machine a
    purchase on another server has none.
    """
    if named:
        yield named
        return
    key = _take_key(request)
    try:
        yield key.value if key else None
    except ShipcliError as error:
        if key and not _is_open(error):
            unconfirmed.drop_keys(get_run().local_app, [key])
        raise
    if key:
        keys.append(key)


def _take_key(request: Mapping[str, Any]) -> PurchaseKey | None:
    run = get_run()
    try:
        return unconfirmed.take_key(run.local_app, {"server": run.api_url, **request})
    except ShipcliError as error:
        if not run.api_url:
            raise
        note(f"this purchase is not recognised when the line is repeated: {error.message}")
        return None


def add_interrupted(request: Mapping[str, Any], ids: list[str]) -> tuple[PurchaseKey, list[str]]:
    """The key of a list of all that is to be bought: what the same line has not shown yet, and these."""
    run = get_run()
    key = unconfirmed.take_key(run.local_app, {"server": run.api_url, "path": run.path, **request})
    return key, unconfirmed.add_to_list(run.local_app, key, ids)


def _is_open(error: ShipcliError) -> bool:
    """Whether something may have been bought nevertheless."""
    return isinstance(error, OutcomeUnknown | Unreachable) or error.code == STILL_OPEN


def forget_keys(keys: list[PurchaseKey]) -> None:
    """Forget keys: the user has seen what was bought with them."""
    if keys:
        unconfirmed.drop_keys(get_run().local_app, keys)
        keys.clear()


def report_stop(stopped: ShipcliError | None, *, bought: int, left: int) -> None:
    """Tell why a run ended early, and how to go on."""
    if isinstance(stopped, Interrupted):
        warn(f"interrupted: {bought} bought, {left} left; run the same line again to go on")
    elif stopped:
        warn(f"{stopped.message}. Run the same command with a higher --max-total to go on")


class OutputLost(ShipcliError):
    """Something was bought and could not be shown."""

    code = "output"

    def __init__(self, bought: Sequence[str], reason: str) -> None:
        named = f"{', '.join(bought)}" if len(bought) <= MOST_NAMED else f"{len(bought)} labels"
        super().__init__(f"bought {named}, but {reason}")
        self.hint = "run the same line again: it shows what was bought and buys nothing twice"


@contextmanager
def guard_output(bought: Sequence[Any]) -> Iterator[None]:
    """Guards the output of what was bought: shipments, or anything else with a tracking number.

    Errors: OutputLost naming the numbers if it fails.
    """
    try:
        yield
    except (OSError, OutputFailed) as error:
        if not bought:
            raise
        numbers = [str(shipment.tracking_number or shipment.id) for shipment in bought]
        raise OutputLost(numbers, _describe_failure(error)) from None


def _describe_failure(error: OSError | OutputFailed) -> str:
    if isinstance(error, OutputFailed):
        return error.message
    return f"{error.filename or 'the output'} can't be written: {error.strerror or error}"
