"""Data output: `show` one object, `show_list` many; the global options choose form and destination.

A terminal gets a table, a pipe gets TSV, a file gets the format of its extension.
"""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import chain, islice
from pathlib import Path
from typing import TYPE_CHECKING, Any

from shipcli.cli.console.field_names import check_fields, has_changed_nothing, list_declared_fields
from shipcli.cli.console.files import replace_file
from shipcli.cli.console.formats import (
    FORMATS,
    SUFFIXES,
    Card,
    CommandResult,
    indent_json,
    list_paths,
    read_fields,
    split_names,
)
from shipcli.cli.console.list_views import VIEWS, ListColumn, make_path_columns
from shipcli.cli.console.stderr import escape_text, note, warn
from shipcli.cli.current_run import get_run
from shipcli.cli.usage_errors import Usage
from shipcli.models.basics.errors import ShipcliError

if TYPE_CHECKING:
    from shipcli.cli.session import Run

MOST_COUNTED = 500  # rows beyond those shown
BINARY = frozenset({".xlsx", ".xls", ".ods", ".pdf", ".png"})  # names of what is no text


def show(
    value: Any,
    columns: Sequence[str] = (),
    view: Sequence[ListColumn] = (),
    card: Card | None = None,
) -> None:
    """Print one object: a model, a mapping, or the stored text of one as `Raw`.

    `columns` are the fields that a table shows, by default all. On a terminal a `view` makes it a line of a
    list, and a `card` shows what people look for; -v and `--columns` show the fields.
    """
    shown, options = _choose_columns(columns), get_run().options
    card = None if options.columns or options.verbose else card
    _print(CommandResult([value], shown, single=True, view=_choose_view(view), declared=columns, card=card))


def show_list(
    rows: Iterable[Any],
    columns: Sequence[str],
    *,
    head: str = "[",
    tail: str = "]",
    total: int | None = None,
    view: Sequence[ListColumn] = (),
) -> None:
    """Print many; `head` and `tail` surround them in JSON, `total` is how many there are in all.

    A terminal shows the columns of `view`, and ids with `-v`, unless `--columns` names others.
    """
    shown, seen = _choose_columns(columns), _choose_view(view)
    _print(CommandResult(rows, shown, head=head, tail=tail, total=total, view=seen, declared=columns))


def show_first(
    rows: Iterable[Any], limit: int, columns: Sequence[str], *, view: Sequence[ListColumn] = ()
) -> None:
    """Print the first rows and say how many there are, or that there are more than anybody counts."""
    pending = iter(rows)
    show_list(list(islice(pending, limit)), columns, view=view)
    others = sum(1 for _ in islice(pending, MOST_COUNTED))
    if others == MOST_COUNTED:
        note(f"{limit:,} of more than {limit + others:,} (--limit {2 * limit})")
    elif others:
        note(f"{limit:,} of {limit + others:,} (--limit {limit + others})")


def _choose_view(view: Sequence[ListColumn]) -> Sequence[ListColumn]:
    """The columns of a view, with ids in verbose mode; none if the command names others."""
    options = get_run().options
    seen = () if options.columns else view
    if seen and options.verbose and "ID" not in [column.title for column in seen]:
        return (*make_path_columns(["id"]), *seen)
    return seen


def show_sheet(rows: Iterable[Any], columns: Sequence[str]) -> None:
    """Print many as CSV, unless another form is requested."""
    if not is_form_named():
        run = get_run()
        run.options = replace(run.options, format="csv")
    show_list(rows, columns)


def show_text(text: str) -> None:
    """Print a text as it is, such as a script."""
    _put(iter([text]))


def show_now(line: str) -> None:
    """Print a line of a list that does not end, at once, also in a pipe."""
    sys.stdout.write(f"{escape_text(line)}\n")
    sys.stdout.flush()


def show_word(word: Any, value: Mapping[str, Any]) -> None:
    """Print one word on a line; the whole object if the command names a form."""
    if is_form_named():
        show(value)
    else:
        show_text(f"{word}\n")


def is_form_named() -> bool:
    """Whether the command names a form, by an option or by its file's extension."""
    options = get_run().options
    return bool(options.format) or Path(options.output or "").suffix.lower() in SUFFIXES


def show_each(values: Sequence[Any], columns: Sequence[str], card: Card | None = None) -> None:
    """Print the objects that ids named: one with all its fields or as a card, more as a list."""
    if len(values) == 1:
        show(values[0], card=card)
    else:
        show_list(values, columns)


def show_some(values: Sequence[Any], columns: Sequence[str], kind: str = "") -> None:
    """Print one as an object, several as a list, in both cases with these columns only.

    On a terminal they have those of their `kind`, a line each.
    """
    view = VIEWS.get(kind, ())
    if len(values) == 1:
        show(values[0], columns, view)
    else:
        show_list(values, columns, view=view)


def _choose_columns(columns: Sequence[str]) -> tuple[str, ...]:
    return tuple(split_names(get_run().options.columns)) or tuple(columns)


class OutputFailed(ShipcliError):
    """The output failed although the command has done something."""

    code = "output"


def _print(result: CommandResult) -> None:
    try:
        _write(result)
        sys.stdout.flush()
    except Usage as error:  # one that depends on the data, as {id:d} does: nobody can know it beforehand
        run = get_run()
        if has_changed_nothing(run.path, run.acted):
            raise
        raise OutputFailed(error.message) from None


def _write(result: CommandResult) -> None:
    run = get_run()
    result = _check_fields(result, run)
    terminal = sys.stdout.isatty() and run.options.output in (None, "-")
    form = run.options.format or _choose_form(run, result, terminal)
    if form == "table":
        _print_table(result, run)
        return
    rows = _RowCounter(result.rows)
    pieces = FORMATS[form](replace(result, rows=rows), run.options.expression)
    _put(indent_json(pieces) if terminal and form == "json" else pieces)
    if form != "json" and result.total is not None and rows.count < result.total:
        note(describe_part(rows.count, result.total))


class _RowCounter:
    """Rows that are counted while they are read."""

    def __init__(self, rows: Iterable[Any]) -> None:
        self._rows, self.count = rows, 0

    def __iter__(self) -> Iterator[Any]:
        for row in self._rows:
            self.count += 1
            yield row


def describe_part(shown: int, total: int) -> str:
    """How many rows of all are shown, and how to see the others."""
    return f"{shown:,} of {total:,} (--all)"


def _check_fields(result: CommandResult, run: Run) -> CommandResult:
    """The result of a command that only reads, once its first row has the fields that the line names.

    What a command did is shown whatever the line names: it must not end like a failure.
    """
    options = run.options
    requested = {
        "--columns": split_names(options.columns),
        f"--{options.format}": list_paths(options.format, options.expression),
    }
    if not any(requested.values()) or not has_changed_nothing(run.path, run.acted):
        return result
    rows = iter(result.rows)
    first = [read_fields(row) for row in islice(rows, 1)]
    fields = {**dict.fromkeys(result.declared), **first[0]} if first else list_declared_fields(run.path)
    for option, paths in requested.items() if fields else ():
        check_fields(fields, paths, option)
    return replace(result, rows=chain(first, rows))


def _choose_form(run: Run, result: CommandResult, terminal: bool) -> str:
    if run.options.output and run.options.output != "-":
        form = SUFFIXES.get(Path(run.options.output).suffix.lower())
        if form:
            return form
    if terminal:
        return "table"
    return "pairs" if result.single else "tsv"


def _print_table(result: CommandResult, run: Run) -> None:
    from shipcli.cli.console.tables import draw

    rows = list(result.rows)
    text = draw(replace(result, rows=rows), color=run.colors(sys.stdout))
    sys.stdout.write(text)
    if not text:
        note("nothing found")
    elif result.total is not None and result.total > len(rows):
        sys.stdout.write(f"{describe_part(len(rows), result.total)}\n")


def _put(pieces: Iterator[str]) -> None:
    output = get_run().options.output
    if output not in (None, "-"):
        _write_to_file(pieces, Path(str(output)))
    elif sys.stdout.isatty():
        sys.stdout.writelines(map(escape_text, pieces))
    else:
        _write_to_pipe(pieces)


def _write_to_pipe(pieces: Iterator[str]) -> None:
    """Write UTF-8 whatever the locale, so that a cron job reads what a terminal showed."""
    sys.stdout.flush()
    for piece in pieces:
        sys.stdout.buffer.write(piece.encode("utf-8", "replace"))
    sys.stdout.flush()


def _write_to_file(pieces: Iterator[str], path: Path) -> None:
    """Write the complete file or nothing."""
    with (
        replace_file(path) as temporary,
        temporary.open("w", encoding="utf-8", errors="replace", newline="") as file,
    ):
        file.writelines(pieces)
    note(f"wrote {path}")
    if path.suffix.lower() in BINARY:
        warn(f"{path} is text whatever its name says: -o FILE.csv is what spreadsheets open")
