"""`shipcli carriers`."""

from __future__ import annotations

from typing import Annotated, Any

import typer

from shipcli.cli.command_loader import Verbs
from shipcli.cli.console.output import show, show_list
from shipcli.cli.current_run import current
from shipcli.cli.gateway import ask

verb = Verbs()
COLUMNS = ("carrier_name", "display_name", "integration_status", "capabilities")
FIELD_COLUMNS = ("name", "type", "required", "default", "enum", "secret", "of")
Slug = Annotated[str, typer.Argument(metavar="CARRIER", help="Slug of the carrier, such as generic.")]


@verb("list")
def list_all() -> None:
    """List the carriers."""
    from shipcli.features.connections.catalog import list_carriers

    show_list(ask(list_carriers), COLUMNS)


@verb
def get(carrier: Slug) -> None:
    """Show what a carrier offers and what a connection to it needs."""
    from shipcli.features.connections.catalog import get_carrier

    show(ask(get_carrier, carrier), COLUMNS if _is_table() else ())


@verb
def services(carrier: Slug) -> None:
    """List the services of a carrier."""
    from shipcli.features.connections.catalog import get_services, known_services

    _show_map(ask(get_services, carrier) or known_services(carrier), "service")


@verb
def options(carrier: Slug) -> None:
    """List the shipping options of a carrier."""
    from shipcli.features.connections.catalog import get_options, known_options

    _show_map(ask(get_options, carrier) or known_options(carrier), "option")


@verb
def fields(carrier: Slug) -> None:
    """List what a connection to a carrier is asked for."""
    from shipcli.features.connections.catalog import get_carrier, secret_fields

    found = ask(get_carrier, carrier).plain()
    secret = secret_fields(carrier)
    rows = [
        {**row, "secret": row["name"] in secret, "of": "credentials"}
        for row in found["connection_fields"].values()
    ]
    rows += [{**row, "secret": False, "of": "config"} for row in found["config_fields"].values()]
    show_list(rows, FIELD_COLUMNS)


def _is_table() -> bool:
    return current().options.format is None


def _show_map(found: dict[str, Any], title: str) -> None:
    """A map as the API gives it, or as rows where it is read by people and line by line."""
    if current().options.format in ("json", "yaml", "pick", "jq"):
        show(found)
        return
    rows = [
        {title: name, **(value if isinstance(value, dict) else {"code": value})}
        for name, value in found.items()
    ]
    show_list(rows, (title, *(key for key in (rows[0] if rows else {"code": ""}) if key != title)))
