"""`shipcli return`: a label with which a customer sends goods back."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Annotated

import typer

from shipcli.cli.arguments import rate_options
from shipcli.cli.arguments.rate_options import Again, Key, RuleOptions
from shipcli.cli.arguments.selectors import select_orders_or
from shipcli.cli.commands.bench.ship import LabelFile, finish
from shipcli.cli.console.files import check_target
from shipcli.cli.flows import purchase_flow, return_slips
from shipcli.cli.flows.print_bought import Print, Target, find_label_type, find_printer
from shipcli.cli.gateway import ask
from shipcli.cli.usage_errors import Usage
from shipcli.cli.verbs import Verbs
from shipcli.features.orders import service as orders
from shipcli.features.shipments import returns
from shipcli.features.shipments import service as shipment_service
from shipcli.models import Conflict

if TYPE_CHECKING:
    from shipcli.models import Shipment, ShipmentData

verb = Verbs()

Ids = Annotated[
    list[str],
    typer.Argument(metavar="ID...", help="Orders, shipments or tracking numbers; @last; - for stdin."),
]
Skus = Annotated[
    list[str] | None,
    typer.Option("--sku", metavar="SKU", help="Only this article comes back; repeat it for more."),
]
Each = Annotated[
    bool, typer.Option("--each", help="A label of its own for each parcel; some carriers sell no others.")
]


@verb("return")
def return_(
    rates: RuleOptions,
    ids: Ids,
    sku: Skus = None,
    each: Each = False,
    again: Again = False,
    print_: Print = False,
    printer: Target = None,
    label: LabelFile = None,
    idempotency_key: Key = None,
) -> None:
    """Buy return labels for what was shipped: from the customer back to you.

    Carriers that sell none are left out. If none of those that are asked does, -p prints the slip that goes
    into the parcel instead, and nothing is bought.

    Examples:
    shipcli return 1003 --cheapest -p
    shipcli return 1003 --carrier ups --cheapest --label return.pdf
    shipcli return 1003 --each --cheapest
    """
    skus, carriers = rate_options.split_values(sku), rate_options.split_values(rates.carrier)
    shipments = list(_find_shipments(ids, bool(skus)))
    if unable := return_slips.find_carriers_without_labels(carriers):
        chosen = [returns.choose_articles(shipment, skus) for shipment in shipments]
        return_slips.print_slips(chosen, unable, printer or ("" if print_ else None))
        return
    target, criteria = find_printer(print_, printer), rates.read_criteria()
    options = purchase_flow.make_purchase_options(idempotency_key, again, target)
    label_type = find_label_type(label, printer)
    describe = returns.describe_return_of_each if each else _describe_whole
    changes = {"carrier_ids": carriers, **({"label_type": label_type} if label_type else {})}
    bodies = [body.model_copy(update=changes) for shipment in shipments for body in describe(shipment, skus)]
    if label:
        check_target(label, "--label")
    if label and len(bodies) > 1:
        raise Usage("--label names one file; save several with: shipcli labels merge ID... -o FILE")
    work = purchase_flow.make_new_purchases(bodies, criteria, options)
    purchase_flow.carry_out(work, lambda bought: finish(bought, label, target))


def _find_shipments(words: Sequence[str], picks_articles: bool) -> Iterator[Shipment]:
    """The shipments that the words name; of an order those that were sent.

    Errors: NotFound; Conflict for an order of which nothing was sent, or several parcels hold the articles.
    """
    for kind, id in select_orders_or("shipment", words).values():
        if kind == "shipment":
            yield ask(shipment_service.get_shipment, id)
            continue
        order = ask(orders.get_order, id)
        sent = [shipment for shipment in order.shipments if returns.can_come_back(shipment)]
        if order.host:
            raise Conflict(order.describe_cancelled())
        if not sent:
            raise Conflict(f"Nothing of the order {order.order_id} was sent yet")
        if picks_articles and len(sent) > 1:
            names = ", ".join(shipment.word for shipment in sent)
            raise Conflict(f"The order {order.order_id} was sent as {names}: name the one that held them")
        yield from sent


def _describe_whole(shipment: Shipment, skus: Sequence[str]) -> list[ShipmentData]:
    return [returns.describe_return(shipment, skus)]
