"""Sets up a sandbox: one simulated connection of every carrier, in both modes."""

from __future__ import annotations

import secrets
from typing import TYPE_CHECKING

from shipcli.carrier import registry
from shipcli.carrier.index import CarrierFacts
from shipcli.features.connections.service import write
from shipcli.models import Connection, Invalid, NotFound, json

if TYPE_CHECKING:
    from shipcli.features.core.app import App

SEEDS = ("demo",)
EMAIL = "user@sandbox.example"


def make_ready(app: App) -> None:
    """Give a new sandbox its connections; `carrier_id` is the slug."""
    connections = [
        make_connection(app, facts, test_mode)
        for facts in registry.list_facts()
        for test_mode in (True, False)
    ]
    sealed = {
        connection.id: app.vault.seal(connection.id, json.dump_bytes(connection.credentials))
        for connection in connections
    }
    with app.store.transaction() as tx:
        if tx.select("store_facts", {"name": "sandbox_ready"}):
            return
        for connection in connections:
            write(app, tx, connection, sealed[connection.id])
        tx.upsert("store_facts", {"name": "sandbox_ready", "value": True})


def make_connection(app: App, facts: CarrierFacts, test_mode: bool) -> Connection:
    """Return the simulated connection of a carrier, named after its slug."""
    credentials = facts.sample_account
    return Connection(
        id=app.new_id("car_"),
        carrier_name=facts.slug,
        carrier_id=facts.slug,
        display_name=credentials.get("display_name") or facts.name,
        credentials=credentials,
        capabilities=facts.capabilities,
        config={},
        test_mode=test_mode,
    )


def seed_sandbox(app: App, name: str) -> None:
    """Fill a sandbox with sample objects: bought shipments with their trackers, orders, addresses, parcels.

    Errors: Invalid for an unknown name.
    """
    from shipcli.features.files.engine import ImportPlan, import_file
    from shipcli.features.files.shipment_store import make_shipment_rows
    from shipcli.features.sandbox.demo import list_sample_objects, read_sample

    if name not in SEEDS:
        raise Invalid("seed", f"{name!r} is not one of {', '.join(SEEDS)}")
    test_app = app.in_mode(True)
    import_file(make_shipment_rows(test_app, read_sample(), ImportPlan(buy="cheapest")))
    for create, body in list_sample_objects():
        create(test_app, body)


def create_access(app: App) -> dict[str, str | None]:
    """Create API keys for both modes and a user who can log in; the credentials, by the names to show."""
    from shipcli.features.identity.api_keys import create_key

    names = {"api_key": True, "live_api_key": False}
    keys = {name: create_key(app.in_mode(mode), name="sandbox").key for name, mode in names.items()}
    return {**keys, "email": EMAIL, "password": _set_new_password(app)}


def _set_new_password(app: App) -> str:
    """Set a new password for the sandbox user, who is created with the first one."""
    from shipcli.features.identity.users import create_user, set_password

    password = secrets.token_urlsafe(12)
    try:
        set_password(app, EMAIL, password)
    except NotFound:
        create_user(app, EMAIL, password, name="Sandbox")
    return password
