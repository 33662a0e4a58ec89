"""`shipcli config`."""

from __future__ import annotations

from typing import Annotated

import typer

from shipcli import config as settings
from shipcli.cli.command_loader import Verbs
from shipcli.cli.console.cells import cell
from shipcli.cli.console.output import show, show_list
from shipcli.cli.console.prompts import would
from shipcli.cli.console.stderr import note
from shipcli.cli.current_run import current

verb = Verbs()
Key = Annotated[str, typer.Argument(metavar="KEY", help="Name of the setting.")]


@verb("show")
def show_all(
    origin: Annotated[bool, typer.Option("--origin", help="Say where each value comes from.")] = False,
) -> None:
    """Show all settings."""
    config = current().config
    if origin:
        rows = [{"key": key, "value": config[key], "origin": config.origin(key)} for key in settings.BY_KEY]
        show_list(rows, ("key", "value", "origin"))
    else:
        show({key: config[key] for key in settings.BY_KEY})


@verb
def get(key: Key) -> None:
    """Print one setting."""
    config = current().config
    if current().options.format:
        show({"key": key, "value": config[key], "origin": config.origin(key)})
    else:
        typer.echo(cell(config[key]))


@verb("set")
def set_one(key: Key, value: Annotated[str, typer.Argument(metavar="VALUE", help="The new value.")]) -> None:
    """Set a setting in your settings file."""
    new = settings.read(key, value, "given value")
    path = current().home / settings.FILE
    if not would(f"set {key} to {new} in {path}"):
        note(f"{key} is {new}, in {settings.write(current().home, key, value)}")
        _warn_when_hidden(key)


@verb
def unset(key: Key) -> None:
    """Remove a setting from your settings file."""
    settings.setting(key)
    if not would(f"remove {key} from {current().home / settings.FILE}"):
        note(f"removed {key} from {settings.write(current().home, key, None)}")


def _warn_when_hidden(key: str) -> None:
    """An environment variable or a project file may outweigh what was just set."""
    origin = settings.load(current().home, current().environ).origin(key)
    if origin != str(current().home / settings.FILE):
        note(f"{origin} sets {key} as well, and wins")
