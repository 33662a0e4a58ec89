"""`shipcli orders`."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Annotated, Any

import typer

from shipcli.cli.arguments.bodies import Data, File, all_checked, bodies, body, check_body
from shipcli.cli.arguments.listing import Every, Limit, Offset, Paging, Sort, show_page
from shipcli.cli.arguments.selectors import Id, Ids, remember, select, select_one
from shipcli.cli.command_loader import Verbs
from shipcli.cli.commands.orders.fulfil import fulfil
from shipcli.cli.console.output import show, show_each
from shipcli.cli.console.prompts import confirm, would
from shipcli.cli.current_run import current
from shipcli.cli.flows.for_each import each_of
from shipcli.cli.flows.purchase_flow import show_some
from shipcli.cli.gateway import ask
from shipcli.cli.usage_errors import Usage

if TYPE_CHECKING:
    from shipcli.features.core.app import App
    from shipcli.models import Order

verb = Verbs()
COLUMNS = ("id", "order_id", "source", "status", "order_date", "shipping_to.person_name", "shipping_to.city",
           "shipping_to.country_code", "created_at")  # fmt: skip

Text = str | None
Several = list[str] | None


@verb("list")
def list_orders(
    status: Annotated[Several, typer.Option("--status", help="Status; repeat it or use commas.")] = None,
    order_id: Annotated[Several, typer.Option("--number", help="Order numbers.")] = None,
    source: Annotated[Several, typer.Option("--source", help="Where orders come from.")] = None,
    id: Annotated[Several, typer.Option("--id", help="Ids.")] = None,
    keyword: Annotated[Text, typer.Option("--keyword", help="Text in address, number or source.")] = None,
    address: Annotated[Text, typer.Option("--address", help="Text in the address it goes to.")] = None,
    created_after: Annotated[Text, typer.Option("--created-after", help="Date or instant, UTC.")] = None,
    created_before: Annotated[Text, typer.Option("--created-before", help="Date or instant, UTC.")] = None,
    option_key: Annotated[Text, typer.Option("--option-key", help="Has these options.")] = None,
    option_value: Annotated[Text, typer.Option("--option-value", help="Some option has this value.")] = None,
    metadata_key: Annotated[Text, typer.Option("--metadata-key", help="Has these metadata keys.")] = None,
    metadata_value: Annotated[Text, typer.Option("--metadata-value", help="Some value is this.")] = None,
    limit: Limit = 20,
    offset: Offset = 0,
    every: Every = False,
    sort: Sort = None,
) -> None:
    """List the orders, newest first."""
    from shipcli.features.orders.filters import ORDERS
    from shipcli.features.parts.lookup import add_shipments
    from shipcli.gateway.where import filters

    given = {name: value for name, value in locals().items() if name in ORDERS}
    show_page(
        "order", filters(ORDERS, given), COLUMNS, Paging(limit, offset, every, sort),
        change=lambda order: add_shipments(current().app.store, order),
    )  # fmt: skip


@verb
def get(ids: Ids) -> None:
    """Show orders with their shipments."""
    from shipcli.features.orders.service import get_order

    show_each([ask(get_order, one) for one in select("order", ids)], COLUMNS)


@verb
def create(
    number: Annotated[Text, typer.Option("--number", help="The number the source gave it.")] = None,
    source: Annotated[Text, typer.Option("--source", help="Where it comes from; API else.")] = None,
    date: Annotated[Text, typer.Option("--date", metavar="DATE", help="Its day; today else.")] = None,
    data: Data = None,
    from_file: File = None,
) -> None:
    """Store an order, or every order of a file."""
    from shipcli.features.orders.service import create_order
    from shipcli.models import OrderData

    given = {"order_id": number, "source": source, "order_date": date}
    wanted = all_checked(OrderData, bodies(given, data, from_file))
    if would(f"store {len(wanted)} order{'s' * (len(wanted) != 1)}"):
        return

    def told(made: list[Any]) -> None:
        remember("order", *(one.id for one in made))
        show_each(made, COLUMNS)

    each_of(wanted, lambda one: ask(create_order, one), told, name=lambda one: one.order_id)


@verb
def update(id: Id, data: Data = None, from_file: File = None) -> None:
    """Change options and metadata of an order.

    Metadata holds notes of your own; no sensitive data belongs there.
    """
    from shipcli.features.orders.service import update_order
    from shipcli.models import OrderUpdateData

    patch = check_body(OrderUpdateData, body({}, data, from_file))
    if not patch.given():
        raise Usage("say what changes: -d metadata.note=... or -d options.preferred_service=...")
    chosen = select_one("order", id)
    if not would(f"change {', '.join(patch.given())} of order {chosen}"):
        show(ask(update_order, chosen, patch))


@verb
def cancel(ids: Ids) -> None:
    """Cancel orders of which nothing was shipped."""
    from shipcli.features.orders.service import cancel_order

    _cancelled(ids, cancel_order)


@verb
def dismiss(ids: Ids) -> None:
    """Cancel orders; the older name of it."""
    from shipcli.features.orders.service import dismiss_order

    _cancelled(ids, dismiss_order)


def _cancelled(ids: list[str], use: Callable[[App, str], Order]) -> None:
    from shipcli.features.orders.service import check_cancellable, get_order

    chosen = select("order", ids)
    for one in chosen:
        order = ask(get_order, one)
        check_cancellable(order.status, [shipment.status for shipment in order.shipments])
    what = f"cancel {'order' if len(chosen) == 1 else f'{len(chosen)} orders:'} {', '.join(chosen)}"
    if would(what):
        return
    confirm(what)
    each_of(chosen, lambda one: ask(use, one), lambda done: show_some(done, COLUMNS))


verb(fulfil)
