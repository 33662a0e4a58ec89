"""Webhooks: who receives events, at which URL, and signed with which secret.

The secret is stored sealed, apart from the document; `streak` counts consecutive events that were given up.
"""

from __future__ import annotations

import logging
import re
import secrets
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import TYPE_CHECKING, Any

from shipcli.events import deliver, name_queue
from shipcli.events.envelope import PREFIX, is_wanted
from shipcli.events.sender import OutgoingMessage
from shipcli.features.core.app import read_fact
from shipcli.features.core.idempotency import seal_answer
from shipcli.features.core.targets import check_target, must_be_public
from shipcli.models import (
    Invalid,
    NotFound,
    OperationStatus,
    Webhook,
    WebhookData,
    WebhookPatch,
    WebhookTestData,
    json,
)
from shipcli.security.vault import SecretUnreadable
from shipcli.store.query import equal
from shipcli.store.query import since as created_since

if TYPE_CHECKING:
    from shipcli.features.core.app import App
    from shipcli.features.core.idempotency_key import IdempotencyKey
    from shipcli.store.queries import Reader
    from shipcli.store.query import Filter
    from shipcli.store.transaction import Transaction

MOST_FAILURES = 5  # events given up in a row; the next one disables
SECRET = "secret"
SANDBOX_SECRET = "sandbox_webhook_secret"
_DIGIT = "[A-Za-z0-9+/]"  # of base64
_SECRET = re.compile(rf"{PREFIX}(?=.{{4,200}}\Z)(?:{_DIGIT}{{4}})*(?:{_DIGIT}{{2}}==|{_DIGIT}{{3}}=)?")
log = logging.getLogger("shipcli.webhooks")


def create_webhook(app: App, data: WebhookData, *, once: IdempotencyKey | None = None) -> Webhook:
    """Create a webhook with its own secret.

    Errors: Invalid for a target that is not allowed for a server that other machines can reach.
    """
    check_target(app, data.url)
    webhook = Webhook(
        id=app.new_id("weh_"),
        url=data.url,
        description=data.description,
        enabled_events=list(data.enabled_events),
        disabled=bool(data.disabled),
        secret=make_secret(app),
        test_mode=app.test_mode,
    )
    sealed = app.vault.seal(webhook.id, webhook.secret.encode())
    answer = seal_answer(app, once, webhook)
    with app.store.transaction() as tx:
        write(tx, webhook, streak=0)
        tx.upsert("secrets", {"id": webhook.id, "name": SECRET, "sealed": sealed})
        if once:
            once.remember_made(tx, answer)
    return webhook


def make_message(app: App, url: str, secret: str, message_id: str, body: bytes) -> OutgoingMessage:
    """Return the message to a subscriber, according to the settings."""
    shows_secret = app.config["webhook_secret_header"]
    return OutgoingMessage(url, secret, message_id, body, shows_secret, must_be_public(app))


def make_secret(app: App) -> str:
    """Make a secret: the prefix and 32 hex digits; in a sandbox the same seed gives the same secrets, and all
    webhooks share the one that was chosen for it.
    """
    if not app.sandbox:
        return PREFIX + secrets.token_hex(16)
    return read_fact(app.store, SANDBOX_SECRET) or app.new_id(PREFIX)


def set_sandbox_secret(app: App, secret: str) -> None:
    """Choose the secret of all webhooks that are created in a sandbox from now on.

    Errors: Invalid for a secret that receivers can't read.
    """
    if not _SECRET.fullmatch(secret):
        raise Invalid("webhook_secret", f"must be {PREFIX} and then base64")
    with app.store.transaction() as tx:
        tx.upsert("store_facts", {"name": SANDBOX_SECRET, "value": secret})


def write(tx: Transaction, webhook: Webhook, **marks: int) -> None:
    """Write the document, without its secret."""
    plain = {**webhook.model_dump(), "secret": ""}
    tx.put("webhook", plain, test_mode=webhook.test_mode, extra=marks)


def get_webhook(app: App, webhook_id: str) -> Webhook:
    """Errors: NotFound."""
    return reveal_webhook(app, _read_document(app, app.store, webhook_id))


def list_webhooks(
    app: App, where: Sequence[Filter] = (), limit: int = 20, offset: int = 0
) -> tuple[int, list[Webhook]]:
    """Return how many webhooks match in this mode, and a page of them with their secrets, newest first."""
    page = app.store.page("webhook", where, limit, offset, app.test_mode)
    return page.count, [reveal_webhook(app, json.loads(text)) for text in page.items]


def reveal_webhook(app: App, document: Mapping[str, Any]) -> Webhook:
    """Return the webhook, with its secret for callers who may see it; an empty secret if it can't be opened,
    so that one bad secret does not break the list.
    """
    try:
        secret = read_secret(app, document["id"]) if app.shows_secrets else ""
    except SecretUnreadable as error:
        log.warning("%s", error)
        secret = ""
    return Webhook.model_validate({**document, "secret": secret})


def read_secret(app: App, webhook_id: str) -> str:
    """Return the secret of a webhook; empty if it has none."""
    rows = app.store.select("secrets", {"id": webhook_id, "name": SECRET})
    return app.vault.open(webhook_id, rows[0]["sealed"]).decode() if rows else ""


def update_webhook(app: App, webhook_id: str, data: WebhookPatch) -> Webhook:
    """Replace the given fields. Giving `disabled` at all resets the count of failures.

    Events queued for a disabled webhook are kept, and delivered once it is enabled again.

    Errors: NotFound.
    """
    changes = data.model_dump(exclude_unset=True)
    if "disabled" in changes:
        changes["disabled"] = bool(changes["disabled"])  # null means false, as for a new webhook
    if data.url:
        check_target(app, data.url)
    with app.store.transaction() as tx:
        stored = Webhook.model_validate(_read_document(app, tx, webhook_id))
        changed = stored.model_copy(
            update={name: value for name, value in changes.items() if value is not None}
        )
        changed = changed.model_copy(
            update={name: changes[name] for name in ("description",) if name in changes}
        )
        write(tx, changed, **({"streak": 0} if "disabled" in changes else {}))
        if stored.disabled and not changed.disabled:
            app.jobs.begin_now(tx, name_queue(webhook_id))
    return reveal_webhook(app, changed.model_dump())


def delete_webhook(app: App, webhook_id: str) -> OperationStatus:
    """Remove a webhook and its queued deliveries.

    Errors: NotFound.
    """
    with app.store.transaction() as tx:
        _read_document(app, tx, webhook_id)
        tx.delete("webhook", webhook_id)
        tx.remove("secrets", {"id": webhook_id})
        app.jobs.clear(tx, name_queue(webhook_id))
    return OperationStatus(operation="Remove webhook", success=True)


def test_webhook(app: App, webhook_id: str, data: WebhookTestData) -> OperationStatus:
    """Send a given payload to the subscriber, and return whether it was accepted.

    Errors: NotFound.
    """
    return OperationStatus(operation="Test Webhook", success=try_webhook(app, webhook_id, data).success)


@dataclass(frozen=True)
class WebhookTestResult:
    """Whether the target accepted a test payload and, if known, what it answered."""

    success: bool
    status: int | None = None
    latency_ms: int | None = None
    error: str | None = None
    response: str | None = None


def try_webhook(app: App, webhook_id: str, data: WebhookTestData) -> WebhookTestResult:
    """As `test_webhook`, with the details of the answer.

    Errors: NotFound; MasterKeyError if its secret can't be opened.
    """
    webhook = _read_document(app, app.store, webhook_id)
    body = json.dump_bytes({"payload": data.payload})
    sent = app.sender.send(
        make_message(app, webhook["url"], read_secret(app, webhook_id), app.new_id("evt_"), body)
    )
    return WebhookTestResult(sent.ok, sent.status, sent.latency_ms, sent.error, sent.excerpt)


def list_deliveries(
    app: App, webhook_id: str | None = None, *, failed: bool = False, limit: int | None = 20
) -> list[dict[str, Any]]:
    """Return the latest delivery attempts of one webhook, or of all in this mode."""
    where = [equal("test_mode", app.test_mode)]
    where += [equal("webhook_id", webhook_id)] if webhook_id else []
    where += [equal("ok", False)] if failed else []
    return app.store.select("deliveries", where, ("-at", "-id"), limit)


def replay(
    app: App, webhook_id: str, event_ids: Sequence[str] = (), *, start: datetime | None = None
) -> list[str]:
    """Queue events again: the given ones, else all since `start` that were never accepted; their ids.

    `start` defaults to the last accepted event, or else to the creation of the webhook.
    Errors: NotFound; Invalid while the webhook is disabled.
    """
    webhook = get_webhook(app, webhook_id)
    if webhook.disabled:
        raise Invalid("disabled", f"The webhook {webhook_id} is disabled; enable it first.")
    checked = [_check_event(app, event_id) for event_id in event_ids]
    chosen = checked or list(_list_missed(app, webhook, start))
    with app.store.transaction() as tx:
        return [event_id for event_id in chosen if deliver(tx, app, webhook_id, event_id)]


def _check_event(app: App, event_id: str) -> str:
    if app.store.raw("event", event_id, app.test_mode) is None:
        raise NotFound("event", event_id)
    return event_id


def _list_missed(app: App, webhook: Webhook, start: datetime | None) -> Iterable[str]:
    """Return the ids of the events since `start` that the webhook never accepted, oldest first."""
    first = start or webhook.last_event_at or _read_created_at(app, webhook.id)
    accepted = {
        row["event_id"] for row in app.store.select("deliveries", {"webhook_id": webhook.id, "ok": True})
    }
    rows = app.store.select("events", [equal("test_mode", app.test_mode), created_since(first)], "seq")
    covered = (row["id"] for row in rows if is_wanted(webhook.enabled_events, row["type"]))
    return (id for id in covered if id not in accepted)


def _read_created_at(app: App, webhook_id: str) -> datetime:
    created_at: datetime = app.store.select("webhooks", {"id": webhook_id})[0]["created_at"]
    return created_at


def _read_document(app: App, reader: Reader, webhook_id: str) -> dict[str, Any]:
    document = reader.get("webhook", webhook_id, app.test_mode)
    if document is None:
        raise NotFound("webhook", webhook_id)
    return document


# -- outcomes of deliveries --------------------------------------------------------------------


def note_outcomes(tx: Transaction, webhook_id: str, outcomes: Sequence[tuple[bool, str]]) -> None:
    """Record how deliveries ended: accepted or given up, with the time of each event.

    An accepted one ends the streak of failures; one failure too many disables the webhook, and its queued
    events are kept.
    """
    document = tx.get("webhook", webhook_id)
    if document is None:
        return
    before = Webhook.model_validate(document)
    streak = tx.select("webhooks", {"id": webhook_id})[0]["streak"] or 0
    after = before
    for accepted, at in outcomes:
        streak = 0 if accepted else streak + 1
        if accepted:
            after = after.model_copy(update={"last_event_at": max(after.last_event_at or "", at)})
        if streak > MOST_FAILURES:
            after = after.model_copy(update={"disabled": True})
    if after != before:
        write(tx, after, streak=streak)
    else:
        tx.mark("webhook", [webhook_id], {"streak": streak})
