"""Change settings: each value is checked first, and the user is told if something overrides it."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

from shipcli import config as settings
from shipcli.cli.arguments.selectors import select_one
from shipcli.cli.console.cells import format_cell
from shipcli.cli.console.output import show_word
from shipcli.cli.console.prompts import would
from shipcli.cli.console.stderr import note
from shipcli.cli.current_run import get_run
from shipcli.cli.gateway import ask
from shipcli.features.book import addresses
from shipcli.features.paper import stationery
from shipcli.features.paper.printing import printers, transports


def show_setting(key: str) -> None:
    """Print the value of a setting.

    Errors: Invalid naming the nearest setting.
    """
    config = get_run().config
    show_word(format_cell(config[key]), {"key": key, "value": config[key], "origin": config.origin(key)})


def change_or_show_setting(key: str, value: str | None) -> None:
    """Set a setting, or print it when no value is given."""
    if value is None:
        show_setting(key)
    else:
        change_setting(key, value)


def change_setting(key: str, value: str) -> None:
    """Set a setting in the file of this home, or of its sandbox.

    Errors: Invalid for an invalid value; NotFound for an unknown printer or address.
    """
    new, file = check_setting(key, value), get_run().data_folder / settings.FILE
    if not would(f"set {key} to {new} in {file}"):
        settings.write(get_run().data_folder, key, new)
        note(f"{key} is {new}, in {file}")
        _warn_when_hidden(key)


def check_setting(key: str, value: str) -> Any:
    """The value in the form that is stored.

    Errors: as `change_setting`.
    """
    look_up = LOOK_UPS.get(key) if value else None
    return look_up(value) if look_up else settings.read(key, value, "given value")


def _find_printer(name: str) -> str:
    if ":" in name:
        transports.check(name)
        return name
    return printers.get_printer(get_run().local_app, name).name


def _find_address(word: str) -> str:
    return str(ask(addresses.get_address, select_one("address", word)).id)


def _find_logo(path: str) -> str:
    logo = Path(os.path.expanduser(path)).resolve()
    stationery.read_logo(logo)
    return str(logo)


# The settings whose values name things of the store, or files.
LOOK_UPS: dict[str, Callable[[str], str]] = {
    settings.PRINTER: _find_printer,
    settings.SHIPPER: _find_address,
    settings.LOGO: _find_logo,
}


def _warn_when_hidden(key: str) -> None:
    """Warn if an environment variable or a project file overrides what was just set."""
    origin = get_run().stored_config().origin(key)
    if origin != str(get_run().data_folder / settings.FILE):
        note(f"{origin} sets {key} as well, and wins")
