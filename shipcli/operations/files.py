"""The downloads: labels, invoices, manifests, proofs of delivery."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from shipcli.features.core.filters import Rules, split_words
from shipcli.features.orders import service as orders
from shipcli.features.orders.filters import ORDERS
from shipcli.features.paper import documents, label_preview, labels, templates
from shipcli.features.paper.label_files import INVOICE
from shipcli.features.pickups import manifests
from shipcli.features.shipments.filters import SHIPMENTS
from shipcli.features.trackers.filters import TRACKERS
from shipcli.models import Invalid, NotFound, Shipment

if TYPE_CHECKING:
    from shipcli.features.core.app import App

MEDIA = {"pdf": "application/pdf", "zpl": "application/octet-stream", "png": "image/png"}
TABLES = {
    "csv": "text/csv; charset=utf-8",
    "xls": "application/vnd.ms-excel",
    "xlsx": "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
}
PDF_OR_ZPL = ("pdf", "zpl")
IMAGES = ("image/png", "image/jpeg", "image/gif", "application/pdf", "application/octet-stream")
TEMPLATE = "/documents/templates/{id}.{slug}"
MOST_MERGED = 1000


@dataclass(frozen=True, slots=True)
class SentFile:
    """A file to send; `name` is the file name under which it is saved."""

    content: bytes
    media_type: str
    name: str


@dataclass(frozen=True)
class Download:
    """A download: a path that ends in `name.{format}` or, with a single format, in a plain name.

    Shapes: `use` is called with the app, the path's values, and the format; with `many` also with the ids
            that the query parameter of that name lists. The path of a `linked` one appears in responses.
    """

    id: str
    path: str
    summary: str
    use: Callable[..., SentFile]
    formats: tuple[str, ...] = ()
    many: str = ""
    linked: bool = False

    def paths(self) -> list[tuple[str, str]]:
        """Every path, and the format it asks for."""
        if not self.formats:
            return [(self.path, "png")]
        return [(self.path.replace("{format}", form), form) for form in self.formats]


@dataclass(frozen=True)
class Exported:
    """An export: a path for each format, its list's filters in the query, and credentials required."""

    what: str
    filters: Rules

    def paths(self) -> list[tuple[str, str]]:
        """Every path, and the format it asks for."""
        return [(self.path.replace("{format}", form), form) for form in TABLES]

    @property
    def path(self) -> str:
        """Its path, with a placeholder for the format."""
        return f"/v1/batches/data/export/{self.what}.{{format}}"

    def use(self, app: App, query: Mapping[str, Sequence[str]], format: str) -> SentFile:
        """Export the objects that a query selects as a table with the default headers.

        Errors: Invalid naming the filter or field that can't be read; Invalid for more rows than a
                spreadsheet holds.
        """
        from shipcli.features.files.export import export, read_query
        from shipcli.features.files.writing import encode_table

        sheet = export(app, self.what, read_query(self.what, query))
        content = encode_table(format, sheet.headers, sheet.rows)
        return SentFile(content, TABLES[format], f"{self.what}.{format}")


def download_label(app: App, shipment_id: str, format: str) -> SentFile:
    """The label of a shipment, converted if it was made in another format.

    Errors: NotFound; Invalid if it can't be converted.
    """
    label = labels.get_label(app, _find_shipment(app, shipment_id), format.upper())
    return SentFile(label.content, MEDIA[format], f"label_{label.tracking_number or shipment_id}.{format}")


def download_invoice(app: App, shipment_id: str, format: str) -> SentFile:
    """The commercial invoice of a shipment.

    Errors: NotFound.
    """
    label = labels.get_label(app, _find_shipment(app, shipment_id), format.upper(), INVOICE)
    return SentFile(label.content, MEDIA[format], f"invoice_{label.tracking_number or shipment_id}.{format}")


def download_manifest(app: App, manifest_id: str, format: str) -> SentFile:
    """The form of a manifest.

    Errors: NotFound.
    """
    return SentFile(
        _merge_forms(app, [manifest_id], format), MEDIA[format], f"manifest_{manifest_id}.{format}"
    )


def _merge_forms(app: App, ids: Sequence[str], format: str) -> bytes:
    first = app.store.get("manifest", ids[0])
    mode = bool(first and first.get("test_mode"))
    return manifests.merge_forms(app.in_mode(mode), ids, format.upper())


def download_delivery_image(app: App, tracker_id: str, format: str) -> SentFile:
    """The photo of a delivery.

    Errors: NotFound.
    """
    return _download_image(app, tracker_id, "delivery_image")


def download_signature_image(app: App, tracker_id: str, format: str) -> SentFile:
    """The signature of a delivery.

    Errors: NotFound.
    """
    return _download_image(app, tracker_id, "signature_image")


def _download_image(app: App, tracker_id: str, name: str) -> SentFile:
    file = app.store.file(tracker_id, name)
    if file is None:
        raise NotFound(name, message=f"The tracker {tracker_id} has no {name.replace('_', ' ')}")
    return SentFile(file["content"], file["media_type"], f"{name}_{tracker_id}.{file['format'].lower()}")


def download_sample_label(app: App, connection_id: str, format: str) -> SentFile:
    """A sample of the labels of a custom carrier.

    Errors: NotFound; Invalid if there is no such label in this format.
    """
    content = label_preview.make_sample_label(app, connection_id, format.upper())
    return SentFile(content, MEDIA[format], f"label_{connection_id}.{format}")


def render_template(app: App, name: str, data: Mapping[str, str]) -> SentFile:
    """Render a stored template, named as `ID.SLUG`, to PDF with the data in a query.

    Shapes: `shipments` and `orders` list ids of one mode, or say `sample`.
    Errors: NotFound for an unknown template, shipment or order; BadTemplate; Invalid.
    """
    template_id, _, slug = name.partition(".")
    template = templates.get_template(app, template_id)
    if template.slug != slug:
        raise NotFound("template", name)
    content = documents.render_template(_choose_mode(app, data), template, data)
    return SentFile(content, MEDIA["pdf"], f"{slug}.pdf")


def _choose_mode(app: App, data: Mapping[str, str]) -> App:
    """The app in the mode of the first shipment or order that is named."""
    named = ((kind, word) for kind in documents.RELATED for word in split_words(data.get(f"{kind}s", ())))
    first = next((document for kind, word in named if (document := app.store.get(kind, word))), None)
    return app.in_mode(bool(first["test_mode"])) if first else app


def download_merged_labels(app: App, ids: Sequence[str], format: str) -> SentFile:
    """The labels of several shipments as one file, in the order given.

    Errors: NotFound naming the shipments that have none; Invalid.
    """
    content = labels.merge_labels(
        app, [_find_shipment(app, shipment_id) for shipment_id in ids], format.upper()
    )
    return SentFile(content, MEDIA[format], f"labels.{format}")


def download_merged_invoices(app: App, ids: Sequence[str], format: str) -> SentFile:
    """The invoices of several shipments as one file.

    Errors: NotFound naming the shipments that have none; Invalid.
    """
    content = labels.merge_labels(
        app, [_find_shipment(app, shipment_id) for shipment_id in ids], format.upper(), INVOICE
    )
    return SentFile(content, MEDIA[format], f"invoices.{format}")


def download_order_labels(app: App, ids: Sequence[str], format: str) -> SentFile:
    """The labels of all shipments of several orders as one file.

    Errors: NotFound; Invalid.
    """
    return download_merged_labels(app, _list_bought_ids(app, ids), format)


def download_order_invoices(app: App, ids: Sequence[str], format: str) -> SentFile:
    """The invoices of all shipments of several orders as one file.

    Errors: NotFound; Invalid.
    """
    return download_merged_invoices(app, _list_bought_ids(app, ids), format)


def download_merged_manifests(app: App, ids: Sequence[str], format: str) -> SentFile:
    """The forms of several manifests as one file.

    Errors: NotFound; Invalid.
    """
    return SentFile(_merge_forms(app, ids, format), MEDIA[format], f"manifests.{format}")


def _list_bought_ids(app: App, order_ids: Sequence[str]) -> list[str]:
    """The bought shipments of orders, oldest first; one that covers several orders is listed once."""
    shipment_ids: list[str] = []
    for order_id in order_ids:
        document = app.store.get("order", order_id)
        order = orders.get_order(app.in_mode(bool(document and document.get("test_mode"))), order_id)
        shipment_ids += [
            shipment.id
            for shipment in order.shipments[::-1]
            if shipment.tracking_number and shipment.status != "cancelled"
        ]
    return list(dict.fromkeys(shipment_ids))


def _find_shipment(app: App, shipment_id: str) -> Shipment:
    """A shipment of either mode.

    Errors: NotFound.
    """
    document = app.store.get("shipment", shipment_id)
    if document is None:
        raise NotFound("shipment", shipment_id)
    return Shipment.model_validate(document)


def read_ids(name: str, values: Sequence[str]) -> list[str]:
    """The ids that a query lists, without duplicates.

    Errors: Invalid for none or too many.
    """
    ids = list(dict.fromkeys(split_words(values)))
    if not 0 < len(ids) <= MOST_MERGED:
        raise Invalid(name, f"must list 1 to {MOST_MERGED} ids")
    return ids


DOWNLOADS: tuple[Download, ...] = (
    Download("download_label", "/v1/shipments/{id}/label.{format}", "Download a label", download_label,
             tuple(MEDIA), linked=True),
    Download("download_invoice", "/v1/shipments/{id}/invoice.{format}", "Download an invoice",
             download_invoice, ("pdf",), linked=True),
    Download("download_manifest", "/v1/manifests/{id}/manifest.{format}", "Download a manifest",
             download_manifest, ("pdf",), linked=True),
    Download("delivery_image", "/v1/trackers/{id}/delivery_image", "Download a proof of delivery",
             download_delivery_image, linked=True),
    Download("signature_image", "/v1/trackers/{id}/signature_image", "Download a signature",
             download_signature_image, linked=True),
    Download("sample_label", "/v1/carriers/{id}/label.{format}",
             "Download what a label of a custom carrier looks like", download_sample_label, tuple(MEDIA)),
    Download("merged_labels", "/documents/shipments/label.{format}", "Download labels as one file",
             download_merged_labels, PDF_OR_ZPL, many="shipments"),
    Download("merged_invoices", "/documents/shipments/invoice.{format}", "Download invoices as one file",
             download_merged_invoices, ("pdf",), many="shipments"),
    Download("order_labels", "/documents/orders/label.{format}", "Download the labels of orders as one file",
             download_order_labels, PDF_OR_ZPL, many="orders"),
    Download("order_invoices", "/documents/orders/invoice.{format}",
             "Download the invoices of orders as one file", download_order_invoices, ("pdf",), many="orders"),
    Download("merged_manifests", "/documents/manifests/manifest.{format}", "Download manifests as one file",
             download_merged_manifests, ("pdf",), many="manifests"),
)  # fmt: skip

EXPORTS: tuple[Exported, ...] = (
    Exported("orders", ORDERS),
    Exported("shipments", SHIPMENTS),
    Exported("trackers", TRACKERS),
)
