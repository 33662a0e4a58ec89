"""The forms in which data is printed, each a function from a result to pieces of text."""

from __future__ import annotations

import io
import shutil
import subprocess
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from string import Formatter
from typing import TYPE_CHECKING, Any

from shipcli.cli.console.cells import (
    convert_to_plain,
    count_objects,
    encode_json,
    flatten_fields,
    format_cell,
    format_column,
    format_csv_column,
)
from shipcli.cli.console.list_views import ListColumn
from shipcli.cli.console.paths import look_up, select_paths, split_path
from shipcli.cli.console.stderr import note
from shipcli.cli.current_run import get_run
from shipcli.cli.usage_errors import Usage
from shipcli.models.basics.json import dumps, loads

if TYPE_CHECKING:
    from shipcli.cli.global_options import Options

_TSV = str.maketrans({"\\": "\\\\", "\t": "\\t", "\n": "\\n", "\r": "\\r"})
Card = Callable[[Mapping[str, Any]], list[tuple[str, str]]]
TemplatePart = tuple[str, str | None, str | None, str | None]  # text; path, form and conversion after it


@dataclass(frozen=True)
class CommandResult:
    """The output of a command.

    Shapes: `rows` are stored texts, models or plain values, read once; a single object is one row;
            `head` and `tail` are the JSON around the rows of a paged list, `total` is how many it has in all.
            `view` are the columns that a terminal shows, where they are others; `declared` those of the
            command, whichever the line names. `card` gives the lines by which a terminal shows an object
            instead of its fields, each with its heading.
    """

    rows: Iterable[Any]
    columns: tuple[str, ...] = ()
    single: bool = False
    head: str = "["
    tail: str = "]"
    total: int | None = None
    view: Sequence[ListColumn] = ()
    declared: Sequence[str] = ()
    card: Card | None = None


def write_json(result: CommandResult, fields: str) -> Iterator[str]:
    """The REST form: an object, or a list in its envelope; `fields` are the fields to keep."""
    rows = _select_lines(result, fields)
    if result.single:
        yield from (f"{text}\n" for text in rows)
        return
    yield result.head
    for position, text in enumerate(rows):
        yield f",{text}" if position else text
    yield f"{result.tail}\n"


def write_ndjson(result: CommandResult, fields: str) -> Iterator[str]:
    """One object per line."""
    return (f"{text}\n" for text in _select_lines(result, fields))


def _select_lines(result: CommandResult, fields: str) -> Iterator[str]:
    paths = split_names(fields)
    if not paths:
        return (encode_json(row) for row in result.rows)
    return (dumps(select_paths(row, paths)) for row in _read_rows(result.rows, paths))


def _read_rows(rows: Iterable[Any], paths: Iterable[str]) -> Iterator[dict[str, Any]]:
    """The rows as objects; a requested field that no row has is reported, as it may be a mistake."""
    missing, is_empty = {path: path.split(".")[0].split("[")[0] for path in paths}, True
    for row in rows:
        value, is_empty = read_fields(row), False
        missing = {path: first for path, first in missing.items() if first not in value and path not in value}
        yield value
    for path in () if is_empty else missing:
        note(f"nothing here has a field {path}")


def split_names(text: str | None) -> list[str]:
    """A comma list."""
    return [name.strip() for name in (text or "").split(",") if name.strip()]


def check_expressions(options: Options) -> None:
    """Check the expressions of the output options before the command does anything.

    Errors: Usage for an invalid path, template or jq program.
    """
    for path in [*split_names(options.columns), *list_paths(options.format, options.expression)]:
        split_path(path)
    if options.format == "jq":
        run_jq(options.expression, "")  # without input it is compiled and not run


def list_paths(form: str | None, expression: str) -> list[str]:
    """The fields that the option of a form names."""
    if form in ("json", "ndjson"):
        return split_names(expression)
    if form == "template":
        return [path for _, path, _, _ in _parse_template(expression) if path]
    return [expression] if form == "pick" else []


def read_fields(row: Any) -> dict[str, Any]:
    """A row as an object."""
    value = convert_to_plain(row)
    return dict(value) if isinstance(value, Mapping) else {"value": value}


def indent_json(pieces: Iterable[str]) -> Iterator[str]:
    """Indented JSON, for people."""
    yield dumps(loads("".join(pieces)), indent=True) + "\n"


def write_csv(result: CommandResult, _: str) -> Iterator[str]:
    """A header and a line per row, quoted where needed; text that spreadsheets would run is kept from it."""
    import csv

    buffer = io.StringIO()
    writer = csv.writer(buffer, lineterminator="\n")
    for line in _iterate_lines(result, format_csv_column):
        writer.writerow(line)
        yield buffer.getvalue()
        buffer.seek(0)
        buffer.truncate()


def write_tsv(result: CommandResult, _: str) -> Iterator[str]:
    """A header and a line per row; tabs and line breaks inside cells are written `\\t` and `\\n`."""
    return (write_tsv_line(line) for line in _iterate_lines(result))


def write_pairs(result: CommandResult, _: str) -> Iterator[str]:
    """One object as lines of name and value."""
    for row in result.rows:
        value = read_fields(row)
        pairs = [(path, look_up(value, path)) for path in result.columns] or flatten_fields(value)
        yield from (write_tsv_line((path, format_cell(value))) for path, value in pairs)


def write_tsv_line(cells: Iterable[str]) -> str:
    """Cells with tabs between them."""
    return "\t".join(text.translate(_TSV) for text in cells) + "\n"


def _iterate_lines(
    result: CommandResult, write: Callable[[Any, str], str] = format_column
) -> Iterator[list[str]]:
    columns: tuple[str, ...] = result.columns
    if columns:
        yield list(columns)
    named = columns if get_run().options.columns else ()
    is_counted = bool(columns) and not named  # whoever names a list gets it whole
    for value in _read_rows(result.rows, named):
        if not columns:
            columns = tuple(path for path, _ in flatten_fields(value))
            yield list(columns)
        yield [(is_counted and count_objects(look_up(value, path))) or write(value, path) for path in columns]


def write_yaml(result: CommandResult, _: str) -> Iterator[str]:
    """YAML documents: the object, or the list of rows."""
    import yaml

    class Dumper(yaml.SafeDumper):
        def ignore_aliases(self, data: Any) -> bool:
            return True

    def number(dumper: yaml.SafeDumper, value: Decimal) -> yaml.ScalarNode:
        text = format_cell(value)
        return dumper.represent_scalar(
            "tag:yaml.org,2002:float" if "." in text else "tag:yaml.org,2002:int", text
        )

    Dumper.add_representer(Decimal, number)
    values = [convert_to_plain(row) for row in result.rows]
    content = loads(dumps(values[0] if result.single else values))
    yield yaml.dump(content, Dumper=Dumper, allow_unicode=True, sort_keys=False)


def write_ids(result: CommandResult, _: str) -> Iterator[str]:
    """The id of every row, else its first column."""
    for row in result.rows:
        value = read_fields(row)
        path = "id" if "id" in value or not result.columns else result.columns[0]
        yield f"{format_column(value, path)}\n"


def write_picked(result: CommandResult, path: str) -> Iterator[str]:
    """The value at a path; an empty line if there is none."""
    return (f"{format_cell(look_up(row, path))}\n" for row in _read_rows(result.rows, [path]))


def write_template(result: CommandResult, template: str) -> Iterator[str]:
    """A line per row: `{id} {recipient.city:<20}`; only fields of the row can be named."""
    parts = _parse_template(template.replace("\\t", "\t").replace("\\n", "\n"))
    return ("".join(_fill(part, read_fields(row)) for part in parts) + "\n" for row in result.rows)


def _parse_template(template: str) -> list[TemplatePart]:
    """Errors: Usage."""
    try:
        parts = list(Formatter().parse(template))
    except ValueError as error:
        raise Usage(f"--template: {error}") from None
    if any(path == "" or conversion for _, path, _, conversion in parts):
        raise Usage("--template: name a field between the braces, such as {id} or {recipient.city}")
    return parts


def _fill(part: TemplatePart, row: dict[str, Any]) -> str:
    literal, path, spec, _ = part
    if path is None:
        return literal
    value = look_up(row, path)
    exact = isinstance(value, Decimal | int) and not isinstance(value, bool)
    try:
        return literal + (
            format(value if exact else format_cell(value), spec) if spec else format_cell(value)
        )
    except ValueError as error:
        raise Usage(f"--template: {{{path}:{spec}}}: {error}") from None


def write_jq(result: CommandResult, program: str) -> Iterator[str]:
    """The JSON form after a jq program."""
    yield run_jq(program, "".join(write_json(result, "")))


def run_jq(program: str, text: str) -> str:
    """Run a jq program on a JSON text.

    Errors: Usage if jq is missing, or with jq's own message.
    """
    jq = shutil.which("jq")
    if jq is None:
        raise Usage(
            "--jq needs the program jq, which is not installed; --pick and --json=FIELDS need nothing"
        )
    done = subprocess.run([jq, "-r", f" {program}"], input=text.encode(), capture_output=True, check=False)
    if done.returncode:
        raise Usage(done.stderr.decode(errors="replace").strip() or f"jq ended with {done.returncode}")
    return done.stdout.decode()


Format = Callable[[CommandResult, str], Iterator[str]]
FORMATS: Mapping[str, Format] = {
    "json": write_json,
    "ndjson": write_ndjson,
    "csv": write_csv,
    "tsv": write_tsv,
    "yaml": write_yaml,
    "ids": write_ids,
    "pick": write_picked,
    "template": write_template,
    "jq": write_jq,
    "pairs": write_pairs,
}
SUFFIXES = {f".{name}": name for name in ("json", "ndjson", "csv", "tsv", "yaml")} | {".yml": "yaml"}
