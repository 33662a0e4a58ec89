"""What of an account goes along to the carrier that replaces its own."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from shipcli.carrier import registry
from shipcli.models import Connection, Invalid

if TYPE_CHECKING:
    from shipcli.carrier.registry import AnyCarrier


def get_successor(slug: str) -> AnyCarrier:
    """Return the class of the carrier that replaces another.

    Errors: Invalid for a carrier that none replaces, or one that is not built.
    """
    successor = registry.get_facts(slug).successor
    if successor in registry.list_slugs():
        return registry.get(successor)
    raise Invalid("carrier_name", f"{slug} has no successor to move to")


def carry_credentials(old: Connection, successor: AnyCarrier) -> dict[str, Any]:
    """Return the credentials that both have and that are no secret, such as the number of the account."""
    secrets = registry.get(old.carrier_name).secret_fields() | successor.secret_fields()
    names = successor.connection_fields().keys() - secrets
    return {name: value for name, value in (old.credentials or {}).items() if name in names and value}


def carry_config(old: Connection, successor: AnyCarrier) -> dict[str, Any]:
    """Return the settings that the successor takes too."""
    return dict(_list_valid(old.config or {}, successor))


def _list_valid(config: dict[str, Any], successor: AnyCarrier) -> Iterator[tuple[str, Any]]:
    for name, value in config.items():
        try:
            successor.check_setting_names([name])
            successor.read_config({name: value})
        except Invalid:
            continue
        yield name, value
