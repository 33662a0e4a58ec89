"""Files of another server: fetched as it keeps them, converted and merged here."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from shipcli.features.manifests.service import get_manifest, merge_form_files
from shipcli.features.papers.label_files import INVOICE, LABEL
from shipcli.features.papers.labels import LabelFile, convert_file, merge_files
from shipcli.gateway.gateway import OnlyHere
from shipcli.models import Invalid, NotFound

if TYPE_CHECKING:
    from shipcli.documents.paper import PaperSize
    from shipcli.gateway.http import HttpGateway
    from shipcli.models import Shipment


def get_label(
    server: HttpGateway, shipment: Shipment, format: str | None = None, name: str = LABEL
) -> LabelFile:
    """A label in the format asked for, else in the shipment's own.

    Errors: NotFound when the shipment has none; Invalid when it can't be converted.
    """
    content = _file(server, shipment, name)
    wanted = format or (shipment.label_type if name == LABEL else "PDF") or "PDF"
    content = convert_file(content, wanted, f"{name} of {shipment.id}")
    return LabelFile(shipment.id, shipment.tracking_number or "", wanted, content)


def merge_labels(
    server: HttpGateway, shipments: Sequence[Shipment], format: str = "PDF", name: str = LABEL
) -> bytes:
    """The labels of many shipments as one file, in the order given.

    Errors: NotFound naming every shipment that has none; Invalid.
    """
    if not shipments:
        raise Invalid("shipments", "There is nothing to merge.")
    without = [shipment.id for shipment in shipments if not _address(shipment, name)]
    if without:
        raise NotFound(name, message=f"These shipments have no {name}: {', '.join(without)}")
    return merge_files([_file(server, shipment, name) for shipment in shipments], format, name)


def merge_forms(
    server: HttpGateway, manifest_ids: Sequence[str], format: str = "PDF", paper: PaperSize | None = None
) -> bytes:
    """The forms of several manifests as one file, in the order given.

    Errors: NotFound naming the manifest that has none; Invalid; OnlyHere for another paper than the server's.
    """
    if paper:
        raise OnlyHere("--paper")
    files = []
    for one in manifest_ids:
        address = server.ask(get_manifest, one).manifest_url
        if not address:
            raise NotFound("manifest", message=f"The manifest {one} has no file")
        files.append(server.client.fetch(address))
    return merge_form_files(files, format)


def _address(shipment: Shipment, name: str) -> str | None:
    return {LABEL: shipment.label_url, INVOICE: shipment.invoice_url}[name]


def _file(server: HttpGateway, shipment: Shipment, name: str) -> bytes:
    address = _address(shipment, name)
    if not address:
        raise NotFound(name, message=f"The shipment {shipment.id} has no {name}")
    return server.client.fetch(address)
