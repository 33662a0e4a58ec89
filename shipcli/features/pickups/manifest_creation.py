"""End-of-day forms: made by the carrier, once, or drawn here.

If the carrier's answer is lost, the form is looked up where the carrier allows it, else requested again.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from shipcli.carrier.sending.jobs import CarrierJob
from shipcli.drawing import find_label_kind
from shipcli.features.connections import intent_actions
from shipcli.features.connections.intent_actions import MANIFEST, CarrierAction
from shipcli.features.core.dates import find_local_day
from shipcli.features.core.idempotency_key import IdempotencyKey, list_key_locks
from shipcli.features.core.scenarios import KEY as SCENARIO
from shipcli.features.core.shipment_lookup import LISTED_IN, note_in_meta
from shipcli.features.paper.label_files import MEDIA_TYPES, decode_label
from shipcli.features.paper.manifest_form import draw_manifest
from shipcli.features.pickups.manifest_grouping import list_left_out_options
from shipcli.features.pickups.manifest_requests import (
    Body,
    CarrierForm,
    choose_identifier,
    list_open_shipments,
    make_manifest_request,
    read_address,
    request_form,
)
from shipcli.models import (
    Address,
    Conflict,
    Manifest,
    ManifestDetails,
    ManifestResolveData,
    Message,
    NotFound,
    OutcomeUnknown,
    Refused,
    Shipment,
)

if TYPE_CHECKING:
    from shipcli.features.connections.accounts import Account
    from shipcli.features.core.app import App

FILE = "manifest"


def make(
    app: App,
    account: Account,
    address: Address,
    shipments: Sequence[Shipment],
    body: Body,
    notes: Sequence[Message] = (),
    once: IdempotencyKey | None = None,
) -> Manifest:
    """Make the form for shipments of one account, leaving out those with another carrier action in progress.

    Errors: Conflict if that leaves none; Refused; OutcomeUnknown.
    """
    busy = intent_actions.find_busy(app, app.store, [shipment.id for shipment in shipments])
    notes = [*notes, *(list_left_out_options(account, shipment_id, why) for shipment_id, why in busy.items())]
    shipments = [shipment for shipment in shipments if shipment.id not in busy]
    if not shipments:
        raise Conflict("; ".join(busy.values()))
    details = {
        "address": address.model_dump(),
        "body": dict(body),
        "notes": [note.model_dump() for note in notes],
    }
    ids = tuple(shipment.id for shipment in shipments)
    action = CarrierAction(MANIFEST, app.new_id(""), app.new_id("manf_"), account.id, ids, details, once)
    if not asks_carrier(account, shipments):
        return _store(app, action, account, CarrierForm(ManifestDetails(), shipments, ()))
    intent_actions.announce(app, action, account)
    return intent_actions.settle_action(app, action, _ask)


def asks_carrier(account: Account, shipments: Sequence[Shipment], others: Sequence[str] = ()) -> bool:
    """Return whether the carrier makes forms and any of these shipments needs one."""
    return account.can("manifest") and bool(others or any(map(needs_carrier, shipments)))


def needs_carrier(shipment: Shipment) -> bool:
    """Return whether a shipment needs the carrier's form; some are closed when they are bought."""
    return bool((shipment.meta or {}).get("manifest_required", True))


def _ask(app: App, action: CarrierAction) -> Manifest:
    """Request the form from the carrier and store it.

    Errors: NoConnection if the connection is gone; Refused (no form is made); OutcomeUnknown.
    """
    account = intent_actions.require_account(app, action)
    try:
        form = request_form(app, account, action)
    except OutcomeUnknown as unknown:
        manifest = _look_up(app, action, account) if account.kind.can("recover_manifest") else None
        if manifest is None:
            raise unknown from None
        return manifest
    except Refused:
        intent_actions.drop(app, action)
        raise
    return _store(app, action, account, form)


def settle(app: App, action: CarrierAction) -> Manifest | None:
    """Look up a form whose answer was lost, or request it again; None if it was not made.

    Errors: Refused (no form is made); OutcomeUnknown if a person must look, or the carrier did not answer.
    """
    account = intent_actions.find_account(app, action)
    if account is None:
        raise intent_actions.mark_needs_attention(app, action, account, ())
    if not list_open_shipments(app, action):  # closed or cancelled in the meantime
        intent_actions.drop(app, action)
        return None
    if not account.kind.can("recover_manifest"):
        return _ask(app, drop_scenario(action))
    manifest = _look_up(app, action, account)
    if manifest is None:
        intent_actions.drop(app, action)
    return manifest


def drop_scenario(action: CarrierAction) -> CarrierAction:
    """Return the action without its sandbox scenario, so that the retry does not fail the same way."""
    body = action.details["body"]
    options = {name: value for name, value in body["options"].items() if name != SCENARIO}
    return replace(action, details={**action.details, "body": {**body, "options": options}})


def _look_up(app: App, action: CarrierAction, account: Account) -> Manifest | None:
    """Look up and store the form that the carrier made; None if it made none.

    Errors: OutcomeUnknown if the lookup fails.
    """
    carrier = account.open(app, key=action.key)
    shipments = list_open_shipments(app, action)
    request = make_manifest_request(shipments, read_address(action), drop_scenario(action).details["body"])
    outcome = app.driver.run(CarrierJob.of(carrier, "recover_manifest", request, action.object_id))
    if outcome.failed:
        raise OutcomeUnknown(outcome.messages)
    if outcome.result is None:
        return None
    return _store(app, action, account, CarrierForm(outcome.result, shipments, outcome.messages))


# -- storing ---------------------------------------------------------------------------------------


def _store(app: App, action: CarrierAction, account: Account, form: CarrierForm) -> Manifest:
    """Store a form and mark the shipments on it."""
    body, notes = action.details["body"], action.details["notes"]
    names = {"ext": account.slug, "carrier": account.shown_name, "connection_id": account.id}
    names["manifest_date"] = find_local_day(app.now()).isoformat()
    manifest = Manifest.model_validate(
        {
            **body,
            "id": action.object_id,
            "carrier_name": account.slug,
            "carrier_id": account.carrier_id,
            "address": action.details["address"],
            "shipment_identifiers": [choose_identifier(shipment) for shipment in form.closed],
            "manifest_url": f"/v1/manifests/{action.object_id}/manifest.pdf",
            "messages": [*form.messages, *(Message.model_validate(note) for note in notes)],
            "meta": {**form.details.meta, **names},
            "test_mode": app.test_mode,
        }
    )
    content = make_form_file(app, account, read_address(action), form.closed, form.details, body["reference"])
    write_made(app, action, manifest, content, form.closed)
    return manifest


def make_form_file(
    app: App,
    account: Account,
    address: Address,
    shipments: Sequence[Shipment],
    details: ManifestDetails,
    reference: str | None,
    others: Sequence[str] = (),
) -> bytes:
    """Return the carrier's form, or draw one if the carrier made none or its form has been lost."""
    if text := details.doc.get("manifest"):
        return decode_label(text)
    return draw_manifest(app, account, address, shipments, reference=reference, others=others)


def write_made(
    app: App, action: CarrierAction, manifest: Manifest, content: bytes, shipments: Sequence[Shipment]
) -> None:
    """Write a form, its file, and that its shipments are on it; the action ends."""
    kind, plain = find_label_kind(content) or "PDF", manifest.model_dump()
    locks = [
        f"manifest/{manifest.id}",
        *(f"shipment/{shipment.id}" for shipment in shipments),
        *list_key_locks(action.once),
    ]
    with app.store.transaction(durable=True, locks=locks) as tx:
        tx.put("manifest", plain, test_mode=app.test_mode)
        tx.put_file(manifest.id, FILE, content, format=kind, media_type=MEDIA_TYPES[kind])
        for shipment in shipments:
            note_in_meta(app, tx, shipment.id, LISTED_IN, manifest.id, has_manifest=True)
        intent_actions.finish(tx, action, plain, 201)


def resolve_manifest(app: App, manifest_id: str, data: ManifestResolveData) -> dict[str, Any]:
    """Record whether a form with an unknown outcome was made; if it was, a copy is drawn here.

    Errors: NotFound if there is nothing to resolve; Conflict while another process settles it, or if its
            connection is gone.
    """
    rows = intent_actions.list_object_rows(app, app.store, MANIFEST, manifest_id)
    nothing = {"id": manifest_id, "object_type": "manifest", "made": False}
    if not rows and not data.made and intent_actions.was_recorded_without_effect(app, MANIFEST, manifest_id):
        return nothing
    if not rows:
        raise NotFound("manifest", message=f"There is no manifest with an unknown outcome: {manifest_id}")
    action = intent_actions.claim_for_person(app, rows[0])
    if not data.made:
        intent_actions.record_no_effect(app, MANIFEST, manifest_id)
        return nothing
    account = intent_actions.find_account(app, action)
    if account is None:
        raise Conflict("The connection it was requested through is gone: it can only be resolved as not made")
    return _store(
        app, action, account, CarrierForm(ManifestDetails(), list_open_shipments(app, action), ())
    ).model_dump()
