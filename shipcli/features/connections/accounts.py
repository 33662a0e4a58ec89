"""Connections opened for use: which ones fit a request, and the carrier object of each.

An account is a connection with its credentials read. Opened accounts are kept until a connection changes,
whichever process changes it.
"""

from __future__ import annotations

import logging
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from shipcli.carrier import registry
from shipcli.carrier.base import Carrier, Context
from shipcli.features.core.app import read_setting
from shipcli.models import Invalid, NoConnection, NotFound, Rate, json
from shipcli.store.query import equal, one_of

if TYPE_CHECKING:
    from shipcli.features.core.app import App
    from shipcli.store.transaction import Transaction

MARK = "connections_mark"
CREDENTIALS = "credentials"
INVALID_RATE = "Invalid selected rate"
AnyCarrier = type[Carrier[Any, Any]]
log = logging.getLogger("shipcli.accounts")


@dataclass(frozen=True)
class Account:
    """A stored connection and what its carrier class read of it."""

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
        """The only country this account ships from, if it has one: its carrier's, else the account's own."""
        return self.kind.home_country or getattr(self.credentials, "account_country_code", None) or None

    @property
    def shown_name(self) -> str:
        """The name on rates and shipments: a custom carrier's own, else the slug."""
        return getattr(self.credentials, "custom_carrier_name", None) or self.slug

    def can(self, capability: str) -> bool:
        limited = self.connection.get("capabilities")
        return capability in (self.kind.capabilities() if limited is None else limited)

    def open(self, app: App, *, key: str | None = None, scenario: str | None = None) -> Carrier[Any, Any]:
        """The carrier for one request."""
        context = Context(
            now=app.now(),
            key=key or app.new_id(""),
            test_mode=app.test_mode,
            carrier_id=self.carrier_id,
            connection_id=self.id,
            zone=None,
            scenario=scenario,
            sample=app.sandbox or self.config.sandbox,
            metadata=self.connection.get("metadata") or {},
        )
        return self.kind(self.credentials, self.config, context)


def all_accounts(app: App) -> Sequence[Account]:
    """Every active connection of the mode that can be opened, newest first."""
    mark = read_setting(app.store, MARK)
    known = app.resources.active.get(app.test_mode)
    if known is None or known[0] != mark:
        known = mark, _open_listed(app, _list_rows(app))
        app.resources.active[app.test_mode] = known
    return known[1]


def _list_rows(app: App, **where: Any) -> list[tuple[Any, ...]]:
    """Id, time of change, carrier and friendly name of the active connections of the mode, newest first."""
    names = ("id", "updated_at", "carrier_name", "carrier_id")
    active = {"test_mode": app.test_mode, "active": True, **where}
    return sorted(app.store.columns("connections", names, active), reverse=True)


def _list_named(app: App, carrier_ids: Collection[str], carrier_name: str | None) -> Sequence[Account]:
    """The accounts among which those of these names are: the modules of other carriers need not be loaded."""
    if app.test_mode in app.resources.active or not (carrier_ids or carrier_name):
        return all_accounts(app)
    fit = [
        row
        for row in _list_rows(app)
        if (not carrier_ids or row[3] in carrier_ids)
        and (carrier_name in (None, row[2]) or has_own_name(row[2]))
    ]
    return _open_listed(app, fit)


def has_own_name(slug: str) -> bool:
    """Whether accounts of a carrier give it a name of their own, which stands in their credentials."""
    return slug in registry.slugs() and "custom_carrier_name" in registry.facts(slug).connection_fields


def list_account_names(app: App) -> list[tuple[str, set[str]]]:
    """The friendly name of each active connection, and all that people may call it."""
    rows = _list_rows(app)
    own = {one.id: one.shown_name for one in _open_listed(app, [row for row in rows if has_own_name(row[2])])}
    return [(row[3], {row[2], row[3], own.get(row[0], row[2])}) for row in rows]


def mark_changed(app: App, tx: Transaction, connection_id: str) -> None:
    """Called in the transaction that writes or removes a connection: whoever remembers any looks again.

    A mark is never given twice, so what was read before a transaction came to nothing is not taken for true.
    """
    app.resources.accounts.pop(connection_id, None)
    tx.upsert("settings", {"key": MARK, "value": app.new_id("")})


def _open_listed(app: App, rows: Sequence[tuple[Any, ...]]) -> list[Account]:
    """The accounts of listed connections; those that changed since they were opened are read together."""
    opened = app.resources.accounts
    stale = {id: at for id, at, *_ in rows if id not in opened or opened[id][0] != at}
    if stale:
        sealed = app.store.select("secrets", [one_of("id", [*stale]), equal("name", CREDENTIALS)])
        secrets = {row["id"]: row["sealed"] for row in sealed}
        for connection in app.store.each("connection", [one_of("id", [*stale])], app.test_mode):
            account = _open_if_valid(app, connection, secrets.get(connection["id"]))
            if account:
                opened[account.id] = (stale[account.id], account)
    return [opened[id][1] for id, at, *_ in rows if id in opened and opened[id][0] == at]


def _open_if_valid(app: App, connection: dict[str, Any], sealed: bytes | None) -> Account | None:
    try:
        return _open(app, connection, sealed)
    except Invalid as error:  # stored for another version of its carrier: it must not stop the others
        log.warning("the connection %s can't be used: %s", connection["id"], error.message)
        return None


def open_account(app: App, connection_id: str) -> Account | None:
    """The account of a connection; None when it is gone or its carrier is broken.

    Errors: Invalid naming the fields when its carrier does not take what is stored of it.
    """
    connection = app.store.get("connection", connection_id)
    return None if connection is None else _open(app, connection, _read_sealed(app, connection_id))


def _open(app: App, connection: dict[str, Any], sealed: bytes | None) -> Account | None:
    if connection["carrier_name"] not in registry.slugs():
        return None
    try:
        kind = registry.get(connection["carrier_name"])
    except registry.BrokenCarrier:
        return None
    credentials = kind.read_credentials(_unseal(app, connection["id"], sealed))
    return Account(connection, kind, credentials, kind.read_config(connection["config"] or {}))


def read_credentials(app: App, connection_id: str) -> dict[str, Any]:
    """The plain credentials of a connection."""
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
    """The accounts that fit: of the mode, active, able, and named if any are named.

    `services` keeps the accounts that own one of them; when none does it keeps all.
    Errors: NoConnection when none is left.
    """
    wanted = set(carrier_ids)
    fit = [
        account
        for account in _list_named(app, wanted, carrier_name)
        if (not wanted or account.carrier_id in wanted)
        and (carrier_name is None or carrier_name in (account.slug, account.shown_name))
        and account.can(capability)
    ]
    owners = [account for account in fit if any(owns(account, service) for service in services)]
    if not (found := owners or fit):
        raise NoConnection()
    # a custom carrier that calls itself like a real one comes after it
    return sorted(found, key=lambda account: carrier_name is not None and account.slug != carrier_name)


def find_named_account(
    app: App,
    connection_id: str | None,
    carrier_id: str | None,
    capability: str,
    carrier_name: str | None = None,
) -> Account:
    """The account a rate or shipment came from: by connection, else the newest of that friendly name and
    carrier.

    Errors: NoConnection.
    """
    if connection_id:
        for own in _open_listed(app, _list_rows(app, id=connection_id)):
            if own.can(capability):
                return own
    for account in (one for one in all_accounts(app) if one.can(capability)):
        if account.carrier_id == carrier_id and carrier_name in (None, account.slug, account.shown_name):
            return account
    raise NoConnection()


def find_account_of_rate(app: App, rate: Rate, capability: str) -> Account:
    """The account that quoted a rate.

    Errors: NotFound for a rate of the other mode, or of a connection of it; NoConnection.
    """
    connection_id = (rate.meta or {}).get("carrier_connection_id")
    says_other = "test_mode" in rate.model_fields_set and rate.test_mode != app.test_mode
    if says_other or _is_of_other_mode(app, connection_id):
        raise NotFound("rate", message=INVALID_RATE)
    return find_named_account(app, connection_id, rate.carrier_id, capability, rate.carrier_name)


def _is_of_other_mode(app: App, connection_id: str | None) -> bool:
    """Whether it is a connection that only callers of the other mode may use; one that is gone is not."""
    connection = app.store.get("connection", connection_id) if connection_id else None
    return connection is not None and connection["test_mode"] != app.test_mode


def owns(account: Account, service: str) -> bool:
    """Whether a service is one of this account's: its carrier's, or of its own rate sheet."""
    sheet = getattr(account.credentials, "services", None)
    if sheet:
        return any(service == getattr(level, "service_code", None) for level in sheet)
    return service in account.kind.services


def services_of(account: Account) -> list[str]:
    """The service slugs an account may offer."""
    sheet = getattr(account.credentials, "services", None)
    if sheet:
        return [str(level.service_code) for level in sheet]
    return account.kind.services.slugs()
