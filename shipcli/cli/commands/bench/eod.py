"""`shipcli eod`: close the day."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from shipcli.cli.arguments.selectors import remember
from shipcli.cli.console.files import check_target, write_whole
from shipcli.cli.console.list_views import VIEWS
from shipcli.cli.console.output import show_list
from shipcli.cli.console.progress import work_through
from shipcli.cli.console.prompts import confirm, would
from shipcli.cli.console.stderr import note, warn
from shipcli.cli.current_run import get_run
from shipcli.cli.flows.for_each import PARTIAL_FAILURE
from shipcli.cli.flows.print_bought import Target
from shipcli.cli.usage_errors import Usage
from shipcli.cli.verbs import Verbs
from shipcli.features.core.interruption import Interrupted, defer_interruption, was_interrupted
from shipcli.features.paper.printing import printers, sheet, spooled_documents
from shipcli.models import Conflict
from shipcli.models.basics.json import dumps
from shipcli.models.basics.text import count_text
from shipcli.workflows import end_of_day, lookup, open_day, printing

if TYPE_CHECKING:
    from shipcli.workflows.end_of_day import DayLine, ManifestGroup
    from shipcli.workflows.open_day import OpenDay

verb = Verbs()
COLUMNS = ("state", "carrier_id", "origin", "count", "manifest_id", "pickup_id", "detail")


@verb
def eod(
    check: Annotated[
        bool,
        typer.Option("--check", help="Only list what lacks a label and what is open."),
    ] = False,
    prints: Annotated[bool, typer.Option("-p", "--print", help="Print the manifests.")] = False,
    to: Target = None,
    carrier: Annotated[
        str | None, typer.Option("--carrier", metavar="CARRIER", help="Only this carrier or connection.")
    ] = None,
    every: Annotated[bool, typer.Option("--all", help="Every carrier (the default).")] = False,
    pickup: Annotated[
        str | None, typer.Option("--pickup", metavar="READY-CLOSE", help="Also book pickups for today.")
    ] = None,
    summary: Annotated[
        Path | None,
        typer.Option("--summary", metavar="FILE", help="Write the result to this file as JSON."),
    ] = None,
    quiet_if_nothing: Annotated[
        bool, typer.Option("--quiet-if-nothing", help="Print nothing if there is nothing to do.")
    ] = False,
) -> None:
    """Close the day: make manifests, book pickups, list what still lacks a label.

    Each account and ship-from address gets its own manifest.

    Exit codes: 0 done, 7 refused by the carrier, 9 some failed (with --check: something lacks a label),
    10 closed but not printed.

    Examples:
    shipcli eod --check
    shipcli eod --print
    shipcli eod --carrier ups --pickup 14:00-17:00 --summary eod.json
    """
    if every and carrier:
        raise Usage("--all and --carrier can't be used together")
    end_of_day.check_hours(pickup)
    if summary:
        check_target(summary, "--summary", ())
    day = open_day.read_open_day(get_run().gateway, carrier)
    if check or would(_write_question(day.groups, pickup)):
        lines = [end_of_day.make_open_line(group) for group in day.groups]
        code = PARTIAL_FAILURE if check and day.lacking else 0
    else:
        with defer_interruption():
            lines, code = _close_all(carrier, pickup, partial(_choose_printer, to) if prints or to else None)
    shown = [*day.lacking, *lines] if check else [*lines, *day.shipments]
    _tell(shown, day, carrier, quiet=quiet_if_nothing)
    if summary and not get_run().options.dry_run:
        _write(summary, shown, code, orders=len(day.orders))
    raise typer.Exit(code)


def _choose_printer(to: str | None) -> str:
    """The printer, before anything is closed: a wrong name must not be found out afterwards."""
    return printers.choose_printer(get_run().local_app, printers.MANIFEST, to).name


def _close_all(
    carrier: str | None, pickup: str | None, printer: Callable[[], str] | None
) -> tuple[list[DayLine], int]:
    """What an earlier run left open, what waits, and the pickups of what was closed today."""
    gateway = get_run().gateway
    lines = end_of_day.finish_interrupted(gateway)
    groups = end_of_day.list_open_groups(gateway, carrier)
    to, unprinted = _prepare_printing(printer, is_needed=bool(lines or groups))
    waiting = end_of_day.list_closed_today(gateway, carrier) if pickup else []
    if groups or waiting:
        confirm(_write_question(groups, pickup, waiting))
    lines += work_through(groups, partial(_close, pickup=pickup), "closing")
    lines += [] if was_interrupted() else _book_pickups(waiting, str(pickup))
    made = [line.manifest_id for line in lines if line.manifest_id]
    if made:
        remember("manifest", *made)
    code = end_of_day.choose_exit_code(lines)
    forms = list(dict.fromkeys([*unprinted, *made]))
    return lines, (_print(forms, to) if to and forms else 0) or code


def _prepare_printing(printer: Callable[[], str] | None, *, is_needed: bool) -> tuple[str | None, list[str]]:
    """The printer, chosen before anything is closed, and the forms of today that no run printed."""
    if printer is None:
        return None, []
    unprinted = spooled_documents.select_without_paper(
        get_run().local_app, end_of_day.list_forms_of_today(get_run().gateway)[::-1]
    )
    return (printer() if is_needed or unprinted else None), unprinted


def _close(group: ManifestGroup, pickup: str | None) -> DayLine:
    """A group on its form, and its pickup; open, and no more, once somebody wants us to end."""
    if was_interrupted():
        return replace(end_of_day.make_open_line(group), exit_code=Interrupted.exit_code)
    gateway = get_run().gateway
    line = end_of_day.close_group(gateway, group)
    return end_of_day.book_pickup(gateway, group, line, pickup) if pickup else line


def _book_pickups(waiting: Sequence[ManifestGroup], pickup: str) -> list[DayLine]:
    """The pickups of what was closed before, where their carriers book any."""
    lines = [(group, replace(end_of_day.make_open_line(group), state="closed")) for group in waiting]
    booked = [(line, end_of_day.book_pickup(get_run().gateway, group, line, pickup)) for group, line in lines]
    return [after for before, after in booked if after != before]


def _print(manifest_ids: list[str], printer: str) -> int:
    """The exit code of printing; the day is closed whatever the printer does."""
    try:
        where = printing.print_forms(get_run().gateway, get_run().local_app, manifest_ids, to=printer)
        note(f"printed {len(manifest_ids)} on {where}")
    except sheet.PrinterError as error:
        warn(error.message)
        note(error.hint)
        return error.exit_code
    except Conflict as error:  # an interrupted run may have printed it: only a person can see that
        warn(error.message)
        return sheet.PrinterError.exit_code
    return 0


def _write_question(
    groups: Sequence[ManifestGroup], pickup: str | None, waiting: Sequence[ManifestGroup] = ()
) -> str:
    count = sum(len(group.shipments) for group in groups)
    names = ", ".join(dict.fromkeys(group.carrier_id for group in groups)) or "nobody"
    closes = [f"close {count_text(count, 'shipment')} with {names}"] if groups or not waiting else []
    return " and ".join([*closes, *([f"book pickups for {pickup}"] if pickup else [])])


def _tell(lines: Sequence[DayLine], day: OpenDay, carrier: str | None, *, quiet: bool) -> None:
    if lines or not quiet:
        show_list([line.to_dict() for line in lines], COLUMNS, view=VIEWS["day line"])
    left = sum(line.exit_code == Interrupted.exit_code for line in lines)
    if left:
        warn(f"interrupted: {left} of {len(lines)} left; run the same line again to go on")
    named = ((day.orders, "order"), (day.shipments, "shipment"))
    lacking = [count_text(len(rows), word) for rows, word in named if rows]
    if lacking and (lines or not quiet):
        warn(f"{' and '.join(lacking)} without a label")
    elif not lines and not quiet:
        note(f"nothing to close{lookup.suggest_carrier(get_run().gateway, carrier)}")


def _write(path: Path, lines: Sequence[DayLine], code: int, *, orders: int) -> None:
    """The result as one object, there whole or not at all; `orders` is how many have no label."""
    at = f"{get_run().ship_defaults.now:%Y-%m-%d %H:%M:%S.%f+00:00}"
    states = ("closed", "failed", "open", "no_label")
    counts = {state: sum(line.state == state for line in lines) for state in states}
    result: dict[str, Any] = {"at": at, "test_mode": not get_run().live, "exit_code": code, **counts}
    result["orders_without_label"] = orders
    text = dumps({**result, "lines": [line.to_dict() for line in lines]}, indent=True)
    write_whole(path, f"{text}\n".encode())
