"""Handing a message to a mail server, so that it is clear whether the server has it, or said to be not.

A server has a message once it confirms the end of it. Whatever goes wrong before the message is sent has no
consequence; after a connection that broke while it was sent, nobody here knows.
"""

from __future__ import annotations

import re
import smtplib
import ssl
from base64 import b64encode
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field
from email.message import EmailMessage

from shipcli.features.customers.addresses import write_line
from shipcli.models import ShipcliError

TIMEOUT_S = 30.0
# Servers look for spam and viruses before they confirm a message; who gives up earlier never knows.
CONFIRMATION_S = 300.0
LONGEST_REASON = 300
GO_ON, ACCEPTED, LOGGED_IN = 354, 250, 235
# What concerns the account, and is ours to mend, whatever it is said to.
ACCOUNT_CODES = (530, 534, 535, 538)


@dataclass(frozen=True)
class MailServer:
    """A server that takes mail, and the account there."""

    host: str
    port: int
    security: str
    user: str = ""
    password: str = field(default="", repr=False)
    timeout_s: float = TIMEOUT_S
    confirmation_s: float = CONFIRMATION_S


class MailDelayed(ShipcliError):
    """The message was not taken; it may be later."""

    code = "mail_delayed"
    exit_code = 8


class MailRejected(ShipcliError):
    """The server takes no such message, or none for this address."""

    code = "mail_rejected"


class MailUnclear(ShipcliError):
    """The connection was lost while the message was sent."""

    code = "mail_unclear"


def hand_over(
    server: MailServer, message: EmailMessage, sender: str, recipient: str, begin: Callable[[], None]
) -> None:
    """Hand a message over; `begin` is called right before it is sent, and may raise to prevent that.

    Errors: MailDelayed, MailRejected, MailUnclear, and those of `begin`.
    """
    smtp = connect(server, sender.rpartition("@")[2])
    try:
        _announce(smtp, message, sender, recipient)
        begin()
        _send_content(smtp, message, server.confirmation_s)
        with suppress(smtplib.SMTPException, OSError):
            smtp.quit()
    finally:
        smtp.close()


def connect(server: MailServer, own_name: str) -> smtplib.SMTP:
    """A connection that is logged in, encrypted as the settings say.

    Errors: MailDelayed.
    """
    try:
        smtp = _open(server, own_name)
    except (OSError, smtplib.SMTPException) as error:
        raise MailDelayed(f"{server.host}:{server.port}: {_describe(error)}") from None
    try:
        _log_in(smtp, server)
    except (OSError, smtplib.SMTPException) as error:
        smtp.close()
        raise MailDelayed(f"{server.host}:{server.port}: {_hide(_describe(error), server)}") from None
    return smtp


def _open(server: MailServer, own_name: str) -> smtplib.SMTP:
    name = own_name if own_name.isascii() else "localhost"
    if server.security == "tls":
        context = ssl.create_default_context()
        return smtplib.SMTP_SSL(server.host, server.port, name, timeout=server.timeout_s, context=context)
    return smtplib.SMTP(server.host, server.port, name, timeout=server.timeout_s)


def _log_in(smtp: smtplib.SMTP, server: MailServer) -> None:
    if server.security == "starttls":
        smtp.starttls(context=ssl.create_default_context())
    smtp.ehlo_or_helo_if_needed()
    if (server.user + server.password).isascii():
        if server.user:
            smtp.login(server.user, server.password)
    else:
        _log_in_beyond_ascii(smtp, server)


def _log_in_beyond_ascii(smtp: smtplib.SMTP, server: MailServer) -> None:
    """Log in where the library can't: it writes names and passwords in ASCII only.

    Source: RFC 4616, which has them in UTF-8.
    """
    if "PLAIN" not in smtp.esmtp_features.get("auth", "").upper().split():
        raise smtplib.SMTPNotSupportedError("It takes no password with letters beyond ASCII")
    secret = b64encode(f"\0{server.user}\0{server.password}".encode()).decode()
    code, said = smtp.docmd("AUTH", f"PLAIN {secret}")
    if code != LOGGED_IN:
        raise smtplib.SMTPAuthenticationError(code, said)


def _announce(smtp: smtplib.SMTP, message: EmailMessage, sender: str, recipient: str) -> None:
    """Say from whom and for whom a message comes, up to the server's word that it may be sent.

    Errors: MailDelayed; MailRejected for what the server refuses for good.
    """
    options = [] if message.as_bytes().isascii() else ["SMTPUTF8"]
    if options and not smtp.has_extn("smtputf8"):
        error = MailDelayed if recipient.isascii() else MailRejected
        raise error("The mail server takes no addresses with letters beyond ASCII")
    try:
        _check(smtp.mail(sender, options), ACCEPTED)
        _check_final(smtp.rcpt(recipient), ACCEPTED, 251, 252)
        _check_final(smtp.docmd("DATA"), GO_ON)
    except (OSError, smtplib.SMTPException) as error:
        raise MailDelayed(_describe(error)) from None


def _check(reply: tuple[int, bytes], *good: int) -> None:
    """Errors: MailDelayed: what the server has against the sender concerns all mail, and is ours to mend."""
    if reply[0] not in good:
        raise MailDelayed(_quote(*reply))


def _check_final(reply: tuple[int, bytes], *good: int) -> None:
    """Errors: MailRejected for what is refused for good; MailDelayed for anything else that is not good."""
    _refuse(*reply)
    _check(reply, *good)


def _refuse(code: int, said: bytes) -> None:
    """Errors: MailDelayed, or MailRejected for good, if a server says that it does not take this mail."""
    if 400 <= code < 500 or code in ACCOUNT_CODES:
        raise MailDelayed(_quote(code, said))
    if 500 <= code < 600:
        raise MailRejected(_quote(code, said))


def _send_content(smtp: smtplib.SMTP, message: EmailMessage, confirmation_s: float) -> None:
    """Send a message to a server that waits for it.

    Errors: MailDelayed and MailRejected if the server says that it has not got it; MailUnclear.
    """
    content = message.as_bytes()
    stuffed = re.sub(rb"(?m)^\.", b"..", content)
    ending = b"" if stuffed.endswith(b"\r\n") else b"\r\n"
    try:
        smtp.send(stuffed + ending + b".\r\n")
        if smtp.sock:
            smtp.sock.settimeout(confirmation_s)
        code, said = smtp.getreply()
    except (OSError, smtplib.SMTPException) as error:
        raise MailUnclear(f"The connection was lost while it was sent: {_describe(error)}") from None
    _refuse(code, said)
    if code != ACCEPTED:
        raise MailUnclear(f"The server answered {_quote(code, said)}")


def _describe(error: OSError | smtplib.SMTPException) -> str:
    if isinstance(error, smtplib.SMTPResponseException):
        said = error.smtp_error
        return _quote(error.smtp_code, said if isinstance(said, bytes) else str(said).encode())
    return write_line(str(error))[:LONGEST_REASON] or type(error).__name__


def _quote(code: int, said: bytes) -> str:
    if code < 0:
        return "It does not answer as mail servers do"
    return f"{code} {write_line(said.decode('utf-8', 'replace'))}"[:LONGEST_REASON]


def _hide(text: str, server: MailServer) -> str:
    """A server may repeat what it was sent."""
    return text.replace(server.password, "***") if server.password else text
