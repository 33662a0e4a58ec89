"""A shop that sells labels of its own van, live and in a sandbox, and mails through a server on loopback."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from shipcli.bootstrap import open_app
from shipcli.features.connections.service import add_connection
from shipcli.features.core.app import App
from shipcli.features.customers.look import change_look
from shipcli.features.customers.settings import change_settings
from shipcli.models import ConnectionData
from tests.features.customers.mail_server import MailBox, receive_mail
from tests.features.customers.parcels import VAN
from tests.homes import copy_sandbox

EVENTS = ["purchased", "out_for_delivery", "exception"]
LOOK = {"name": "Corner Shop", "color": "#0a7", "url": "https://parcels.example.com/"}


@pytest.fixture
def mailbox() -> Iterator[MailBox]:
    with receive_mail() as box:
        yield box


@pytest.fixture
def shop(tmp_path: Path, mailbox: MailBox, monkeypatch: pytest.MonkeyPatch) -> Iterator[App]:
    """Live data, whose mails leave the store."""
    monkeypatch.setenv("PYTHON_KEYRING_BACKEND", "keyring.backends.fail.Keyring")
    opened = open_app(tmp_path / "live", test_mode=False, environ={"SHIPCLI_MAIL_PASSWORD": "s3cr3t"})
    add_connection(opened, ConnectionData.model_validate(VAN))
    change_look(opened, LOOK)
    change_settings(opened, {"host": "127.0.0.1", "port": mailbox.port, "security": "none", "events": EVENTS,
                             "sender": "Corner Shop <orders@example.com>"})  # fmt: skip
    yield opened
    opened.close()


@pytest.fixture
def sandbox(tmp_path: Path) -> Iterator[App]:
    """A sandbox that keeps its mails."""
    opened = open_app(copy_sandbox(tmp_path / "home"), sandbox=True, environ={})
    change_settings(opened, {"events": EVENTS})
    change_look(opened, LOOK)
    yield opened
    opened.close()
