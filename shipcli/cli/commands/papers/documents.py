"""`shipcli documents`: papers made of templates, built-in papers, many files as one."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from shipcli.cli.arguments.bodies import Data, File, check_body, free_body
from shipcli.cli.arguments.selectors import Ids, select
from shipcli.cli.command_loader import Verbs
from shipcli.cli.console.files import check_target, format_of, write_file
from shipcli.cli.console.output import show
from shipcli.cli.console.stderr import note
from shipcli.cli.current_run import current
from shipcli.cli.gateway import ask
from shipcli.cli.usage_errors import Usage

if TYPE_CHECKING:
    from shipcli.models import Order, Shipment

verb = Verbs()
KINDS = ("invoice", "slip", "picklist", "cn22", "cn23", "gs1", "return")
FILES = ("label", "invoice", "manifest")

Several = list[str] | None
Out = Annotated[
    Path | None, typer.Option("-o", "--output", metavar="FILE", help="File; - is standard output.")
]
Orders = Annotated[bool, typer.Option("--orders", help="The ids name orders, not shipments.")]
Html = Annotated[Path | None, typer.Option("--html", metavar="FILE", help="A template that is not stored.")]
OfShipments = Annotated[
    Several, typer.Option("--shipment", metavar="ID", help="Show this one; may be repeated.")
]
OfOrders = Annotated[Several, typer.Option("--order", metavar="ID", help="Show this one; may be repeated.")]


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
    """Make a document of a template and your data."""
    from shipcli.features.papers import generate as documents
    from shipcli.models import DocumentData

    given = {**free_body(data, from_file), **_named(shipment, order)}
    options = {"related_object": "shipment" if shipment else "order" if order else "other"}
    text = read_text(html) if html else None
    wanted = check_body(
        DocumentData, {"template_id": template, "template": text, "data": given, "options": options}
    )
    if output is None and current().options.format == "json":
        show(ask(documents.generate, wanted))
        return
    path = _target(output)
    write_file(path, ask(documents.generate_pdf, wanted))


def _named(shipments: Several, orders: Several) -> dict[str, Any]:
    """The objects a template shows, as its data names them."""
    found = {}
    if shipments:
        found["shipments"] = ",".join(select("shipment", shipments))
    if orders:
        found["orders"] = ",".join(select("order", orders))
    return found


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


def _target(output: Path | None, endings: tuple[str, ...] = (".pdf",)) -> Path:
    """Where the document goes.

    Errors: Usage when nothing was said, or nothing can be written there.
    """
    if output is None:
        raise Usage(f"say where the document goes: -o FILE{endings[0]}")
    check_target(output, "-o", endings)
    return output


@verb
def make(
    kind: Annotated[str, typer.Argument(metavar="KIND", help=f"One of {', '.join(KINDS)}.")],
    ids: Ids,
    orders: Orders = False,
    gs1_prefix: Annotated[
        str | None, typer.Option("--gs1-prefix", metavar="DIGITS", help="Your GS1 company prefix.")
    ] = None,
    output: Out = None,
) -> None:
    """Make built-in documents of shipments or orders, as one file."""
    from shipcli.features.papers import builtin

    if kind not in KINDS:
        raise Usage(f"{kind} is not a built-in document; there are {', '.join(KINDS)}")
    path, app = _target(output), current().app
    if orders:
        content = builtin.order_documents(app, kind, _orders(ids), gs1_prefix)
    else:
        content = builtin.documents(app, kind, _shipments(ids), gs1_prefix)
    write_file(path, content)


def _shipments(ids: list[str]) -> list[Shipment]:
    from shipcli.features.shipments.service import get_shipment

    return [ask(get_shipment, one) for one in select("shipment", ids)]


def _orders(ids: list[str]) -> list[Order]:
    from shipcli.features.orders.service import get_order

    return [ask(get_order, one) for one in select("order", ids)]


@verb
def merge(
    what: Annotated[str, typer.Argument(metavar="WHAT", help=f"One of {', '.join(FILES)}.")],
    ids: Ids,
    orders: Orders = False,
    output: Out = None,
) -> None:
    """Merge labels, invoices or manifests into one file, in the order named."""
    from shipcli.features.manifests.service import merge_forms
    from shipcli.features.papers.builtin import shipments_of
    from shipcli.features.papers.labels import merge_labels

    if what not in FILES or (orders and what == "manifest"):
        raise Usage(f"{what} is not one of {', '.join(FILES)}")
    path = _target(output, (".pdf", ".zpl") if what == "label" else (".pdf",))
    form = format_of(path) or "PDF"
    if what == "manifest":
        write_file(path, ask(merge_forms, select("manifest", ids), form))
        return
    shipments = shipments_of(_orders(ids)) if orders else _shipments(ids)
    write_file(path, ask(merge_labels, shipments, form, what))
    note(f"{len(shipments)} {what}s, in the order named")
