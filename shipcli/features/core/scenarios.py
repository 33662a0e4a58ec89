"""Sandbox scenarios: what a request or a connection asks of the simulated carriers.

Unknown names are rejected: a test of a fault that never happened would pass for the wrong reason.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any

from shipcli.carrier.simulation.scenarios import (
    MAGIC,
    SERVICE_PREFIX,
    find_address_scenario,
    find_number_scenario,
    find_service_scenario,
    list_magic_numbers,
    list_magic_services,
    list_names,
    list_scenarios,
)
from shipcli.features.core.sandbox_request import get_sandbox_request
from shipcli.models import Invalid, Rate, Shipment, suggest_nearest

if TYPE_CHECKING:
    from shipcli.features.core.app import App

OK = 200
KEY = "sandbox_scenario"
SANDBOX, EXPIRED = "sandbox", "expired"  # where the ledger has the rates that have expired
SOLD_AS = "sandbox_service"  # in the meta of a rate: the carrier's service behind a magic one


def read_scenario(app: App, **places: Mapping[str, Any] | None) -> str | None:
    """The scenario of the request's header, else of the first of these places that names one; None outside a
    sandbox.

    Shapes: places are named as in the body: `options`, `metadata`.
    Errors: Invalid, listing the known scenarios.
    """
    if not app.sandbox:
        return None
    named = [(field, values[KEY]) for field, values in places.items() if values and values.get(KEY)]
    for field, name in named:
        check_scenario(f"{field}.{KEY}", name)
    return get_sandbox_request().scenario or next((str(name) for _, name in named), None)


def find_scenario(app: App, shipment: Shipment, rate: Rate | None = None) -> str | None:
    """The scenario a shipment asks for: by its data, or by the magic service of its rate.

    Errors: as `read_scenario`.
    """
    named = read_scenario(app, options=shipment.options, metadata=shipment.metadata)
    return named or (find_service_scenario(rate.service) if app.sandbox and rate else None)


def find_answer(app: App, number: str) -> int | None:
    """The HTTP status of the answer to a tracking number that stands for trouble."""
    name = read_scenario(app) or find_number_scenario(number)
    scenario = list_scenarios().get(name or "") if app.sandbox else None
    return scenario.answer if scenario and scenario.kind == "number" and scenario.answer != OK else None


def find_rating_scenario(app: App, shipment: Shipment) -> str | None:
    """The scenario of the prices of a shipment; one of its metadata if it is about address or weight."""
    named = read_scenario(app, options=shipment.options)
    other = named or read_scenario(app, metadata=shipment.metadata)
    row = list_scenarios().get(other or "")
    return named or (other if row and row.kind in ("address", "weight") else None)


def check_scenario(field: str, name: Any) -> None:
    """Errors: Invalid on `field`, listing the known scenarios."""
    names = list_names()
    if name in names:
        return
    hint = suggest_nearest(str(name), names)
    raise Invalid(field, f"There is no scenario {name!r}.{hint} Known: {', '.join(names)}.")


def find_address_effect(app: App, lines: Iterable[str | None]) -> str | None:
    """The scenario of the request's header, else of a magic line of an address; None outside a sandbox."""
    return (read_scenario(app) or find_address_scenario(lines)) if app.sandbox else None


def check_expired(app: App, shipment: Shipment, rate: Rate) -> None:
    """Errors: Invalid for a rate that has expired: the first that a shipment is bought at, and all that were
    fetched with it.
    """
    key, ledger = _make_purchase_key(app, shipment), app.ledger
    with ledger.transaction():
        record = ledger.get(SANDBOX, EXPIRED, key)
        if record is not None and rate.id not in record["rates"]:
            ledger.remove(SANDBOX, EXPIRED, key)
            return
        expired = [rate.id, *(offer.id for offer in shipment.rates)]
        ledger.put(SANDBOX, EXPIRED, key, {"rates": [*(record or {}).get("rates", ()), *expired]})
    raise Invalid("selected_rate_id", "The rate has expired: fetch the rates again", "rate_expired")


def _make_purchase_key(app: App, shipment: Shipment) -> str:
    """What names a purchase that is tried again: its draft, else where it goes."""
    if app.store.get("shipment", shipment.id):
        return shipment.id
    there = shipment.recipient
    return f"{shipment.reference}|{there.address_line1}|{there.postal_code}"


def is_magic_service(app: App, service: str | None) -> bool:
    """Whether a service stands for a scenario.

    Errors: Invalid, listing those that do, for one that only looks so.
    """
    if not app.sandbox or not (service or "").startswith(SERVICE_PREFIX):
        return False
    if find_service_scenario(service) is None:
        known = ", ".join(list_magic_services())
        raise Invalid("service", f"There is no magic service {service!r}. Known: {known}.")
    return True


def check_magic_number(app: App, number: str) -> None:
    """Errors: Invalid, listing the magic numbers, for one that only looks so and was not bought here."""
    if not app.sandbox or not MAGIC.match(number) or find_number_scenario(number):
        return
    if not any(key == number for _, _, key, _ in app.ledger.everything("label")):
        known = ", ".join(list_magic_numbers())
        raise Invalid("tracking_number", f"There is no magic number {number}. They begin with: {known}.")


def find_sold_service(rate: Rate) -> str | None:
    """The service that the carrier sells at a rate: of a magic one that behind it."""
    return (rate.meta or {}).get(SOLD_AS) or rate.service
