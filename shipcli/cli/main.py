"""One run: read the command line, find the command, call it, turn the result into an exit code."""

from __future__ import annotations

import gc
import io
import os
import sys
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING

from shipcli import __version__, start_up
from shipcli.cli import command_table
from shipcli.cli.global_options import CommandLine, Options, read_line

if TYPE_CHECKING:
    from typer.core import TyperCommand, TyperGroup

    from shipcli.cli.session import Run

COMPLETE = "_SHIPCLI_COMPLETE"
GC_THRESHOLD = 100_000  # loading the program makes many objects that stay: collecting them is wasted time


def main(argv: Sequence[str] | None = None) -> int:
    """Run a command line and return its exit code."""
    try:
        return _start(argv)
    except KeyboardInterrupt:  # between two steps of an error that is reported, or of the end
        return start_up.INTERRUPTED


def _start(argv: Sequence[str] | None) -> int:
    words = list(sys.argv[1:] if argv is None else argv)
    gc.set_threshold(GC_THRESHOLD)
    _prepare_streams()
    if COMPLETE in os.environ:
        from shipcli.cli.completion_engine import answer

        return answer(words, os.environ)
    if words == ["--version"]:
        with suppress(OSError):  # reported below
            return _print_version()
    return _run_guarded(words)


def _run_guarded(words: list[str]) -> int:
    from shipcli.cli import opening

    run = opening.start(_guess_options(words))
    is_program = start_up.allow_interrupt()
    try:
        code = _run(words, run)
        if run.damaged:
            raise _make_damage(run)
        return code
    except BrokenPipeError:
        _close_quietly()
        return 0
    except KeyboardInterrupt:
        sys.stderr.write("\n")
        return start_up.INTERRUPTED
    except Exception as error:  # noqa: BLE001 - the outermost layer: what nobody expected is reported in one line
        from shipcli.cli.console.error_report import report_error

        return report_error(error, run)
    finally:
        if is_program:
            start_up.leave_on_interrupt()
        run.close()
        _drop_unwritten()


def _make_damage(run: Run) -> Exception:
    """The error of a command whose lists left out damaged rows."""
    from shipcli.cli.flows.for_each import PARTIAL_FAILURE
    from shipcli.models.basics.errors import ShipcliError

    error = ShipcliError("; ".join(run.damaged), code=next(iter(run.damaged.values())).code)
    error.exit_code = PARTIAL_FAILURE  # type: ignore[misc]  # the rest was shown
    error.hint = "shipcli db check"  # type: ignore[attr-defined]
    return error


def _prepare_streams() -> None:
    """Make output UTF-8 unless a terminal has another encoding, in which `?` replaces what it lacks.

    Output that the caller closed (`>&-`) fails when it is written to, as a full disk does; input that the
    caller closed (`<&-`) is empty. Their file descriptors are occupied, or the store would get one of them
    and whatever is printed would be written into it.
    """
    if sys.stdin is None:  # first, as the lowest free descriptor is taken
        sys.stdin = os.fdopen(os.open(os.devnull, os.O_RDONLY))
    if sys.stdout is None:
        sys.stdout = os.fdopen(os.open(os.devnull, os.O_RDONLY), "w")
    if sys.stderr is None:
        sys.stderr = os.fdopen(os.open(os.devnull, os.O_WRONLY), "w")
    if isinstance(sys.stdout, io.TextIOWrapper):
        sys.stdout.reconfigure(encoding=None if sys.stdout.isatty() else "utf-8", errors="replace")


def _drop_unwritten() -> None:
    """Drop output that can't be written: it was reported, and Python must not complain again at exit."""
    try:
        sys.stdout.flush()
    except OSError:
        _close_quietly()


def _guess_options(words: Sequence[str]) -> Options:
    """The options needed to report an error in the command line itself, before it is parsed."""
    wants_json = any(word == "--json" or word.startswith("--json=") or word == "--ndjson" for word in words)
    return Options(format="json" if wants_json else None, verbose=2 if "-vv" in words else 0)


def _run(words: list[str], run: Run) -> int:
    # The command is imported only when the words name one, so plain help costs no command.
    from shipcli.cli.command_loader import list_own_options

    line = read_line(words, list_own_options)
    run.options, run.path = line.options, line.path
    if line.options.command_map:
        return _show_map(line)
    if line.options.version and not line.path:
        return _print_version()
    if not line.path or (len(line.path) == 1 and _has_verbs(line.path[0])):
        return _show_overview(line)
    return _call(line, run)


def _has_verbs(name: str) -> bool:
    row = command_table.find_noun(name)
    return bool(row and row.verbs)


def _show_overview(line: CommandLine) -> int:
    """Show the list of nouns or verbs. A line that stops before its verb is an error, `--help` is not."""
    from shipcli.cli import command_loader
    from shipcli.cli.console.error_report import suggest_option
    from shipcli.cli.usage_errors import Usage

    row = command_table.find_noun(line.path[0]) if line.path else None
    if line.rest and line.rest[0].startswith("-") and line.rest[0] != "--" and not line.options.help:
        raise suggest_option(line.rest[0], ())
    if row and not line.options.help:
        names = ", ".join(verb.name for verb in row.verbs)
        raise Usage(f"say what to do with {row.name}: {names}", hint=f"shipcli {row.name} --help")
    group = command_loader.make_noun_group(row) if row else command_loader.make_root_group()
    return _run_command(group, f"shipcli {row.name}" if row else "shipcli", ["--help"])


def _call(line: CommandLine, run: Run) -> int:
    from shipcli.cli import command_loader
    from shipcli.cli.console.error_report import suggest_command
    from shipcli.cli.console.stderr import warn_deprecated

    name = f"shipcli {' '.join(line.path)}"
    command = command_loader.build(line.path)
    if command is None:
        raise suggest_command(line.path)
    if line.options.help:
        return _run_command(command, name, ["--help"])
    if run.api_url and not command_table.list_calls(line.path):
        from shipcli.gateway.gateway import LocalOnly

        raise LocalOnly(name)
    noun = command_table.find_noun(line.path[0])
    verb = noun.verb(line.path[1]) if noun and len(line.path) > 1 else None
    if verb and verb.instead:
        warn_deprecated(name, verb.instead)
        command.deprecated = False  # typer's own warning would name no replacement
    _check_output(line)
    return _run_command(command, name, line.rest)


def _run_command(command: TyperCommand | TyperGroup, name: str, words: list[str]) -> int:
    import typer

    try:
        with command.make_context(name, words) as context:
            command.invoke(context)
            sys.stdout.flush()
    except typer.Exit as done:
        sys.stdout.flush()
        return done.exit_code
    return 0


def _check_output(line: CommandLine) -> None:
    """Find errors in the output options before the command does anything.

    Errors: Usage.
    """
    options = line.options
    if options.output:
        from shipcli.cli.console.files import check_output

        check_output(Path(options.output), ())
    if options.format or options.columns:
        from shipcli.cli.console.field_names import has_changed_nothing
        from shipcli.cli.console.formats import check_expressions

        if not has_changed_nothing(line.path, acted=False):
            check_expressions(options)


def _show_map(line: CommandLine) -> int:
    """Show every command and the API operations it runs, as JSON.

    Errors: Usage beside a command, which would not be carried out.
    """
    from shipcli.cli.command_map import map_commands
    from shipcli.cli.console.output import show_text
    from shipcli.cli.usage_errors import Usage
    from shipcli.models.basics.json import dumps

    if line.path:
        raise Usage("--command-map stands alone", hint="shipcli --command-map")
    show_text(dumps(map_commands(), indent=True) + "\n")
    return 0


def _print_version() -> int:
    sys.stdout.write(f"shipcli {__version__}\n")
    sys.stdout.flush()
    return 0


def _close_quietly() -> None:
    """Drop the rest of the buffer, as the reader has gone; Python must not complain at exit."""
    try:
        descriptor = sys.stdout.fileno()
    except (OSError, ValueError):
        return
    os.dup2(os.open(os.devnull, os.O_WRONLY), descriptor)
