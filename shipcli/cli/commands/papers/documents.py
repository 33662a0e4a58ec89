"""`shipcli documents`: papers made of templates, built-in papers, many files as one."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from shipcli import config, models
from shipcli.cli.arguments.bodies import Data, File, check_body, read_free_body
from shipcli.cli.arguments.order_options import OrderSelection, Partial, list_open_orders
from shipcli.cli.arguments.paper import Out, PaperName, read_paper
from shipcli.cli.arguments.selectors import Ids, MaybeIds, select
from shipcli.cli.console.files import check_output, find_format, write_file
from shipcli.cli.console.output import show
from shipcli.cli.console.prompts import would
from shipcli.cli.console.stderr import note, warn
from shipcli.cli.current_run import get_run
from shipcli.cli.flows.print_bought import Target, note_written
from shipcli.cli.gateway import ask, refuse_server
from shipcli.cli.usage_errors import Usage
from shipcli.cli.verbs import Verbs
from shipcli.documents import facts
from shipcli.features.orders import service as order_service
from shipcli.features.paper import builtin, documents, labels, picking, stationery
from shipcli.features.paper.printing import printouts, rendering, spooled_documents
from shipcli.features.pickups import manifests
from shipcli.features.shipments import stored
from shipcli.models.basics.errors import Invalid

if TYPE_CHECKING:
    from shipcli.drawing.paper import PaperSize
    from shipcli.features.paper.picking import PickPlan
    from shipcli.features.paper.printing.printers import Printer
    from shipcli.models import Order, Shipment

verb = Verbs()
PICK_LIST, LOGISTIC_LABEL = "picklist", "gs1"
KINDS: Mapping[str, str] = {
    "invoice": "invoice", "slip": "packing slip", PICK_LIST: "pick list", "cn22": "CN22", "cn23": "CN23",
    LOGISTIC_LABEL: "logistic label", "return": "return slip",
}  # fmt: skip
CUSTOMS_PAPERS = ("invoice", "cn22", "cn23")
MOST_NAMED = 20
FILES = ("label", "invoice", "manifest")

Several = list[str] | None
Orders = Annotated[bool, typer.Option("--orders", help="The ids name orders, not shipments.")]
Printed = Annotated[bool, typer.Option("-p", "--print", help="Print the document.")]
Html = Annotated[
    Path | None, typer.Option("--html", metavar="FILE", help="Template file, instead of a stored template.")
]
OfShipments = Annotated[
    Several, typer.Option("--shipment", metavar="ID", help="Object to use as data; repeat it.")
]
OfOrders = Annotated[Several, typer.Option("--order", metavar="ID", help="Object to use as data; repeat it.")]


@verb
def generate(
    template: Annotated[
        str | None, typer.Argument(metavar="[TEMPLATE]", help="Id or slug of a template.")
    ] = None,
    html: Html = None,
    shipment: OfShipments = None,
    order: OfOrders = None,
    output: Out = None,
    data: Data = None,
    from_file: File = None,
) -> None:
    """Make a document from a template and your data.

    Examples:
    shipcli documents generate shelf_label --shipment 1002 -o shelf.pdf
    shipcli documents generate --html slip.html --order 1042 -o slip.pdf
    """
    values = {**read_free_body(data, from_file), **_collect_objects(shipment, order)}
    options = {"related_object": "shipment" if shipment else "order" if order else "other"}
    text = read_text(html) if html else None
    body = check_body(
        models.DocumentData, {"template_id": template, "template": text, "data": values, "options": options}
    )
    if output is None and get_run().options.format == "json":
        show(ask(documents.generate, body))
        return
    path = _choose_target(output)
    if not would(f"write {path}"):
        write_file(path, ask(documents.generate_pdf, body))


def _collect_objects(shipments: Several, orders: Several) -> dict[str, Any]:
    """The objects a template shows, as its data names them."""
    objects = {}
    if shipments:
        objects["shipments"] = ",".join(select("shipment", shipments))
    if orders:
        objects["orders"] = ",".join(select("order", orders))
    return objects


def read_text(path: Path) -> str:
    """A template file.

    Errors: Usage when it can't be read.
    """
    try:
        return path.read_text(encoding="utf-8-sig")
    except OSError as error:
        raise Usage(f"{path} can't be read: {error.strerror}") from None
    except UnicodeDecodeError:
        raise Usage(f"{path} is not UTF-8 text") from None


def _choose_target(output: Path | None, endings: tuple[str, ...] = (".pdf",)) -> Path:
    """Where the document goes.

    Errors: Usage when nothing was said, or nothing can be written there.
    """
    if output is None:
        raise Usage(f"say where the document goes: -o FILE{endings[0]}")
    check_output(output, endings)
    return output


@verb
def make(
    kind: Annotated[str, typer.Argument(metavar="KIND", help=f"One of {', '.join(KINDS)}.")],
    ids: MaybeIds = None,
    *,
    selection: OrderSelection,
    orders: Orders = False,
    unprinted: Annotated[
        bool, typer.Option("--unprinted", help="For all shipments whose label was never printed.")
    ] = False,
    unfulfilled: Annotated[
        bool, typer.Option("--unfulfilled", help="For all orders of which nothing was shipped.")
    ] = False,
    and_partial: Partial = False,
    gs1_prefix: Annotated[
        str | None, typer.Option("--gs1-prefix", metavar="DIGITS", help="Your GS1 company prefix.")
    ] = None,
    output: Out = None,
    prints: Printed = False,
    to: Target = None,
    paper: PaperName = None,
) -> None:
    """Make or print built-in documents for shipments or orders.

    The pick list of orders contains what is not bought yet, and what is bought but not printed.

    Examples:
    shipcli documents make picklist --unfulfilled -o pick.pdf
    shipcli documents make picklist --sku MUG-1 -o mugs.pdf
    shipcli documents make slip 1002 1003 --paper 4x6 -o slips.pdf
    """
    filters = selection.list_filters()
    unfulfilled = unfulfilled or and_partial or bool(filters)
    _check_wanted(kind, ids, unprinted=unprinted, unfulfilled=unfulfilled)
    path = _choose_target(output) if output or not (prints or to) else None
    printer = _choose_printer(kind, to) if prints or to else None
    size = _choose_paper(paper, printer)
    _warn_of_logo()
    if orders or unfulfilled:
        chosen = list_open_orders(filters, partial=and_partial) if unfulfilled else select("order", ids or [])
        draw = partial(_draw_from_orders, kind, [ask(order_service.get_order, each) for each in chosen])
    else:
        draw = partial(
            _draw_from_shipments, kind, _select_unprinted() if unprinted else _list_shipments(ids or [])
        )
    steps = [f"write {path}"] if path else []
    steps += [f"print the {KINDS[kind]} on {printer.name}"] if printer else []
    if would(" and ".join(steps)):  # before it is drawn, for that may take a number
        return
    content = draw(gs1_prefix, size)
    if path:
        write_file(path, content)
    if printer:
        _print(kind, content, printer)


def _check_wanted(kind: str, ids: Several, *, unprinted: bool, unfulfilled: bool) -> None:
    """Errors: Usage for an unknown kind, or unless one way says what it is of; OnlyHere."""
    if kind not in KINDS:
        raise Usage(f"{kind} is not a built-in document; there are {', '.join(KINDS)}")
    if [bool(ids), unprinted, unfulfilled].count(True) != 1:
        raise Usage("name shipments or orders, or say --unprinted or --unfulfilled",
                    hint=f"shipcli documents make {kind} --unprinted -p")  # fmt: skip
    if unprinted or kind == LOGISTIC_LABEL:  # the numbers of new container codes are counted in one store
        refuse_server("--unprinted" if unprinted else f"A {KINDS[kind]}")


def _choose_paper(named: str | None, printer: Printer | None) -> PaperSize | None:
    """The paper named, else that of the printer; None where settings decide."""
    return read_paper(named) or (rendering.find_printer_paper(printer) if printer else None)


def _draw_from_orders(kind: str, orders: list[Order], prefix: str | None, paper: PaperSize | None) -> bytes:
    app = get_run().local_app
    if kind != PICK_LIST:
        _warn_of_origins(kind, builtin.list_bought_shipments(orders))
        return builtin.make_order_documents(app, kind, orders, prefix, paper)
    bought = [shipment.id for order in orders for shipment in order.shipments]
    return _draw_pick_list(picking.plan_orders(orders, labels.list_printed(app, bought)), paper)


def _draw_from_shipments(
    kind: str, shipments: list[Shipment], prefix: str | None, paper: PaperSize | None
) -> bytes:
    if kind != PICK_LIST:
        _warn_of_origins(kind, shipments)
        return builtin.make_documents(get_run().local_app, kind, shipments, prefix, paper)
    return _draw_pick_list(picking.plan_shipments(shipments), paper)


def _warn_of_logo() -> None:
    """A document is made without a logo that is not there any more."""
    try:
        if path := get_run().config[config.LOGO]:
            stationery.read_logo(Path(path))
    except Invalid as error:
        warn(f"left out the {error.message}")


def _warn_of_origins(kind: str, shipments: list[Shipment]) -> None:
    """Customs ask where goods were made."""
    for shipment in shipments if kind in CUSTOMS_PAPERS else ():
        if goods := facts.list_without_origin(shipment):
            others = f" and {len(goods) - MOST_NAMED} more" if len(goods) > MOST_NAMED else ""
            name = shipment.reference or shipment.id
            warn(f"{name}: no country of origin is stated for {', '.join(goods[:MOST_NAMED])}{others}")


def _draw_pick_list(plan: PickPlan, paper: PaperSize | None) -> bytes:
    """The list; who is not on it is told, with the reason."""
    for reason in dict.fromkeys(reason for _, reason in plan.left_out):
        names = [name for name, why in plan.left_out if why == reason]
        others = f" and {len(names) - MOST_NAMED} more" if len(names) > MOST_NAMED else ""
        note(f"not on the pick list, {reason}: {', '.join(names[:MOST_NAMED])}{others}")
    return picking.make_pick_list(get_run().local_app, plan, paper)


def _choose_printer(kind: str, named: str | None) -> Printer:
    """The printer, known before anything is made."""
    return spooled_documents.choose_document_printer(get_run().local_app, kind, named)


def _print(kind: str, content: bytes, printer: Printer) -> None:
    done = spooled_documents.print_document(get_run().local_app, KINDS[kind], content, printer)
    note(f"printed the {done.title} on {done.printer}")


def _select_unprinted() -> list[models.Shipment]:
    """The bought shipments whose label was never printed, oldest first."""
    return [models.Shipment.model_validate(row) for row in printouts.list_unprinted(get_run().app)[0]]


def _list_shipments(ids: list[str]) -> list[Shipment]:
    return [ask(stored.get_shipment, shipment_id) for shipment_id in select("shipment", ids)]


def _list_orders(ids: list[str]) -> list[Order]:
    return [ask(order_service.get_order, order_id) for order_id in select("order", ids)]


@verb
def merge(
    what: Annotated[str, typer.Argument(metavar="WHAT", help=f"One of {', '.join(FILES)}.")],
    ids: Ids,
    orders: Orders = False,
    output: Out = None,
) -> None:
    """Merge labels, invoices or manifests into one file, in the given order.

    Examples:
    shipcli documents merge label 1002 1003 -o labels.pdf
    shipcli documents merge manifest @last -o manifests.pdf
    """
    if what not in FILES or (orders and what == "manifest"):
        raise Usage(f"{what} is not one of {', '.join(FILES)}")
    path = _choose_target(output, (".pdf", ".zpl") if what == "label" else (".pdf",))
    form = find_format(path) or "PDF"
    if what == "manifest":
        chosen = select("manifest", ids)
        if not would(f"write {path}"):
            write_file(path, ask(manifests.merge_forms, chosen, form))
        return
    shipments = builtin.list_bought_shipments(_list_orders(ids)) if orders else _list_shipments(ids)
    if would(f"write {path}"):
        return
    write_file(path, ask(labels.merge_labels, shipments, form, what))
    if what == "label":
        note_written([shipment.id for shipment in shipments], path)
    note(f"{len(shipments)} {what}s, in the order named")
