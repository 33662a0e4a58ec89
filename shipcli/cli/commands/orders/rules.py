"""`shipcli rules`: conditions that choose service, box, options, printer and label format."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Annotated, Any

import typer

from shipcli.cli.arguments.bodies import check_body
from shipcli.cli.arguments.rate_options import read_code
from shipcli.cli.arguments.selectors import expand_stdin, select
from shipcli.cli.arguments.shipment_options import read_options
from shipcli.cli.console.files import write_file
from shipcli.cli.console.output import show, show_each, show_list
from shipcli.cli.console.prompts import would
from shipcli.cli.console.stderr import note, warn
from shipcli.cli.current_run import get_run
from shipcli.cli.flows.for_each import is_agreed
from shipcli.cli.flows.print_bought import Target
from shipcli.cli.gateway import ask
from shipcli.cli.help_pages import say_field
from shipcli.cli.verbs import Verbs
from shipcli.features.orders import rule_trials
from shipcli.features.paper.printing import printers
from shipcli.features.rules import rule_files
from shipcli.features.rules import service as rules
from shipcli.models import rule as models
from shipcli.models.basics.errors import NotFound
from shipcli.models.basics.text import count_text

Text = str | None
COLUMNS = ("position", "name", "condition", "enabled", "service", "box", "options", "printer", "label_type")
TRIAL_COLUMNS = ("id", "status", "summary")
Service = Annotated[
    Text, typer.Option("--service", metavar="SERVICE", help="Buy this service, or cheapest or fastest.")
]
Box = Annotated[Text, typer.Option("--box", metavar="BOX", help="Pack in this box, where no size is given.")]
Option = Annotated[
    list[str] | None,
    typer.Option("--option", metavar="KEY=VALUE", help="A shipping option, such as insurance=100."),
]
LabelType = Annotated[Text, typer.Option("--label-type", metavar="TYPE", help="PDF, ZPL or PNG.")]
Words = Annotated[list[str], typer.Argument(metavar="RULE...", help="Names or positions; - for stdin.")]
Word = Annotated[str, typer.Argument(metavar="RULE", help="Its name or position.")]
verb = Verbs()


@verb("list")
def list_rules() -> None:
    """List the rules in the order in which they are tried.

    Examples:
    shipcli rules list
    shipcli rules list --json=name,condition
    """
    show_list([rule.model_dump() for rule in ask(rules.list_rules).rules], COLUMNS)


@verb
def add(
    condition: Annotated[
        str, typer.Argument(metavar="CONDITION", help='When it applies: "country!=US and weight<2lb".')
    ],
    service: Service = None,
    box: Box = None,
    option: Option = None,
    printer: Target = None,
    label_type: LabelType = None,
    name: Annotated[Text, typer.Option("--name", help=say_field("RuleData.name"))] = None,
) -> None:
    """Add a rule behind the others; for each thing it sets, the first rule that fits wins.

    What a request names itself is never changed.

    Examples:
    shipcli rules add "country!=US and weight<2lb" --service ups_worldwide_saver
    shipcli rules add "value>=100USD" --option insurance=100 --name Valuable
    shipcli rules add "country=US and transit_days<=3" --service cheapest
    """
    fields: dict[str, Any] = {
        "name": name, "condition": condition, "service": service, "box": box,
        "options": read_options(option), "printer": printer, "label_type": read_code(label_type),
    }  # fmt: skip
    data = check_body(models.RuleData, {key: value for key, value in fields.items() if value})
    _check_printers([data])
    if get_run().options.dry_run:  # the same checks, and nothing stored
        ask(rule_trials.try_rules, models.RuleTrialRequest(limit=1, rules=[data]))
    if not would(f"add a rule for {condition}"):
        show(ask(rules.add_rule, data), COLUMNS)


def _check_printers(data: Sequence[models.RuleData]) -> None:
    """Errors: NotFound for a printer that this machine lacks; with a server, another machine may have it."""
    for printer in {rule.printer for rule in data if rule.printer}:
        try:
            if ":" in printer:
                printers.get_printer_named(get_run().local_app, printer)
            else:
                printers.get_printer(get_run().local_app, printer)
        except NotFound as error:
            if not get_run().api_url:
                raise
            warn(f"{error.message} A rule prints there only where it is.")


@verb("get")
def get(words: Words) -> None:
    """Show rules.

    Examples:
    shipcli rules show Insured
    shipcli rules show 1 --json
    """
    show_each([ask(rules.get_rule, word) for word in expand_stdin(words)], COLUMNS)


@verb
def move(
    word: Word,
    position: Annotated[int, typer.Argument(metavar="POSITION", help="Its new place; 1 is tried first.")],
) -> None:
    """Move a rule to another place.

    Examples:
    shipcli rules move Insured 1
    shipcli rules move Insured 1 --dry-run
    """
    patch = check_body(models.RulePatch, {"position": position})
    rule = ask(rules.get_rule, word)
    if not would(f"move the rule {rule.name} to place {position}"):
        show(ask(rules.change_rule, rule.id, patch), COLUMNS)


@verb
def enable(words: Words) -> None:
    """Try rules again that were disabled.

    Examples:
    shipcli rules enable Insured
    shipcli rules enable 1 --json
    """
    _switch(words, enabled=True)


@verb
def disable(words: Words) -> None:
    """Try rules no more until they are enabled.

    Examples:
    shipcli rules disable Insured
    shipcli rules disable 1 --dry-run
    """
    _switch(words, enabled=False)


def _switch(words: Sequence[str], *, enabled: bool) -> None:
    act = "enable" if enabled else "disable"
    for rule in [ask(rules.get_rule, word) for word in expand_stdin(words)]:
        if not would(f"{act} the rule {rule.name}"):
            show(ask(rules.change_rule, rule.id, models.RulePatch(enabled=enabled)), COLUMNS)


@verb
def delete(words: Words) -> None:
    """Delete rules.

    Examples:
    shipcli rules delete Insured
    shipcli rules delete 1 --dry-run
    """
    chosen = [ask(rules.get_rule, word) for word in expand_stdin(words)]
    if chosen and is_agreed(f"delete the rule {', '.join(rule.name for rule in chosen)}"):
        for rule in chosen:
            show(ask(rules.remove_rule, rule.id), COLUMNS)


@verb("test")
def try_rules(
    ids: Annotated[
        list[str] | None, typer.Argument(metavar="[ID...]", help="Orders, by id or number; - for stdin.")
    ] = None,
    limit: Annotated[
        int, typer.Option("--limit", help="Without orders: how many unfulfilled ones, newest first.")
    ] = 100,
    file: Annotated[
        Path | None, typer.Option("--file", metavar="FILE", help="Try the rules of this file instead.")
    ] = None,
) -> None:
    """Show what the rules would do with stored orders; nothing is stored, and no carrier is asked.

    A rule about rates, such as on transit_days, waits for them. On stderr: how many orders each rule fits.

    Examples:
    shipcli rules test
    shipcli rules test 1042 1043
    """
    request = models.RuleTrialRequest(
        ids=select("order", ids) if ids else [],
        limit=limit,
        rules=rule_files.read_rule_file(file) if file else None,
    )
    trial = ask(rule_trials.try_rules, request)
    show_list([each.model_dump() for each in trial.orders], TRIAL_COLUMNS)
    for name, count in trial.matches.items():
        note(f"{name}: {count} of {len(trial.orders)}")
    none = [each.id for each in trial.orders if not each.settings]
    if none:
        note(f"no rule sets anything for {', '.join(none)}")


@verb("export")
def export_rules(
    output: Annotated[
        Path, typer.Option("-o", "--output", metavar="FILE", help="Write to this .yaml file; - for stdout.")
    ] = Path("-"),
) -> None:
    """Write all rules to one YAML file.

    Examples:
    shipcli rules export
    shipcli rules export -o rules.yaml
    """
    text = rule_files.write_rules(ask(rules.list_rules).rules)
    write_file(output, text.encode())


@verb("import")
def import_rules(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="A YAML file, as rules export writes it.")],
    check: Annotated[bool, typer.Option("--check", help="Only check it; store nothing.")] = False,
) -> None:
    """Put the rules of a file in the place of all others.

    Examples:
    shipcli rules import rules.yaml --check
    shipcli rules import rules.yaml -y
    """
    data = models.RuleSet(rules=rule_files.read_rule_file(file), check=check)
    _check_printers(data.rules)
    if not check:
        ask(rules.replace_rules, data.model_copy(update={"check": True}))
        if not is_agreed(f"put {count_text(len(data.rules), 'rule')} in the place of all others"):
            return
    show_list([rule.model_dump() for rule in ask(rules.replace_rules, data).rules], COLUMNS)
    note(f"{file}: {count_text(len(data.rules), 'rule')}{', nothing stored' if check else ' stored'}")
