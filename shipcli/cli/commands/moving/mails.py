"""`shipcli mails`: what customers are told of their parcels, and how the shop looks to them."""

from __future__ import annotations

import os
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Annotated, Any

import typer

from shipcli.cli.arguments.selectors import expand_stdin, select_one
from shipcli.cli.console.formats import split_names
from shipcli.cli.console.output import show, show_each, show_list
from shipcli.cli.console.prompts import PasswordFile, ask_secret, confirm, would
from shipcli.cli.console.stderr import note
from shipcli.cli.current_run import get_run
from shipcli.cli.gateway import ask
from shipcli.cli.usage_errors import Usage
from shipcli.cli.verbs import Verbs
from shipcli.features.customers import follower, outbox, settings, templates, trial
from shipcli.features.customers import look as shop_look
from shipcli.models import customers as models
from shipcli.models.basics.text import describe_unreadable

Text = str | None
COLUMNS = ("id", "created_at", "event", "state", "address", "subject", "reason", "shipment_id")
PREVIEW = ("address", "subject", "text")
NAMES = ", ".join(models.MAIL_EVENTS)
Event = Annotated[str, typer.Argument(metavar="MAIL_EVENT", help=f"One of {NAMES}.")]
Ids = Annotated[
    list[str], typer.Argument(metavar="ID...", help="Ids of mails, prefixes, @last, or - for stdin.")
]
verb = Verbs()


@dataclass(frozen=True)
class MailOptions:
    """How mail is sent."""

    events: Annotated[
        Text, typer.Option("--events", metavar="A,B", help=f"Send mail at {NAMES}, or all; none stops.")
    ] = None
    host: Annotated[Text, typer.Option("--host", metavar="NAME", help="The mail server.")] = None
    port: Annotated[int | None, typer.Option("--port", help="Its port, 587 unless set.")] = None
    security: Annotated[
        Text, typer.Option("--security", help="starttls, tls, or none for a server on this machine.")
    ] = None
    user: Annotated[Text, typer.Option("--user", help="The account at the mail server.")] = None
    sender: Annotated[
        Text, typer.Option("--from", metavar="ADDRESS", help="As 'Corner Shop <orders@example.com>'.")
    ] = None
    reply_to: Annotated[Text, typer.Option("--reply-to", metavar="ADDRESS", help="Where answers go.")] = None

    def list_changes(self) -> dict[str, Any]:
        """What is given, by the names of the settings."""
        given = {field.name: getattr(self, field.name) for field in fields(self)}
        changes = {name: value for name, value in given.items() if value is not None}
        return changes | ({"events": read_events(self.events)} if self.events is not None else {})


def read_events(text: str) -> list[str]:
    """The events of a list; `all` and `none` stand for what they say."""
    names = split_names(text)
    return list(models.MAIL_EVENTS) if names == ["all"] else [] if names == ["none"] else list(names)


@verb("list")
def list_mails(
    state: Annotated[
        Text, typer.Option("--state", metavar="STATE", help=f"Only {', '.join(models.MAIL_STATES)}.")
    ] = None,
    limit: Annotated[int, typer.Option("--limit", help="How many, newest first.")] = 20,
) -> None:
    """List the mails to customers, newest first.

    A sandbox and test mode send none: there they are kept, and `shipcli mail get` shows them.

    Examples:
    shipcli mail list
    shipcli mail list --state failed --json
    """
    show_list(ask(outbox.list_mails, state=state or "", limit=limit).mails, COLUMNS)


@verb("get")
def get(ids: Ids) -> None:
    """Show mails: their states, and the texts of those that were kept.

    Examples:
    shipcli mail list --ids | shipcli mail get -
    shipcli mail list --state kept --ids | shipcli mail get - --json
    """
    show_each([find_mail(word) for word in expand_stdin(ids)], COLUMNS)


def find_mail(word: str) -> models.Mail:
    """A mail by its id, the beginning of one, or `@last`.

    Errors: NotFound.
    """
    newest = ask(outbox.list_mails, limit=1).mails if word == "@last" else []
    return ask(outbox.get_mail, newest[0].id if newest else word)


@verb
def setup(mail: MailOptions, password_file: PasswordFile = None) -> None:
    """Say of what customers get mail and which server takes it; without options, show that.

    Nothing is mailed until --events names something. The password is asked for, or read from
    --password-file, and kept in the keyring, else in a private file. A worker may also have it in the
    variable SHIPCLI_MAIL_PASSWORD, or in the file that SHIPCLI_MAIL_PASSWORD_FILE names.

    Examples:
    shipcli mail setup --host smtp.example.com --from orders@example.com
    shipcli mail setup --events purchased,exception
    shipcli mail setup
    """
    changes = mail.list_changes()
    if changes:
        ask(_plan_settings, changes)
    if would(f"set {', '.join(changes) or 'nothing'} of the mails"):
        return
    changed = ask(settings.change_settings, changes) if changes else ask(_read_settings)
    if password_file or (mail.user and get_run().interactive):
        place = ask(settings.keep_password, changed, ask_secret("Password", password_file))
        note(f"the password of {changed.user} at {changed.host} is kept in the {place}")
    show({**changed.model_dump(), "has_password": ask(settings.has_password, changed)})


def _plan_settings(app: Any, changes: dict[str, Any]) -> models.MailSettings:
    return settings.plan_settings(app, app.store, changes)


def _read_settings(app: Any) -> models.MailSettings:
    return settings.read_settings(app.store)


@verb
def look(
    name: Annotated[Text, typer.Option("--name", help="What the shop is called.")] = None,
    color: Annotated[Text, typer.Option("--color", metavar="HEX", help="Its colour, as #00aa77.")] = None,
    url: Annotated[
        Text, typer.Option("--url", metavar="URL", help="The address under which customers reach the server.")
    ] = None,
    logo: Annotated[
        Text, typer.Option("--logo", metavar="FILE", help="A PNG or JPEG picture; none removes it.")
    ] = None,
) -> None:
    """Say how the shop looks in mails and on the tracking page; without options, show that.

    Text on the colour is black or white, and links are darkened or brightened, so that both can be read.

    Examples:
    shipcli mail look --name "Corner Shop" --color "#00aa77"
    shipcli mail look
    """
    given = {"name": name, "color": color, "url": url, "logo": None if logo is None else read_logo(logo)}
    changes = {key: value for key, value in given.items() if value is not None}
    ask(_plan_look, changes)
    if would(f"set {', '.join(changes) or 'nothing'} of the shop's look"):
        return
    shown = ask(shop_look.change_look, changes).model_dump()
    show({**shown, "logo": f"{len(shown['logo']):,} characters" if shown["logo"] else ""})


def _plan_look(app: Any, changes: dict[str, Any]) -> models.ShopLook:
    return shop_look.plan_look(app.store, changes)


def read_logo(file: str) -> str:
    """A picture as it is kept; empty for none.

    Errors: Usage for a file that can't be read; Invalid for what is no picture.
    """
    if file == "none":
        return ""
    try:
        return shop_look.read_logo(Path(file).read_bytes())
    except OSError as error:
        raise Usage(f"--logo {file} can't be read: {os.strerror(error.errno or 0)}") from None


@verb
def edit(
    event: Event,
    subject: Annotated[Text, typer.Option("--subject", help="The subject line.")] = None,
    text: Annotated[
        Path | None, typer.Option("--text", metavar="FILE", help="A file with the plain text.")
    ] = None,
    html: Annotated[
        Path | None, typer.Option("--html", metavar="FILE", help="A file with the same in HTML.")
    ] = None,
    restore: Annotated[bool, typer.Option("--restore", help="Go back to the ready-made text.")] = False,
) -> None:
    """Put your own words in the place of the ready-made ones; without options, show the text.

    Words in braces are filled in, such as {tracking_number}; one that is not known is refused. A line whose
    words are all empty for a parcel is left out. docs/customers.md lists them.

    Examples:
    shipcli mail edit purchased --subject "{order_number} is on its way"
    shipcli mail edit purchased --restore
    shipcli mail edit exception
    """
    files = {"text": text, "html": html}
    given = {name: read_text(file) for name, file in files.items() if file}
    changes = given | ({"subject": subject} if subject is not None else {})
    if restore and changes:
        raise Usage("--restore takes no other texts")
    ask(_plan_template, event, changes)
    if would(f"{'restore' if restore else 'change'} the text of the mails at {event}"):
        return
    if restore:
        show(ask(templates.restore_template, event))
    elif changes:
        show(ask(templates.change_template, event, changes))
    else:
        show(ask(_read_template, event))


def _plan_template(app: Any, event: str, changes: dict[str, str]) -> models.MailTemplate:
    return templates.plan_template(app.store, event, changes)


def _read_template(app: Any, event: str) -> models.MailTemplate:
    return templates.read_template(app.store, event)


def read_text(file: Path) -> str:
    """Errors: Usage for a file that can't be read."""
    try:
        return file.read_text("utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise Usage(f"{file} can't be read: {describe_unreadable(error)}") from None


@verb
def preview(
    event: Event,
    shipment: Annotated[
        Text, typer.Option("--shipment", metavar="ID", help="Of this shipment; otherwise of a sample.")
    ] = None,
) -> None:
    """Show what a mail says; nothing is sent.

    Examples:
    shipcli mail preview purchased --shipment 1003
    shipcli mail preview exception --pick html -o mail.html
    """
    chosen = select_one("shipment", shipment) if shipment else ""
    mail = ask(trial.preview_mail, event, chosen)
    show(mail, PREVIEW)


@verb("test")
def try_out(
    address: Annotated[str, typer.Argument(metavar="ADDRESS", help="An address of your own.")],
    event: Annotated[
        str, typer.Option("--event", metavar="MAIL_EVENT", help=f"One of {NAMES}.")
    ] = models.MAIL_EVENTS[0],
) -> None:
    """Send a sample to yourself at once, to see whether the mail server takes it; a sandbox only shows it.

    Examples:
    shipcli mail test you@example.com
    shipcli mail test you@example.com --event exception
    """
    trial.check_trial(address, event)
    if would(f"send a sample of {event} to {address}"):
        return
    mail = ask(trial.try_mail, address, event)
    show(mail, ("state", *PREVIEW))
    if mail.state == follower.KEPT:
        note("a sandbox sends no mail")


@verb
def retry(ids: Ids) -> None:
    """Send mails again that failed or were skipped, and those of which it is not clear whether they arrived.

    The worker sends them: shipcli worker --once

    Examples:
    shipcli mail list --state failed --ids | shipcli mail retry -
    shipcli mail list --state unclear --ids | shipcli mail retry - --dry-run
    """
    mails = [find_mail(word) for word in expand_stdin(ids)]
    for mail in mails:
        if would(f"send the mail {mail.id} to {mail.address} again"):
            continue
        if mail.state == follower.UNCLEAR:
            confirm(f"send the mail {mail.id} to {mail.address}, who may have it already")
        show(ask(outbox.retry_mail, mail.id), COLUMNS)
