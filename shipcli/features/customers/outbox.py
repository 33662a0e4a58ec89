"""Mails as they are kept, and how their states change.

The row of a mail is there once for its shipment and event, whatever is told again. It is marked right before
its message goes to the server; a mail that is found so marked may have been sent, and is not sent again.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from shipcli.features.customers.follower import (
    FAILED,
    SKIPPED,
    TABLE,
    UNCLEAR,
    WAITING,
    enqueue,
    name_job,
)
from shipcli.models import Conflict, Invalid, NotFound
from shipcli.models.basics.problems import describe_unknown
from shipcli.models.customers import MAIL_STATES, Mail, MailList
from shipcli.store.query import equal, one_of, starts

if TYPE_CHECKING:
    from shipcli.features.core.app import App
    from shipcli.store.transaction import Transaction

MOST = 1000  # in one list
AGAIN = (WAITING, FAILED, UNCLEAR, SKIPPED)


def set_state(
    tx: Transaction, mail_id: str, before: Sequence[str], state: str, values: Mapping[str, Any]
) -> bool:
    """Change the state of a mail that is in one of these; returns whether it was."""
    return tx.update(TABLE, [equal("id", mail_id), one_of("state", before)], {"state": state, **values}) == 1


# -- by hand -------------------------------------------------------------------------------------------


def list_mails(app: App, *, state: str = "", limit: int = 100) -> MailList:
    """The newest mails, or those in one state.

    Errors: Invalid for an unknown state.
    """
    if state and state not in MAIL_STATES:
        raise Invalid("state", describe_unknown(state, MAIL_STATES))
    where = {"test_mode": app.test_mode, **({"state": state} if state else {})}
    rows = app.store.select(TABLE, where, ("-created_at", "-id"), max(1, min(limit, MOST)))
    return MailList(mails=[_show(row) for row in rows])


def get_mail(app: App, mail_id: str) -> Mail:
    """A mail, by its id or the beginning of one that no other has.

    Errors: NotFound.
    """
    mine = equal("test_mode", app.test_mode)
    rows = app.store.select(TABLE, [mine, starts("id", mail_id)], ("id",), 2) if mail_id else []
    if len(rows) != 1:
        raise NotFound("mail", mail_id)
    return _show(rows[0])


def _show(row: Mapping[str, Any]) -> Mail:
    times = {name: row[name].isoformat() for name in ("created_at", "ended_at") if row[name]}
    return Mail.model_validate({**row, **(row["content"] or {}), **times})


def retry_mail(app: App, mail_id: str) -> Mail:
    """Send a mail now that waits, failed, was left out, or may have been sent: then it may arrive twice.

    Errors: NotFound; Conflict for one that was sent or kept, or is being sent.
    """
    mail = get_mail(app, mail_id)
    with app.store.transaction() as tx:
        values = {"reason": None, "ended_at": None}
        if not set_state(tx, mail.id, AGAIN, WAITING, values):
            raise Conflict(f"The mail {mail.id} is {mail.state}: there is nothing to send again")
        enqueue(app, tx, mail.id)
    app.jobs.retry([row["id"] for row in app.store.select("jobs", {"held_key": name_job(mail.id)})])
    return get_mail(app, mail.id)
