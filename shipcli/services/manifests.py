"""Manifests (SCAN forms) of stored shipments: one per connection and place, by the carrier or drawn."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from shipcli.models import (
    Address,
    Conflict,
    Invalid,
    Manifest,
    ManifestData,
    ManifestDetails,
    ManifestRequest,
    Message,
    NotFound,
    Shipment,
)
from shipcli.services import accounts
from shipcli.services.asking import asked
from shipcli.services.claims import claimed
from shipcli.services.drafts import plain_body
from shipcli.services.manifest_choice import LISTED_IN, listable, obstacle
from shipcli.services.selection import (
    connection_id,
    named_shipments,
    note_in_meta,
    purchased,
)

if TYPE_CHECKING:
    from shipcli.services.accounts import Account
    from shipcli.services.app import App
    from shipcli.store.query import Filter
    from shipcli.store.reading import Page

FILE = "manifest"
GROUP, EXCLUDED = "group_id", "excluded_shipments"
UNDER_WAY = "A manifest of one of these shipments is being made right now"


def create_manifest(app: App, data: ManifestData) -> Manifest:
    """The end-of-day form of bought shipments of a carrier; the messages name those that can't be on it.

    Errors: NoConnection; Invalid on `shipment_ids` when none is left; Conflict while another process lists
            them; Refused; OutcomeUnknown.
    """
    able = accounts.choose(app, "shipping", carrier_name=data.carrier_name)
    found = named_shipments(app, data.shipment_ids)
    with claimed(app, [f"manifest/{shipment.id}" for shipment in found.values()], UNDER_WAY):
        account, shipments, notes = listable(app, able, data)
        body = plain_body(app, data)
        address = Address.model_validate(body["address"])
        return _made(app, account, address, shipments, body, notes)


def close(app: App, account: Account, address: Address, shipments: Sequence[Shipment]) -> Manifest:
    """The form of shipments that were looked up already, all of one account and place.

    Errors: Conflict when another process listed or changed all of them meanwhile; Refused; OutcomeUnknown.
    """
    with claimed(app, [f"manifest/{shipment.id}" for shipment in shipments], UNDER_WAY):
        now = named_shipments(app, [shipment.id for shipment in shipments]).values()
        left = [shipment for shipment in now if not obstacle(shipment)]
        if not left:
            raise Conflict("These shipments were listed or changed meanwhile")
        return _made(app, account, address, left, {"options": {}, "reference": None}, [])


def _made(
    app: App,
    account: Account,
    address: Address,
    shipments: Sequence[Shipment],
    body: Mapping[str, Any],
    notes: Sequence[Message],
) -> Manifest:
    manifest_id = app.new_id("manf_")
    asked_with = {**body, "options": _with_exclusions(app, account, shipments, body["options"])}
    details, content, messages = form_of(app, account, address, shipments, asked_with, manifest_id)
    names = {"ext": account.slug, "carrier": account.shown_name, "connection_id": account.id}
    manifest = Manifest.model_validate(
        {
            **body,
            "id": manifest_id,
            "carrier_name": account.slug,
            "carrier_id": account.carrier_id,
            "address": address.plain(),
            "shipment_identifiers": [identifier_of(shipment) for shipment in shipments],
            "manifest_url": f"/v1/manifests/{manifest_id}/manifest.pdf",
            "messages": [*messages, *notes],
            "meta": {**details.meta, **names},
            "test_mode": app.test_mode,
        }
    )
    _store(app, manifest, content, shipments)
    return manifest


def _store(app: App, manifest: Manifest, content: bytes, shipments: Sequence[Shipment]) -> None:
    from shipcli.drawing import label_kind
    from shipcli.services.labels import MEDIA_TYPES

    kind = label_kind(content) or "PDF"
    with app.store.transaction(durable=True) as tx:
        tx.put("manifest", manifest.plain(), test_mode=app.test_mode)
        tx.put_file(manifest.id, FILE, content, format=kind, media_type=MEDIA_TYPES[kind])
        for shipment in shipments:
            note_in_meta(app, tx, shipment.id, LISTED_IN, manifest.id, has_manifest=True)


def form_of(
    app: App,
    account: Account,
    address: Address,
    shipments: Sequence[Shipment],
    body: Mapping[str, Any],
    object_id: str | None = None,
    others: Sequence[str] = (),
) -> tuple[ManifestDetails, bytes, list[Message]]:
    """What the carrier made of the day's shipments, the form, and what was said.

    The form is drawn where the carrier makes none. `others` are identifiers of shipments that are not stored.
    """
    from shipcli.services.labels import label_bytes

    details, messages = ManifestDetails(), list[Message]()
    if account.can("manifest") and (others or any(map(needs_carrier, shipments))):
        known = {"shipments": [shipment.plain() for shipment in shipments]} if shipments else {}
        request = ManifestRequest(
            shipment_identifiers=[*(one for shipment in shipments for one in pieces(shipment)), *others],
            address=address,
            reference=body["reference"],
            options={**body["options"], **known},
        )
        details, messages = asked(app, account, "manifest", request, object_id=object_id)
    if text := details.doc.get("manifest"):
        return details, label_bytes(text), messages
    from shipcli.services.manifest_form import draw_manifest

    reference = body["reference"]
    return (
        details,
        draw_manifest(app, account, address, shipments, reference=reference, others=others),
        messages,
    )


def needs_carrier(shipment: Shipment) -> bool:
    """Whether a shipment waits for its carrier's form; some are closed when they are bought."""
    return bool((shipment.meta or {}).get("manifest_required", True))


def _with_exclusions(
    app: App, account: Account, shipments: Sequence[Shipment], options: Mapping[str, Any]
) -> dict[str, Any]:
    """The options, naming the bought shipments that stay out: carriers that close whole groups must know."""
    from shipcli.store.query import flag, pair

    groups = dict.fromkeys(group for shipment in shipments if (group := (shipment.meta or {}).get(GROUP)))
    listed = {shipment.id for shipment in shipments}
    out = [
        identifier
        for group in groups
        for other in purchased(app, flag("has_manifest", False), pair("meta", GROUP, group))
        if other.id not in listed and connection_id(other) in (None, account.id)
        for identifier in pieces(other)
    ]
    given = options.get(EXCLUDED) or []
    given = given.split(",") if isinstance(given, str) else given
    return {**options, EXCLUDED: [*given, *out]} if out else dict(options)


def identifier_of(shipment: Shipment) -> str:
    """The carrier's number of a shipment."""
    return str(shipment.shipment_identifier or shipment.tracking_number)


def pieces(shipment: Shipment) -> list[str]:
    """The carrier's numbers of a shipment and of its further pieces."""
    further = (shipment.meta or {}).get("shipment_identifiers") or []
    return list(dict.fromkeys([identifier_of(shipment), *map(str, further)]))


def with_address(app: App, body: Mapping[str, Any]) -> dict[str, Any]:
    """The body of a manifest; without an address, the shipper of the first shipment."""
    words = body.get("shipment_ids") or body.get("shipment_identifiers") or []
    first = next(iter(named_shipments(app, words[:1]).values()), None)
    if body.get("address") or first is None:
        return dict(body)
    return {**body, "address": {key: value for key, value in first.shipper.plain().items() if key != "id"}}


# -- stored manifests ------------------------------------------------------------------------------


def get_manifest(app: App, manifest_id: str) -> Manifest:
    """Errors: NotFound."""
    document = app.store.get("manifest", manifest_id, app.test_mode)
    if document is None:
        raise NotFound("manifest", manifest_id)
    return Manifest.model_validate(document)


def list_manifests(app: App, where: Sequence[Filter] = (), *, limit: int = 20, offset: int = 0) -> Page:
    """One page of the manifests, newest first."""
    return app.store.page("manifest", where, limit, offset, app.test_mode)


def get_form(app: App, manifest_id: str, format: str = "PDF") -> bytes:
    """The form of a manifest.

    Errors: NotFound; Invalid when it can't be made this format.
    """
    return merge_forms(app, [manifest_id], format)


def merge_forms(app: App, manifest_ids: Sequence[str], format: str = "PDF") -> bytes:
    """The forms of several manifests as one file, in the order given.

    Errors: NotFound naming the manifest that has none; Invalid.
    """
    files = {one: app.store.file(get_manifest(app, one).id, FILE) for one in manifest_ids}
    for manifest_id, file in files.items():
        if file is None:
            raise NotFound(FILE, message=f"The manifest {manifest_id} has no file")
    return merged_forms([file["content"] for file in files.values() if file], format)


def merged_forms(files: Sequence[bytes], format: str = "PDF") -> bytes:
    """Forms as one file; a lone one is converted where it must be.

    Errors: Invalid when there is none, or they can't be made this format.
    """
    from shipcli.drawing import convert, label_kind, merge

    if not files:
        raise Invalid("manifests", "There is nothing to merge.")
    try:
        if len(files) > 1:
            return merge(files, format)
        return files[0] if label_kind(files[0]) == format else convert(files[0], format)
    except ValueError as error:
        raise Invalid("format", f"The manifests can't be made {format}: {error}") from None
