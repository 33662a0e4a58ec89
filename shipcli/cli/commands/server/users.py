"""`shipcli users`: people who log in to the server on this machine."""

from __future__ import annotations

from typing import Annotated

import typer

from shipcli.cli.console.output import show, show_list
from shipcli.cli.console.prompts import PasswordFile, ask_secret, confirm, would
from shipcli.cli.console.stderr import note
from shipcli.cli.flows.for_each import is_agreed
from shipcli.cli.gateway import ask
from shipcli.cli.verbs import Verbs
from shipcli.features.sandbox import tools
from shipcli.models import sandbox as bodies

verb = Verbs()
COLUMNS = ("id", "email", "name", "two_steps", "created_at", "disabled_at")

Email = Annotated[str, typer.Argument(metavar="EMAIL", help="E-mail address, or id, of a user.")]


@verb
def create(
    email: Annotated[str, typer.Argument(metavar="EMAIL", help="E-mail address to log in with.")],
    name: Annotated[str, typer.Option("--name", metavar="TEXT", help="Name of the user.")] = "",
    password_file: PasswordFile = None,
) -> None:
    """Create a user; you are asked for the password, unless a file holds it.

    Examples:
    shipcli users create bo@example.com --password-file password.txt
    shipcli users create bo@example.com --password-file - < password.txt
    """
    if would(f"add the user {email}"):
        return
    secret = ask_secret("password", password_file, twice=True)
    show(ask(tools.create_user, bodies.UserData(email=email, password=secret, name=name)), COLUMNS)


@verb("list")
def list_all(
    disabled: Annotated[bool, typer.Option("--disabled", help="Include disabled users.")] = False,
) -> None:
    """List the users.

    Examples:
    shipcli users list
    shipcli users list --json
    """
    show_list(ask(tools.list_users, disabled=disabled), COLUMNS)


@verb
def disable(
    users: Annotated[
        list[str], typer.Argument(metavar="EMAIL...", help="E-mail addresses, or ids, of users.")
    ],
) -> None:
    """Disable users: log them out and refuse further log-ins.

    Examples:
    shipcli users disable ada@example.com
    shipcli users disable ada@example.com --dry-run
    """
    if is_agreed(f"disable {len(users)} user(s)"):
        show_list([ask(tools.disable_user, user) for user in users], COLUMNS)


@verb
def password(user: Email, password_file: PasswordFile = None) -> None:
    """Change the password of a user and log them out.

    Examples:
    shipcli users password ada@example.com --password-file password.txt
    shipcli users password ada@example.com --password-file - < password.txt
    """
    account = ask(tools.get_user, user)
    if would(f"change the password of {account['email']}"):
        return
    secret = ask_secret("password", password_file, twice=True)
    show(ask(tools.set_password, account["id"], bodies.PasswordData(password=secret)), COLUMNS)


@verb
def totp(
    user: Email,
    off: Annotated[bool, typer.Option("--off", help="Require only the password again.")] = False,
) -> None:
    """Require codes of an authenticator app; the secret for the app is shown only once.

    Examples:
    shipcli users totp ada@example.com
    shipcli users totp ada@example.com --off
    """
    account = ask(tools.get_user, user)
    what = f"{'stop' if off else 'start'} asking {account['email']} for codes"
    if would(what):
        return
    if off or account["two_steps"]:  # a new secret ends the old one
        confirm(what)
    if off:
        show(ask(tools.end_second_step, account["id"]), COLUMNS)
        return
    show(ask(tools.enrol_user, account["id"]))
    note("read it with the app now: it can't be shown again")
