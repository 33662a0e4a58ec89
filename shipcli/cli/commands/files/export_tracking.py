"""`shipcli export tracking`: numbers back to the shop, once each."""

from __future__ import annotations

import io
import os
import sys
from contextlib import AbstractContextManager, suppress
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, BinaryIO

import typer

from shipcli.cli.console.files import check_target, replace_file
from shipcli.cli.console.formats import SUFFIXES
from shipcli.cli.console.output import show_list, show_sheet, show_text
from shipcli.cli.console.prompts import would
from shipcli.cli.console.stderr import note, warn
from shipcli.cli.current_run import get_run
from shipcli.cli.gateway import ask
from shipcli.features.core.locks import hold_locks
from shipcli.features.files.writing import write_delimited, write_table
from shipcli.features.shops import own_map, sheets, waiting
from shipcli.models import Conflict, NumbersTold

if TYPE_CHECKING:
    from shipcli.features.shops.sheets import ShopSheet
    from shipcli.models import SentNumber

SPREADSHEETS = (".xlsx", ".xls")
DOCUMENTS = tuple(ending for ending, form in SUFFIXES.items() if form not in ("csv", "tsv"))
MARKED_AT_ONCE = 10_000


def tracking(
    map: Annotated[
        str,
        typer.Option(
            "--map",
            metavar="SHOP",
            help="The shop's form: shopify, amazon, ebay, woocommerce"
            " and others, or a map of your own: own, or FILE.yaml.",
        ),
    ],
    source: Annotated[
        str | None,
        typer.Option("--source", metavar="NAME", help="Orders of this source, or any (that of the form)."),
    ] = None,
    again: Annotated[
        bool, typer.Option("--again", help="Repeat what the last file had, and add what is new.")
    ] = False,
    since: Annotated[
        str | None,
        typer.Option("--since", metavar="DAY", help="Repeat what was exported since then; adds what is new."),
    ] = None,
    overwrite: Annotated[
        bool, typer.Option("--overwrite", help="Replace a file that is there already.")
    ] = False,
    empty: Annotated[
        bool, typer.Option("--empty", help="Write the headings if nothing is new; else no file is written.")
    ] = False,
) -> None:
    """Export tracking numbers in the columns that a shop takes, those not exported before.

    A number is marked when the file is written, or standard output where that is a file or a pipe; a terminal
    only shows the rows. Voided labels that were exported are named once.

    Examples:
    shipcli export tracking --map shopify -o Orders-back.csv
    shipcli export tracking --map amazon -o confirm.txt --again --overwrite
    shipcli export tracking --map own.yaml -o numbers.csv
    """
    sheet = _open_sheet(map)
    target = _choose_target(sheet)
    with _lock(sheet):
        numbers = _list_numbers(sheet, source, again=again, since=since)
        if not numbers and not empty:
            return
        if target is None and _is_looked_at():
            _show_rows(sheet, numbers)
            return
        has_rows = empty or sheets.has_rows(sheet, numbers)
        if has_rows and target and target.is_file() and not overwrite:
            raise _Unread(target)
        if would(f"export {_count(numbers)} for {sheet.slug} to {target or 'standard output'}"):
            return
        if has_rows:
            _write(sheet, numbers, target)
        _tell_void(sheet, numbers)
        _mark(sheet, numbers)


def _open_sheet(word: str) -> ShopSheet:
    if not own_map.is_own(word):
        return sheets.find_sheet(word)
    return own_map.read_own_map(own_map.find_own_map(word, (Path.cwd(), get_run().data_folder)))


def _choose_target(sheet: ShopSheet) -> Path | None:
    """The file to write; none for standard output."""
    output = get_run().options.output
    if output in (None, "-"):
        return None
    target = Path(output)
    check_target(target, "-o", ())
    if sheet.slug == "shopify" and "order" not in target.name.lower():
        note("Matrixify knows a file of orders by its name: let it contain Orders")
    return target


class _Unread(Conflict):
    """A file that is there: the shop may not have read it, and its numbers are marked."""

    def __init__(self, target: Path) -> None:
        super().__init__(f"{target} is there already; perhaps the shop has not read it yet")
        self.hint = "move it away, or add --overwrite"


def _lock(sheet: ShopSheet) -> AbstractContextManager[None]:
    """Errors: Conflict while another run writes a file for the same shop."""
    name = f"export tracking/{sheet.slug}/{get_run().api_url}"
    busy = f"another run is exporting numbers for {sheet.slug}"
    return hold_locks(get_run().local_app, [name], busy)


def _list_numbers(
    sheet: ShopSheet, source: str | None, *, again: bool, since: str | None
) -> list[SentNumber]:
    wanted_source = source or sheet.source or sheet.slug
    answer = ask(waiting.list_waiting, shop=sheet.slug, source=wanted_source, again=again, since=since)
    if not answer.numbers:
        note(f"nothing new for {sheet.slug}")
    if answer.other_sources and wanted_source != waiting.ANY:
        others = ", ".join(f"{name or 'no source'} {count}" for name, count in answer.other_sources.items())
        note(f"left out, of other sources than {wanted_source}: {others} (--source NAME, or any)")
    return answer.numbers


def _write(sheet: ShopSheet, numbers: list[SentNumber], target: Path | None) -> None:
    rows, columns = sheets.write_rows(sheet, numbers), list(sheet.columns)
    ending = target.suffix.lower() if target else ""
    options = get_run().options
    if options.format or options.columns or ending in DOCUMENTS:
        show_sheet(rows, columns)
        return
    if target is None:
        text = io.BytesIO()
        write_delimited(text, columns, rows, sheet.delimiter)
        show_text(text.getvalue().decode())
        return
    if ending in SPREADSHEETS:
        write_table(target, columns, rows)
    else:
        with replace_file(target) as partial, partial.open("wb") as file:
            write_delimited(file, columns, rows, sheet.delimiter)
            _keep(file)
    note(f"wrote {target}: {_count(numbers)}{f'; {sheet.hint}' if sheet.hint else ''}")


def _keep(file: BinaryIO) -> None:
    """See that a file outlives a power cut before its numbers are marked; a pipe has no such thing."""
    file.flush()
    with suppress(OSError):
        os.fsync(file.fileno())


def _is_looked_at() -> bool:
    """Whether nothing but a person gets the rows: at a terminal."""
    return get_run().options.output is None and sys.stdout.isatty()


def _show_rows(sheet: ShopSheet, numbers: list[SentNumber]) -> None:
    show_list(list(sheets.write_rows(sheet, numbers)), list(sheet.columns))
    _tell_void(sheet, numbers)
    note("these are only shown; -o FILE writes them for the shop, and marks them")


def _count(numbers: list[SentNumber]) -> str:
    back = sum(number.withdrawn for number in numbers)
    new = f"{len(numbers) - back} number(s)"
    return f"{new}, {back} taken back" if back else new


def _tell_void(sheet: ShopSheet, numbers: list[SentNumber]) -> None:
    for name in sheets.list_unsayable(sheet, numbers):
        warn(f"the label was voided: take {name} out of the shop")


def _mark(sheet: ShopSheet, numbers: list[SentNumber]) -> None:
    """Mark them, some at a time: those that a crash leaves out are repeated by the next file."""
    for start in range(0, len(numbers), MARKED_AT_ONCE):
        told: dict[bool, list[str]] = {True: [], False: []}
        for number in numbers[start : start + MARKED_AT_ONCE]:
            told[number.withdrawn].append(number.shipment_id)
        ask(waiting.mark_told, NumbersTold(shop=sheet.slug, shipment_ids=told[False], withdrawn=told[True]))
