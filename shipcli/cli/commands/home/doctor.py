"""`shipcli doctor`: what is wrong, and what to type about it."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any, NamedTuple

import typer

from shipcli.cli.command_loader import Verbs
from shipcli.cli.console.error_report import hint_for
from shipcli.cli.console.output import show_list
from shipcli.cli.current_run import current
from shipcli.models.errors import ShipcliError

verb = Verbs()
OK, NOTICE, WRONG = "ok", "notice", "wrong"
COLUMNS = ("check", "state", "detail", "hint")
_MOST_EVENTS = 10_000


class Finding(NamedTuple):
    """One line of the report."""

    check: str
    state: str
    detail: str
    hint: str = ""


@verb
def doctor() -> None:
    """Look for what is wrong, from the store to purchases."""
    found = [finding for name, look in CHECKS.items() for finding in _safely(name, look)]
    show_list([finding._asdict() for finding in found], COLUMNS)
    if any(finding.state == WRONG for finding in found):
        raise typer.Exit(1)


def _safely(name: str, look: Callable[[], Iterator[Finding]]) -> list[Finding]:
    """What a check finds; an error that has a name is a finding as well."""
    try:
        return list(look())
    except ShipcliError as error:
        return [Finding(name, WRONG, error.message, hint_for(error))]


def _store() -> Iterator[Finding]:
    store = current().app.store
    damages = store.check()
    yield from (Finding("store", WRONG, one, "shipcli db restore BACKUP") for one in damages)
    if not damages:
        yield Finding("store", OK, str(store.path))


def _key() -> Iterator[Finding]:
    from shipcli.features.core.app import MASTER_KEY, read_setting

    app = current().app
    known = read_setting(app.store, MASTER_KEY)
    if not known:
        yield Finding("key", OK, "none yet; it is made with the first secret")
        return
    app.vault.seal("doctor", b"")  # fetches the key and compares its fingerprint
    yield Finding("key", OK, f"in the {known['place']}")


def _carriers() -> Iterator[Finding]:
    from shipcli.carrier import registry

    broken = registry.broken()
    yield from (Finding("carriers", WRONG, reason) for reason in broken.values())
    yield Finding("carriers", OK, f"{len(registry.slugs()) - len(broken)} can be used")


def _connections() -> Iterator[Finding]:
    from shipcli.carrier import registry
    from shipcli.features.connections.accounts import open_account

    app = current().app
    rows = app.store.select("connections", {"test_mode": app.test_mode, "active": True})
    if not rows:
        yield Finding("connections", NOTICE, "there are none", "shipcli connections add CARRIER")
        return
    bad = registry.broken()
    for row in rows:
        name = f"{row['carrier_id']} ({row['id']})"
        if row["carrier_name"] in bad or row["carrier_name"] not in registry.slugs():
            yield Finding("connections", WRONG, f"{name}: the carrier {row['carrier_name']} can't be used")
            continue
        yield from _safely(f"connection {name}", lambda row=row: _opened(open_account(app, row["id"])))  # type: ignore[misc]  # bound now
    yield Finding("connections", OK, f"{len(rows)} active")


def _opened(account: object) -> Iterator[Finding]:
    if account is None:
        yield Finding("connections", WRONG, "can't be opened")


# By the kind of what is open: the line of the report, the noun, and what a person may say of it.
ASKED = {
    "purchase": ("purchases", "shipment", "--bought TRACKING or --not-bought"),
    "sale": ("purchases", "shipment", ""),
    "void": ("voids", "shipment", "--voided or --not-voided"),
    "pickup": ("pickups", "pickup", "--booked CONFIRMATION or --not-booked"),
    "pickup_cancel": ("pickups", "pickup", ""),
    "manifest": ("manifests", "manifest", "--made or --not-made"),
}


def _purchases() -> Iterator[Finding]:
    """Purchases, and all else that carriers were asked to do, that are not ended."""
    app = current().app
    rows = [row for state in ("attention", "open") for row in app.store.select("intents", {"state": state})]
    if not rows:
        yield Finding("purchases", OK, "none is open")
    yield from map(_unended, rows)


def _unended(row: Mapping[str, Any]) -> Finding:
    from shipcli.features.core.processes import is_alive

    kind, about = row["kind"] or "purchase", row["object_id"] or row["shipment_id"]
    check, noun, answers = ASKED[kind]
    if row["state"] == "attention":
        hint = f"shipcli {noun}s resolve {about} {answers}"
        return Finding(check, WRONG, f"{noun} {about}: it is not known what became of the {kind}", hint)
    if row["claimed_by"] and is_alive(row["claimed_by"]):
        return Finding(check, NOTICE, f"{noun} {about}: a {kind} is under way")
    what = f"{noun} {about}: a {kind} was interrupted"
    return Finding(check, WRONG, what, "shipcli worker --once")


def _events() -> Iterator[Finding]:
    from itertools import islice

    app = current().app
    newest = islice(app.store.each("event", test_mode=app.test_mode), _MOST_EVENTS)
    waiting = sum(1 for event in newest if event.get("pending_webhooks"))
    state = NOTICE if waiting else OK
    yield Finding("events", state, f"{waiting} wait to be delivered")


def _worker() -> Iterator[Finding]:
    from shipcli.features.ops.worker_status import LATE, status

    found = status(current().app)
    for row in found["workers"]:
        name = f"process {row['process']}"
        if row["state"] == LATE:
            detail = f"{name} has finished no turn for {row['silent_seconds']} s"
            yield Finding("worker", WRONG, detail, "see its log, then start it anew")
        else:
            yield Finding("worker", OK, f"{name} works")
    if not found["workers"]:
        yield _nobody(found["waiting"])
    if found["failed"]:
        detail = f"{found['failed']} jobs failed"
        yield Finding("worker", NOTICE, detail, "shipcli worker jobs list --state failed")


def _nobody(waiting: int) -> Finding:
    if waiting:
        jobs = "1 job waits" if waiting == 1 else f"{waiting} jobs wait"
        return Finding("worker", NOTICE, f"none runs, {jobs}", "shipcli worker run")
    return Finding("worker", OK, "none runs, nothing waits")


CHECKS: dict[str, Callable[[], Iterator[Finding]]] = {
    "store": _store,
    "key": _key,
    "carriers": _carriers,
    "connections": _connections,
    "purchases": _purchases,
    "events": _events,
    "worker": _worker,
}
