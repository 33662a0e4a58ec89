"""Names in the store that can stand next in a line, told by what an option or argument is called."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from shipcli.cli.global_options import CommandLine

if TYPE_CHECKING:
    from shipcli.features.core.app import App

Choice = tuple[str, str]


def list_values(line: CommandLine, before: str) -> list[Choice]:
    """Names for the option before the word, else for the command's next argument; none without a store."""
    from shipcli.cli.command_loader import build
    from shipcli.models.errors import ShipcliError

    command = build(line.path)
    param = _param_of(command.params, line.rest, before) if command else None
    find = VALUES.get((getattr(param, "metavar", None) or "").strip("[]"))
    try:
        return _in_store(line, find) if find else []
    except ShipcliError:
        return []


def _param_of(params: Sequence[Any], rest: Sequence[str], before: str) -> Any:
    """The option that takes the word, else the argument in whose place it stands."""
    named = next((one for one in params if before in (*one.opts, *one.secondary_opts)), None)
    if named is not None and not getattr(named, "is_flag", False):
        return named
    arguments = [one for one in params if one.param_type_name == "argument"]
    place = len([word for word in rest if not word.startswith("-")])
    return next(iter(arguments[place:]), None)


def _in_store(line: CommandLine, find: Callable[[App], list[Choice]]) -> list[Choice]:
    """Looked up in the store of the line; one that is not there is not made for it."""
    from shipcli.cli.session import start

    run = start(line.options)
    if not run.store_path.exists():
        return []
    try:
        return find(run.own)
    finally:
        run.close()


def _printers(app: App) -> list[Choice]:
    from shipcli.features.printing.service import list_printers

    return [(one.name, one.target) for one in list_printers(app)]


VALUES: Mapping[str, Callable[[App], list[Choice]]] = {"PRINTER": _printers}
