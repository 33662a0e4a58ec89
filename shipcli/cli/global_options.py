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
    sandbox: str | None = None  # its name; empty for the only one
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
    command_map: bool = False


class GlobalOption(NamedTuple):
    """A global option: the field it sets, the action that sets it, and its text for `shipcli options`."""

    names: tuple[str, ...]
    field: str
    action: str
    value: Any = True
    shown: str = ""
    choices: tuple[str, ...] = ()
    help: str = ""


GLOBALS: tuple[GlobalOption, ...] = (
    GlobalOption(("--json",), "format", MAYBE, "json", "--json[=FIELDS]",
                 help="JSON; of each object only these fields, as in --json=id,status."),
    GlobalOption(("--ndjson",), "format", SET, "ndjson", help="JSON, one object a line."),
    GlobalOption(("--csv",), "format", SET, "csv", help="CSV with a heading."),
    GlobalOption(("--tsv",), "format", SET, "tsv", help="Values parted by tabs; a pipe gets it unasked."),
    GlobalOption(("--yaml",), "format", SET, "yaml", help="YAML."),
    GlobalOption(("--ids",), "format", SET, "ids", help="Nothing but ids, one a line."),
    GlobalOption(("--template",), "format", FORMAT, "template", "--template TEXT",
                 help="A text for each object, such as '{id} {recipient.city}'."),
    GlobalOption(("--pick",), "format", FORMAT, "pick", "--pick PATH",
                 help="One value of each object, such as selected_rate.total_charge."),
    GlobalOption(("--jq",), "format", FORMAT, "jq", "--jq EXPR",
                 help="What the program jq makes of the JSON."),
    GlobalOption(("-o", "--output"), "output", VALUE, shown="-o, --output FILE",
                 help="Write to a file; its ending chooses the form where no option does."),
    GlobalOption(("--columns",), "columns", VALUE, shown="--columns A,B",
                 help="The fields that a table or CSV shows."),
    GlobalOption(("--home",), "home", VALUE, shown="--home DIR", help="Where store and settings are."),
    GlobalOption(("--sandbox",), "sandbox", MAYBE, "", "--sandbox[=NAME]",
                 help="Simulated carriers, with their own store: of the sandbox that runs, or the kept one."),
    GlobalOption(("--test",), "mode", SET, "test", "--test, --live",
                 help="Test carriers and data, or real ones."),
    GlobalOption(("--live",), "mode", SET, "live", " "),
    GlobalOption(("--api-url",), "api_url", VALUE, shown="--api-url URL",
                 help="Ask this server instead of the store of this machine."),
    GlobalOption(("--api-key-file",), "api_key_file", VALUE, shown="--api-key-file FILE",
                 help="The key for that server; - reads it from standard input."),
    GlobalOption(("--bench",), "bench", VALUE, shown="--bench NAME",
                 help="The packing table: its printers, and its @last where there is no terminal."),
    GlobalOption(("-y", "--yes"), "yes", SET, shown="-y, --yes",
                 help="Agree to what a command asks before it acts."),
    GlobalOption(("--dry-run",), "dry_run", SET, help="Say what would be done and do nothing."),
    GlobalOption(("--no-input",), "no_input", SET, help="Never ask; fail where an answer is needed."),
    GlobalOption(("-q", "--quiet"), "quiet", SET, shown="-q, --quiet",
                 help="No notes, only data and errors."),
    GlobalOption(("-v", "--verbose"), "verbose", COUNT, shown="-v, -vv, --verbose",
                 help="Ids in tables, and what is done; twice for every exchange."),
    GlobalOption(("--color",), "color", VALUE, shown="--color auto|always|never",
                 choices=("auto", "always", "never"), help="Colours; auto has them on a terminal."),
    GlobalOption(("--log-format",), "log_format", VALUE, shown="--log-format text|json",
                 choices=("text", "json"), help="The form of log lines on standard error."),
    GlobalOption(("-h", "--help"), "help", SET, shown="-h, --help",
                 help="Explain the command and show examples."),
    GlobalOption(("--version",), "version", SET, help="Print the version."),
    GlobalOption(("--command-map",), "command_map", SET,
                 help="Every command with the API operations it calls, as JSON."),
)  # fmt: skip
BY_NAME: Mapping[str, GlobalOption] = {name: row for row in GLOBALS for name in row.names}

OwnOptions = Mapping[str, bool]  # the names of a command's own options, and whether each takes a value
FindOptions = Callable[[tuple[str, ...]], OwnOptions]  # by the path of the command


class CommandLine(NamedTuple):
    """A parsed command line: global options, the words that name the command, and the rest."""

    options: Options
    path: tuple[str, ...]
    rest: list[str]


def read_line(argv: Sequence[str], find_options: FindOptions) -> CommandLine:
    """Take the global options out of a line.

    Errors: Usage for a missing or wrong value.
    """
    reader = _Reader(argv, find_options)
    reader.read()
    return CommandLine(reader.options, tuple(reader.path), reader.rest)


def explain_options() -> list[dict[str, str]]:
    """The global options and what each does, for `shipcli options`."""
    return [
        {"option": row.shown or row.names[0], "description": row.help} for row in GLOBALS if row.shown != " "
    ]


class _Reader:
    def __init__(self, argv: Sequence[str], find_options: FindOptions) -> None:
        self.tokens = deque(argv)
        self.find_options = find_options
        self.options = Options()
        self.path: list[str] = []
        self.rest: list[str] = []
        self.own: OwnOptions = {}
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
        self.own = self.find_options(tuple(self.path))

    def _option(self, token: str) -> None:
        name, has_value, value = token.partition("=")
        is_short = not token.startswith("--")
        if name in self.own:
            self.rest.append(token)
            if self.own[name] and not has_value and self.tokens:
                self.rest.append(self.tokens.popleft())
        elif is_short and token[:2] in self.own:
            self.rest.append(token)
        elif name in BY_NAME:
            self._apply(BY_NAME[name], name, value if has_value else None)
        elif not (is_short and self._take_cluster(token)):
            self.rest.append(token)

    def _take_cluster(self, token: str) -> bool:
        """Take `-vv`, `-yq` or `-oFILE`; return whether all of it is global."""
        first = BY_NAME.get(token[:2])
        if first and first.action == VALUE:
            self._apply(first, token[:2], token[2:])
            return True
        names = [f"-{letter}" for letter in token[1:]]
        if any(name in self.own or name not in BY_NAME or BY_NAME[name].action == VALUE for name in names):
            return False
        for name in names:
            self._apply(BY_NAME[name], name, None)
        return True

    def _apply(self, row: GlobalOption, name: str, value: str | None) -> None:
        if row.action in (VALUE, FORMAT) and value is None:
            value = self._next(name)
        if row.action in (SET, COUNT) and value is not None:
            raise _make_error(f"{name} takes no value")
        if row.choices and value not in row.choices:
            raise _make_error(f"{name} is {' or '.join(row.choices)}, not {value!r}")
        if row.field == "format":
            self._set_format(row, value)
        elif row.action == COUNT:
            self.options = replace(self.options, **{row.field: getattr(self.options, row.field) + 1})
        else:
            change: dict[str, Any] = {row.field: row.value if value is None else value}
            self.options = replace(self.options, **change)

    def _set_format(self, row: GlobalOption, value: str | None) -> None:
        existing = self.options.format
        if existing and existing != row.value:
            raise _make_error(f"--{existing} and --{row.value} can't be used together")
        self.options = replace(self.options, format=row.value, expression=value or "")

    def _next(self, name: str) -> str:
        if not self.tokens:
            raise _make_error(f"{name} needs a value")
        return self.tokens.popleft()


def _make_error(message: str) -> Exception:
    from shipcli.cli.usage_errors import Usage

    return Usage(message)
