"""A worker that is killed while it sends: the mail is told to be unclear, and is not sent again."""

from __future__ import annotations

import os
import signal
from pathlib import Path

import pytest

from shipcli.features.core.app import App
from shipcli.features.customers.outbox import list_mails, retry_mail
from shipcli.worker import Worker
from tests.features.customers.mail_server import MailBox
from tests.features.customers.parcels import sell
from tests.processes import PATIENCE_S, started


@pytest.mark.parametrize(("step", "state"), [("message", "unclear"), ("RCPT", "sent")])
def test_a_mail_is_there_once_after_a_kill(
    shop: App, mailbox: MailBox, tmp_path: Path, step: str, state: str
) -> None:
    sell(shop)
    with started("--home", str(tmp_path / "live"), "worker", "--once") as process:
        mailbox.at[step] = lambda: os.kill(process.pid, signal.SIGKILL)
        assert process.wait(PATIENCE_S) == -signal.SIGKILL
    mailbox.at.clear()
    for _ in range(2):
        worker = Worker(shop, periodic=())
        worker.run_once()
    (mail,) = list_mails(shop).mails
    assert (mail.state, len(mailbox.raw)) == (state, 1)
    if state == "unclear":
        retry_mail(shop, mail.id)
        Worker(shop, periodic=()).run_once()
        first, second = mailbox.messages
        assert first["message-id"] == second["message-id"]
