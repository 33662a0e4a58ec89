"""`shipcli scales`."""

from __future__ import annotations

from typing import Annotated, Any

import typer

from shipcli.cli.arguments.scale_weight import take_reading
from shipcli.cli.console.output import show, show_list
from shipcli.cli.console.prompts import would
from shipcli.cli.console.stderr import note
from shipcli.cli.current_run import get_run
from shipcli.cli.flows.for_each import is_agreed
from shipcli.cli.verbs import Verbs
from shipcli.scales import connected, protocols, registry, targets, udev

verb = Verbs()
COLUMNS = ("name", "kind", "place", "protocol", "line", "unit", "is_default")
CONNECTED_COLUMNS = ("to", "what")
READING_COLUMNS = ("name", "weight", "unit", "state")

Name = Annotated[str, typer.Argument(metavar="NAME", help="Name of the scale.")]
Text = str | None


@verb("list")
def list_all(
    connected_: Annotated[
        bool, typer.Option("--connected", help="List what is connected instead: ports, and scales on USB.")
    ] = False,
) -> None:
    """List the scales of this machine.

    Examples:
    shipcli scales list
    shipcli scales list --connected
    """
    if connected_:
        show_list(list(connected.list_connected()), CONNECTED_COLUMNS)
        return
    config = get_run().config
    show_list([scale.to_dict() for scale in registry.list_scales(config.home, config["scale"])], COLUMNS)


@verb
def add(
    name: Annotated[str, typer.Argument(metavar="NAME", help="Name for the scale.")],
    to: Annotated[
        str,
        typer.Option(
            "--to",
            metavar="TARGET",
            help="serial:PORT, hid:VENDOR:PRODUCT, simulated:WEIGHT, typed: to be asked.",
        ),
    ],
    protocol: Annotated[
        Text,
        typer.Option(
            "--protocol", metavar="NAME", help=f"Of serial scales: {', '.join(protocols.PROTOCOLS)}."
        ),
    ] = None,
    line: Annotated[
        Text,
        typer.Option("--line", metavar="SPEED,FORM", help="Of serial scales: 9600,7E1; usual by protocol."),
    ] = None,
    unit: Annotated[
        Text,
        typer.Option(
            "--unit", metavar="UNIT", help="kg or lb, of serial scales that do not say theirs (8217)."
        ),
    ] = None,
    replace: Annotated[bool, typer.Option("--replace", help="Replace the scale of this name.")] = False,
) -> None:
    """Add a scale: serial, on USB, simulated, or one that you read yourself.

    For a scale on USB the rule is shown that lets people use it on Linux.

    Examples:
    shipcli scales add bench --to serial:/dev/ttyUSB0 --protocol toledo
    shipcli scales add dymo --to hid:0922:8003
    shipcli scales add spare --to simulated:1.2kg
    """
    target = targets.parse_target(to, protocol, line, unit)
    if would(f"add the scale {name} at {target}"):
        return
    config = get_run().config
    registry.add_scale(config.home, name, target, replace=replace)
    show(registry.NamedScale(name, target).to_dict(), COLUMNS[:-1])
    if target.kind == "hid":
        for line in udev.explain_access(target):
            note(line)


@verb("test")
def show_weight(
    name: Annotated[
        Text,
        typer.Argument(metavar="[NAME]", help="Name of the scale, or a target; by default the usual one."),
    ] = None,
) -> None:
    """Show what lies on a scale, once it lies still.

    Examples:
    shipcli scales test trial
    shipcli scales test simulated:2lb
    """
    scale, reading = take_reading(name)
    shown: dict[str, Any] = {"weight": reading.weight, "unit": reading.unit, "state": str(reading.state)}
    show({"name": scale.name, **shown}, READING_COLUMNS)


@verb
def remove(name: Name) -> None:
    """Remove a scale.

    Examples:
    shipcli scales remove trial
    shipcli scales remove trial --dry-run
    """
    config = get_run().config
    scale = registry.choose_scale(config.home, name)
    if is_agreed(f"forget the scale {scale.name} at {scale.target}"):
        registry.remove_scale(config.home, name)
        note(f"forgot {name}")
