"""Label files: stored as the carrier made them, converted and merged on request."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from shipcli.features.paper.label_files import LABEL
from shipcli.models.basics.errors import Invalid, NotFound
from shipcli.store.query import flag, one_of

if TYPE_CHECKING:
    from shipcli.features.core.app import App
    from shipcli.models import Shipment

PDF = "PDF"


@dataclass(frozen=True)
class LabelFile:
    """A label as bytes, and the shipment it belongs to."""

    shipment_id: str
    tracking_number: str
    format: str
    content: bytes


def find_file(app: App, shipment_id: str, name: str = LABEL) -> dict[str, Any] | None:
    """Return a file of a shipment; a label that could not be fetched at the purchase is fetched now.

    Errors: Refused if the carrier does not provide it yet.
    """
    stored = app.store.file(shipment_id, name)
    if stored is not None or name != LABEL:
        return stored
    # Carriers are imported for this alone: it is more than half of what printing a label costs.
    from shipcli.features.paper.label_requests import fetch_missing_label

    return app.store.file(shipment_id, name) if fetch_missing_label(app, shipment_id) else None


def get_label(app: App, shipment: Shipment, format: str | None = None, name: str = LABEL) -> LabelFile:
    """Return a label in the requested format, else in the shipment's own.

    Errors: NotFound if the shipment has none; Invalid if it can't be converted.
    """
    file = find_file(app, shipment.id, name) or {"content": None, "format": ""}
    return make_label_file(shipment, file["content"], file["format"], format, name)


def make_label_file(
    shipment: Shipment, content: bytes | None, stored_format: str, format: str | None, name: str
) -> LabelFile:
    """Return a file of a shipment in the requested format, else in the shipment's own.

    Shapes: `stored_format` is the format that it is stored in, empty if that is not known.
    Errors: NotFound if there is none; Invalid if it can't be converted.
    """
    if content is None:
        raise NotFound(name, message=f"The shipment {shipment.display_name} has no {name}")
    target = format or (shipment.label_type if name == LABEL else PDF) or stored_format or PDF
    if target != stored_format:
        content = convert_file(content, target, f"{name} of {shipment.display_name}", is_label=name == LABEL)
    return LabelFile(shipment.id, shipment.tracking_number or "", target, content)


def convert_file(content: bytes, format: str, what: str, *, is_label: bool = False) -> bytes:
    """Return a file in another format; unchanged if it is in that format already.

    A label on a sheet of office paper is cut out of it where it becomes ZPL.
    Errors: Invalid naming what can't be converted.
    """
    from shipcli.drawing import Unconvertible, convert, find_label_kind
    from shipcli.drawing.elements import LABEL_IN
    from shipcli.drawing.media import fit_pdf
    from shipcli.drawing.sheets import cut_label

    kind = find_label_kind(content)
    if kind == format:
        return content
    try:
        if is_label and (kind, format) == (PDF, "ZPL"):
            content = fit_pdf(cut_label(content, LABEL_IN), LABEL_IN)
        return convert(content, format)
    except (Unconvertible, ValueError) as error:
        raise Invalid("format", f"The {what} can't be made {format}: {error}") from None


def list_printed(app: App, shipment_ids: Sequence[str]) -> set[str]:
    """Return the shipments among these whose label was printed."""
    rows = app.store.select("shipments", [one_of("id", shipment_ids), flag("printed", True)])
    return {str(row["id"]) for row in rows}


def merge_labels(app: App, shipments: Sequence[Shipment], format: str = "PDF", name: str = LABEL) -> bytes:
    """Return the labels of many shipments as one file, in the order given; what differs is converted.

    Errors: NotFound naming every shipment that has none (no label is left out silently); Invalid.
    """
    files = dict(app.store.files([shipment.id for shipment in shipments], name))
    for shipment in shipments:
        if shipment.id not in files and (file := find_file(app, shipment.id, name)):
            files[shipment.id] = file
    check_mergeable(shipments, files, name)
    return merge_files([files[shipment.id]["content"] for shipment in shipments], format, name)


def check_mergeable(shipments: Sequence[Shipment], there: Collection[str], name: str) -> None:
    """Errors: Invalid if no shipment is given; NotFound naming every one without a file."""
    if not shipments:
        raise Invalid("shipments", "There is nothing to merge.")
    without = [shipment.id for shipment in shipments if shipment.id not in there]
    if without:
        raise NotFound(name, message=f"These shipments have no {name}: {', '.join(without)}")


def merge_files(contents: Sequence[bytes], format: str, name: str = LABEL) -> bytes:
    """Merge several files into one.

    Errors: Invalid if they can't be merged.
    """
    from shipcli.drawing import merge

    try:
        return merge(contents, format)
    except ValueError as error:
        raise Invalid("format", f"The {name}s can't be merged as {format}: {error}") from None
