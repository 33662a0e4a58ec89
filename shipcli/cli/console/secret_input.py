"""Secrets typed or read from a file: never from the command line, which every user of the machine can see."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Annotated

import typer

from shipcli.cli.console.prompts import ask
from shipcli.cli.usage_errors import Usage

PasswordFile = Annotated[
    str | None,
    typer.Option("--password-file", metavar="FILE", help="Its first line is the password; - is the input."),
]


def read_secret(file: str) -> str:
    """The first line of a file, or of standard input for `-`.

    Errors: Usage if it can't be read.
    """
    try:
        text = sys.stdin.read() if file == "-" else Path(file).read_text("utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise Usage(f"{file} can't be read: {error}") from None
    return text.split("\n", 1)[0].removesuffix("\r")


def ask_secret(name: str, file: str | None, *, twice: bool = False) -> str:
    """A secret from a file, else typed by the user; `twice` for a new one.

    Errors: Usage if there is none, or the two that were typed differ.
    """
    if file is not None:
        return read_secret(file)
    first = ask(name, secret=True) or ""
    if twice and ask(f"{name} again", secret=True) != first:
        raise Usage(f"the two {name}s differ")
    return first
