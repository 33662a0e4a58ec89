"""Questions: before money is spent or something is lost, and for values that are missing.

Secrets are typed or read from a file, never from the command line, which every user of the machine can see.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from getpass import getpass
from typing import Annotated

import typer

from shipcli.cli.console.progress import pause_progress
from shipcli.cli.console.stderr import RED, escape_line, note, paint, write
from shipcli.cli.current_run import get_run
from shipcli.cli.session import read_secret_file
from shipcli.cli.usage_errors import Declined, Usage
from shipcli.features.core.interruption import allow_interruption
from shipcli.models.basics.errors import ShipcliError

PasswordFile = Annotated[
    str | None,
    typer.Option("--password-file", metavar="FILE", help="Its first line is the password; - is the input."),
]
BACK = "<"  # the answer that goes a question back
_goes_back = ContextVar("goes_back", default=False)
YES, NO = frozenset({"y", "yes"}), frozenset({"q", "quit", "n", "no"})


class StepBack(Exception):
    """The user goes a question back."""


@contextmanager
def allow_steps_back() -> Iterator[None]:
    """Have `ask` raise StepBack for the answer `<` inside."""
    token = _goes_back.set(True)
    try:
        yield
    finally:
        _goes_back.reset(token)


def confirm(what: str, amount: str | None = None) -> None:
    """Go on only with consent: `confirm("buy a label of ups_standard", "12.40 USD")`.

    Errors: Declined if the answer is no; Usage if nobody can be asked and `--yes` was not given.
    """
    if not agree(what, amount):
        raise Declined() if get_run().interactive else _make_unasked_error(what, amount)


def accept(what: str, act: str, amount: str) -> None:
    """Go on if Enter is pressed: `accept("buy ups_standard of ups", "buy 12.40 USD", "12.40 USD")`.

    Errors: Declined if the answer is no; Usage if nobody can be asked and `--yes` was not given.
    """
    run = get_run()
    if run.options.yes:
        return
    if not run.interactive:
        raise _make_unasked_error(what, amount)
    write(f"{what[:1].upper()}{what[1:]}")
    while True:
        answer = take_key(f"Enter = {act}, q = no")
        if not answer or answer.lower() in YES:
            return
        note(f"{answer!r} is neither; press Enter or q")


def take_key(question: str) -> str:
    """Ask a question that Enter can answer, and return the answer.

    Errors: Declined for `q` and other ways to say no.
    """
    answer = _answer(f"{format_live_tag()}{escape_line(question)}: ").strip()
    if answer.lower() in NO:
        raise Declined()
    return answer


def agree(what: str, amount: str | None = None) -> bool:
    """Whether the user consents; False if nobody can be asked."""
    run = get_run()
    if run.options.yes:
        return True
    if not run.interactive:
        return False
    question = _format_question(what, amount)
    return _answer(f"{format_live_tag()}{question[:1].upper()}{question[1:]}? [y/N] ").strip().lower() in YES


def _make_unasked_error(what: str, amount: str | None) -> Usage:
    return Usage(f"this would {_format_question(what, amount)}; say --yes to do so without being asked")


def _format_question(what: str, amount: str | None) -> str:
    return escape_line(f"{what} for {amount}" if amount else what)


def format_live_tag() -> str:
    """`LIVE ` in red if the run works on live data, else empty."""
    return f"{paint('LIVE', RED)} " if get_run().live else ""


def would(what: str) -> bool:
    """With `--dry-run`, say what the command would do and return True: `if would("..."): return`."""
    run = get_run()
    if not run.options.dry_run:
        run.acted = True
        return False
    write(f"dry run: would {what}")
    return True


def ask(
    name: str,
    *,
    default: str | None = None,
    choices: Sequence[str] = (),
    secret: bool = False,
    required: bool = True,
    check: Callable[[str], object] = str,
) -> str | None:
    """Ask for a value at the terminal; return None if an optional one is left empty.

    Shapes: `check` raises ValueError or an error of ours for a wrong answer, which is then asked for again.
    Errors: Usage if nobody can be asked; StepBack where that is allowed.
    """
    if not get_run().interactive:
        raise Usage(f"{name} is missing and there is no terminal to ask at")
    listed = f" ({', '.join(choices)})" if choices else ""
    shown = f" [{default}]" if default is not None else "" if required else " [none]"
    while True:
        text = _answer(escape_line(f"{name}{listed}{shown}: "), secret=secret).strip() or default
        if text == BACK and _goes_back.get():
            raise StepBack
        if not text and not required:
            return None
        problem = _find_problem(name, text or "", choices, check)
        if not problem:
            return text
        note(problem)


def _find_problem(name: str, text: str, choices: Sequence[str], check: Callable[[str], object]) -> str:
    """What is wrong with an answer; empty if nothing is."""
    if not text:
        return f"{name} is needed, so it is asked again; Ctrl-C stops"
    if choices and text not in choices:
        return f"{text!r} is not one of {', '.join(choices)}"
    try:
        check(text)
    except (ValueError, ShipcliError) as error:
        return str(error)
    return ""


def ask_secret(name: str, file: str | None, *, twice: bool = False) -> str:
    """Read a secret from a file, or ask for it; a new one is asked for `twice`.

    Errors: Usage if there is none, or the two that were typed differ.
    """
    if file is not None:
        return read_secret_file(file)
    first = ask(name, secret=True) or ""
    if twice and ask(f"{name} again", secret=True) != first:
        raise Usage(f"the two {name}s differ")
    return first


def read_block(invitation: str) -> str:
    """Read lines up to an empty one, or all of standard input if it is not a terminal."""
    if not get_run().interactive:
        return sys.stdin.read()
    write(invitation)
    lines: list[str] = []
    with pause_progress(), allow_interruption():
        while line := sys.stdin.readline():
            if line.strip():
                lines.append(line)
            elif lines:
                break
    return "".join(lines)


def _answer(prompt: str, *, secret: bool = False) -> str:
    """Read an answer; the prompt goes to standard error, a secret is not echoed."""
    with pause_progress(), allow_interruption():
        line = _read_secret(prompt) if secret else _read_line(prompt)
    if line is None:  # Ctrl-D
        sys.stderr.write("\n")
        raise Declined()
    return line


def _read_line(prompt: str) -> str | None:
    sys.stderr.write(prompt)
    sys.stderr.flush()
    return sys.stdin.readline() or None


def _read_secret(prompt: str) -> str | None:
    try:
        return getpass(prompt, stream=sys.stderr)
    except EOFError:
        return None
