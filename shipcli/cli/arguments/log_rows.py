"""Select recorded API calls and exchanges with carriers."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated, Any

import typer

from shipcli.cli.arguments.selectors import count_back, expand_stdin, select_any
from shipcli.cli.gateway import ask
from shipcli.features.admin import log_queries
from shipcli.models.basics.errors import NotFound

About = Annotated[
    str | None,
    typer.Option("--object", metavar="ID", help="Only those about this object: an id, number or @last."),
]

StatusCodes = Annotated[
    str | None,
    typer.Option("--status", metavar="A,B", help="Only these status codes: 404, or 4xx,5xx."),
]


def list_log_rows(
    table: str, about: str | None, status: Sequence[str], text: str | None, limit: int | None
) -> list[dict[str, Any]]:
    """The newest rows, filtered as in `log_queries.find`.

    Errors: Usage and NotFound for `about`; Invalid for an unknown status.
    """
    object_id = select_any(about) if about else None
    return ask(log_queries.find, table, object_id=object_id, status=status, text=text, limit=limit)


def read_log_rows(table: str, words: Sequence[str]) -> list[dict[str, Any]]:
    """The rows of these ids; `@last` is the newest, `@-2` the one before it.

    Errors: NotFound.
    """
    return [_read(table, word) for word in expand_stdin(words)]


def _read(table: str, word: str) -> dict[str, Any]:
    back = count_back(word)
    if back is None:
        return ask(log_queries.get, table, word)
    newest = ask(log_queries.find, table, limit=back)
    if len(newest) < back:
        raise NotFound(log_queries.NAMES[table], word)
    return newest[-1]
