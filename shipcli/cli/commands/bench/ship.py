"""`shipcli ship`: from a draft, a file or flags to a label, in one step."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from shipcli.cli.arguments import rate_options, shipment_options
from shipcli.cli.arguments.bodies import Data, File, all_checked
from shipcli.cli.arguments.rate_options import (
    Again,
    Carriers,
    Cheapest,
    Currency,
    Fastest,
    Key,
    MaxTotal,
    RateId,
    Service,
    wish_of,
)
from shipcli.cli.arguments.selectors import select_orders_or
from shipcli.cli.command_loader import Verbs
from shipcli.cli.console.files import check_target, format_of, write_file
from shipcli.cli.flows import purchase_flow
from shipcli.cli.flows.print_bought import Print, Printer, find_label_type, find_printer, print_bought
from shipcli.cli.flows.purchase_flow import Purchase
from shipcli.cli.gateway import ask
from shipcli.cli.usage_errors import Usage

if TYPE_CHECKING:
    from shipcli.models import Shipment

verb = Verbs()

Ids = Annotated[
    list[str] | None,
    typer.Argument(
        metavar="[ID...]", help="Orders by number; drafts by reference, id, prefix, @last; - for stdin."
    ),
]
LabelFile = Annotated[
    Path | None, typer.Option("--label", metavar="FILE", help="Save the label as .pdf, .zpl or .png.")
]
UNDECLARED = "a draft keeps what it declares: cancel it, and ship it anew with --goods"


@verb
def ship(
    ids: Ids = None,
    to: shipment_options.To = None,
    to_name: shipment_options.ToName = None,
    to_company: shipment_options.ToCompany = None,
    to_line1: shipment_options.ToLine1 = None,
    to_line2: shipment_options.ToLine2 = None,
    to_city: shipment_options.ToCity = None,
    to_state: shipment_options.ToState = None,
    to_postal_code: shipment_options.ToPostalCode = None,
    to_country: shipment_options.ToCountry = None,
    to_phone: shipment_options.ToPhone = None,
    to_email: shipment_options.ToEmail = None,
    from_: shipment_options.From = None,
    weight: shipment_options.Weight = None,
    size: shipment_options.Size = None,
    box: shipment_options.Box = None,
    goods: shipment_options.Goods = None,
    piece: shipment_options.Piece = None,
    reference: shipment_options.Reference = None,
    label_type: shipment_options.LabelType = None,
    option: shipment_options.Option = None,
    metadata: shipment_options.Metadata = None,
    cheapest: Cheapest = False,
    fastest: Fastest = False,
    by: rate_options.By = None,
    service: Service = None,
    rate: RateId = None,
    carrier: Carriers = None,
    currency: Currency = None,
    max_total: MaxTotal = None,
    again: Again = False,
    print_: Print = False,
    printer: Printer = None,
    label: LabelFile = None,
    idempotency_key: Key = None,
    data: Data = None,
    from_file: File = None,
) -> None:
    """Buy labels in one step, of orders, drafts or new shipments.

    At a terminal one question is asked: Enter buys what it names. An order that has a label gets no second.

    Examples:
    shipcli ship 1042 --weight 2lb6oz --box M --cheapest
    shipcli ship 1043 1044 --service usps_ground_advantage --max-total 50USD -p
    shipcli ship --to "Ada Brooks" --weight 1.2kg --by friday --dry-run
    """
    given: dict[str, Any] = locals()
    work = stored(given) if ids else new(given)
    if label:
        check_target(label, "--label")
    if label and len(work) > 1:
        raise Usage("--label names one file; save several with: shipcli labels merge ID... -o FILE")
    target = find_printer(print_, printer)
    purchase_flow.carry_out(work, lambda bought: finish(bought, label, target))


def stored(given: Mapping[str, Any]) -> list[Purchase]:
    """Purchases of orders and stored drafts, in the order named.

    Errors: Usage when options describe a new shipment besides.
    """
    from shipcli.workflows.fulfil import FulfilPlan

    wish, manner = wish_of(given), purchase_flow.manner_of(given)
    found = select_orders_or("shipment", given["ids"])
    are_orders = {kind for kind, _ in found.values()} == {"order"}
    describing = (*shipment_options.DESCRIBING, *(() if are_orders else ("goods",)))
    other = [_flag(name) for name in describing if given.get(name) is not None]
    if other:
        hint = UNDECLARED if other == ["--goods"] else "shipcli shipments update ID changes a draft"
        raise Usage(f"{', '.join(other)}: only for a new shipment, and this one is stored", hint=hint)
    rate_options.one_key(manner.key, len(found))
    facts, goods = shipment_options.parcels_of(given), shipment_options.goods_of(given)
    if goods and len(found) != 1:
        raise Usage("--goods are of one order; name one")

    label_type = find_label_type(given["label"], given["printer"])
    plan = FulfilPlan(wish, facts=tuple(facts), goods=tuple(goods), label_type=label_type)

    def one(kind: str, id: str) -> Purchase:
        if kind == "order":
            return purchase_flow.of_order(id, plan, manner)
        return purchase_flow.of_drafts([id], wish, manner, shipment_options.only_one(facts))[0]

    return [replace(one(*meant), name=word) for word, meant in found.items()]


def new(given: Mapping[str, Any]) -> list[Purchase]:
    """Purchases of shipments described by a file or flags.

    Errors: Usage when nothing is described; Invalid naming what is missing.
    """
    from shipcli.models import ShipmentData

    described = ("data", "from_file", "to", *shipment_options.RECIPIENT)
    if not any(given.get(name) for name in described):
        raise Usage("say what to ship: an ID, --from-file FILE, or --to-name and the like",
                    hint="shipcli shipments list --status draft")  # fmt: skip
    bodies = shipment_options.make_bodies(given, find_label_type(given["label"], given["printer"]))
    return purchase_flow.of_new(
        all_checked(ShipmentData, [{**body, "service": None} for body in bodies]),
        wish_of(given),
        purchase_flow.manner_of(given),
    )


def _flag(name: str) -> str:
    return f"--{name.strip('_').replace('_', '-')}"


def finish(bought: Sequence[Shipment], label: Path | None, printer: str | None) -> None:
    """Save and print what was bought; the labels are in the store whatever happens here."""
    from shipcli.features.papers.labels import get_label

    for one in bought if label else ():
        write_file(label or Path("-"), ask(get_label, one, format_of(label)).content)
    print_bought([one.id for one in bought], printer)
