"""Documents from templates: the data that a template gets, and the PDF it makes."""

from __future__ import annotations

import base64
from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from shipcli.documents.rendering import RenderJob
from shipcli.documents.samples import make_sample_order, make_sample_shipment
from shipcli.features.core.filters import split_words
from shipcli.features.core.shipment_lookup import add_shipments, find_connection_id, list_linked_orders
from shipcli.features.paper.stationery import choose_sheet
from shipcli.features.paper.templates import find_template
from shipcli.models import (
    DocumentData,
    DocumentTemplate,
    GeneratedDocument,
    Invalid,
    NotFound,
    Order,
    Shipment,
)

if TYPE_CHECKING:
    from shipcli.features.core.app import App

SAMPLE = "sample"
MOST = 500  # page groups of one document
READY_LISTS = ("shipments_context", "orders_context", "generic_context")
CARRIER_FIELDS = (
    "id", "carrier_name", "carrier_id", "display_name", "active", "capabilities", "metadata", "test_mode",
)  # fmt: skip
Context = dict[str, Any]


def generate(app: App, data: DocumentData) -> GeneratedDocument:
    """Return a document as base64 text; what the caller did not send is left out.

    Errors: NotFound for an unknown template, shipment or order; Invalid with the line of a broken template.
    """
    content = generate_pdf(app, data)
    names = {name: getattr(data, name) for name in ("template_id", "doc_format", "doc_name")}
    return GeneratedDocument(**names, doc_file=base64.b64encode(content).decode())


def generate_pdf(app: App, data: DocumentData) -> bytes:
    """Return the same document as a PDF file."""
    if data.template_id:
        template = find_template(app, data.template_id)
        if data.template:
            template = template.model_copy(update={"template": data.template})
    else:
        related = data.options.get("related_object") or "other"
        template = DocumentTemplate(
            id="", name="", slug="", template=str(data.template), related_object=related
        )
    return render_template(app, template, data.data, data.options)


def render_template(
    app: App, template: DocumentTemplate, data: Mapping[str, Any], options: Mapping[str, Any] | None = None
) -> bytes:
    """Return the PDF of a template: a page group per object it shows.

    Errors: NotFound; Invalid with the line of a broken template.
    """
    contexts = list_contexts(app, template.related_object, data)
    if len(contexts) > MOST:
        raise Invalid("data", f"names {len(contexts)} objects; a document holds {MOST}")
    merged = {**template.options, **(options or {})}
    job = RenderJob(
        template=template.template,
        contexts=contexts,
        metadata=template.metadata,
        prefetch=_read_prefetched(merged.get("prefetch")),
        now=app.now().isoformat(),
        sheet=choose_sheet(app.config),
    )
    return app.renderer.render(job, app.caller)


def _read_prefetched(prefetch: Any) -> dict[str, str]:
    if prefetch in (None, "", {}):
        return {}
    if not isinstance(prefetch, Mapping) or not all(isinstance(text, str) for text in prefetch.values()):
        raise Invalid("options.prefetch", "must be an object of names and templates")
    return {str(name): text for name, text in prefetch.items()}


# -- what templates see ----------------------------------------------------------------------------


def list_contexts(app: App, related: str | None, data: Mapping[str, Any]) -> list[Context]:
    """Return the variables of each page group.

    Errors: NotFound for an unknown shipment or order; Invalid for a list of contexts that cannot be read.
    """
    contexts = [context | {"data": data} for name in READY_LISTS for context in _list_given(data, name)]
    named = data.get(f"{related}s")
    if related and related in RELATED and named:
        ids = split_words(named) if isinstance(named, str | list) else []
        contexts += [RELATED[related](app, object_id) | {"data": data} for object_id in ids]
    elif not any(name in data for name in READY_LISTS):
        contexts.append({"data": data})
    return contexts


def _list_given(data: Mapping[str, Any], name: str) -> list[Context]:
    contexts = data.get(name) or []
    if not isinstance(contexts, list) or not all(isinstance(context, dict) for context in contexts):
        raise Invalid(f"data.{name}", "must be a list of objects")
    return contexts


def make_shipment_context(app: App, shipment_id: str) -> Context:
    """Return a shipment, its items with the orders they belong to, its carrier without credentials.

    Errors: NotFound.
    """
    if shipment_id == SAMPLE:
        orders, shipment = [_write_order(make_sample_order())], make_sample_shipment()
    else:
        shipment = Shipment.model_validate(_read(app, "shipment", shipment_id))
        orders = list_shipment_orders(app, shipment)
    return describe_shipment(app, shipment, orders)


def describe_shipment(app: App, shipment: Shipment, orders: list[Context]) -> Context:
    """Return the data that a template gets of a shipment and its orders."""
    return {
        "shipment": shipment.model_dump(),
        "line_items": list_line_items(shipment, orders),
        "carrier": describe_carrier(app, shipment),
        "orders": orders,
    }


def make_order_context(app: App, order_id: str) -> Context:
    """Return an order with its shipments.

    Errors: NotFound.
    """
    if order_id == SAMPLE:
        return {"order": make_sample_order().model_dump()}
    return {
        "order": Order.model_validate(add_shipments(app.store, _read(app, "order", order_id))).model_dump()
    }


def _read(app: App, kind: str, object_id: str) -> dict[str, Any]:
    """Errors: NotFound."""
    document = app.store.get(kind, object_id, app.test_mode)
    if document is None:
        raise NotFound(kind, object_id)
    return document


RELATED: Mapping[str, Callable[[App, str], Context]] = {
    "shipment": make_shipment_context,
    "order": make_order_context,
}


def list_shipment_orders(app: App, shipment: Shipment) -> list[Context]:
    """Return the orders whose lines are in a shipment."""
    orders = (app.store.get("order", id) for id in list_linked_orders(app.store, shipment.id))
    return [_write_order(Order.model_validate(order)) for order in orders if order]


def _write_order(order: Order) -> Context:
    return {name: value for name, value in order.model_dump().items() if name != "shipments"}


def list_line_items(shipment: Shipment, orders: Sequence[Context]) -> list[Context]:
    """Return the items of the parcels: how many are sent, and from which line of which order, if any."""
    lines = {line["id"]: (line, order) for order in orders for line in order["line_items"]}
    items = []
    for item in (item for parcel in shipment.parcels for item in parcel.items):
        line, order = lines.get(item.parent_id or "", (None, None))
        items.append({**item.model_dump(), **(line or {}), "ship_quantity": item.quantity, "order": order})
    return items


def describe_carrier(app: App, shipment: Shipment) -> Context:
    """Return the connection of a shipment without its credentials; only its name if it no longer exists."""
    document = app.store.get("connection", find_connection_id(shipment) or "") or {}
    named = {"carrier_name": shipment.carrier_name, "carrier_id": shipment.carrier_id}
    return {**named, **{name: document[name] for name in CARRIER_FIELDS if document.get(name) is not None}}
