"""The delivery methods that customers paid for in a shop, each with the service it is sent by.

Like boxes, they are stored on the machine where parcels are packed, whichever server is used.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from shipcli.models.basics.errors import Invalid, NotFound
from shipcli.models.basics.text import suggest_nearest

if TYPE_CHECKING:
    from shipcli.features.core.app import App

TABLE = "methods"
PAID = "shipping_method"  # in an order's metadata: what the shop calls the method that was paid
RULES = ("cheapest", "fastest")  # what a method may mean beside a service
Methods = Mapping[str, str]


def fold_method(name: str) -> str:
    """Return a method as it is compared: `Express ` and `express` are one."""
    return " ".join(name.split()).casefold()


def read_paid_method(order: Mapping[str, Any]) -> str | None:
    """Return the method that was paid for an order, as its shop calls it."""
    name = str((order.get("metadata") or {}).get(PAID) or "").strip()
    return name or None


def list_methods(app: App) -> list[Mapping[str, str]]:
    """Return the methods with their services, by name."""
    return [
        {"method": row["method"], "service": row["service"]} for row in app.store.select(TABLE, order="name")
    ]


def list_services_of_methods(app: App) -> Methods:
    """Return services, or cheapest and fastest, by folded method."""
    return {row["name"]: row["service"] for row in app.store.select(TABLE)}


def map_method(app: App, name: str, service: str) -> None:
    """Send a method by a service from now on.

    Errors: Invalid for a method without a name.
    """
    if not fold_method(name):
        raise Invalid("method", "a method has a name, such as Express")
    row = {"name": fold_method(name), "method": " ".join(name.split()), "service": service}
    with app.store.transaction() as tx:
        tx.upsert(TABLE, row)


def remove_method(app: App, name: str) -> None:
    """Forget which service a method is sent by.

    Errors: NotFound suggesting the nearest.
    """
    methods = list_services_of_methods(app)
    if fold_method(name) not in methods:
        hint = suggest_nearest(fold_method(name), methods)
        raise NotFound("method", name, message=f"No service is chosen for the method {name!r}.{hint}")
    with app.store.transaction() as tx:
        tx.remove(TABLE, {"name": fold_method(name)})
