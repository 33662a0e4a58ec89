"""`shipcli orders fulfil`: orders into bought shipments, planned, agreed, bought, written."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from shipcli.cli.arguments.addresses import read_sender
from shipcli.cli.arguments.order_options import OrderSelection, Partial, list_open_orders
from shipcli.cli.arguments.rate_options import (
    RuleOptions,
    describe_parcels,
    describe_purchase,
    format_price,
)
from shipcli.cli.arguments.selectors import remember, select
from shipcli.cli.arguments.shipment_options import PieceOptions
from shipcli.cli.console.files import check_folder, check_target, name_label_file, write_file
from shipcli.cli.console.list_views import VIEWS
from shipcli.cli.console.output import show_list
from shipcli.cli.console.progress import show_progress, work_through
from shipcli.cli.console.prompts import accept, confirm, would
from shipcli.cli.console.stderr import note, warn, write
from shipcli.cli.current_run import get_run
from shipcli.cli.flows.customs_gaps import SET_PRODUCT, warn_of_customs_gaps, warn_of_unknown_methods
from shipcli.cli.flows.print_bought import (
    Print,
    Target,
    find_label_type,
    find_printer,
    note_written,
    print_bought,
)
from shipcli.cli.flows.repeated_lines import add_interrupted, forget_keys, guard_output, report_stop
from shipcli.cli.gateway import ask
from shipcli.cli.usage_errors import Usage
from shipcli.features.core import row_results
from shipcli.features.core.interruption import Interrupted, defer_interruption
from shipcli.features.orders import fulfilment
from shipcli.features.orders import service as orders
from shipcli.features.paper import labels
from shipcli.features.shipments import service as shipment_service
from shipcli.models import purchase_steps
from shipcli.models.basics.text import count_text
from shipcli.workflows import fulfil as fulfil_workflow
from shipcli.workflows import order_proposals

if TYPE_CHECKING:
    from shipcli.models.purchase_steps import Proposal
    from shipcli.workflows.fulfil import FulfilmentRun, PassedOver
    from shipcli.workflows.order_proposals import Fulfilment, FulfilPlan

    Proposed = Proposal | Fulfilment | PassedOver

PLAN_COLUMNS = (
    "order_number", "order_id", "status", "carrier", "service", "total_charge", "currency", "message",
)  # fmt: skip
Text = str | None


def fulfil(
    rule: RuleOptions,
    pieces: PieceOptions,
    selection: OrderSelection,
    ids: Annotated[
        list[str] | None, typer.Argument(metavar="[ID...]", help="Orders, by id or number; - for stdin.")
    ] = None,
    unfulfilled: Annotated[
        bool, typer.Option("--unfulfilled", help="All orders of which nothing was shipped.")
    ] = False,
    and_partial: Partial = False,
    sender: Annotated[
        Text,
        typer.Option("--from", metavar="ADDRESS", help="Stored sender address, for orders without one."),
    ] = None,
    label_dir: Annotated[
        Path | None, typer.Option("--label-dir", metavar="DIR", help="Write each label to this folder.")
    ] = None,
    merge: Annotated[
        Path | None, typer.Option("--merge", metavar="OUT", help="Write all labels to one .pdf or .zpl file.")
    ] = None,
    print_: Print = False,
    printer: Target = None,
) -> None:
    """Buy labels for orders.

    The service that the customer's method is sent by is bought (shipcli methods map); else without a rule the
    order's preferred service, or the cheapest. --weight is the weight on the
    scale, box included; without it the weights of the order's lines and box are added up.

    Examples:
    shipcli orders fulfil 1042 --weight 2lb6oz --box M -p
    shipcli orders fulfil --unfulfilled --partial --merge today.pdf
    shipcli orders fulfil --sku MUG-1 --country US --single-item -p
    """
    _check_targets(label_dir, merge)
    target = find_printer(print_, printer)
    filters = selection.list_filters()
    unfulfilled = unfulfilled or and_partial or bool(filters)
    chosen = _choose_orders(ids, filters, unfulfilled=unfulfilled, partial=and_partial)
    facts, declared = pieces.list_parcels(), pieces.list_goods()
    if len(chosen) != 1 and (pieces.weight or pieces.piece or len(facts) > 1):
        raise Usage("--weight is of one order; name one, or leave it to the weights of the lines and the box")
    if len(chosen) != 1 and declared:
        raise Usage("--goods are of one order; name one")
    plan = order_proposals.FulfilPlan(
        rule.read_criteria(), read_sender(sender), facts, tuple(declared), find_label_type(merge, printer)
    )
    run = fulfil_workflow.FulfilmentRun()
    _warn_of_orders(plan, chosen)
    if get_run().options.dry_run:
        _tell_plan(plan, _propose(plan, chosen))
        return
    key = None
    if unfulfilled:
        line = {"rule": plan.criteria.to_dict(), "merge": str(merge), **filters}
        line |= {"partial": True} if and_partial else {}
        key, chosen = add_interrupted(line, chosen)
    get_run().gateway.require_promise("orders fulfil")
    ask(fulfilment.settle_first, chosen)
    items = list(chosen) if get_run().options.yes or not chosen else _agree(plan, chosen, target)
    with defer_interruption():
        _carry_out(plan, items, run, label_dir)
    _write_merged(run, merge)
    _report(run)
    if key and not isinstance(run.stopped, Interrupted):
        forget_keys([key])
    print_bought([str(row.shipment_id) for row in run.rows if row.status == "purchased"], target, printer)
    raise typer.Exit(run.exit_code)


def _warn_of_orders(plan: FulfilPlan, ids: Sequence[str]) -> None:
    """Name what customs and methods lack, before money is spent."""
    gateway = get_run().gateway
    chosen = [ask(orders.get_order, order_id) for order_id in ids]
    warn_of_customs_gaps("order", order_proposals.list_customs_gaps(gateway, plan, chosen), SET_PRODUCT)
    for number, reason in order_proposals.list_unknown_services(gateway, plan, chosen):
        warn(f"order {number}: preferred_service: {reason}")
    warn_of_unknown_methods(order_proposals.list_unknown_methods(gateway, plan, chosen))


def _check_targets(label_dir: Path | None, merge: Path | None) -> None:
    """Refuse places that can't be written before money is spent."""
    if label_dir:
        check_folder(label_dir.absolute(), "--label-dir")
    if merge:
        check_target(merge, "--merge", (".pdf", ".zpl"))


def _choose_orders(
    ids: Sequence[str] | None, filters: Mapping[str, Any], *, unfulfilled: bool, partial: bool
) -> list[str]:
    """The orders meant, each once; of all unfulfilled ones the oldest first.

    Errors: Usage when none is named, or both ways are used.
    """
    if bool(ids) == unfulfilled:
        raise Usage("name the orders to fulfil, or say --unfulfilled, or which of them: --sku, --country ...")
    if ids:
        return select("order", ids)
    return list_open_orders(filters, partial=partial)


def _propose(plan: FulfilPlan, ids: Sequence[str]) -> list[Proposed]:
    """What would be bought for the orders, within the budget."""
    propose = partial(order_proposals.propose, get_run().gateway, plan)
    proposals = work_through(ids, propose, "comparing prices")
    return fulfil_workflow.keep_within(plan.criteria.budget, proposals)


def _tell_plan(plan: FulfilPlan, proposals: Sequence[Proposed]) -> None:
    """What a dry run would buy."""
    purchases = [proposal for proposal in proposals if isinstance(proposal, purchase_steps.Proposal)]
    labels = count_text(len(purchases), "label")
    would(f"buy {labels} for {_describe_amounts(purchases)}; nothing is bought or spent now")
    show_list(
        [_show_planned(plan, proposal) for proposal in proposals], PLAN_COLUMNS, view=VIEWS["fulfilment"]
    )


def _show_planned(plan: FulfilPlan, proposal: Proposed) -> dict[str, Any]:
    if isinstance(proposal, order_proposals.Fulfilment):
        return proposal.to_dict()
    if isinstance(proposal, tuple):
        order, error = proposal[0].order, proposal[1]
        return order_proposals.make_fulfilment(order, "waiting", message=error.message).to_dict()
    return order_proposals.make_fulfilment(
        proposal.order,
        proposal.order.status,
        proposal.draft.model_copy(update={"selected_rate": proposal.rate}),
        order_proposals.describe_substitute(plan, proposal.draft, proposal.rate),
    ).to_dict()


def _agree(plan: FulfilPlan, ids: Sequence[str], printer: str | None) -> list[Proposed]:
    """What is proposed for the orders within the budget, once the person agreed to the price of it all.

    Errors: Declined; Usage when nobody can be asked.
    """
    if not get_run().interactive:
        confirm(f"buy labels for {count_text(len(ids), 'order')}")  # refuses before carriers are asked
    proposals = _propose(plan, ids)
    for proposal in proposals:
        if isinstance(proposal, tuple):
            write(f"{proposal[0].order.order_id}: passed over: {proposal[1].message}")
    purchases = [proposal for proposal in proposals if isinstance(proposal, purchase_steps.Proposal)]
    if len(purchases) == 1:
        draft, rate = purchases[0].draft, purchases[0].rate
        accept(
            describe_purchase(draft, rate),
            f"buy {format_price(rate)}{' and print' * bool(printer)}",
            format_price(rate),
        )
    elif purchases:
        for purchase in purchases:
            rate, parcels = purchase.rate, describe_parcels(purchase.draft.parcels)
            what = f"{rate.service} of {rate.carrier_id}, {parcels}, {_describe_amounts([purchase])}"
            write(f"{purchase.order.order_id}: {what}")
        confirm(f"buy {len(purchases)} labels", _describe_amounts(purchases))
    return proposals


def _describe_amounts(purchases: Sequence[Proposal]) -> str:
    """What purchases cost together, by currency."""
    totals: dict[str, Any] = {}
    for purchase in purchases:
        subtotal = totals.get(str(purchase.rate.currency))
        before = subtotal.total_charge if subtotal else 0
        total = purchase.rate.total_charge + before
        totals[str(purchase.rate.currency)] = purchase.rate.model_copy(update={"total_charge": total})
    return " and ".join(format_price(rate) for rate in totals.values()) or "nothing"


def _carry_out(plan: FulfilPlan, items: Sequence[Any], run: FulfilmentRun, label_dir: Path | None) -> None:
    """Buy one after another; each label is written as soon as it is bought."""
    with show_progress("buying", len(items)) as tell:
        for row in fulfil_workflow.fulfil(get_run().gateway, plan, items, run):
            if row.status == "purchased" and label_dir:
                _save_label(row, label_dir)
            tell(len(run.rows))


def _save_label(row: Fulfilment, label_dir: Path) -> None:
    label = ask(labels.get_label, ask(shipment_service.get_shipment, str(row.shipment_id)))
    name = name_label_file(f"{row.order_number}_{label.tracking_number}", label.format)
    write_file(label_dir / name, label.content)
    note_written([str(row.shipment_id)], label_dir / name)


def _write_merged(run: FulfilmentRun, merge: Path | None) -> None:
    shipments = fulfil_workflow.list_labelled(get_run().gateway, run.rows) if merge else []
    if merge and shipments:
        write_file(merge, ask(labels.merge_labels, shipments, merge.suffix[1:].upper()))
        note_written([shipment.id for shipment in shipments], merge)
    elif merge:
        note("no label was bought, so there is nothing to merge")


def _report(run: FulfilmentRun) -> None:
    """Every order on standard output, what failed on standard error."""
    for row in run.rows:
        if row.status in row_results.TROUBLE or (row.status == "waiting" and row.message):
            write(f"order {row.order_number}: {row.status}: {row.message}")
    remember("shipment", *(str(row.shipment_id) for row in run.rows if row.status == "purchased"))
    bought = [row for row in run.rows if row.status == "purchased"]
    with guard_output(bought):
        show_list([row.to_dict() for row in run.rows], order_proposals.COLUMNS, view=VIEWS["fulfilment"])
    report_stop(run.stopped, bought=len(bought), left=run.count("waiting"))
