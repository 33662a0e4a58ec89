"""`shipcli config`."""

from __future__ import annotations

from typing import Annotated

import typer

from shipcli import config as settings
from shipcli.cli.console.output import show, show_list
from shipcli.cli.console.prompts import would
from shipcli.cli.console.stderr import note
from shipcli.cli.current_run import get_run
from shipcli.cli.flows.settings_flow import change_setting, show_setting
from shipcli.cli.verbs import Verbs

verb = Verbs()
OBJECTS = frozenset({"json", "yaml"})
Key = Annotated[str, typer.Argument(metavar="SETTING", help="Name of the setting.")]


@verb("show")
def show_all(
    origin: Annotated[bool, typer.Option("--origin", help="Show where each value comes from.")] = False,
) -> None:
    """Show all settings and their meanings.

    `--origin` also says what belongs to this machine and what to the store, which machines may share.

    Examples:
    shipcli config show
    shipcli config show --origin
    """
    config = get_run().config
    if get_run().options.format in OBJECTS and not origin:
        show({key: config[key] for key in settings.BY_KEY})
        return
    rows = [
        {"key": key, "value": config[key], "origin": config.origin(key), "meaning": row.help}
        for key, row in settings.BY_KEY.items()
    ]
    if not origin:
        show_list(rows, ("key", "value", "meaning"))
        return
    belonging = [
        {**row, "belongs_to": "machine" if row["key"] in settings.OF_MACHINE else "store"} for row in rows
    ]
    elsewhere = [
        {"key": name, "value": "", "origin": place, "belongs_to": owner}
        for name, place, owner in settings.KEPT_ELSEWHERE
    ]
    show_list([*belonging, *elsewhere], ("key", "value", "origin", "belongs_to"))


@verb
def get(key: Key) -> None:
    """Print one setting.

    Examples:
    shipcli config get weight_unit
    shipcli config get shipper
    """
    show_setting(key)


@verb("set")
def set_one(key: Key, value: Annotated[str, typer.Argument(metavar="VALUE", help="The new value.")]) -> None:
    """Set a setting in your settings file.

    Examples:
    shipcli config set weight_unit LB
    shipcli config set tracking_interval 3600
    """
    change_setting(key, value)


@verb
def unset(key: Key) -> None:
    """Remove a setting from your settings file.

    Examples:
    shipcli config unset weight_unit
    shipcli config unset printer --dry-run
    """
    settings.find_setting(key)
    file = get_run().data_folder / settings.FILE
    if not settings.is_written(get_run().data_folder, key):
        note(f"{key} is not set in {file}")
    elif not would(f"remove {key} from {file}"):
        settings.write(get_run().data_folder, key, None)
        note(f"removed {key} from {file}")
