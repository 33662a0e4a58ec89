"""How customers are told: kept in the store, the same for all its workers."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from shipcli.features.core.app import read_fact
from shipcli.features.customers.follower import MAIL
from shipcli.features.customers.headers import read_named_address
from shipcli.loopback import is_loopback
from shipcli.models import Invalid, ShipcliError
from shipcli.models.basics.problems import describe_unknown
from shipcli.models.customers import MAIL_EVENTS, MAIL_SECURITIES, MailSettings
from shipcli.security import server_keys

if TYPE_CHECKING:
    from shipcli.features.core.app import App
    from shipcli.store.queries import Reader

_HOST = re.compile(r"[A-Za-z0-9_.-]+|[0-9A-Fa-f:.]+")


def read_settings(reader: Reader) -> MailSettings:
    """How mail is sent."""
    return MailSettings.model_validate(read_fact(reader, MAIL) or {})


def change_settings(app: App, changes: Mapping[str, Any]) -> MailSettings:
    """Change how mail is sent.

    Errors: Invalid naming the field.
    """
    with app.store.transaction() as tx:
        changed = plan_settings(app, tx, changes)
        tx.upsert("store_facts", {"name": MAIL, "value": changed.model_dump()})
    return changed


def plan_settings(app: App, reader: Reader, changes: Mapping[str, Any]) -> MailSettings:
    """How mail would be sent.

    Errors: as `change_settings`.
    """
    changed = read_settings(reader).model_copy(update=dict(changes))
    check_settings(app, changed)
    return changed


def check_settings(app: App, settings: MailSettings) -> None:
    """Errors: Invalid for what can't be used, and for events without a server; a sandbox needs none."""
    for event in settings.events:
        if event not in MAIL_EVENTS:
            raise Invalid("events", describe_unknown(event, MAIL_EVENTS))
    if settings.security not in MAIL_SECURITIES:
        raise Invalid("security", describe_unknown(settings.security, MAIL_SECURITIES))
    if settings.host and not _HOST.fullmatch(settings.host):
        raise Invalid("host", f"{settings.host!r} is not the name of a mail server, such as smtp.example.com")
    if not 1 <= settings.port <= 65535:
        raise Invalid("port", f"{settings.port} is not between 1 and 65535")
    if settings.user and settings.security == "none" and not is_loopback(settings.host):
        raise Invalid("security", "A password is sent with starttls or tls only, except to this machine")
    for field, text in (("from", settings.sender), ("reply_to", settings.reply_to)):
        if text:
            read_named_address(text, field)
    if settings.events and not app.sandbox:
        for field, text in (("host", settings.host), ("from", settings.sender)):
            if not text:
                raise Invalid(field, "is needed before customers get mail")


# -- the password --------------------------------------------------------------------------------------

PASSWORD, PASSWORD_FILE = "SHIPCLI_MAIL_PASSWORD", "SHIPCLI_MAIL_PASSWORD_FILE"


def keep_password(app: App, settings: MailSettings, password: str) -> str:
    """Keep the password of the mail server in the keyring, else in a private file; returns where."""
    return server_keys.keep(app.home, name_account(settings), password)


def find_password(app: App, settings: MailSettings) -> str | None:
    """The password: of the environment, of the file that it names, or as it was kept; None if there is none.

    Errors: Invalid for a file that can't be read; ServerKeysError.
    """
    if app.environ.get(PASSWORD):
        return app.environ[PASSWORD]
    file = app.environ.get(PASSWORD_FILE)
    if not file:
        return server_keys.find(app.home, name_account(settings))
    try:
        with open(file, encoding="utf-8") as lines:
            return lines.readline().rstrip("\r\n")
    except (OSError, UnicodeDecodeError) as error:
        raise Invalid(PASSWORD_FILE, f"{file} can't be read: {type(error).__name__}") from None


def has_password(app: App, settings: MailSettings) -> bool:
    """Whether there is a password for the account of the settings."""
    try:
        return bool(settings.user and find_password(app, settings))
    except ShipcliError:
        return False


def name_account(settings: MailSettings) -> str:
    """The account at the mail server, as its password is filed: that of another server is never sent."""
    return f"smtp://{settings.user}@{settings.host}:{settings.port}"
