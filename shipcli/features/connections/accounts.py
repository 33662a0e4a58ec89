"""Accounts: connections opened for use, which of them fit a request, and the carrier object of each.

An account is a connection with its credentials read. Opened accounts are cached until their connection
changes, in this process or another.
"""

from __future__ import annotations

import logging
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import starmap
from typing import TYPE_CHECKING, Any, NamedTuple

from shipcli.carrier import registry
from shipcli.carrier.base import Context
from shipcli.features.core.app import read_fact
from shipcli.models import Invalid, NoConnection, NotFound, Rate, json
from shipcli.models.basics.text import find_nearest
from shipcli.store.query import equal, one_of

if TYPE_CHECKING:
    from datetime import datetime

    from shipcli.carrier.base import Carrier
    from shipcli.carrier.registry import AnyCarrier
    from shipcli.features.core.app import App
    from shipcli.store.transaction import Transaction

MARK = "connections_mark"
CREDENTIALS = "credentials"
NEVER = ("", None)  # the `updated_at` and account of a connection that was never opened
INVALID_RATE = "Invalid selected rate"
NOBODY = "no carrier and no active connection has this name; it is misspelt, or its connection was removed"
LACKS: Mapping[str, str] = {  # what a carrier does not do, by the capability
    "rating": "tells no prices",
    "shipping": "sells no labels",
    "tracking": "does not tell where its parcels are",
    "pickup": "takes no pickups",
    "manifest": "takes no manifests",
    "paperless": "takes no documents",
}
log = logging.getLogger("shipcli.accounts")


@dataclass(frozen=True)
class Account:
    """A stored connection, with its credentials and config as its carrier class reads them."""

    connection: dict[str, Any]
    kind: AnyCarrier
    credentials: Any
    config: Any

    @property
    def id(self) -> str:
        return str(self.connection["id"])

    @property
    def slug(self) -> str:
        return self.kind.slug

    @property
    def carrier_id(self) -> str:
        return str(self.connection["carrier_id"])

    @property
    def country(self) -> str | None:
        """The only country this account ships from, if any: its carrier's, else its own."""
        return self.kind.home_country or getattr(self.credentials, "account_country_code", None) or None

    @property
    def shown_name(self) -> str:
        """The carrier name on rates and shipments: a custom carrier's own name, else the slug."""
        return getattr(self.credentials, "custom_carrier_name", None) or self.slug

    def can(self, capability: str) -> bool:
        limited = self.connection.get("capabilities")
        return capability in (self.kind.capabilities() if limited is None else limited)

    def open(
        self,
        app: App,
        *,
        key: str | None = None,
        scenario: str | None = None,
        sent_at: datetime | None = None,
    ) -> Carrier[Any, Any]:
        """Return the carrier for one request."""
        context = Context(
            now=app.now(),
            key=key or app.new_id(""),
            sent_at=sent_at,
            test_mode=app.test_mode,
            carrier_id=self.carrier_id,
            connection_id=self.id,
            zone=None,
            scenario=scenario,
            sample=app.sandbox or self.config.sandbox,
            metadata=self.connection.get("metadata") or {},
            exchange_rates=app.config["exchange_rates"],
        )
        return self.kind(self.credentials, self.config, context)


class ListedConnection(NamedTuple):
    """The columns of an active connection that tell whether it is asked, and whether it changed."""

    id: str
    updated_at: str
    carrier_name: str
    carrier_id: str


@dataclass
class AccountCache:
    """What was read of connections so far.

    Shapes: `opened` are connections by id, each with its `updated_at` when read, and None if it can't be
            used; `active` are the active ones of a mode, with the mark of their last change.
    """

    opened: dict[str, tuple[str, Account | None]] = field(default_factory=dict)
    active: dict[bool, tuple[str | None, Sequence[ListedConnection]]] = field(default_factory=dict)


def _get_cache(app: App) -> AccountCache:
    cache: AccountCache = app.shared.setdefault("accounts", AccountCache())
    return cache


def list_accounts(app: App) -> list[Account]:
    """Return all active connections of the mode that can be opened, newest first."""
    return _open_listed(app, _list_active(app))


def _list_active(app: App) -> Sequence[ListedConnection]:
    """Return the active connections of the mode, newest first; read again if any connection was changed."""
    mark, listed = read_fact(app.store, MARK), _get_cache(app).active
    cached = listed.get(app.test_mode)
    if cached is None or cached[0] != mark:
        where = {"test_mode": app.test_mode, "active": True}
        rows = app.store.columns("connections", ListedConnection._fields, where)
        cached = listed[app.test_mode] = mark, sorted(starmap(ListedConnection, rows), reverse=True)
    return cached[1]


def _list_named(app: App, carrier_ids: Collection[str], carrier_name: str | None) -> list[Account]:
    """Return the accounts that may have these names, without loading the modules of other carriers."""
    fit = [
        connection
        for connection in _list_active(app)
        if (not carrier_ids or connection.carrier_id in carrier_ids)
        and (carrier_name in (None, connection.carrier_name) or has_own_name(connection.carrier_name))
    ]
    return _open_listed(app, fit)


def has_own_name(slug: str) -> bool:
    """Return whether accounts of a carrier have a carrier name of their own in their credentials."""
    try:
        return (
            slug in registry.list_slugs()
            and "custom_carrier_name" in registry.get_facts(slug).connection_fields
        )
    except registry.BrokenCarrier:
        return False


def list_account_names(app: App) -> list[tuple[str, set[str]]]:
    """Return the friendly name of each active connection, and all names it can be given by."""
    active = _list_active(app)
    named = _open_listed(app, [connection for connection in active if has_own_name(connection.carrier_name)])
    shown = {account.id: [account.shown_name] for account in named}
    return [
        (
            connection.carrier_id,
            {connection.carrier_name, connection.carrier_id, *shown.get(connection.id, ())},
        )
        for connection in active
    ]


def mark_changed(app: App, tx: Transaction, connection_id: str) -> None:
    """Invalidate cached connections, in the transaction that writes or removes one.

    A mark is never used twice, so that a cache filled before a rollback is not taken for current.
    """
    _get_cache(app).opened.pop(connection_id, None)
    tx.upsert("store_facts", {"name": MARK, "value": app.new_id("")})


def _open_listed(app: App, listed: Sequence[ListedConnection]) -> list[Account]:
    """Return the accounts of listed connections; those that changed are read in one go."""
    opened = _get_cache(app).opened
    stale = {
        connection.id: connection.updated_at
        for connection in listed
        if opened.get(connection.id, NEVER)[0] != connection.updated_at
    }
    if stale:
        sealed = app.store.select("secrets", [one_of("id", [*stale]), equal("name", CREDENTIALS)])
        secrets = {row["id"]: row["sealed"] for row in sealed}
        for connection in app.store.each("connection", [one_of("id", [*stale])], app.test_mode):
            id = connection["id"]
            opened[id] = stale[id], _open_if_valid(app, connection, secrets.get(id))
    pairs = zip(listed, [opened.get(connection.id, NEVER) for connection in listed], strict=True)
    return [account for connection, (at, account) in pairs if account and at == connection.updated_at]


def _open_if_valid(app: App, connection: dict[str, Any], sealed: bytes | None) -> Account | None:
    try:
        return _open(app, connection, sealed)
    except Invalid as error:  # stored by another version of its carrier: the others must still work
        log.warning("the connection %s can't be used: %s", connection["id"], error.message)
        return None


def open_account(app: App, connection_id: str) -> Account | None:
    """Return the account of a connection, or None if it was removed, or its carrier is missing or broken.

    Errors: Invalid naming the fields if its carrier does not accept the stored credentials or config.
    """
    connection = app.store.get("connection", connection_id)
    return None if connection is None else _open(app, connection, _read_sealed(app, connection_id))


def _open(app: App, connection: dict[str, Any], sealed: bytes | None) -> Account | None:
    if connection["carrier_name"] not in registry.list_slugs():
        return None
    try:
        kind = registry.get(connection["carrier_name"])
    except registry.BrokenCarrier:
        return None
    credentials = kind.read_credentials(_unseal(app, connection["id"], sealed))
    return Account(connection, kind, credentials, kind.read_config(connection["config"] or {}))


def read_credentials(app: App, connection_id: str) -> dict[str, Any]:
    """Return the unsealed credentials of a connection."""
    return _unseal(app, connection_id, _read_sealed(app, connection_id))


def _read_sealed(app: App, connection_id: str) -> bytes | None:
    rows = app.store.select("secrets", {"id": connection_id, "name": CREDENTIALS})
    return rows[0]["sealed"] if rows else None


def _unseal(app: App, connection_id: str, sealed: bytes | None) -> dict[str, Any]:
    return dict(json.loads(app.vault.open(connection_id, sealed))) if sealed else {}


def choose(
    app: App,
    capability: str,
    *,
    carrier_ids: Iterable[str] = (),
    carrier_name: str | None = None,
    services: Sequence[str] = (),
) -> list[Account]:
    """Return the active accounts of the mode that have the capability, and the given ids and name, if any.

    With `services` only the accounts that offer one of them; all of the above if none does.
    Errors: NoConnection if there is none.
    """
    ids = set(carrier_ids)
    fit = [
        account
        for account in _list_named(app, ids, carrier_name)
        if (not ids or account.carrier_id in ids)
        and (carrier_name is None or carrier_name in (account.slug, account.shown_name))
        and account.can(capability)
    ]
    owners = [account for account in fit if any(owns(account, service) for service in services)]
    if not (matches := owners or fit):
        raise explain_missing(app, [name for name in (carrier_name, *sorted(ids)) if name], capability)
    # a custom carrier with the name of a real one comes after it
    return sorted(matches, key=lambda account: carrier_name is not None and account.slug != carrier_name)


def explain_missing(app: App, names: Sequence[str], capability: str = "") -> NoConnection:
    """The error of carriers or connections of which none fits: what each lacks, or which was meant."""
    slugs, accounts = set(registry.list_slugs()), [called for _, called in list_account_names(app)]
    known = slugs.union(*accounts)
    near = {name: find_nearest(name, known) for name in names if name not in known}
    meant = {
        name: f"no active connection has this name; did you mean {meant}?" if meant else NOBODY
        for name, meant in near.items()
    }
    unable = {name: text for name in names if (text := _describe_lack(name, capability, accounts))}
    return NoConnection({**(NoConnection.of(*names).details or {}), **meant, **unable})


def _describe_lack(name: str, capability: str, accounts: Iterable[set[str]]) -> str | None:
    """What the carrier of this name does not do whatever its connection; `accounts` are the names of each."""
    named = {name}.union(*(called for called in accounts if name in called))
    facts = [registry.get_facts(slug) for slug in named.intersection(registry.list_slugs())]
    if capability not in LACKS or not facts or any(capability in one.capabilities for one in facts):
        return None
    return f"{facts[0].name} {LACKS[capability]} through shipcli"


def find_named_account(
    app: App,
    connection_id: str | None,
    carrier_id: str | None,
    capability: str,
    carrier_name: str | None = None,
) -> Account:
    """Return the account of a rate or shipment: by its connection, else the newest of that name and carrier.

    Errors: NoConnection.
    """
    if connection_id:
        listed = [connection for connection in _list_active(app) if connection.id == connection_id]
        for account in _open_listed(app, listed):
            if account.can(capability):
                return account
    for account in (account for account in list_accounts(app) if account.can(capability)):
        if account.carrier_id == carrier_id and carrier_name in (None, account.slug, account.shown_name):
            return account
    name = carrier_id or carrier_name or "connection"
    added = f"one to {carrier_name}" if carrier_name else "one"
    again = (
        f"no active connection has this name: {added} that is added with it again takes over its shipments"
    )
    raise NoConnection({name: again})


def find_account_of_rate(app: App, rate: Rate, capability: str) -> Account:
    """Return the account that quoted a rate.

    Errors: NotFound for a rate or a connection of the other mode; NoConnection.
    """
    connection_id = (rate.meta or {}).get("carrier_connection_id")
    says_other = "test_mode" in rate.model_fields_set and rate.test_mode != app.test_mode
    if says_other or _is_of_other_mode(app, connection_id):
        raise NotFound("rate", message=INVALID_RATE)
    return find_named_account(app, connection_id, rate.carrier_id, capability, rate.carrier_name)


def _is_of_other_mode(app: App, connection_id: str | None) -> bool:
    """Return whether a connection belongs to the other mode; False if it was removed."""
    connection = app.store.get("connection", connection_id) if connection_id else None
    return connection is not None and connection["test_mode"] != app.test_mode


def owns(account: Account, service: str) -> bool:
    """Return whether an account offers a service: one of its own rate sheet, or else of its carrier."""
    sheet = getattr(account.credentials, "services", None)
    if sheet:
        return any(service == getattr(level, "service_code", None) for level in sheet)
    return service in account.kind.services


def list_all_services(app: App) -> list[str]:
    """Return the services that the carriers here and the accounts' rate sheets have."""
    named = (kind.services.slugs() for kind in map(registry.get, registry.list_slugs()))
    sheets = (list_services(account) for account in list_accounts(app))
    return sorted({service for services in (*named, *sheets) for service in services})


def list_services(account: Account) -> list[str]:
    """Return the service slugs an account may offer."""
    sheet = getattr(account.credentials, "services", None)
    if sheet:
        return [str(level.service_code) for level in sheet]
    return account.kind.services.slugs()
