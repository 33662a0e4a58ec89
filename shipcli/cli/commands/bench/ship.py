"""`shipcli ship`: from a draft, a file or flags to a label, in one step."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from shipcli import models
from shipcli.cli.arguments import rate_options, shipment_options
from shipcli.cli.arguments.addresses import read_sender
from shipcli.cli.arguments.bodies import Data, File, check_bodies
from shipcli.cli.arguments.rate_options import Again, Key, RateOptions
from shipcli.cli.arguments.selectors import select_orders_or
from shipcli.cli.arguments.shipment_options import (
    DetailOptions,
    PieceOptions,
    RouteOptions,
    ShipmentDescription,
)
from shipcli.cli.console.files import check_target, find_format, write_file
from shipcli.cli.current_run import get_run
from shipcli.cli.flows import purchase_flow
from shipcli.cli.flows.customs_gaps import warn_of_unknown_methods
from shipcli.cli.flows.print_bought import (
    Print,
    Printer,
    find_label_type,
    find_printer,
    note_written,
    print_bought,
)
from shipcli.cli.flows.purchase_flow import OrderPurchase, Purchase, PurchaseOptions
from shipcli.cli.gateway import ask
from shipcli.cli.usage_errors import Usage
from shipcli.cli.verbs import Verbs
from shipcli.features.orders import service as orders
from shipcli.features.paper import labels
from shipcli.workflows import order_proposals

if TYPE_CHECKING:
    from shipcli.features.shipments.ship import RateCriteria
    from shipcli.models import Order, Shipment

verb = Verbs()

Ids = Annotated[
    list[str] | None,
    typer.Argument(
        metavar="[ID...]", help="Orders or drafts: id, number, reference, prefix, @last; - for stdin."
    ),
]
LabelFile = Annotated[
    Path | None,
    typer.Option("--label", metavar="FILE", help="Save the label to this .pdf, .zpl or .png file."),
]
OF_ORDERS = ("from_", "goods")  # what a line may say of the shipment that an order becomes
UNDECLARED = "a draft keeps what it declares: cancel it, and ship it anew with --goods"


@verb
def ship(
    route: RouteOptions,
    pieces: PieceOptions,
    details: DetailOptions,
    rates: RateOptions,
    ids: Ids = None,
    again: Again = False,
    print_: Print = False,
    printer: Printer = None,
    label: LabelFile = None,
    idempotency_key: Key = None,
    data: Data = None,
    from_file: File = None,
) -> None:
    """Buy labels for orders, drafts or new shipments in one step.

    At a terminal you are asked once; Enter buys. An order that already has a label gets no second one.

    Examples:
    shipcli ship 1042 --weight 2lb6oz --box M --cheapest
    shipcli ship 1043 1044 --service ups_ground --max-total 50USD -p
    shipcli ship --to "Ada Brooks" --weight 1.2kg --by friday --dry-run
    """
    target = find_printer(print_, printer)
    criteria = rates.read_criteria()
    if criteria.rate_id and not ids:
        raise _explain_no_rates()
    options = purchase_flow.make_purchase_options(idempotency_key, again, target)
    label_type = find_label_type(label, printer)
    services = [rates.service] if rates.service else []
    carriers = rate_options.split_values(rates.carrier)
    description = ShipmentDescription(route, pieces, details, data, from_file, services, carriers)
    work = (
        plan_stored_purchases(ids, description, criteria, options, label_type)
        if ids
        else plan_new_purchases(description, criteria, options, label_type)
    )
    if label:
        check_target(label, "--label")
    if label and len(work) > 1:
        raise Usage("--label names one file; save several with: shipcli labels merge ID... -o FILE")
    purchase_flow.carry_out(work, lambda bought: finish(bought, label, target, printer))


def plan_stored_purchases(
    ids: Sequence[str],
    description: ShipmentDescription,
    criteria: RateCriteria,
    options: PurchaseOptions,
    label_type: str | None,
) -> list[Purchase]:
    """Purchases of orders and stored drafts, in the order named.

    Errors: Usage when options describe a new shipment besides.
    """
    objects = select_orders_or("shipment", ids)
    if criteria.rate_id and "order" in [kind for kind, _ in objects.values()]:
        raise _explain_no_rates()
    are_orders = {kind for kind, _ in objects.values()} == {"order"}
    _refuse_description(description, are_orders)
    rate_options.check_key(options.key, len(objects))
    parcels, goods = description.pieces.list_parcels(), description.pieces.list_goods()
    if goods and len(objects) != 1:
        raise Usage("--goods are of one order; name one")
    sender = read_sender(description.route.from_)
    chosen = {id: ask(orders.get_order, id) for kind, id in objects.values() if kind == "order"}
    if sender:
        _refuse_own_senders(chosen.values())
    plan = order_proposals.FulfilPlan(criteria, sender, tuple(parcels), tuple(goods), label_type)
    warn_of_unknown_methods(order_proposals.list_unknown_methods(get_run().gateway, plan, chosen.values()))

    def plan_purchase(kind: str, id: str) -> Purchase:
        if kind == "order":
            followed = order_proposals.follow_paid_method(get_run().ship_defaults, plan, chosen[id])
            return OrderPurchase(id, followed.criteria, options, id, followed)
        parcel = shipment_options.take_only(parcels)
        return purchase_flow.make_draft_purchases([id], criteria, options, parcel)[0]

    return [replace(plan_purchase(*meant), name=word) for word, meant in objects.items()]


def _explain_no_rates() -> Usage:
    return Usage("--rate names a price of a stored shipment; say --service, or store a draft first",
                 hint="shipcli shipments create, then: shipcli shipments rates @last")  # fmt: skip


def _refuse_own_senders(chosen: Iterable[Order]) -> None:
    """Errors: Usage for an order that says itself from where it is shipped."""
    for order in chosen:
        if order.shipping_from:
            raise Usage(f"--from: the order {order.order_id} names its own sender")


def _refuse_description(description: ShipmentDescription, are_orders: bool) -> None:
    """Errors: Usage for options that describe a shipment which is stored already."""
    describing = {**vars(description.route), **vars(description.details), "data": description.data,
                  "from_file": description.from_file, "goods": description.pieces.goods}  # fmt: skip
    allowed = OF_ORDERS if are_orders else ()
    other = [
        _name_flag(name) for name, value in describing.items() if value is not None and name not in allowed
    ]
    if not other:
        return
    if are_orders:
        raise Usage(f"{', '.join(other)}: only for a new shipment, and an order says that itself")
    hint = UNDECLARED if other == ["--goods"] else "shipcli shipments update ID changes a draft"
    raise Usage(f"{', '.join(other)}: only for a new shipment, and this one is stored", hint=hint)


def plan_new_purchases(
    description: ShipmentDescription, criteria: RateCriteria, options: PurchaseOptions, label_type: str | None
) -> list[Purchase]:
    """Purchases of shipments described by a file or flags.

    Errors: Usage when nothing is described; Invalid naming what is missing.
    """
    if not (description.data or description.from_file or description.route.names_recipient()):
        raise Usage("say what to ship: an ID, --from-file FILE, or --to-name and the like",
                    hint="shipcli shipments list --status draft")  # fmt: skip
    bodies = [{**body, "service": None} for body in description.make_bodies(label_type)]
    return purchase_flow.make_new_purchases(check_bodies(models.ShipmentData, bodies), criteria, options)


def _name_flag(name: str) -> str:
    return f"--{name.strip('_').replace('_', '-')}"


def finish(
    bought: Sequence[Shipment], label: Path | None, printer: str | None, named: str | None = None
) -> None:
    """Save and print what was bought; the labels are in the store whatever happens here."""
    for shipment in bought if label else ():
        write_file(label or Path("-"), ask(labels.get_label, shipment, find_format(label)).content)
        note_written([shipment.id], label or Path("-"))
    print_bought([shipment.id for shipment in bought], printer, named)
