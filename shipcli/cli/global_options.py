"""Global options: they may appear anywhere in the line, so they are read before the command's own.

`--` ends options. An option that the command itself declares is the command's.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, NamedTuple

from shipcli.cli import command_table

SET, VALUE, MAYBE, COUNT, FORMAT = "set", "value", "maybe", "count", "format"


@dataclass(frozen=True)
class Options:
    """The global options of a run."""

    home: str | None = None
    sandbox: bool = False
    mode: str | None = None
    format: str | None = None
    expression: str = ""  # the fields, template, path or jq program that comes with the format
    output: str | None = None
    columns: str | None = None
    no_input: bool = False
    quiet: bool = False
    verbose: int = 0
    color: str | None = None
    log_format: str = "text"
    yes: bool = False
    dry_run: bool = False
    bench: str | None = None
    api_url: str | None = None
    api_key_file: str | None = None
    help: bool = False
    version: bool = False
    map: bool | str = False


class Global(NamedTuple):
    """A global option: the field it sets and how, and its text for `shipcli options`."""

    names: tuple[str, ...]
    field: str
    how: str
    value: Any = True
    shown: str = ""
    choices: tuple[str, ...] = ()
    help: str = ""


GLOBALS: tuple[Global, ...] = (
    Global(("--json",), "format", MAYBE, "json", "--json[=FIELDS]",
           help="JSON; of each object only these fields, as in --json=id,status."),
    Global(("--ndjson",), "format", SET, "ndjson", help="JSON, one object a line."),
    Global(("--csv",), "format", SET, "csv", help="CSV with a heading."),
    Global(("--tsv",), "format", SET, "tsv", help="Values parted by tabs; a pipe gets it unasked."),
    Global(("--yaml",), "format", SET, "yaml", help="YAML."),
    Global(("--ids",), "format", SET, "ids", help="Nothing but ids, one a line."),
    Global(("--template",), "format", FORMAT, "template", "--template TEXT",
           help="A text for each object, such as '{id} {recipient.city}'."),
    Global(("--pick",), "format", FORMAT, "pick", "--pick PATH",
           help="One value of each object, such as selected_rate.total_charge."),
    Global(("--jq",), "format", FORMAT, "jq", "--jq EXPR", help="What the program jq makes of the JSON."),
    Global(("-o", "--output"), "output", VALUE, shown="-o, --output FILE",
           help="Write to a file; its ending chooses the form where no option does."),
    Global(("--columns",), "columns", VALUE, shown="--columns A,B",
           help="The fields that a table or CSV shows."),
    Global(("--home",), "home", VALUE, shown="--home DIR", help="Where store and settings are."),
    Global(("--sandbox",), "sandbox", SET, help="Simulated carriers, with a store of their own."),
    Global(("--test",), "mode", SET, "test", "--test, --live", help="Test carriers and data, or real ones."),
    Global(("--live",), "mode", SET, "live", " "),
    Global(("--api-url",), "api_url", VALUE, shown="--api-url URL",
           help="Ask this server instead of the store of this machine."),
    Global(("--api-key-file",), "api_key_file", VALUE, shown="--api-key-file FILE",
           help="The key for that server; - reads it from standard input."),
    Global(("--bench",), "bench", VALUE, shown="--bench NAME",
           help="The packing table: its printers, and its @last where there is no terminal."),
    Global(("-y", "--yes"), "yes", SET, shown="-y, --yes",
           help="Agree to what a command asks before it acts."),
    Global(("--dry-run",), "dry_run", SET, help="Say what would be done and do nothing."),
    Global(("--no-input",), "no_input", SET, help="Never ask; fail where an answer is needed."),
    Global(("-q", "--quiet"), "quiet", SET, shown="-q, --quiet", help="No notes, only data and errors."),
    Global(("-v", "--verbose"), "verbose", COUNT, shown="-v, -vv, --verbose",
           help="Ids in tables, and what is done; twice for every exchange."),
    Global(("--color",), "color", VALUE, shown="--color auto|always|never",
           choices=("auto", "always", "never"), help="Colours; auto has them on a terminal."),
    Global(("--log-format",), "log_format", VALUE, shown="--log-format text|json",
           choices=("text", "json"), help="The form of log lines on standard error."),
    Global(("-h", "--help"), "help", SET, shown="-h, --help", help="Explain the command and show examples."),
    Global(("--version",), "version", SET, help="Print the version."),
    Global(("--map",), "map", MAYBE, shown="--map=json",
           help="Every command with the API operations it calls, as JSON."),
)  # fmt: skip
BY_NAME: Mapping[str, Global] = {name: row for row in GLOBALS for name in row.names}

Owned = Mapping[str, bool]  # a command's own option names, and whether each takes a value


class CommandLine(NamedTuple):
    """A parsed command line: global options, the words that name the command, and the rest."""

    options: Options
    path: tuple[str, ...]
    rest: list[str]


def read_line(argv: Sequence[str], owned: Callable[[tuple[str, ...]], Owned]) -> CommandLine:
    """Take the global options out of a line.

    Errors: Usage for a missing or wrong value.
    """
    reader = _Reader(argv, owned)
    reader.read()
    return CommandLine(reader.options, tuple(reader.path), reader.rest)


def explain_options() -> list[dict[str, str]]:
    """The global options and what each does, for `shipcli options`."""
    return [
        {"option": row.shown or row.names[0], "description": row.help} for row in GLOBALS if row.shown != " "
    ]


class _Reader:
    def __init__(self, argv: Sequence[str], owned: Callable[[tuple[str, ...]], Owned]) -> None:
        self.tokens = deque(argv)
        self.find_owned = owned
        self.options = Options()
        self.path: list[str] = []
        self.rest: list[str] = []
        self.own: Owned = {}
        self.complete = False

    def read(self) -> None:
        while self.tokens:
            token = self.tokens.popleft()
            if token == "--":
                self.rest += [token, *self.tokens]
                break
            if token.startswith("-") and token != "-":
                self._option(token)
            else:
                self._word(token)
        row = command_table.find_noun(self.path[0]) if self.path else None
        if row and not self.complete and row.default and not self.options.help:
            self._finish(row.default)

    def _word(self, token: str) -> None:
        if self.complete:
            self.rest.append(token)
        elif not self.path and token == "help":  # `shipcli help ship` is `shipcli ship --help`
            self.options = replace(self.options, help=True)
        elif not self.path:
            row = command_table.find_noun(token)
            self.path.append(row.name if row else token)
            if row is None or not row.verbs:
                self._finish()
        else:
            self._verb(command_table.find_noun(self.path[0]), token)

    def _verb(self, row: command_table.Noun | None, token: str) -> None:
        verb = row.verb(token) if row else None
        if row and verb is None and row.default:
            self._finish(row.default)
            self.rest.append(token)
        else:
            self._finish(verb.name if verb else token)

    def _finish(self, *words: str) -> None:
        self.path += words
        self.complete = True
        self.own = self.find_owned(tuple(self.path))

    def _option(self, token: str) -> None:
        name, has_value, _ = token.partition("=")
        if name in self.own:
            self.rest.append(token)
            if self.own[name] and not has_value and self.tokens:
                self.rest.append(self.tokens.popleft())
        elif self._is_own_cluster(token) or not self._take(token):
            self.rest.append(token)

    def _is_own_cluster(self, token: str) -> bool:
        return not token.startswith("--") and token[:2] in self.own

    def _take(self, token: str) -> bool:
        name, has_value, value = token.partition("=")
        if name in BY_NAME:
            self._apply(BY_NAME[name], name, value if has_value else None)
            return True
        return not token.startswith("--") and self._take_cluster(token)

    def _take_cluster(self, token: str) -> bool:
        """`-vv`, `-yq`, and `-oFILE`."""
        first = BY_NAME.get(token[:2])
        if first and first.how == VALUE:
            self._apply(first, token[:2], token[2:])
            return True
        rows = [BY_NAME.get(f"-{letter}") for letter in token[1:]]
        if any(row is None or row.how == VALUE or row.names[0] in self.own for row in rows):
            return False
        for row in rows:
            if row:
                self._apply(row, row.names[0], None)
        return True

    def _apply(self, row: Global, name: str, value: str | None) -> None:
        if row.how in (VALUE, FORMAT) and value is None:
            value = self._next(name)
        if row.how in (SET, COUNT) and value is not None:
            raise _make_error(f"{name} takes no value")
        if row.choices and value not in row.choices:
            raise _make_error(f"{name} is {' or '.join(row.choices)}, not {value!r}")
        if row.field == "format":
            self._set_format(row, value)
        elif row.how == COUNT:
            self.options = replace(self.options, **{row.field: getattr(self.options, row.field) + 1})
        else:
            given: dict[str, Any] = {row.field: row.value if value is None else value}
            self.options = replace(self.options, **given)

    def _set_format(self, row: Global, value: str | None) -> None:
        known = self.options.format
        if known and known != row.value:
            raise _make_error(f"--{known} and --{row.value} can't be used together")
        self.options = replace(self.options, format=row.value, expression=value or "")

    def _next(self, name: str) -> str:
        if not self.tokens:
            raise _make_error(f"{name} needs a value")
        return self.tokens.popleft()


def _make_error(message: str) -> Exception:
    from shipcli.cli.usage_errors import Usage

    return Usage(message)
