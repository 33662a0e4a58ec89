"""Sets up a sandbox: simulated connections of carriers in both modes, and sample objects."""

from __future__ import annotations

from typing import TYPE_CHECKING

from shipcli.carrier import registry
from shipcli.carrier.index import CarrierFacts
from shipcli.features.connections.service import write
from shipcli.features.sandbox.big_carriers import ALL, list_big_carriers, read_carriers
from shipcli.models import Connection, Invalid, json

if TYPE_CHECKING:
    from shipcli.features.core.app import App

SEEDS = ("demo",)


def make_ready(app: App, carriers: str | None = ALL) -> None:
    """Give a new sandbox its connections: those of `carriers`, for None the big ones of its country.

    Errors: Invalid for an unknown carrier.
    """
    slugs = _list_big_ones(app) if carriers is None else read_carriers(carriers)
    connections = [
        make_connection(app, facts, test_mode)
        for facts in registry.list_facts()
        if facts.slug in slugs
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


def _list_big_ones(app: App) -> list[str]:
    from shipcli.features.shipments.defaults import find_default_shipper  # half of the start of a command

    return list_big_carriers(find_default_shipper(app)["country_code"])


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
    from shipcli.features.sandbox.reference_objects import make_reference_objects

    if name not in SEEDS:
        raise Invalid("seed", f"{name!r} is not one of {', '.join(SEEDS)}")
    make_reference_objects(app)
    test_app = app.in_mode(True)
    import_file(make_shipment_rows(test_app, read_sample(), ImportPlan(buy="cheapest")))
    for create, body in list_sample_objects():
        create(test_app, body)
