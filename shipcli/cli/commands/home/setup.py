"""`shipcli setup`: what a machine needs before its first label."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from shipcli.cli.arguments.bodies import Data
from shipcli.cli.arguments.credentials import CredentialsFile, RateSheet
from shipcli.cli.commands.bench.addresses import PlaceOptions
from shipcli.cli.commands.carriers.connections import CarrierId
from shipcli.cli.console.output import show
from shipcli.cli.console.prompts import would
from shipcli.cli.console.stderr import note
from shipcli.cli.current_run import get_run
from shipcli.cli.flows import setup_answers, setup_questions
from shipcli.cli.usage_errors import Usage
from shipcli.cli.verbs import Verbs
from shipcli.features.admin.setup import apply_setup
from shipcli.features.paper.printing import spooled_documents
from shipcli.features.paper.printing.printers import get_printer_named

if TYPE_CHECKING:
    from shipcli.features.admin.setup import SetupPlan

verb = Verbs()
Text = str | None
FLAGS = (
    "--mode, --weight-unit, --size-unit, --shipper or --name --line1 --city --state --postal-code --country, "
    "--carrier with --credentials-file or --rate-sheet, --printer with --to and --format"
)
EXAMPLE = "shipcli setup --weight-unit lb --size-unit in --carrier ups --credentials-file ups.yaml"


@verb
def setup(
    sender: PlaceOptions,
    mode: Annotated[
        Text, typer.Option("--mode", metavar="test|live", help="Work on test or live data.")
    ] = None,
    weight_unit: Annotated[
        Text,
        typer.Option(
            "--weight-unit", metavar="UNIT", help="Unit of weights typed without one: KG, LB, OZ, G."
        ),
    ] = None,
    size_unit: Annotated[
        Text, typer.Option("--size-unit", metavar="UNIT", help="Unit of sizes typed without one: CM or IN.")
    ] = None,
    shipper: Annotated[
        Text, typer.Option("--shipper", metavar="ADDRESS", help="Stored sender address.")
    ] = None,
    carrier: Annotated[
        Text,
        typer.Option(
            "--carrier", metavar="CARRIER", help="Carrier to add or change; generic for your own prices."
        ),
    ] = None,
    carrier_id: CarrierId = None,
    credentials_file: CredentialsFile = None,
    data: Data = None,
    rate_sheet: RateSheet = None,
    printer: Annotated[
        Text, typer.Option("--printer", metavar="NAME", help="Default printer; with --to a new one.")
    ] = None,
    to: Annotated[
        Text,
        typer.Option("--to", metavar="TARGET", help="Address of the new printer, such as tcp://192.0.2.7."),
    ] = None,
    format: Annotated[
        Text, typer.Option("--format", metavar="ZPL|PDF|PNG", help="Format that the new printer prints.")
    ] = None,
    test_page: Annotated[bool, typer.Option("--test-page", help="Print a test page afterwards.")] = False,
) -> None:
    """Set up mode, units, shipper, a carrier and a printer.

    Without options you are asked for everything; the present values are the default answers. With options
    only what they name is changed. Nothing is stored before the end.

    Examples:
    shipcli setup --weight-unit lb --size-unit in --mode test
    shipcli setup --printer dock --to tcp://192.0.2.7 --format zpl
    shipcli setup --carrier generic -d display_name=Van -d custom_carrier_name=van
    """
    answers = {name: value for name, value in locals().items() if value not in (None, False, sender)}
    address = {name: value for name, value in sender.list_fields().items() if value is not None}
    if answers or address:
        plan = setup_answers.read_plan(answers, address)
    elif get_run().interactive:
        plan = setup_questions.ask_plan()
    else:
        raise Usage(f"there is no terminal to ask at; say {FLAGS}", hint=EXAMPLE)
    _carry_out(plan, test_page=test_page)


def _carry_out(plan: SetupPlan, *, test_page: bool) -> None:
    shown = setup_answers.describe_plan(plan)
    if would("; ".join(f"set {name} to {value}" for name, value in shown.items()) or "print a test page"):
        return
    app = get_run().local_app
    apply_setup(app, plan)
    show(shown)
    note("next: shipcli quote 02134 --weight 2lb; what is still missing: shipcli doctor")
    if test_page:
        spooled_documents.print_trial_page(
            app, get_printer_named(app, str(shown.get("printer") or app.config["printer"]))
        )
