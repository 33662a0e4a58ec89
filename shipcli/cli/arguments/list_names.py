"""What a list without rows says of the names in its filters: one that nothing has is mostly a slip."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from shipcli.cli.console.cells import convert_to_plain
from shipcli.cli.console.stderr import note
from shipcli.cli.current_run import get_run
from shipcli.cli.stored_noun_table import reveal_if_possible
from shipcli.features.core import filters as core_filters
from shipcli.gateway import where as gateway_where
from shipcli.models.basics import text


def note_unknown_names(filters: Mapping[str, Any]) -> None:
    """Say which of the carriers and services in the filters of an empty list there are not.

    A name of a carrier behind a hub may be unknown here, so it is no error.
    """
    for name in TOLD.keys() & filters.keys():
        if filters[name]:
            TOLD[name](core_filters.split_words(filters[name]))


def _tell_carriers(words: list[str]) -> None:
    from shipcli.carrier import registry  # loads pydantic, which lists do without

    accounts = {row["carrier_id"]: _find_carrier(row) for row in _list_connections()}
    slugs = {*registry.list_slugs(), *accounts.values()}
    for word in words:
        if word in slugs:
            continue
        if word in accounts:
            note(f"{word} is a connection; its carrier is {accounts[word]}")
        else:
            note(f"no carrier is called {word}.{text.suggest_nearest(word, sorted(slugs))}")


def _find_carrier(connection: Mapping[str, Any]) -> str:
    """The carrier that shipments of a connection are of: your own has a name that you gave it."""
    own = (connection.get("credentials") or {}).get("custom_carrier_name")
    return str(own or connection["carrier_name"])


def _tell_services(words: list[str]) -> None:
    from shipcli.carrier import registry

    codes = {code for slug in registry.list_slugs() for code in registry.get(slug).services.codes()}
    for row in _list_connections():
        levels = (row.get("credentials") or {}).get("services") or ()
        codes.update(str(level.get("service_code")) for level in levels)
    for word in words:
        if word not in codes:
            note(f"no carrier has a service {word}.{text.suggest_nearest(word, sorted(codes))}")


def _list_connections() -> list[dict[str, Any]]:
    """The connections with what names your own carriers and services, where it can be read."""
    run = get_run()
    _, rows = run.gateway.every("connection", gateway_where.EVERYTHING)
    found = [convert_to_plain(row) for row in rows]
    return found if run.api_url else [reveal_if_possible(row) for row in found]


TOLD: Mapping[str, Callable[[list[str]], None]] = {
    "carrier_name": _tell_carriers,
    "service": _tell_services,
}
