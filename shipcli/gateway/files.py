"""Files of a server: fetched as they are stored there, converted and merged here."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from shipcli.features.paper.label_files import INVOICE, LABEL
from shipcli.features.paper.labels import LabelFile, check_mergeable, make_label_file, merge_files
from shipcli.features.pickups.manifests import get_manifest, merge_form_files
from shipcli.gateway.gateway import LocalOnly
from shipcli.models import NotFound

if TYPE_CHECKING:
    from shipcli.drawing.paper import PaperSize
    from shipcli.gateway.http import HttpGateway
    from shipcli.models import Shipment


def get_label(
    server: HttpGateway, shipment: Shipment, format: str | None = None, name: str = LABEL
) -> LabelFile:
    """A label in the requested format, else in the shipment's own.

    Errors: NotFound if the shipment has none; Invalid if it can't be converted.
    """
    return make_label_file(shipment, _fetch_file(server, shipment, name), "", format, name)


def merge_labels(
    server: HttpGateway, shipments: Sequence[Shipment], format: str = "PDF", name: str = LABEL
) -> bytes:
    """The labels of many shipments as one file, in the order given.

    Errors: NotFound naming every shipment that has none; Invalid.
    """
    check_mergeable(
        shipments, [shipment.id for shipment in shipments if _find_file_address(shipment, name)], name
    )
    return merge_files(
        [server.client.fetch(str(_find_file_address(shipment, name))) for shipment in shipments], format, name
    )


def merge_forms(
    server: HttpGateway, manifest_ids: Sequence[str], format: str = "PDF", paper: PaperSize | None = None
) -> bytes:
    """The forms of several manifests as one file, in the order given.

    Errors: NotFound naming the manifest that has none; Invalid; OnlyHere for another paper than the server's.
    """
    if paper:
        raise LocalOnly("--paper")
    files = []
    for manifest_id in manifest_ids:
        address = server.ask(get_manifest, manifest_id).manifest_url
        if not address:
            raise NotFound("manifest", message=f"The manifest {manifest_id} has no file")
        files.append(server.client.fetch(address))
    return merge_form_files(files, format)


def _find_file_address(shipment: Shipment, name: str) -> str | None:
    return {LABEL: shipment.label_url, INVOICE: shipment.invoice_url}[name]


def _fetch_file(server: HttpGateway, shipment: Shipment, name: str) -> bytes | None:
    address = _find_file_address(shipment, name)
    return server.client.fetch(address) if address else None
