"""Connections: accounts with carriers. Credentials are sealed; all other fields are in the document."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import timedelta
from decimal import Decimal
from itertools import islice
from typing import TYPE_CHECKING, Any

from pydantic import BaseModel, SecretStr

from shipcli.carrier import registry
from shipcli.carrier.fields import list_hosts
from shipcli.carrier.sending.ports import MemoryTokens
from shipcli.features.connections.accounts import (
    CREDENTIALS,
    Account,
    mark_changed,
    open_account,
    read_credentials,
)
from shipcli.features.core.idempotency import seal_answer
from shipcli.features.core.merge import merge_keys
from shipcli.features.core.scenarios import KEY, check_scenario
from shipcli.features.core.targets import check_target
from shipcli.models import (
    Conflict,
    Connection,
    ConnectionData,
    ConnectionPatch,
    Invalid,
    Message,
    NotFound,
    Refused,
    TrackingRequest,
    json,
)
from shipcli.models.basics.text import count_text
from shipcli.models.webhook import check_web_address
from shipcli.store.query import one_of

if TYPE_CHECKING:
    from shipcli.carrier.registry import AnyCarrier
    from shipcli.carrier.sending.jobs import FlowOutcome
    from shipcli.features.core.app import App
    from shipcli.features.core.idempotency_key import IdempotencyKey
    from shipcli.store.queries import Reader
    from shipcli.store.query import Filter
    from shipcli.store.transaction import Transaction

# Statuses of labels that may have to be voided, tracked or collected.
LIVE = ("purchased", "shipped", "in_transit", "out_for_delivery", "needs_attention")
MOST_COUNTED = 1000
NOBODYS_NUMBER = "0000000000000000"
# Codes of carriers and the driver for wrong credentials, or a carrier that can't be reached.
NOT_ACCEPTED = frozenset({
    "401", "403", "E002", "AA004", "unauthorized", "Unauthorized",
    "unreachable", "timeout", "unreadable_reply",
})  # fmt: skip


def add_connection(
    app: App,
    data: ConnectionData,
    *,
    check: bool = False,
    is_system: bool = False,
    once: IdempotencyKey | None = None,
) -> Connection:
    """Add a connection; its credentials are checked against the carrier's fields and sealed.

    `check` asks the carrier whether it accepts them.
    Errors: Invalid naming the fields; Refused if the carrier refuses them, and then nothing is stored.
    """
    kind = find_carrier(data.carrier_name)
    credentials = check_fields(app, kind, data.credentials)
    kind.check_setting_names(data.config)
    config = check_config(app, kind, data.config)
    connection = Connection(
        id=app.new_id("car_"),
        carrier_name=data.carrier_name,
        carrier_id=check_name(data.carrier_id),
        display_name=credentials.get("display_name") or kind.name,
        credentials=credentials,
        capabilities=limit_services(kind, data.capabilities),
        config=config,
        metadata=data.metadata,
        is_system=is_system,
        active=data.active,
        test_mode=app.test_mode,
    )
    if check:
        check_credentials(
            app,
            Account(
                connection.model_dump(), kind, kind.read_credentials(credentials), kind.read_config(config)
            ),
        )
    store(app, connection, once)
    return mask_connection(connection)


def try_connection(app: App, data: ConnectionData) -> bool:
    """Whether a carrier was asked if it accepts credentials that are not stored yet.

    Errors: Invalid naming the fields; Refused.
    """
    kind = find_carrier(data.carrier_name)
    credentials, config = check_fields(app, kind, data.credentials), check_config(app, kind, data.config)
    row = {"id": app.new_id("car_"), "carrier_name": data.carrier_name, "carrier_id": data.carrier_id,
           "test_mode": app.test_mode, "config": config}  # fmt: skip
    account = Account(row, kind, kind.read_credentials(credentials), kind.read_config(config))
    check_credentials(app, account)
    return bool(kind.hosts) and (bool(kind.tokens) or kind.can("track"))


def find_carrier(slug: str) -> AnyCarrier:
    """Errors: Invalid on `carrier_name`, suggesting the nearest name."""
    try:
        return registry.get(slug)
    except NotFound as error:
        raise Invalid("carrier_name", error.message) from None


def check_name(carrier_id: str) -> str:
    """Errors: Invalid if a connection's friendly name is blank."""
    if not carrier_id.strip():
        raise Invalid("carrier_id", "must not be empty")
    return carrier_id


def check_fields(app: App, kind: AnyCarrier, credentials: Mapping[str, Any]) -> dict[str, Any]:
    """Return the credentials the carrier has fields for, missing optional ones as null; drop all others.

    Errors: Invalid naming the fields.
    """
    read = kind.read_credentials({name: value for name, value in credentials.items() if value is not None})
    check_hosts(app, read, "")
    fields = kind.Credentials.model_fields
    return {
        name: _convert_credential(getattr(read, name), credentials.get(name, info.get_default()))
        for name, info in fields.items()
    }


def _convert_credential(read: Any, original: Any) -> Any:
    """Return a credential as it is stored: a scalar as the carrier reads it, a structure as it was given."""
    if isinstance(read, SecretStr):
        return read.get_secret_value()
    return read if read is None or isinstance(read, str | int | Decimal) else original


def check_config(app: App, kind: AnyCarrier, config: Mapping[str, Any]) -> dict[str, Any]:
    """Errors: Invalid naming the fields or listing the known scenarios, or for a simulated connection
    outside test mode and sandbox.
    """
    read = kind.read_config(config)
    check_hosts(app, read, "config.")
    if read.sandbox and not (app.test_mode or app.sandbox):
        raise Invalid("config.sandbox", "A simulated connection is for test mode only.")
    if read.sandbox_scenario and (app.sandbox or read.sandbox):
        check_scenario(f"config.{KEY}", read.sandbox_scenario)
    return dict(config)


def check_hosts(app: App, settings: BaseModel, prefix: str) -> None:
    """Errors: Invalid naming the setting that is no web address, or a host that may not be asked."""
    for name, url in list_hosts(settings).items():
        try:
            check_web_address(url)
        except ValueError as error:
            raise Invalid(f"{prefix}{name}", str(error)) from None
        check_target(app, url, f"{prefix}{name}")


def limit_services(kind: AnyCarrier, requested: list[str] | None) -> list[str]:
    offered: list[str] = kind.capabilities()
    return [capability for capability in offered if capability in requested] if requested else offered


def check_credentials(app: App, account: Account) -> None:
    """Ask the carrier whether it accepts the credentials: by logging in if it has a login, else by tracking
    a number that nobody has; carriers without either are not asked.

    Errors: Refused with the carrier's messages.
    """
    from shipcli.carrier.sending.jobs import CarrierJob

    if not account.kind.hosts:
        return
    carrier = account.open(app)
    if account.kind.tokens:
        job: CarrierJob[Any] = CarrierJob(carrier, "login", carrier.login(account.kind.tokens[0]), account.id)
    elif account.kind.can("track"):
        request = TrackingRequest(tracking_numbers=[NOBODYS_NUMBER])
        job = CarrierJob.of(carrier, "track", request, account.id)
    else:
        return
    driver = app.make_driver(MemoryTokens())  # a cached token proves nothing
    try:
        outcome = driver.run(job)
    finally:
        driver.close()
    if is_refusal(job.verb, outcome):
        raise Refused(outcome.messages)


def is_refusal(verb: str, outcome: FlowOutcome[Any]) -> bool:
    """Return whether an answer rejects the credentials; an unknown tracking number says nothing of them."""
    codes = {message.code for message in outcome.messages}
    return (verb == "login" and outcome.failed) or bool(codes & NOT_ACCEPTED)


def store(app: App, connection: Connection, once: IdempotencyKey | None = None) -> None:
    """Write a connection: its document without the credentials, and the credentials sealed."""
    sealed = _seal(app, connection)
    answer = seal_answer(app, once, mask_connection(connection))
    with app.store.transaction() as tx:
        write(app, tx, connection, sealed)
        if once:
            once.remember_made(tx, answer)


def _seal(app: App, connection: Connection) -> bytes:
    return app.vault.seal(connection.id, json.dump_bytes(connection.credentials))


def write(app: App, tx: Transaction, connection: Connection, sealed: bytes) -> None:
    """As `store`, inside a transaction. Tokens of the previous credentials are removed."""
    plain = {**connection.model_dump(), "credentials": None}
    tx.put("connection", plain, test_mode=connection.test_mode)
    tx.upsert("secrets", {"id": connection.id, "name": CREDENTIALS, "sealed": sealed})
    tx.remove("tokens", {"connection_id": connection.id})
    mark_changed(app, tx, connection.id)


def get_connection(app: App, connection_id: str) -> Connection:
    """Errors: NotFound."""
    return reveal_connection(app, _read_document(app, app.store, connection_id))


def _read_document(app: App, reader: Reader, connection_id: str) -> dict[str, Any]:
    document = reader.get("connection", connection_id, app.test_mode)
    if document is None:
        raise NotFound("connection", connection_id)
    return document


def list_connections(
    app: App, where: Sequence[Filter] = (), limit: int = 20, offset: int = 0
) -> tuple[int, list[Connection]]:
    """Return how many connections match, and a page of them with their credentials, newest first."""
    page = app.store.page("connection", where, limit, offset, app.test_mode)
    return page.count, [reveal_connection(app, json.loads(text)) for text in page.items]


def reveal_connection(app: App, document: Mapping[str, Any]) -> Connection:
    """Return the connection with its credentials, for callers who may see them.

    A system connection hides them, and its metadata.
    """
    if document["is_system"]:
        return mask_connection(Connection.model_validate(document))
    credentials = read_credentials(app, document["id"]) if app.shows_secrets else None
    return Connection.model_validate({**document, "credentials": credentials})


def mask_connection(connection: Connection) -> Connection:
    """Return a connection as it may be shown: a system connection hides its credentials and metadata."""
    return (
        connection.model_copy(update={"credentials": None, "metadata": None})
        if connection.is_system
        else connection
    )


def update_connection(app: App, connection_id: str, data: ConnectionPatch) -> Connection:
    """Merge credentials and config (null removes a key), replace the other given fields; keep the carrier.

    Errors: NotFound, Invalid.
    """
    read_credentials(app, connection_id)  # fetching the master key may need a transaction of its own
    with app.store.transaction() as tx:
        stored = _read_document(app, tx, connection_id)
        changed = _merge(app, stored, data)
        write(app, tx, changed, _seal(app, changed))
    return mask_connection(changed)


def _merge(app: App, stored: Mapping[str, Any], data: ConnectionPatch) -> Connection:
    kind, changes = registry.get(stored["carrier_name"]), data.model_dump(exclude_unset=True)
    credentials = read_credentials(app, stored["id"])
    values: dict[str, Any] = {key: changes[key] for key in ("metadata", "active") if key in changes}
    values["credentials"] = check_fields(app, kind, merge_keys(credentials, changes.get("credentials")))
    values["display_name"] = values["credentials"].get("display_name") or kind.name
    if "carrier_id" in changes:
        values["carrier_id"] = check_name(changes["carrier_id"])
    if "capabilities" in changes:
        values["capabilities"] = limit_services(kind, changes["capabilities"])
    if "config" in changes:
        kind.check_setting_names(
            name for name, value in (changes["config"] or {}).items() if value is not None
        )
        values["config"] = check_config(app, kind, merge_keys(stored["config"], changes["config"]))
    return Connection.model_validate({**stored, **values})


def remove_connection(app: App, connection_id: str) -> Connection:
    """Remove a connection; what was bought with it stays. A message counts the labels that may need it again.

    Errors: NotFound; Conflict while a scheduled pickup needs it.
    """
    connection = get_connection(app, connection_id)
    for pickup in app.store.each("pickup", [], test_mode=app.test_mode):
        if _is_needed(app, pickup, connection_id):
            raise Conflict(f"The pickup {pickup['id']} still needs this connection")
    live = _count_live_labels(app, connection_id)
    with app.store.transaction() as tx:
        tx.delete("connection", connection_id)
        tx.remove("secrets", {"id": connection_id})
        tx.remove("tokens", {"connection_id": connection_id})
        mark_changed(app, tx, connection_id)
    if live:
        return connection.model_copy(update={"messages": [_describe_labels(connection, live)]})
    return connection


def _count_live_labels(app: App, connection_id: str) -> int:
    """Count the labels of a connection that can be voided or are under way, up to `MOST_COUNTED`."""
    live = app.store.each("shipment", [one_of("status", LIVE)], test_mode=app.test_mode)
    bought = (shipment for shipment in live if _is_bought_with(shipment, connection_id))
    return sum(1 for _ in islice(bought, MOST_COUNTED))


def _is_bought_with(shipment: Mapping[str, Any], connection_id: str) -> bool:
    meta = (shipment.get("selected_rate") or {}).get("meta") or {}
    return bool(meta.get("carrier_connection_id") == connection_id)


def _describe_labels(connection: Connection, count: int) -> Message:
    name = connection.carrier_id
    labels = f"{count} or more labels" if count == MOST_COUNTED else count_text(count, "label")
    text = (
        f"{labels} of {name} can't be voided, tracked or collected without a connection: "
        f"add one to {connection.carrier_name} with the carrier_id {name} again, and it takes them over"
    )
    return Message(code="live_labels", message=text, carrier_name=connection.carrier_name, carrier_id=name)


def _is_needed(app: App, pickup: Mapping[str, Any], connection_id: str) -> bool:
    """Return whether a pickup of this connection is still to come; a day of grace covers all time zones."""
    meta = pickup.get("meta") or {}
    if meta.get("connection_id") != connection_id or meta.get("status") == "cancelled":
        return False
    yesterday = (app.now() - timedelta(days=1)).date().isoformat()
    return str(pickup.get("pickup_date") or yesterday) >= yesterday


def check_connection(app: App, connection_id: str) -> Connection:
    """Return the connection, after its carrier has accepted the stored credentials.

    Errors: NotFound, Refused.
    """
    stored = _read_document(app, app.store, connection_id)
    account = open_account(app, connection_id)
    if account is None:
        raise NotFound("carrier", stored["carrier_name"])
    check_credentials(app, account)
    return reveal_connection(app, stored)
