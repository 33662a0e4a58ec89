"""The credentials of a connection: from a file, the environment, `-d`, and prompts."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Annotated, Any

import typer

from shipcli.carrier.fields import COUNTRY
from shipcli.cli.arguments.bodies import read_file, read_pairs, read_value
from shipcli.cli.console.prompts import ask
from shipcli.cli.console.stderr import note, warn
from shipcli.cli.current_run import get_run
from shipcli.cli.usage_errors import Usage
from shipcli.features.connections import catalog
from shipcli.models.basics.text import find_nearest
from shipcli.models.parts.address import read_country_code

CredentialsFile = Annotated[
    str | None,
    typer.Option("--credentials-file", metavar="FILE", help="A .json or .yaml file, or - for stdin."),
]
RateSheet = Annotated[
    Path | None,
    typer.Option("--rate-sheet", metavar="FILE", help="Your own prices, .csv or .xlsx: what services cost."),
]
UNTYPED = frozenset({"object", "list"})
NOTHING_KNOWN: Mapping[str, Any] = {}


def gather(
    carrier: Any,
    file: str | None,
    data: Sequence[str] | None,
    sheet: Path | None = None,
    *,
    simulated: bool,
    carried: Mapping[str, Any] = NOTHING_KNOWN,
) -> dict[str, Any]:
    """All credentials of a new connection; a simulated one without any gets those of the sample account.

    `carried` are those of an account that is moved.
    Errors: Usage for a field the carrier does not have, or a missing one without a terminal to ask at.
    """
    credentials = gather_credentials(carrier, file, data, sheet)
    if simulated and not credentials:
        note("no credentials were given; the simulator takes those of its sample account")
        return {**carrier.sample_account, **carried}
    credentials = {**carried, **credentials}
    return credentials | ask_credentials(carrier, credentials)


def gather_credentials(
    carrier: Any, file: str | None, data: Sequence[str] | None, sheet: Path | None = None
) -> dict[str, Any]:
    """The credentials from file, environment, `-d` and a rate sheet; later ones win.

    Errors: Usage for a field the carrier does not have.
    """
    credentials = _read_credentials_file(file) | _read_environment(carrier)
    credentials |= read_pairs(data, "-d") | _read_sheet(sheet)
    fields = carrier.connection_fields()
    for name in credentials:
        if name not in fields:
            near = find_nearest(name, fields)
            suggestion = f"; did you mean {near}?" if near else f"; it has {', '.join(fields)}"
            raise Usage(f"{carrier.name} has no credential {name}{suggestion}")
    _warn_of_secrets(carrier, data)
    return credentials


def _read_credentials_file(name: str | None) -> dict[str, Any]:
    if name is None:
        return {}
    rows = read_file(name)
    if len(rows) != 1:
        raise Usage(f"{name} must hold one object")
    return rows[0]


def _read_sheet(sheet: Path | None) -> dict[str, Any]:
    if sheet is None:
        return {}

    return {"services": catalog.read_rate_sheet(sheet)}


def _read_environment(carrier: Any) -> dict[str, Any]:
    environ: Mapping[str, str] = get_run().environ
    names = {field: name_variable(carrier.slug, field) for field in carrier.connection_fields()}
    return {field: _fit(carrier, field, environ[name]) for field, name in names.items() if name in environ}


def name_variable(slug: str, field: str) -> str:
    """The environment variable of a credential."""
    return f"SHIPCLI_{slug}_{field}".upper()


def _warn_of_secrets(carrier: Any, data: Sequence[str] | None) -> None:
    for item in data or ():
        field = item.partition("=")[0]
        if field in carrier.secret_fields():
            safer = f"--credentials-file or {name_variable(carrier.slug, field)}"
            warn(f"{field} on the command line is visible in the list of processes; use {safer}")


def ask_credentials(
    carrier: Any, credentials: Mapping[str, Any], existing: Mapping[str, Any] = NOTHING_KNOWN
) -> dict[str, Any]:
    """Ask for credentials: all of them if none were given, else the missing required ones.

    `existing` are the credentials that a connection has already; an empty answer keeps them.
    """
    if not get_run().interactive:
        _refuse_missing(carrier, credentials)
        return {}
    missing = [row for name, row in carrier.asked_fields().items() if name not in credentials]
    required = [row for row in missing if row["required"] or not credentials]
    answers = {row["name"]: _ask(carrier, row, existing.get(row["name"])) for row in required}
    return {name: value for name, value in answers.items() if value is not None}


def _refuse_missing(carrier: Any, credentials: Mapping[str, Any]) -> None:
    fields = carrier.asked_fields()
    missing = [name for name, row in fields.items() if row["required"] and credentials.get(name) is None]
    if missing:
        names = ", ".join(name_variable(carrier.slug, name) for name in missing)
        hint = f"use --credentials-file, or set {names}"
        raise Usage(f"{carrier.name} needs {', '.join(missing)}", hint=hint)


def _ask(carrier: Any, row: Mapping[str, Any], existing: Any) -> Any:
    name, secret = str(row["name"]), row["name"] in carrier.secret_fields()
    if row["type"] in UNTYPED:
        return None  # nobody types a rate sheet; the carrier's own stands
    default = row.get("default") if existing is None or secret else existing
    note(carrier.explain_credential(name) + (" Empty keeps the one there is." if secret and existing else ""))
    text = ask(
        name,
        default=None if default is None else str(default),
        choices=row.get("enum", ()),
        secret=secret,
        required=bool(row["required"]) and not (secret and existing),
        check=read_country_code if COUNTRY.search(name) else str,
    )
    return None if text is None else _fit(carrier, name, text)


def _fit(carrier: Any, field: str, text: str) -> Any:
    """Text in the type of the field: text stays text, so that 007 and true can be passwords."""
    if COUNTRY.search(field):
        return read_country_code(text)
    return text if carrier.connection_fields()[field]["type"] == "string" else read_value(text)
