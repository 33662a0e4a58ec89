"""`shipcli connections`: accounts with carriers. Credentials are shown masked unless `--reveal`."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Any

import typer

from shipcli import models
from shipcli.carrier import registry
from shipcli.cli.arguments.bodies import Data, check_body, read_pairs
from shipcli.cli.arguments.credentials import CredentialsFile, RateSheet, gather, gather_credentials
from shipcli.cli.arguments.selectors import CarrierName, Id, remember, select, select_one
from shipcli.cli.arguments.shipment_options import Metadata
from shipcli.cli.console.output import show, show_list
from shipcli.cli.console.prompts import would
from shipcli.cli.console.stderr import note
from shipcli.cli.current_run import get_run
from shipcli.cli.gateway import ask
from shipcli.cli.stored_noun_table import CONNECTIONS, mask_credentials
from shipcli.cli.verbs import Verbs
from shipcli.features.connections import service as connections
from shipcli.features.connections import succession
from shipcli.gateway import where
from shipcli.models import Refused

COLUMNS = CONNECTIONS.columns
CHECK_COLUMNS = ("id", "carrier_name", "carrier_id", "accepted", "reason")

CarrierId = Annotated[
    str | None, typer.Option("--carrier-id", metavar="NAME", help="Your name for the connection.")
]


@dataclass(frozen=True)
class ConnectionOptions:
    """The fields of a connection."""

    carrier_id: CarrierId = None
    credentials_file: CredentialsFile = None
    data: Data = None
    rate_sheet: RateSheet = None
    config: Annotated[
        list[str] | None, typer.Option("--config", metavar="KEY=VALUE", help="Setting of the connection.")
    ] = None
    metadata: Metadata = None
    capability: Annotated[
        list[str] | None,
        typer.Option("--capability", metavar="NAME", help="Use it only for this; repeat it."),
    ] = None
    check: Annotated[
        bool, typer.Option("--check", help="Ask the carrier whether it accepts the credentials.")
    ] = False

    def list_fields(self) -> dict[str, Any]:
        """The fields by name, without the credentials; None or empty if they are not given."""
        return {
            "carrier_id": self.carrier_id,
            "config": read_pairs(self.config, "--config"),
            "metadata": read_pairs(self.metadata, "--metadata"),
            "capabilities": self.capability,
        }


verb = Verbs()


@verb
def add(
    carrier: CarrierName,
    options: ConnectionOptions,
    simulated: Annotated[bool, typer.Option("--simulated", help="Simulate the carrier.")] = False,
    system: Annotated[
        bool, typer.Option("--system", help="Share it with all users; its credentials are never shown.")
    ] = False,
    inactive: Annotated[bool, typer.Option("--inactive", help="Store it without using it yet.")] = False,
) -> None:
    """Add an account with a carrier.

    Credentials are read from a file, then SHIPCLI_CARRIER_FIELD variables, then -d; you are
    asked for the rest.

    Examples:
    shipcli connections add ups --credentials-file ups.json --carrier-id ups_east
    shipcli connections add ups --simulated --carrier-id ups_trial
    """
    kind, fields = registry.get(carrier), options.list_fields()
    values = {
        **fields,
        "carrier_name": carrier,
        "carrier_id": options.carrier_id or carrier,
        "credentials": gather(
            kind, options.credentials_file, options.data, options.rate_sheet, simulated=simulated
        ),
        "config": fields["config"] | ({"sandbox": True} if simulated else {}),
        "active": not inactive,
    }
    body = check_body(models.ConnectionData, values)
    kind.read_credentials(body.credentials)
    if would(f"add a connection {body.carrier_id} with {kind.name}"):
        return
    made = ask(connections.add_connection, body, check=options.check, is_system=system)
    remember("connection", made.id)
    show(mask_credentials(made.model_dump()))


@verb
def update(
    id: Id,
    options: ConnectionOptions,
    active: Annotated[bool | None, typer.Option("--active/--inactive", help="Use it or not.")] = None,
) -> None:
    """Change a connection.

    Credentials and config are merged, and null removes a value; metadata is replaced.

    Examples:
    shipcli connections update ups --inactive
    shipcli connections update ups --carrier-id ups_east --capability shipping
    """
    chosen = select_one("connection", id)
    kind = registry.get(ask(connections.get_connection, chosen).carrier_name)
    values = {
        **options.list_fields(),
        "credentials": gather_credentials(kind, options.credentials_file, options.data, options.rate_sheet),
        "active": active,
    }
    named = {name: value for name, value in values.items() if value not in (None, {})}
    patch = check_body(models.ConnectionPatch, named)
    if would(f"change {', '.join(patch.model_dump(exclude_unset=True)) or 'nothing'} of connection {chosen}"):
        return
    changed = ask(connections.update_connection, chosen, patch)
    if options.check:
        ask(connections.check_connection, chosen)
        note("the carrier accepts the credentials")
    show(mask_credentials(changed.model_dump()))


@verb
def migrate(
    id: Id,
    options: ConnectionOptions,
    simulated: Annotated[bool, typer.Option("--simulated", help="Simulate the carrier.")] = False,
) -> None:
    """Move an account to the carrier that replaces its own.

    Its number, its settings and its name go along; credentials of the new one are read as `add`
    reads them. The old connection stays for its shipments, inactive.

    Examples:
    shipcli connections migrate dhl_express --simulated
    shipcli connections migrate dhl_express --credentials-file mydhl.json
    """
    old = ask(connections.get_connection, select_one("connection", id))
    kind = succession.get_successor(old.carrier_name)
    config = succession.carry_config(old, kind) | ({"sandbox": True} if simulated else {})
    body = check_body(models.ConnectionData, _write_move(old, kind, config, options))
    kind.read_credentials(body.credentials)
    if would(f"move the connection {old.carrier_id} to {kind.name} as {body.carrier_id}"):
        return
    made = ask(connections.add_connection, body, check=options.check)
    ask(connections.update_connection, old.id, models.ConnectionPatch(active=False))
    remember("connection", made.id)
    note(f"{old.id} is inactive now; its shipments keep it")
    show(mask_credentials(made.model_dump()))


def _write_move(
    old: models.Connection, kind: Any, config: dict[str, Any], options: ConnectionOptions
) -> dict[str, Any]:
    """The body of the new connection; a name that is the slug of the old carrier becomes that of the new."""
    fields = options.list_fields()
    usual = kind.slug if old.carrier_id == old.carrier_name else old.carrier_id
    return {
        "carrier_name": kind.slug,
        "carrier_id": options.carrier_id or usual,
        "credentials": gather(
            kind,
            options.credentials_file,
            options.data,
            options.rate_sheet,
            simulated=bool(config.get("sandbox")),
            carried=succession.carry_credentials(old, kind),
        ),
        "config": config | fields["config"],
        "metadata": fields["metadata"] or old.metadata,
        "capabilities": fields["capabilities"],
    }


@verb
def check(
    ids: Annotated[
        list[str] | None, typer.Argument(metavar="[ID...]", help="Connections; by default all.")
    ] = None,
) -> None:
    """Ask carriers whether they accept the stored credentials.

    Examples:
    shipcli connections check
    shipcli connections check ups fedex
    """
    every = (row["id"] for row in get_run().gateway.each("connection", where.ListFilter()))
    rows = [
        _check(connection_id) for connection_id in (select("connection", ids) if ids else map(str, every))
    ]
    show_list(rows, CHECK_COLUMNS)
    if not all(row["accepted"] for row in rows):
        raise typer.Exit(Refused.exit_code)


def _check(connection_id: str) -> dict[str, Any]:
    connection = ask(connections.get_connection, connection_id)
    row = {"id": connection.id, "carrier_name": connection.carrier_name, "carrier_id": connection.carrier_id}
    try:
        ask(connections.check_connection, connection_id)
    except Refused as error:
        return {**row, "accepted": False, "reason": error.message}
    return {**row, "accepted": True, "reason": None}
