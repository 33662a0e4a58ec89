"""Manifests (SCAN forms) of stored shipments: one per connection, made by the carrier or drawn here."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from shipcli.drawing import convert, find_label_kind, merge
from shipcli.features.book.drafts import expand_body
from shipcli.features.connections import accounts, intent_actions
from shipcli.features.connections.intent_actions import MANIFEST
from shipcli.features.core.idempotency import perform_with_key
from shipcli.features.core.idempotency_key import IdempotencyKey
from shipcli.features.core.locks import hold_locks
from shipcli.features.core.shipment_lookup import find_shipments
from shipcli.features.paper.manifest_form import redraw_form
from shipcli.features.pickups.manifest_creation import FILE, make, settle
from shipcli.features.pickups.manifest_grouping import select_listable
from shipcli.models import Address, Invalid, Manifest, ManifestData, NotFound

if TYPE_CHECKING:
    from shipcli.drawing.paper import PaperSize
    from shipcli.features.core.app import App

UNDER_WAY = "A manifest of one of these shipments is being made right now"


def create_manifest(app: App, data: ManifestData, *, once: IdempotencyKey | None = None) -> Manifest:
    """Make the end-of-day form for shipments bought from a carrier; its messages name those left out.

    If making a form for all of them was interrupted before, that form is completed, not made again.
    Errors: NoConnection; Invalid on `shipment_ids` if none can be listed; Conflict while another process
            lists them; Refused; OutcomeUnknown.
    """
    return read_manifest(perform_with_key(app, once, lambda: _create(app, data, once)))


def _create(app: App, data: ManifestData, once: IdempotencyKey | None) -> Manifest:
    able = accounts.choose(app, "shipping", carrier_name=data.carrier_name)
    ids = {shipment.id for shipment in find_shipments(app, data.shipment_ids).values()}
    with hold_locks(app, [f"manifest/{shipment_id}" for shipment_id in ids], UNDER_WAY):
        for finished, action in intent_actions.settle_actions_of(app, MANIFEST, ids, settle):
            if ids <= set(action.shipment_ids):
                intent_actions.remember_answer(app, once, finished.model_dump(), 201)
                return finished
        account, shipments, notes = select_listable(app, able, data)
        body = expand_body(app, data)
        address = Address.model_validate(body["address"])
        return make(app, account, address, shipments, body, notes, once)


def read_manifest(result: Manifest | dict[str, Any]) -> Manifest:
    return result if isinstance(result, Manifest) else Manifest.model_validate(result)


def finish_interrupted(app: App) -> list[Manifest]:
    """Complete the forms requested by processes that have died, and return them."""
    settled = app.settle_actions()
    return [result for result in settled if isinstance(result, Manifest)]


# -- stored manifests ------------------------------------------------------------------------------


def get_manifest(app: App, manifest_id: str) -> Manifest:
    """Return a manifest.

    Errors: NotFound.
    """
    document = app.store.get("manifest", manifest_id, app.test_mode)
    if document is None:
        raise NotFound("manifest", manifest_id)
    return Manifest.model_validate(document)


def merge_forms(
    app: App, manifest_ids: Sequence[str], format: str = "PDF", paper: PaperSize | None = None
) -> bytes:
    """Merge the forms of several manifests into one file, in the order given; forms drawn here are redrawn if
    `paper` is given.

    Errors: NotFound if a manifest does not exist or has no file; Invalid.
    """
    return merge_form_files([_read_form(app, manifest_id, paper) for manifest_id in manifest_ids], format)


def _read_form(app: App, manifest_id: str, paper: PaperSize | None) -> bytes:
    file = app.store.file(get_manifest(app, manifest_id).id, FILE)
    if file is None:
        raise NotFound(FILE, message=f"The manifest {manifest_id} has no file")
    content: bytes = file["content"]
    return redraw_form(app, manifest_id, content, paper) if paper else content


def merge_form_files(files: Sequence[bytes], format: str = "PDF") -> bytes:
    """Merge forms into one file; a single form is only converted to the format if necessary.

    Errors: Invalid if there are none, or they cannot be converted to the format.
    """
    if not files:
        raise Invalid("manifests", "There is nothing to merge.")
    try:
        if len(files) > 1:
            return merge(files, format)
        return files[0] if find_label_kind(files[0]) == format else convert(files[0], format)
    except ValueError as error:
        raise Invalid("format", f"The manifests can't be made {format}: {error}") from None
