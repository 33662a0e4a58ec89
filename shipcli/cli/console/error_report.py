"""Errors as users and scripts see them: a line, a hint with the next command, an exit code."""

from __future__ import annotations

import errno
import re
import sys
import traceback
from collections.abc import Container, Iterable, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

from shipcli import __version__
from shipcli.cli import command_table
from shipcli.cli.console.stderr import DIM, RED, paint, write, write_block
from shipcli.cli.global_options import BY_NAME
from shipcli.cli.usage_errors import Usage
from shipcli.clocks import real_clock
from shipcli.models.basics.errors import Invalid, NoConnection, NotFound, Refused, RefusedFields, ShipcliError
from shipcli.models.basics.json import dumps
from shipcli.models.basics.text import find_nearest

if TYPE_CHECKING:
    from shipcli.cli.session import Run

ADDRESS = {
    "person_name": "name", "company_name": "company", "address_line1": "line1", "address_line2": "line2",
    "city": "city", "state_code": "state", "postal_code": "postal-code", "country_code": "country",
    "phone_number": "phone", "email": "email",
}  # fmt: skip
# By the path of a field, without positions: the options that may give it; the first a command has counts.
FLAGS: dict[str, tuple[str, ...]] = {
    **{field: (f"--{option}",) for field, option in ADDRESS.items()},
    **{f"recipient.{field}": (f"--to-{option}",) for field, option in ADDRESS.items()},
    **{f"shipper.{field}": (f"--from-{option}", "--from") for field, option in ADDRESS.items()},
    **{f"address.{field}": ("--address",) for field in ADDRESS},
    "recipient": ("--to",),
    "shipper": ("--from",),
    "parcels": ("--weight",),
    "parcels.weight": ("--weight",),
    "parcels.weight_unit": ("--weight",),
    "weight": ("--weight",),
    "weight_unit": ("--weight",),
    **{f"{of}{side}": ("--size",) for of in ("", "parcels.") for side in ("length", "width", "height")},
    "parcels.package_preset": ("--box",),
    "package_preset": ("--box",),
    "url": ("--url",),
    "enabled_events": ("--events",),
    "ready_time": ("--hours",),
    "closing_time": ("--hours",),
    "tracking_numbers": ("--shipments",),
    "credentials": ("-d",),
    "dimensions": ("--size",),
    "selected_rate_id": ("--rate",),
    "carrier_ids": ("--carrier",),
    "skus": ("--sku",),
    "first": ("--since",),
    "last": ("--until",),
}


def name_field(path: str, options: Container[str]) -> str:
    """A field as an error names it: by the option that gives it, if the command has one.

    Shapes: `options` are the names of the command's own options; `parcels[0].weight` becomes
            `--weight (parcels[0].weight)`.
    """
    plain = re.sub(r"\[\d+\]", "", path)
    same = f"--{plain.replace('_', '-')}"  # such as max_total
    flag = next((option for option in FLAGS.get(plain, (same,)) if option in options), None)
    if flag is None:
        return path
    return flag if flag == f"--{path.replace('_', '-')}" else f"{flag} ({path})"


FIELD_ERRORS = (Invalid, RefusedFields)
MISSING = re.compile(r"Missing (?:option|argument) '([^']+)'.*", re.DOTALL)  # as the parser says it
OUTPUT_FAILURES = (errno.ENOSPC, errno.EDQUOT, errno.EIO, errno.EBADF)  # full, broken or closed
PLURALS = {"address": "addresses", "batch": "batches"}  # nouns that are not their kind with an s


class ErrorReport(NamedTuple):
    """The parts of an error message."""

    lines: list[str]
    code: str
    exit_code: int
    hint: str = ""
    field: str | None = None
    request_id: str | None = None


def report_error(error: Exception, run: Run) -> int:
    """Report an error and return the exit code."""
    report = make_report(error, run)
    if run.options.format in ("json", "ndjson"):
        write_block(_write_json(report))
    else:
        for line in report.lines:
            write(f"{line} [{report.code}]", f"{paint('error:', RED, run=run)} ")
        if report.hint:
            write(report.hint, f"{paint('hint:', DIM, run=run)} ")
    if run.options.verbose > 1:
        write_block(_format_traceback(error))
    return report.exit_code


def make_report(error: Exception, run: Run) -> ErrorReport:
    """The report of an error."""
    converted = _convert_error(error)
    if isinstance(converted, ShipcliError):
        problems = converted.problems if isinstance(converted, FIELD_ERRORS) else ()
        field = problems[0].field if problems else None
        lines = _list_named_lines(converted, run) or _list_lines(converted)
        return ErrorReport(
            lines, converted.code, converted.exit_code, find_hint(converted), field, converted.request_id
        )
    if isinstance(error, OSError) and error.filename is None and error.errno in OUTPUT_FAILURES:
        return ErrorReport([f"the output can't be written: {error.strerror}"], "output", 1)
    if isinstance(error, OSError) and error.filename is not None:
        return ErrorReport([f"{error.filename}: {error.strerror or error}"], "file", 1)
    return _report_unexpected(error, run)


def _convert_error(error: Exception) -> Exception:
    kind = type(error)
    if kind.__module__.startswith("pydantic_core") and kind.__name__ == "ValidationError":
        return Invalid.from_pydantic(error)  # type: ignore[arg-type]  # known by name: importing pydantic costs
    if kind.__module__.startswith("typer"):
        return _convert_parser_error(error)
    return error


def _list_named_lines(error: ShipcliError, run: Run) -> list[str]:
    """The wrong fields of a body, by the options that gave them."""
    if not isinstance(error, FIELD_ERRORS) or not run.path:
        return []
    from shipcli.cli.command_loader import list_own_options

    options = list_own_options(run.path)
    lines: dict[tuple[str, str], str] = {}  # two fields that one option gives lack the same thing
    for problem in error.problems:
        name = name_field(problem.field, options)
        line = f"{name}: {problem.reason}" if name else problem.reason
        lines.setdefault((name.partition(" (")[0], problem.reason), line)
    return list(lines.values())


def _list_lines(error: ShipcliError) -> list[str]:
    if isinstance(error, FIELD_ERRORS):
        return [f"{p.field}: {p.reason}" if p.field else p.reason for p in error.problems] or [error.message]
    if isinstance(error, Refused):
        return [format_message(message) for message in error.messages] or [error.message]
    if isinstance(error, Usage):
        return [error.message, *error.more]
    rows = getattr(error, "errors", ())
    if rows:
        return [f"row {row.index + 1}: {line}" if row.index is not None else line
                for row in rows for line in _list_lines(row)]  # fmt: skip
    return [error.message or error.code]


def format_message(message: Any) -> str:
    """A carrier's message on one line: who, code, words, and the reasons that it lists beside them."""
    who = message.carrier_id or message.carrier_name
    code = f"[{message.code}] " if message.code else ""
    reasons = "; ".join(list_reasons(message))
    more = f" ({reasons})" if reasons else ""
    return f"{f'{who}: ' if who else ''}{code}{message.message or 'no reason given'}{more}"


def list_reasons(message: Any) -> list[str]:
    """The lists of texts among a message's details: what a carrier says is wrong, one by one."""
    details = message.details if isinstance(message.details, dict) else {}
    lists = [value for value in details.values() if isinstance(value, list)]
    return [text for texts in lists for text in texts if isinstance(text, str) and text]


def find_hint(error: ShipcliError) -> str:
    """The next command to type, if there is one."""
    hint = getattr(error, "hint", "")
    if hint:
        return str(hint)
    if isinstance(error, NoConnection):
        if error.details:
            return "; ".join(f"{name}: {reason}" for name, reason in error.details.items())
        return "add an account: shipcli connections add CARRIER"
    if isinstance(error, NotFound):
        row = command_table.find_noun(PLURALS.get(error.what, f"{error.what}s"))
        return f"shipcli {row.name} list" if row and row.verb("list") else ""
    return HINTS.get(error.code, "")


MOST_NAMED = 3  # commands in a suggestion
# What people type for a command that is called otherwise.
OTHER_WORDS = {"buy": "ship", "rebuy": "ship"}
HINTS = {
    "store_outdated": "shipcli db migrate",
    "store": "shipcli doctor",
    "master_key": "shipcli doctor",
    "unreachable": "check the network, then run the command again",
    "no_return_labels": "for the slip: shipcli return ID -p, or shipcli documents make return ID -o slip.pdf",
    "outcome_unknown": "it may have been bought: look with the carrier before buying again",
}


def suggest_command(path: Sequence[str]) -> Usage:
    """The error for an unknown noun or verb, with the nearest one that exists."""
    row = command_table.find_noun(path[0])
    near = _find_verbs(row, path[-1]) if row else _find_commands(path[0])
    where = f"shipcli {row.name}" if row else "shipcli"
    suggestion = f"; did you mean {' or '.join(near)}?" if near else ""
    hint = f"{where} {near[0] if len(near) == 1 else '--help'}"
    return Usage(f"there is no command {' '.join(path)!r}{suggestion}", hint=hint)


def _find_verbs(row: command_table.Noun, word: str) -> list[str]:
    """The verb of a noun most like a word, else those that begin with it."""
    return _find_like(word, [verb.name for verb in row.verbs if not verb.hidden])


def _find_commands(word: str) -> list[str]:
    """The nouns most like a word or beginning with it, else the commands of which it is the verb."""
    if nouns := _find_like(word, command_table.list_words()):
        names = dict.fromkeys(noun.name for name in nouns if (noun := command_table.find_noun(name)))
        return list(names) if len(nouns) > 1 else nouns
    other = find_nearest(word, OTHER_WORDS)
    if other:
        return [OTHER_WORDS[other]]
    rows = [row for row in command_table.NOUNS if not row.hidden]
    verb = find_nearest(word, {verb.name for row in rows for verb in row.verbs if not verb.hidden})
    return [f"{row.name} {verb}" for row in rows if verb in {each.name for each in row.verbs}][:MOST_NAMED]


def _find_like(word: str, names: Sequence[str]) -> list[str]:
    near = find_nearest(word, names)
    return [near] if near else [name for name in names if name.startswith(word.casefold())][:MOST_NAMED]


def suggest_option(option: str, options: Iterable[str]) -> Usage:
    """The error for an unknown option, with the nearest one that exists."""
    name = option.partition("=")[0]
    near = find_nearest(name, [*options, *BY_NAME])
    return Usage(f"there is no option {name}{f'; did you mean {near}?' if near else ''}")


def _convert_parser_error(error: Exception) -> Exception:
    """A parser's error, in our words."""
    from typer._click.exceptions import ClickException, NoSuchOption, UsageError

    if not isinstance(error, ClickException):
        return error
    context = getattr(error, "ctx", None)
    hint = f"{context.command_path} --help" if context else ""
    if isinstance(error, NoSuchOption):
        options = [name for param in context.command.params for name in param.opts] if context else []
        suggestion = suggest_option(error.option_name, options)
        return Usage(suggestion.message, hint=hint)
    text = error.format_message().rstrip(".")
    missing = MISSING.fullmatch(text)
    message = f"{missing[1].strip('{}[]')}: is required" if missing else text[:1].lower() + text[1:]
    return Usage(message, hint=hint if isinstance(error, UsageError) else "")


def _write_json(report: ErrorReport) -> str:
    body = {
        "code": report.code,
        "message": "; ".join(report.lines),
        "field": report.field,
        "hint": report.hint or None,
        "request_id": report.request_id,
        "exit_code": report.exit_code,
    }
    return dumps({"error": body})


def _report_unexpected(error: Exception, run: Run) -> ErrorReport:
    """Report an unexpected error: one line, and the full record in a file."""
    import secrets

    trace_id = f"err_{secrets.token_hex(8)}"
    where = _write_record(error, run, trace_id)
    line = f"something unexpected went wrong ({type(error).__name__}), trace {trace_id}"
    return ErrorReport(
        [line], "unexpected", 1, f"the full record is in {where}" if where else "", None, trace_id
    )


def _format_traceback(error: Exception) -> str:
    return "".join(traceback.format_exception(error)).rstrip()


def _write_record(error: Exception, run: Run, trace_id: str) -> str:
    """Write the traceback to a file. The command line is left out, as it may contain secrets."""
    head = f"{trace_id} {real_clock().isoformat()} shipcli {__version__} Python {sys.version.split()[0]}"
    text = f"{head}\ncommand: {' '.join(run.path)}\n\n{_format_traceback(error)}\n"
    try:
        folder = run.home / "logs"
        folder.mkdir(parents=True, exist_ok=True, mode=0o700)
        file = folder / f"{trace_id}.txt"
        file.touch(mode=0o600)
        file.write_text(text, "utf-8", errors="backslashreplace")
    except (OSError, ShipcliError):
        write_block(text)
        return ""
    return str(file)
