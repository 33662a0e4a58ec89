"""`shipcli orders`."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Annotated, Any

import typer

from shipcli import models
from shipcli.cli.arguments.bodies import Data, File, check_bodies, check_body, read_bodies, read_body
from shipcli.cli.arguments.selectors import Id, Ids, select, select_one
from shipcli.cli.commands.orders.changes import combine, edit, split
from shipcli.cli.commands.orders.fulfil import fulfil
from shipcli.cli.console.output import show, show_some
from shipcli.cli.console.prompts import would
from shipcli.cli.console.stderr import warn
from shipcli.cli.current_run import get_run
from shipcli.cli.flows.for_each import is_agreed, note_finished, run_each, store_each
from shipcli.cli.gateway import ask
from shipcli.cli.help_pages import say_field
from shipcli.cli.stored_noun_table import ORDERS
from shipcli.cli.usage_errors import Usage
from shipcli.cli.verbs import Verbs
from shipcli.features.orders import service as orders
from shipcli.workflows import order_proposals

if TYPE_CHECKING:
    from shipcli.features.core.app import App
    from shipcli.models import Order

COLUMNS = ORDERS.columns

Text = str | None


verb = Verbs()


@verb
def create(
    number: Annotated[Text, typer.Option("--number", help="The order number in its source.")] = None,
    source: Annotated[Text, typer.Option("--source", help=say_field("source"))] = None,
    date: Annotated[
        Text, typer.Option("--date", metavar="DATE", help="Day of the order; today by default.")
    ] = None,
    data: Data = None,
    from_file: File = None,
) -> None:
    """Store an order, or every order of a file.

    Examples:
    shipcli orders create --from-file order.json
    shipcli orders create --number 1099 --source shop --from-file order.json
    """
    flags = {"order_id": number, "source": source, "order_date": date}
    bodies = check_bodies(models.OrderData, read_bodies(flags, data, from_file))
    store_each(
        "order", bodies, lambda body: ask(orders.create_order, body), COLUMNS, name=lambda body: body.order_id
    )


@verb
def update(id: Id, data: Data = None, from_file: File = None) -> None:
    """Change options and metadata of an order.

    Metadata is for your own notes; put no sensitive data there.

    Examples:
    shipcli orders update 1042 -d metadata.note="Gift, no prices"
    shipcli orders update 1042 -d options.preferred_service=ups_ground
    """
    patch = check_body(models.OrderUpdateData, read_body({}, data, from_file))
    if not patch.model_dump(exclude_unset=True):
        raise Usage("say what changes: -d metadata.note=... or -d options.preferred_service=...")
    chosen = select_one("order", id)
    if not would(f"change {', '.join(patch.model_dump(exclude_unset=True))} of order {chosen}"):
        show(ask(orders.update_order, chosen, patch))
        _warn_of_service((patch.options or {}).get("preferred_service"))


def _warn_of_service(name: Any) -> None:
    """Name the services nearest to one that nobody has."""
    if name and (reason := order_proposals.describe_unknown_service(get_run().gateway, str(name))):
        warn(f"options.preferred_service: {reason}")


@verb
def cancel(ids: Ids) -> None:
    """Cancel orders of which nothing has been shipped.

    Examples:
    shipcli orders cancel 1042
    shipcli orders cancel 1042 1043 --dry-run
    """
    _cancel_each(ids, orders.cancel_order)


@verb
def dismiss(ids: Ids) -> None:
    """Cancel orders; the former name of `shipcli orders cancel`.

    Examples:
    shipcli orders dismiss 1042
    shipcli orders dismiss 1042 --dry-run
    """
    _cancel_each(ids, orders.dismiss_order)


def _cancel_each(ids: list[str], use: Callable[[App, str], Order]) -> None:
    chosen = [ask(orders.get_order, order_id) for order_id in select("order", ids)]
    left = [order for order in chosen if order.status != "cancelled"]
    note_finished("cancelled", [order.order_id for order in chosen if order not in left])
    for order in left:
        orders.check_cancellable(order.status, [shipment.status for shipment in order.shipments])
    names = ", ".join(order.order_id for order in left)
    what = f"cancel {'order' if len(left) == 1 else f'{len(left)} orders:'} {names}"
    if not left or is_agreed(what):
        run_each(
            chosen,
            lambda order: ask(use, order.id) if order in left else order,
            lambda done: show_some(done, COLUMNS),
            name=lambda order: order.order_id,
        )


for command in (edit, split, combine, fulfil):
    verb(command)
