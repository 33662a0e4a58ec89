"""First-time setup in one step: mode, units, shipper, carrier and printer, stored together or not at all."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from shipcli import config as settings
from shipcli.config import PRINTER, SHIPPER
from shipcli.features.book import nested
from shipcli.features.book.addresses import create_address, update_address
from shipcli.features.connections.service import add_connection, get_connection, update_connection
from shipcli.features.paper.printing.printers import Printer, add_printer
from shipcli.models import AddressData, AddressPatch, Conflict, Connection, ConnectionData, ConnectionPatch
from shipcli.store.query import flag

if TYPE_CHECKING:
    from shipcli.features.core.app import App


@dataclass(frozen=True)
class SetupPlan:
    """What is to be set up; what is left out stays as it is.

    Shapes: `settings` by key, such as mode and weight_unit; a connection whose name exists already gets the
            new credentials, a printer whose name exists already is replaced.
    """

    settings: Mapping[str, Any] = field(default_factory=dict)
    shipper: AddressData | None = None
    connection: ConnectionData | None = None
    printer: Printer | None = None

    def mode_of(self, app: App) -> App:
        """Return the app in the mode that is set up."""
        return app.in_mode(self.settings.get("mode", app.config["mode"]) == "test")


def apply_setup(app: App, plan: SetupPlan) -> None:
    """Store all of it: first the objects in one commit, then the settings in one file.

    Errors: Invalid naming a wrong field; Conflict if a connection of another carrier has that name.
    """
    app, changes = plan.mode_of(app), dict(plan.settings)
    with app.store.batch():
        if plan.connection:
            _store_connection(app, plan.connection)
        if plan.printer:
            changes[PRINTER] = add_printer(app, plan.printer, replace=True).name
        if plan.shipper:
            changes[SHIPPER] = _store_shipper(app, plan.shipper)
    settings.write_all(app.config.home, changes)


def find_connection(app: App, carrier_id: str) -> Connection | None:
    """Return the connection with a name, with its credentials, or None if there is none."""
    rows = app.store.select("connections", {"carrier_id": carrier_id, "test_mode": app.test_mode})
    return get_connection(app, str(rows[0]["id"])) if rows else None


def find_shipper(app: App) -> dict[str, Any] | None:
    """Return the default shipper address, with its id, or None if none is set or it was deleted."""
    chosen = app.config[SHIPPER]
    return nested.find(app, "address", chosen) if chosen else None


def _store_connection(app: App, data: ConnectionData) -> None:
    existing = find_connection(app, data.carrier_id or data.carrier_name)
    if existing is None:
        add_connection(app, data)
    elif existing.carrier_name != data.carrier_name:
        raise Conflict(
            f"{data.carrier_id} is an account with {existing.carrier_name}; "
            "name the new one: --carrier-id NAME"
        )
    else:
        update_connection(app, existing.id, ConnectionPatch(credentials=data.credentials))


def _store_shipper(app: App, data: AddressData) -> str:
    """Store the default shipper and return its id: the existing one is updated if it is of this mode."""
    shipper = find_shipper(app)
    if shipper and app.store.get("address", shipper["id"], app.test_mode):
        return str(update_address(app, shipper["id"], AddressPatch.model_validate(data.model_dump())).id)
    return _find_same(app, data) or str(create_address(app, data).id)


def _find_same(app: App, data: AddressData) -> str | None:
    """Return the id of a stored address with exactly these fields, as left by an interrupted setup."""
    fields, stored = data.model_dump(), app.store.each("address", [flag("attached", False)], app.test_mode)
    same = (
        address for address in stored if all(address.get(name) == value for name, value in fields.items())
    )
    return next((str(address["id"]) for address in same), None)
