"""`shipcli station`: the packing station, and its sheet of command barcodes."""

from __future__ import annotations

import os
import platform
import sys
from functools import partial
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from shipcli.cli.console.files import check_target, write_file
from shipcli.cli.console.prompts import would
from shipcli.cli.current_run import get_run
from shipcli.cli.flows.print_bought import Target
from shipcli.cli.usage_errors import ExtraMissing, Usage
from shipcli.cli.verbs import Verbs
from shipcli.documents import command_sheet
from shipcli.features.paper import stationery
from shipcli.features.paper.printing import printers, rendering
from shipcli.models.basics.errors import ShipcliError
from shipcli.scales import opening, registry
from shipcli.workflows.station import commands, desk, keyboards, label_printing, scans, state
from shipcli.workflows.station import station as stations

if TYPE_CHECKING:
    from shipcli.cli.station.crew import ScaleWatch, Tell
    from shipcli.cli.station.views import BenchFacts

verb = Verbs()
Text = str | None
NO_SCALE = "none"


@verb
def run(
    scale: Annotated[
        Text,
        typer.Option("--scale", metavar="NAME", help="Scale, or none; by default the usual one, if any."),
    ] = None,
    printer: Target = None,
    packer: Annotated[Text, typer.Option("--packer", metavar="NAME", help="Who packs.")] = None,
    check: Annotated[
        bool, typer.Option("--check", help="Every article must be scanned before the label is bought.")
    ] = False,
    keyboard: Annotated[
        Text,
        typer.Option("--keyboard", metavar="LAYOUT", help="Of this machine: us, uk, de, ch, fr, es, it, se."),
    ] = None,
) -> None:
    """Pack at a screen: scan an order, weigh it, buy its label with F9 and print it.

    A scan alone buys nothing. F9 buys, or the barcode CMD-BUY, or the order scanned again.

    Examples:
    shipcli station
    shipcli station --packer Ada --check
    """
    check_terminal()
    if find_spec("textual") is None:
        raise ExtraMissing("shipcli station", "textual", "station")
    named = find_scale(scale)
    layouts = read_layout(keyboard)
    options = state.StationOptions(
        has_scale=named is not None,
        checks_goods=check,
        packer=packer or "",
        layouts=layouts,
        weight_unit=get_run().config["weight_unit"] or None,
    )
    show_station(options, named, printer)


def check_terminal() -> None:
    """Errors: Usage where nobody can see a screen: Textual draws on standard error."""
    streams = {"standard input": sys.stdin, "standard output": sys.stdout, "standard error": sys.stderr}
    elsewhere = [name for name, stream in streams.items() if not stream.isatty()]
    if elsewhere:
        raise Usage(f"shipcli station is a screen: it needs a terminal, and {elsewhere[0]} is none")
    if os.environ.get("TERM") == "dumb":
        raise Usage("shipcli station is a screen: a terminal that is TERM=dumb cannot draw one")
    encoding = sys.stderr.encoding.lower().replace("-", "").replace("_", "")
    if encoding != "utf8":
        raise Usage(
            f"shipcli station shows signs that {sys.stderr.encoding} does not have",
            hint="use a UTF-8 locale, such as LC_ALL=C.UTF-8",
        )


def find_scale(named: str | None) -> registry.NamedScale | None:
    """The scale that is named, else the usual one; None for one that a person reads.

    Errors: NotFound; ScaleError if several may be meant.
    """
    config = get_run().config
    if named == NO_SCALE or (not named and not config["scale"] and not registry.list_scales(config.home)):
        return None
    scale = registry.choose_scale(config.home, named, config["scale"])
    return None if scale.target.kind == "typed" else scale


def read_layout(name: str | None) -> tuple[str, ...]:
    """Errors: Usage for a layout that is not known."""
    if name is None:
        return ()
    if name.lower() not in keyboards.NAMES:
        raise Usage(f"--keyboard {name}: say one of {', '.join(keyboards.NAMES)}")
    return (name.lower(),)


def show_station(
    options: state.StationOptions, scale: registry.NamedScale | None, printer: str | None
) -> None:
    """Show the screen until it is left."""
    from shipcli.cli.station import crew, screen  # Textual takes a fifth of a second

    run = get_run()
    app = run.local_app
    label_type = rendering.choose_label_type(app, printer) if printer else None

    def make_desk() -> desk.StationDesk:
        gateway = run.connect()
        printing = label_printing.LabelPrinting(gateway, app, printer, label_type)
        return desk.StationDesk(gateway, printing, name_bench())

    def make_scale(tell: Tell) -> ScaleWatch | None:
        if scale is None:
            return None
        return crew.ScaleWatch(partial(opening.open_scale, scale.target, str), tell)

    station = stations.Station(lambda: app.new_id(""), lambda: app.now().astimezone().date(), options)
    screen.StationScreen(
        station, describe_bench(printer), lambda tell: crew.Crew(make_desk, tell), make_scale
    ).run()


def name_bench() -> str:
    """The name of this bench: that of the settings, else of the machine."""
    return str(get_run().config["bench"] or platform.node() or "station")


def describe_bench(printer: str | None) -> BenchFacts:
    """The bench, its printer and the paper, and which data it works on.

    Errors: NotFound and PrinterError for a printer that is named.
    """
    from shipcli.cli.station import views

    run = get_run()
    mode = "SANDBOX" if run.gateway.is_sandbox else "LIVE" if run.live else "TEST"
    try:
        chosen = printers.choose_printer(run.local_app, printers.LABEL, printer)
    except ShipcliError:
        if printer:
            raise
        return views.BenchFacts(name_bench(), "▲ none", mode)
    paper = " ".join(filter(None, (chosen.name, chosen.format, chosen.size)))
    return views.BenchFacts(name_bench(), paper, mode)


@verb
def sheet(
    output: Annotated[Path, typer.Option("-o", "--output", metavar="FILE", help="The PDF.")] = Path(
        "commands.pdf"
    ),
    packer: Annotated[
        list[str] | None,
        typer.Option("--packer", metavar="NAME", help="A badge for who packs; repeat it for more."),
    ] = None,
) -> None:
    """Make a sheet of barcodes that buy, reprint, hold and the like, and of badges.

    Examples:
    shipcli station sheet -o commands.pdf
    shipcli station sheet --packer Ada --packer Ben -o badges.pdf
    """
    check_target(output, "--output", (".pdf",))
    for name in packer or ():
        if not (name.isascii() and name.isprintable()):
            raise Usage(f"--packer {name}: a barcode holds letters without accents, digits and signs")
    if would(f"write the sheet of commands to {output}"):
        return
    letterhead = stationery.make_stationery(get_run().local_app, "commands", None)
    barcodes = [(f"{scans.PREFIX}{command}", commands.WORDS[command]) for command in scans.StationCommand]
    badges = [(f"{scans.PACKER}{name}", f"{name} packs") for name in packer or ()]
    write_file(output, command_sheet.draw_sheet([*barcodes, *badges], letterhead))
