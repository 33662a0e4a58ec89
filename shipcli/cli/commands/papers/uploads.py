"""`shipcli uploads`: documents that carriers were sent."""

from __future__ import annotations

import base64
from pathlib import Path
from typing import Annotated, Any

import typer

from shipcli import models
from shipcli.cli.arguments.bodies import check_body, read_bytes
from shipcli.cli.arguments.selectors import Id, remember, select_one
from shipcli.cli.arguments.shipment_options import Reference
from shipcli.cli.console.output import show
from shipcli.cli.console.prompts import would
from shipcli.cli.console.stderr import warn
from shipcli.cli.gateway import ask
from shipcli.cli.stored_noun_table import UPLOADS
from shipcli.cli.verbs import Verbs
from shipcli.features.paper import uploads
from shipcli.models.basics.text import count_text

COLUMNS = UPLOADS.columns


verb = Verbs()


@verb
def create(
    shipment: Id,
    files: Annotated[list[Path], typer.Argument(metavar="FILE...", help="Documents to send.")],
    type: Annotated[
        str,
        typer.Option(
            "--type",
            metavar="DOCUMENT_TYPE",
            help="commercial_invoice, packing_list, certificate_of_origin, other...",
        ),
    ] = "other",
    reference: Reference = None,
) -> None:
    """Send documents of a bought shipment to its carrier.

    Examples:
    shipcli uploads create 1003 invoice.pdf --type commercial_invoice
    shipcli uploads create 1003 invoice.pdf --reference 2026-117
    """
    chosen = select_one("shipment", shipment)
    fields = {
        "shipment_id": chosen,
        "document_files": [_read_upload(path, type) for path in files],
        "reference": reference,
    }
    body = check_body(models.DocumentUploadData, fields)
    if would(f"send {count_text(len(files), 'document')} of {chosen} to its carrier"):
        return
    record = ask(uploads.upload, body)
    for message in record.messages:
        warn(str(message.message))
    remember("upload", record.id)
    show(record, COLUMNS)


def _read_upload(path: Path, kind: str) -> dict[str, Any]:
    """Errors: Usage when the file can't be read."""
    form = path.suffix.lstrip(".").upper() or None
    text = base64.b64encode(read_bytes(path)).decode()
    return {"doc_file": text, "doc_name": path.name, "doc_format": form, "doc_type": kind}
