"""`shipcli doctor`: what is wrong, and what to type about it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import partial
from itertools import islice
from typing import Annotated, Any, NamedTuple

import typer

from shipcli import config
from shipcli.carrier import registry
from shipcli.cli.console.error_report import find_hint
from shipcli.cli.console.list_views import VIEWS
from shipcli.cli.console.output import show_list
from shipcli.cli.current_run import get_run
from shipcli.cli.verbs import Verbs
from shipcli.clocks import real_clock
from shipcli.features.admin import worker_status
from shipcli.features.connections import accounts
from shipcli.features.core import app as core_app
from shipcli.features.core import processes
from shipcli.features.paper.printing import print_queue as print_queue
from shipcli.features.paper.printing import printers as printing
from shipcli.features.paper.printing import sheet
from shipcli.features.shipments import defaults
from shipcli.models.basics.errors import ShipcliError
from shipcli.models.basics.text import name_object, name_uniquely
from shipcli.store import ports

verb = Verbs()
ITSELF = "shipcli doctor"  # what other commands say of such errors
OK, NOTICE, WRONG = "ok", "notice", "wrong"
COLUMNS = ("check", "state", "detail", "hint")
_MOST_EVENTS = 10_000
_MOST_NAMES = 5


class Finding(NamedTuple):
    """One line of the report."""

    check: str
    state: str
    detail: str
    hint: str = ""


@verb
def doctor(
    quick: Annotated[bool, typer.Option("--quick", help="Leave out what reads the whole store.")] = False,
) -> None:
    """Look for what is wrong or missing, and show how to mend it.

    `--quick` leaves out what takes longer the more the store holds: the store and its events.

    Examples:
    shipcli doctor
    shipcli doctor --quick
    shipcli doctor --json
    """
    checks = {name: look for name, look in CHECKS.items() if not quick or name not in LONG_CHECKS}
    findings = _drop_repetitions(
        finding for name, look in checks.items() for finding in _run_check(name, look)
    )
    show_list([finding._asdict() for finding in findings], COLUMNS, view=VIEWS["finding"])
    if any(finding.state == WRONG for finding in findings):
        raise typer.Exit(1)


def _run_check(name: str, look: Callable[[], Iterator[Finding]]) -> list[Finding]:
    """What a check finds; an error that has a name is a finding as well."""
    try:
        return list(look())
    except ShipcliError as error:
        hint = find_hint(error)
        return [Finding(name, WRONG, error.message, "" if hint == ITSELF else hint)]


def _drop_repetitions(findings: Iterable[Finding]) -> list[Finding]:
    """What is wrong for one reason, such as a store that nobody may write, is seen once."""
    seen: dict[Any, Finding] = {}
    for finding in findings:
        seen.setdefault(finding.detail if finding.state == WRONG else finding, finding)
    return list(seen.values())


def _check_store() -> Iterator[Finding]:
    store = get_run().app.store
    damages = store.check()
    yield from (Finding("store", WRONG, damage, "shipcli db restore BACKUP") for damage in damages)
    if not damages:
        yield Finding("store", OK, store.place)


def _check_database() -> Iterator[Finding]:
    """Settings of a server of PostgreSQL; a file has none."""
    for risk in get_run().app.store.find_risks(real_clock()):
        yield Finding("database", WRONG if risk.is_loss else NOTICE, risk.text, risk.hint)


def _check_key() -> Iterator[Finding]:
    app = get_run().app
    setting = core_app.read_fact(app.store, ports.MASTER_KEY)
    if not setting:
        yield Finding("key", OK, "none yet; it is made with the first secret")
        return
    app.vault.seal("doctor", b"")  # fetches the key and compares its fingerprint
    yield Finding("key", OK, f"in the {setting['place']}")


def _check_carriers() -> Iterator[Finding]:
    broken = registry.list_broken()
    yield from (Finding("carriers", WRONG, reason) for reason in broken.values())
    yield Finding("carriers", OK, f"{len(registry.list_slugs()) - len(broken)} can be used")


def _check_connections() -> Iterator[Finding]:
    app = get_run().app
    rows = app.store.select("connections", {"test_mode": app.test_mode, "active": True})
    if not rows:
        yield Finding("connections", NOTICE, "there are none", "shipcli connections add CARRIER")
        return
    bad = registry.list_broken()
    for row in rows:
        name = f"{row['carrier_id']} ({row['id']})"
        if row["carrier_name"] in bad or row["carrier_name"] not in registry.list_slugs():
            yield Finding("connections", WRONG, f"{name}: the carrier {row['carrier_name']} can't be used")
            continue
        yield from _run_check(f"connection {name}", partial(_check_account, app, row["id"]))
    yield Finding("connections", OK, f"{len(rows)} active")


def _check_account(app: core_app.App, connection_id: str) -> Iterator[Finding]:
    if accounts.open_account(app, connection_id) is None:
        yield Finding("connections", WRONG, "can't be opened")


# By the kind of what is open: the line of the report, the noun, and what a person may say of it.
OPEN_ACTIONS = {
    "purchase": ("purchases", "shipment", "--bought TRACKING or --not-bought"),
    "sale": ("purchases", "shipment", ""),
    "void": ("voids", "shipment", "--voided or --not-voided"),
    "pickup": ("pickups", "pickup", "--booked CONFIRMATION or --not-booked"),
    "pickup_cancel": ("pickups", "pickup", ""),
    "manifest": ("manifests", "manifest", "--made or --not-made"),
}
UNKNOWN, UNDER_WAY, INTERRUPTED = "it is not known what became of the", "under way:", "interrupted:"


def _check_purchases() -> Iterator[Finding]:
    """Purchases, and all else that carriers were asked to do, that are not ended."""
    app = get_run().app
    rows = [row for state in ("attention", "open") for row in app.store.select("intents", {"state": state})]
    if not rows:
        yield Finding("purchases", OK, "none is open")
    alike: dict[tuple[str, str], list[Mapping[str, Any]]] = {}
    for row in rows:
        alike.setdefault((row["kind"] or "purchase", _find_state(row)), []).append(_find_object(row))
    yield from (_report_unended(kind, state, objects) for (kind, state), objects in alike.items())


def _find_state(row: Mapping[str, Any]) -> str:
    if row["state"] == "attention":
        return UNKNOWN
    return UNDER_WAY if row["claimed_by"] and processes.is_alive(row["claimed_by"]) else INTERRUPTED


def _find_object(row: Mapping[str, Any]) -> Mapping[str, Any]:
    """What an intent is about, its id at least."""
    kind, about = row["kind"] or "purchase", row["object_id"] or row["shipment_id"]
    return {**(get_run().app.store.get(OPEN_ACTIONS[kind][1], about) or {}), "id": about}


def _report_unended(kind: str, state: str, objects: Sequence[Mapping[str, Any]]) -> Finding:
    """One line for all that need the same."""
    check, noun, answers = OPEN_ACTIONS[kind]
    hints = {
        UNKNOWN: f"shipcli {noun}s resolve {name_uniquely(objects[0])} {answers}".rstrip(),
        INTERRUPTED: "shipcli worker --once",
    }
    what = f"{state} {kind} of {noun}{'s' * (len(objects) != 1)} {_list_first(map(name_object, objects))}"
    return Finding(check, NOTICE if state == UNDER_WAY else WRONG, what, hints.get(state, ""))


def _list_first(names: Iterable[str]) -> str:
    """The first of some names, and how many more there are."""
    every = list(names)
    others = f" and {len(every) - _MOST_NAMES} more" if len(every) > _MOST_NAMES else ""
    return ", ".join(every[:_MOST_NAMES]) + others


def _check_shipper() -> Iterator[Finding]:
    app = get_run().app
    if not app.config[config.SHIPPER] and not app.sandbox:
        yield Finding("shipper", NOTICE, "no address ships when a command names none", "shipcli setup")
        return
    address = defaults.find_default_shipper(app)
    name = address.get("company_name") or address.get("person_name")
    yield Finding("shipper", OK, f"{name}, {address.get('city')}")


def _check_printers() -> Iterator[Finding]:
    printers, default = (
        [printer.name for printer in printing.list_printers(get_run().app)],
        get_run().app.config[config.PRINTER],
    )
    if default and ":" not in default and default not in printers:
        detail = f"the default one is {default}, which is none of {', '.join(printers) or 'those there are'}"
        yield Finding("printers", WRONG, detail, "shipcli config set printer NAME")
    elif default or printers:
        yield Finding(
            "printers", OK, f"{default or printers[0]} is the default" if default else ", ".join(printers)
        )
    else:
        add = "shipcli printers add NAME --to tcp://HOST --format ZPL"
        yield Finding("printers", NOTICE, "there is none", add)


def _check_print_jobs() -> Iterator[Finding]:
    """Labels on their way to paper."""
    app = get_run().app
    waiting = Counter(job.printer for job in print_queue.list_waiting(app))
    for printer, number in waiting.items():
        detail = f"{number} wait{'s' * (number == 1)} for {printer}"
        yield Finding("print jobs", NOTICE, detail, f"shipcli printers resume --printer {printer}")
    uncertain = [job.title for job in print_queue.list_jobs(app, states=(sheet.UNKNOWN,))]
    if uncertain:
        detail = f"{len(uncertain)} may have been printed: {_list_first(uncertain)}; look at the paper"
        yield Finding("print jobs", NOTICE, detail, "shipcli printers queue")
    if not waiting and not uncertain:
        yield Finding("print jobs", OK, "none waits")


def _check_events() -> Iterator[Finding]:
    app = get_run().app
    newest = islice(app.store.each("event", test_mode=app.test_mode), _MOST_EVENTS)
    waiting = sum(1 for event in newest if event.get("pending_webhooks"))
    state = NOTICE if waiting else OK
    yield Finding("events", state, f"{waiting} wait to be delivered")


def _check_worker() -> Iterator[Finding]:
    status = worker_status.get_status(get_run().app)
    for row in status["workers"]:
        name = f"process {row['process']}"
        if row["state"] == worker_status.LATE:
            detail = f"{name} has finished no turn for {row['silent_seconds']} s"
            yield Finding("worker", WRONG, detail, "see its log, then start it anew")
        else:
            yield Finding("worker", OK, f"{name} works")
    lost = worker_status.list_lost_workers(get_run().app)
    if not status["workers"]:
        yield _report_stopped(lost[-1], status["waiting"]) if lost else _report_no_worker(status["waiting"])
    if status["failed"]:
        detail = f"{status['failed']} jobs failed"
        yield Finding("worker", NOTICE, detail, "shipcli worker jobs list --state failed")


def _report_stopped(process: str, waiting: int) -> Finding:
    detail = f"process {process} stopped without ending its work, {_describe_jobs(waiting)}"
    return Finding("worker", WRONG, detail, "shipcli worker run")


def _report_no_worker(waiting: int) -> Finding:
    if waiting:
        return Finding("worker", NOTICE, f"none runs, {_describe_jobs(waiting)}", "shipcli worker run")
    return Finding("worker", OK, "none runs, nothing waits")


def _describe_jobs(waiting: int) -> str:
    return "1 job waits" if waiting == 1 else f"{waiting or 'no'} jobs wait"


CHECKS: dict[str, Callable[[], Iterator[Finding]]] = {
    "store": _check_store,
    "database": _check_database,
    "key": _check_key,
    "carriers": _check_carriers,
    "connections": _check_connections,
    "shipper": _check_shipper,
    "printers": _check_printers,
    "print jobs": _check_print_jobs,
    "purchases": _check_purchases,
    "events": _check_events,
    "worker": _check_worker,
}
LONG_CHECKS = ("store", "events")
