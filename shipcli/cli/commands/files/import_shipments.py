"""`shipcli import shipments`: a file of parcels into the store, and bought when asked."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import replace
from decimal import Decimal
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from shipcli.cli.arguments.rate_options import (
    Carriers,
    Currency,
    ExchangeRates,
    MaxTotal,
    read_code,
    set_exchange_rates,
    split_values,
)
from shipcli.cli.commands.files.import_file import (
    DUPLICATES,
    FileName,
    ImportOptions,
    OnDuplicate,
    check_choice,
)
from shipcli.cli.commands.files.import_run import MOST_SHOWN, ImportCommand, Outputs, carry_out
from shipcli.cli.console.files import write_whole
from shipcli.cli.console.formats import split_names
from shipcli.cli.console.stderr import note, warn
from shipcli.cli.current_run import get_run
from shipcli.cli.flows.print_bought import (
    Print,
    Target,
    find_label_type,
    find_printer,
    note_written,
    print_bought,
)
from shipcli.cli.gateway import ask
from shipcli.cli.usage_errors import Usage
from shipcli.cli.verbs import Verbs
from shipcli.features.files import engine, row_sales, shipment_import
from shipcli.features.paper import labels as paper_labels
from shipcli.features.shipments import budget
from shipcli.models import Invalid, NotFound
from shipcli.models.basics.text import count_text
from shipcli.readers import headers

if TYPE_CHECKING:
    from shipcli.features.core.row_results import CheckResult, Results
    from shipcli.features.files.engine import ImportPlan, RowHandler
    from shipcli.readers.mapping import MappedFile

verb = Verbs()
RULES = ("cheapest", "fastest", "service")
DIFFERS = "changed after the purchase, and what was bought stays as it is"


@verb
def shipments(
    file: FileName,
    options: ImportOptions,
    buy: Annotated[
        str | None, typer.Option("--buy", metavar="RULE", help="Buy labels: cheapest, fastest or service.")
    ] = None,
    carrier: Carriers = None,
    merge: Annotated[
        Path | None,
        typer.Option("--merge", metavar="OUT", help="Write all labels to one .pdf or .zpl file."),
    ] = None,
    print_: Print = False,
    printer: Target = None,
    key: Annotated[
        str | None,
        typer.Option("--key", metavar="COL,..", help="Columns that identify a row (Reference)."),
    ] = None,
    on_duplicate: OnDuplicate = "skip",
    currency: Currency = None,
    max_total: MaxTotal = None,
    rate: ExchangeRates = None,
    carriers: Annotated[list[str] | None, typer.Option("--carriers", hidden=True)] = None,
    labels: Annotated[Path | None, typer.Option("--labels", hidden=True)] = None,
) -> None:
    """Import shipments from a file; with --buy their labels are bought.

    Examples:
    shipcli import shipments shipments.csv --check
    shipcli import shipments shipments.csv --buy cheapest --merge today.pdf
    shipcli import shipments own.csv --map ship_to_columns.json --set weight=2lb
    """
    set_exchange_rates(rate)
    check_choice("--buy", buy, RULES)
    if (print_ or printer) and not buy:
        raise Usage("-p prints what is bought: say --buy too")
    target = find_printer(print_, printer)
    check_choice("--on-duplicate", on_duplicate, DUPLICATES)
    outputs = Outputs(options.rejects, options.summary, merge or labels)
    plan = engine.ImportPlan(
        on_duplicate=on_duplicate,  # type: ignore[arg-type]  # one of DUPLICATES
        keep_good=options.rejects is not None,
        key=tuple(split_names(key)),
        buy=buy,  # type: ignore[arg-type]  # one of RULES
        carriers=tuple(split_values([*(carrier or ()), *(carriers or ())])),
        currency=read_code(currency) or get_run().ship_defaults.currency,
        budget=budget.Budget.read(max_total) if max_total else budget.Budget(),
        label_type=find_label_type(outputs.labels, printer) or get_run().ship_defaults.label_type,
    )
    table = options.open_table("shipments", file)
    job = ImportCommand(
        "shipments",
        outputs,
        question=partial(_write_question, table),
        asks=buy is not None,
        totals=partial(_sum_totals, outputs.labels),
        after=partial(_merge_labels, outputs.labels) if outputs.labels else None,
        last=partial(_finish, target, printer),
        columns=row_sales.SUMMARY,
    )
    plan = replace(plan, units=get_run().ship_defaults.units, shipper=_find_shipper(table))
    carry_out(table, plan, job, only_check=options.check)


def _find_shipper(table: MappedFile) -> Mapping[str, Any] | None:
    """The default shipper, for rows that name none; said when no row can name one."""
    try:
        shipper = get_run().ship_defaults.shipper()
    except (Invalid, NotFound):
        return None
    if not any(
        headers.SHIPMENTS[name] in table.headers for name in headers.SHIPMENTS if name.startswith("shipper_")
    ):
        parts = (shipper.get(name) for name in ("company_name", "person_name", "city", "state_code"))
        note(
            f"the file names no shipper: parcels leave from {', '.join(str(part) for part in parts if part)}"
        )
    return shipper


def _write_question(table: MappedFile, handler: Any, checked: CheckResult) -> tuple[str, str | None]:
    """What the run would do, and the most it may spend."""
    plan: ImportPlan = handler.plan
    states = handler.known_states(checked.keys)
    left = checked.good - sum(state != "draft" for state in states.values())
    if plan.buy is None:
        return f"store {left} shipments of {table.name}", None
    is_assumed = plan.units.weight and headers.SHIPMENTS["parcel_weight_unit"] not in table.headers
    assumed = f", weights in {str(plan.units.weight).lower()}" if is_assumed else ""
    limit = f"up to {plan.budget.limit}" if plan.budget.limit else None
    return f"buy {left} labels ({plan.buy}) for {table.name}{assumed}", limit


def _finish(printer: str | None, named: str | None, results: Results[Any]) -> None:
    """Warn of changed rows, and print the labels of the file that were never printed, in its order."""
    _warn_of_changed(results)
    print_bought([str(row.shipment_id) for row in results.rows if row.status == "purchased"], printer, named)


def _warn_of_changed(results: Results[Any]) -> None:
    """Name the rows that are not what was bought for them."""
    differing = [str(row.row) for row in results.rows if row.differs]
    if differing:
        ending = ", ..." if len(differing) > MOST_SHOWN else ""
        rows = f"{', '.join(differing[:MOST_SHOWN])}{ending}"
        warn(f"{count_text(len(differing), 'row')} {DIFFERS}: {rows}")


def _sum_totals(labels: Path | None, results: Results[Any]) -> dict[str, Any]:
    """Money by currency, labels by carrier, and where they are."""
    bought = [row for row in results.rows if row.status == "purchased"]
    spent: dict[str, Decimal] = {}
    for row in bought:
        if row.total_charge is not None:
            spent[str(row.currency)] = spent.get(str(row.currency), Decimal(0)) + row.total_charge
    return {
        "spent": spent,
        "carriers": dict(Counter(str(row.carrier) for row in bought)),
        "labels": str(labels) if labels and bought else None,
    }


def _merge_labels(path: Path, handler: RowHandler[Any], results: Results[Any]) -> None:
    """All labels of the file as one."""
    assert isinstance(handler, shipment_import.ShipmentRows)
    bought = handler.shipments.list_labelled(results.rows)
    if bought:
        write_whole(path, ask(paper_labels.merge_labels, bought, path.suffix[1:].upper()))
        note_written([shipment.id for shipment in bought], path)
    else:
        note("no label was bought, so there is nothing to merge")
