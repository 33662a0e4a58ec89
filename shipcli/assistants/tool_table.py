"""Which operations assistants get as tools, what must be allowed for each, and what it may do."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from enum import Enum
from functools import cache

from shipcli.models import Invalid, find_nearest
from shipcli.operations.control_plane import CONTROL
from shipcli.operations.operation import Auth, Content, Operation
from shipcli.operations.table import SERVED


class Permission(Enum):
    """What an assistant may do besides reading."""

    WRITE = "write"
    BUY = "buy"


SHIP = "ship"  # the one tool that buys; it is no operation
ALL = "all"
USUAL = frozenset({
    "listShipments", "retrieveShipment", "fetchRates", "listTrackers", "retrieveTracker", "getTracking",
    "listOrders", "retrieveOrder", "listPickups", "listManifests", "listAddresses", "listCarriers",
    "getServices", "listCarrierConnections", "findLocations",
    "createAddress", "createShipment", "fetchShipmentRates", "updateShipment", "cancelShipment",
    "addTracker", "createOrder", "cancelOrder",
    "readSandboxLedger", "moveSandboxParcel",
})  # fmt: skip
# Log-ins and keys, where events go, and what a person has to decide; steps are parts of the one purchase.
KEPT_BACK = frozenset({
    "Auth", "Steps", "Webhooks", "Resolutions", "Exports",
})  # fmt: skip
# They buy, or book what may cost money, without saying a price first; or they hold credentials.
NEVER = frozenset({
    "buyLabel", "purchaseShipment", "createShipments", "pickupSchedule", "pickupUpdate", "schedulePickup",
    "updatePickup", "addCarrierConnection", "updateCarrierConnection", "removeCarrierConnection",
})  # fmt: skip
SANDBOX_TOOLS = frozenset({
    "readSandboxLedger", "listSandboxScenarios", "showSandboxClock", "advanceSandboxClock",
    "moveSandboxParcel", "listSandboxRequests", "listSandboxInbox",
})  # fmt: skip


def reads_only(operation: Operation) -> bool:
    """Whether an operation changes nothing."""
    if operation.only_in_sandbox:
        return not operation.writes
    return operation.needs is not Auth.WRITE


def destroys(operation: Operation) -> bool:
    """Whether an operation takes away or replaces what was there."""
    if reads_only(operation):
        return False
    return operation.method != "POST" or operation.path.endswith("/cancel")


def is_repeatable(operation: Operation) -> bool:
    """Whether doing it again changes nothing more."""
    return reads_only(operation) or destroys(operation)


@cache
def list_offered() -> tuple[Operation, ...]:
    """Every operation that may be a tool."""
    return tuple(row for row in (*SERVED, *CONTROL) if _may_be_offered(row))


def _may_be_offered(row: Operation) -> bool:
    if row.only_in_sandbox:
        return row.name in SANDBOX_TOOLS
    is_closed = row.tag in KEPT_BACK or row.name in NEVER
    return not (is_closed or row.deprecated or row.content is not Content.JSON)


def choose_tools(
    names: Iterable[str], allowed: Collection[Permission], *, is_sandbox: bool
) -> tuple[Operation, ...]:
    """The operations that are tools: the usual ones and those named, as far as they are allowed.

    Errors: Invalid on `tools` for a name that no tool has, or that is not allowed.
    """
    offered = {row.name: row for row in list_offered() if is_sandbox or not row.only_in_sandbox}
    usable = {name for name, row in offered.items() if reads_only(row) or Permission.WRITE in allowed}
    added = set(names)
    for name in sorted(added - usable - {ALL}):
        raise Invalid("tools", _explain(name, offered))
    chosen = usable if ALL in added else usable & (USUAL | added)
    return tuple(row for name, row in offered.items() if name in chosen)


def _explain(name: str, offered: Collection[str]) -> str:
    if name in offered:
        return f"{name} changes something: add --allow write"
    close = find_nearest(name, sorted(offered))
    return f"{name!r} is not a tool" + (f"; did you mean {close}?" if close else "")
