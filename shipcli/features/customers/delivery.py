"""Sending a mail that waits: the job of the worker, and how it ends."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import asdict
from datetime import timedelta
from typing import TYPE_CHECKING, Any

from shipcli.events.outbox import PAUSES_S
from shipcli.features.customers.content import MailContent, make_message, write_content
from shipcli.features.customers.follower import (
    FAILED,
    KEPT,
    SENDING,
    SENT,
    SKIPPED,
    TABLE,
    UNCLEAR,
    WAITING,
)
from shipcli.features.customers.headers import encode_domain
from shipcli.features.customers.outbox import set_state
from shipcli.features.customers.settings import find_password, read_settings
from shipcli.features.customers.smtp import (
    MailDelayed,
    MailRejected,
    MailServer,
    MailUnclear,
    hand_over,
)
from shipcli.models import Conflict, ShipcliError, Shipment

if TYPE_CHECKING:
    from shipcli.features.core.app import App
    from shipcli.models.customers import MailSettings
    from shipcli.store.jobs import QueuedJob

# News that is old is no news; what a customer may need later is sent for as long as it is tried.
MOST_AGE = {"out_for_delivery": timedelta(hours=18)}
INTERRUPTED = "The worker ended while the mail was sent: it may have arrived"
Row = dict[str, Any]


def send_mail(app: App, job: QueuedJob) -> None:
    """Send the mail of a job, or keep it where nothing leaves the machine; records how the job ended."""
    rows = app.store.select(TABLE, {"id": job.args["mail_id"]})
    row = rows[0] if rows else {"id": job.args["mail_id"], "state": SENT}
    if row["state"] == SENDING:
        end(app, job, (SENDING,), UNCLEAR, INTERRUPTED)
    elif row["state"] not in (WAITING, FAILED):
        end(app, job, (), row["state"])
    else:
        _send_waiting(app, job, row)


def _send_waiting(app: App, job: QueuedJob, row: Row) -> None:
    document = app.store.get("shipment", row["shipment_id"], app.test_mode)
    settings = read_settings(app.store)
    reason = _find_obstacle(app, settings, row, document)
    if reason or document is None:
        end(app, job, (WAITING, FAILED), SKIPPED, reason)
        return
    content = write_content(app, row["event"], Shipment.model_validate(document))
    if app.sandbox or app.test_mode:
        end(app, job, (WAITING, FAILED), KEPT, None, content)
    else:
        _hand_over(app, settings, job, row, content)


def _find_obstacle(app: App, settings: MailSettings, row: Row, document: Row | None) -> str | None:
    """Why a mail is not sent any more."""
    if row["event"] not in settings.events:
        return f"Mails at {row['event']} were switched off"
    if document is None:
        return "The shipment was removed"
    if document["status"] == "cancelled":
        return "The label was voided"
    age = MOST_AGE.get(row["event"])
    return "It is too late to say so" if age and app.now() - row["created_at"] > age else None


def _hand_over(app: App, settings: MailSettings, job: QueuedJob, row: Row, content: MailContent) -> None:
    subject, mark = {"subject": content.subject}, _Mark(app, row["id"])
    try:
        deliver(app, settings, row["id"], row["address"], content, mark)
    except AlreadyTaken:
        end(app, job, (), SENT)
    except MailUnclear as error:
        end(app, job, (SENDING,), UNCLEAR, error.message, subject)
    except ShipcliError as error:
        fail(app, job, error, mark)
    else:
        # Whoever took the mail for interrupted meanwhile is put right.
        end(app, job, (SENDING, UNCLEAR), SENT, None, subject)


class AlreadyTaken(Conflict):
    """Another worker sent the mail meanwhile, or is sending it."""

    def __init__(self) -> None:
        super().__init__("Another worker is sending the mail")


class _Mark:
    """Marks a mail right before it is sent: from now on it may have arrived."""

    def __init__(self, app: App, mail_id: str) -> None:
        self._app, self._mail_id = app, mail_id
        self.state: tuple[str, ...] = (WAITING, FAILED)

    def __call__(self) -> None:
        """Errors: AlreadyTaken."""
        with self._app.store.transaction(durable=True, locks=()) as tx:
            if not set_state(tx, self._mail_id, self.state, SENDING, {"reason": None}):
                raise AlreadyTaken
        self.state = (SENDING,)


def deliver(
    app: App,
    settings: MailSettings,
    mail_id: str,
    address: str,
    content: MailContent,
    begin: Callable[[], None] = lambda: None,
) -> None:
    """Hand a mail to the mail server of the settings; `begin` is called right before it is sent.

    Errors: MailDelayed, MailRejected, MailUnclear; Invalid for settings that can't be used.
    """
    if not settings.host or not settings.sender:
        raise MailDelayed("No mail server is set: shipcli mail setup --host ... --from ...")
    password = find_password(app, settings) if settings.user else ""
    if settings.user and not password:
        raise MailDelayed(f"There is no password for {settings.user} at {settings.host}")
    server = MailServer(settings.host, settings.port, settings.security, settings.user, password or "")
    message = make_message(app, settings, mail_id, address, content)
    box, _, domain = address.rpartition("@")
    recipient = f"{box}@{encode_domain(domain)}"
    hand_over(server, message, message["From"].addresses[0].addr_spec, recipient, begin)


# -- how it ends ---------------------------------------------------------------------------------------


def end(
    app: App,
    job: QueuedJob,
    before: Sequence[str],
    state: str,
    reason: str | None = None,
    content: MailContent | dict[str, str] | None = None,
) -> None:
    """End a job, and its mail in this state if it is in one of those."""
    values: Row = {"reason": reason, "ended_at": app.now()}
    if content:
        values["content"] = content if isinstance(content, dict) else asdict(content)
    with app.store.transaction(locks=()) as tx:
        if before:
            set_state(tx, job.args["mail_id"], before, state, values)
        app.jobs.finish(tx, [job])


def fail(app: App, job: QueuedJob, error: ShipcliError, mark: _Mark) -> None:
    """Record that a mail was not taken; it is tried again later unless it was rejected."""
    final = isinstance(error, MailRejected)
    pause_s = PAUSES_S[min(job.attempts, len(PAUSES_S) - 1)]
    with app.store.transaction(locks=()) as tx:
        again = app.jobs.fail(tx, job, error.message, after_s=pause_s, final=final)
        values = {"reason": error.message, "ended_at": None if again else app.now()}
        set_state(tx, job.args["mail_id"], mark.state, WAITING if again else FAILED, values)
