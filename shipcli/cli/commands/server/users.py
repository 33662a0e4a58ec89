"""`shipcli users`: people who log in to the server on this machine."""

from __future__ import annotations

from typing import Annotated

import typer

from shipcli.cli.command_loader import Verbs
from shipcli.cli.console.output import show, show_list
from shipcli.cli.console.prompts import PasswordFile, ask_secret, confirm, would
from shipcli.cli.console.stderr import note
from shipcli.cli.current_run import get_run

verb = Verbs()
COLUMNS = ("id", "email", "name", "two_steps", "created_at", "disabled_at")

Email = Annotated[str, typer.Argument(metavar="EMAIL", help="E-mail address, or id, of a user.")]


@verb
def create(
    email: Annotated[str, typer.Argument(metavar="EMAIL", help="E-mail address to log in with.")],
    name: Annotated[str, typer.Option("--name", metavar="TEXT", help="What they are called.")] = "",
    password_file: PasswordFile = None,
) -> None:
    """Add a user; the password is asked for, or read from a file.

    Examples:
    shipcli users create bo@example.com --password-file password.txt
    shipcli users create bo@example.com --password-file - < password.txt
    """
    from shipcli.features.identity.users import create_user

    if would(f"add the user {email}"):
        return
    show(
        create_user(
            get_run().app, email, ask_secret("password", password_file, twice=True), name=name
        ).plain(),
        COLUMNS,
    )


@verb("list")
def list_users(
    disabled: Annotated[bool, typer.Option("--disabled", help="Show disabled users as well.")] = False,
) -> None:
    """List the users.

    Examples:
    shipcli users list
    shipcli users list --json
    """
    from shipcli.features.identity.users import list_users as found

    show_list([user.plain() for user in found(get_run().app, disabled=disabled)], COLUMNS)


@verb
def disable(
    users: Annotated[
        list[str], typer.Argument(metavar="EMAIL...", help="E-mail addresses, or ids, of users.")
    ],
) -> None:
    """Disable users; they are logged out and can't log in any more.

    Examples:
    shipcli users disable ada@example.com
    shipcli users disable ada@example.com --dry-run
    """
    from shipcli.features.identity.users import disable_user

    if would(f"disable {len(users)} user(s)"):
        return
    confirm(f"disable {len(users)} user(s)")
    show_list([disable_user(get_run().app, one).plain() for one in users], COLUMNS)


@verb
def password(user: Email, password_file: PasswordFile = None) -> None:
    """Give a user another password; they are logged out.

    Examples:
    shipcli users password ada@example.com --password-file password.txt
    shipcli users password ada@example.com --password-file - < password.txt
    """
    from shipcli.features.identity.users import get_user, set_password

    found = get_user(get_run().app, user)
    if would(f"change the password of {found.email}"):
        return
    show(
        set_password(get_run().app, found.id, ask_secret("password", password_file, twice=True)).plain(),
        COLUMNS,
    )


@verb
def totp(
    user: Email,
    off: Annotated[bool, typer.Option("--off", help="Let the password be enough again.")] = False,
) -> None:
    """Ask a user for codes of an authenticator app; what the app reads is shown once.

    Examples:
    shipcli users totp ada@example.com
    shipcli users totp ada@example.com --off
    """
    from shipcli.features.identity.users import end_second_step, enrol, get_user

    found = get_user(get_run().app, user)
    what = f"{'stop' if off else 'start'} asking {found.email} for codes"
    if would(what):
        return
    if off or found.two_steps:  # a new secret ends the old one
        confirm(what)
    if off:
        show(end_second_step(get_run().app, found.id).plain(), COLUMNS)
        return
    address = enrol(get_run().app, found.id)
    show({"email": found.email, "otpauth_uri": address})
    note("read it with the app now: it can't be shown again")
