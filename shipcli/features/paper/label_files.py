"""The files of a purchase as its carrier sent them."""

from __future__ import annotations

import base64
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from shipcli.features.core.app import App
    from shipcli.models import Label, Shipment
    from shipcli.store.transaction import Transaction

MEDIA_TYPES = {"PDF": "application/pdf", "ZPL": "application/octet-stream", "PNG": "image/png"}
LABEL, INVOICE = "label", "invoice"


def store_documents(app: App, tx: Transaction, shipment: Shipment, label: Label) -> None:
    """Keep the files of a purchase, in its transaction."""
    from shipcli.drawing import find_label_kind

    for name in (LABEL, INVOICE):
        if text := label.docs.get(name):
            content = decode_label(text)
            kind = find_label_kind(content) or shipment.label_type or "PDF"
            media = MEDIA_TYPES.get(kind, "application/octet-stream")
            tx.put_file(shipment.id, name, format=kind, media_type=media, content=content)


def decode_label(text: str) -> bytes:
    """Return a document as the carrier sent it: base64 text, or text as it is."""
    content = _decode(text)
    if content is None:  # some carriers send it in lines
        content = _decode("".join(text.split()))
    return text.encode() if content is None else content


def _decode(text: str) -> bytes | None:
    try:
        return base64.b64decode(text, validate=True)
    except ValueError:
        return None
