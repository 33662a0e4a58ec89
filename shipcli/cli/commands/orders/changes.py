"""`shipcli orders edit`, `split` and `combine`."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Annotated, Any

import typer

from shipcli import models
from shipcli.cli.arguments import bodies as inputs
from shipcli.cli.arguments.selectors import Id, select_one
from shipcli.cli.commands.bench.addresses import PlaceOptions
from shipcli.cli.console.output import show
from shipcli.cli.console.prompts import would
from shipcli.cli.console.stderr import note
from shipcli.cli.flows.for_each import is_agreed
from shipcli.cli.gateway import ask
from shipcli.cli.usage_errors import Usage
from shipcli.features.orders import changes, fulfilment
from shipcli.features.orders import service as orders
from shipcli.models.basics.text import count_text

if TYPE_CHECKING:
    from shipcli.models import Order
    from shipcli.models.order import LineItem

COLUMNS = ("id", "order_id", "source", "status", "shipping_to.person_name", "shipping_to.address_line1",
           "shipping_to.city", "shipping_to.country_code")  # fmt: skip
Skus = Annotated[
    list[str] | None,
    typer.Option("--sku", metavar="SKU", help="A line, by its SKU or title; repeat it for more."),
]


def edit(
    id: Id,
    address: PlaceOptions,
    sku: Skus = None,
    quantity: Annotated[
        int | None, typer.Option("--quantity", min=1, metavar="N", help="Pieces of the line.")
    ] = None,
    weight: Annotated[
        str | None,
        typer.Option(
            "--weight", metavar="WEIGHT", help="Weight of a piece: 12oz; of all lines, or of --sku."
        ),
    ] = None,
) -> None:
    """Correct address, weights and quantities of an order without a live label.

    An order whose label was voided can be corrected as well. Drafts that you made of it keep the old address.
    A later import leaves the order as it is until the file says something new of it.

    Examples:
    shipcli orders edit 1042 --line1 "9 Fixed St" --postal-code 02134
    shipcli orders edit 1042 --weight 12oz
    shipcli orders edit 1042 --sku MUG-1 --quantity 2
    """
    order = ask(orders.get_order, select_one("order", id))
    parts = {name: value for name, value in address.list_fields().items() if value is not None}
    facts = inputs.read_weight(weight) | ({"quantity": quantity} if quantity else {})
    if not (parts or facts):
        raise Usage("say what changes: --line1, --postal-code ..., --weight or --quantity")
    lines = find_lines(order, sku or []) if facts else []
    if sku and not facts:
        raise Usage("say what changes of the line: --weight or --quantity")
    if quantity and len(lines) != 1:
        raise Usage("--quantity is of one line: name it with --sku")
    data = models.OrderEditData.model_validate(
        {"shipping_to": parts, "line_items": [{"id": line.id, **facts} for line in lines]}
    )
    if not would(f"change {', '.join([*parts, *facts])} of order {order.order_id}"):
        show(ask(changes.edit_order, order.id, data), COLUMNS)
        _name_drafts(order)


def _name_drafts(order: Order) -> None:
    drafts = (shipment for shipment in order.shipments if shipment.status == "draft")
    for draft in drafts:
        if (draft.meta or {}).get(fulfilment.MARK) != order.id:
            note(f"the draft {draft.id} stays as it was; shipcli ship {order.order_id} makes a new one")


def find_lines(order: Order, names: Sequence[str]) -> list[LineItem]:
    """The lines with these SKUs, titles or ids; all without names.

    Errors: Usage naming those there are.
    """
    lines = [(name, _find_named(order, name)) for name in names]
    for name, matches in lines:
        if not matches:
            existing = ", ".join(str(line.sku or line.title or line.id) for line in order.line_items)
            raise Usage(f"order {order.order_id} has no line {name!r}, only {existing}")
    matched = [line for _, matches in lines for line in matches]
    return list({str(line.id): line for line in matched}.values()) if names else list(order.line_items)


def _find_named(order: Order, name: str) -> list[LineItem]:
    def fits(*values: str | None) -> list[LineItem]:
        return [line for line, value in zip(order.line_items, values, strict=True) if _is_same(value, name)]

    lines = order.line_items
    by_name = (
        fits(*(line.id for line in lines)), fits(*(line.sku for line in lines)),
        fits(*(line.title for line in lines)),
    )  # fmt: skip
    return next((matches for matches in by_name if matches), [])


def _is_same(value: str | None, name: str) -> bool:
    return (value or "").casefold() == name.strip().casefold()


def split(
    id: Id,
    sku: Skus = None,
    number: Annotated[
        str | None, typer.Option("--number", help="Number of the new order; 1042-2 by default.")
    ] = None,
) -> None:
    """Move lines of an order to an order of their own.

    It goes to the same address. SKU:2 moves two pieces of a line. A later import leaves
    both orders as they are.

    Examples:
    shipcli orders split 1043 --sku TEA-1
    shipcli orders split 1042 --sku MUG-1:1 --number 1042-B
    """
    if not sku:
        raise Usage("say which lines: --sku MUG, or --sku MUG:1 for one piece of it")
    order = ask(orders.get_order, select_one("order", id))
    parts = [part for text in sku for part in _read_part(order, text)]
    data = models.OrderSplitData.model_validate({"order_id": number, "line_items": parts})
    moved = count_text(len(parts), "line")
    if not would(f"move {moved} of order {order.order_id} to an order of their own"):
        show(ask(changes.split_order, order.id, data), COLUMNS)


def _read_part(order: Order, text: str) -> list[dict[str, Any]]:
    """A line, or with a number behind it so many pieces of it."""
    name, _, count = text.rpartition(":")
    if name and count.isdigit() and not _find_named(order, text):
        (line, *others) = find_lines(order, [name])
        if others:
            raise Usage(f"{name} is on several lines: name one by its id")
        return [{"id": line.id, "quantity": int(count)}]
    return [{"id": line.id} for line in find_lines(order, [text]) if line.unfulfilled_quantity]


def combine(
    ids: Annotated[
        list[str], typer.Argument(metavar="ID...", help="Orders to one address, the one that stays first.")
    ],
) -> None:
    """Ship orders to the same place as one.

    The first takes the lines of the others, which end as cancelled.

    Examples:
    shipcli orders combine 1042 1046
    shipcli orders combine 1042 1046 --dry-run
    """
    if len(ids) < 2:
        raise Usage("name at least two orders, the one that stays first")
    host, *others = [ask(orders.get_order, select_one("order", id)) for id in ids]
    names = " and ".join(order.order_id for order in others)
    if is_agreed(f"move all lines of {names} to order {host.order_id}"):
        data = models.OrderCombineData(orders=[order.id for order in others])
        show(ask(changes.combine_orders, host.id, data), COLUMNS)
