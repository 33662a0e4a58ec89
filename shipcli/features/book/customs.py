"""Customs declarations: stand-alone ones for reuse, and those inside shipments."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from shipcli.features.book import nested
from shipcli.features.book.addresses import find_open_owner, write_inside
from shipcli.features.book.drafts import expand_body, give_customs_ids, give_id
from shipcli.features.book.parcels import change_items
from shipcli.features.core.idempotency_key import IdempotencyKey, list_key_locks
from shipcli.features.core.merge import merge_keys
from shipcli.features.core.repository import save
from shipcli.models import Customs, CustomsData, CustomsPatch, NotFound

if TYPE_CHECKING:
    from shipcli.features.core.app import App

KIND = "customs"
PAYOR = "duty_billing_address"


def create_declaration(app: App, data: CustomsData, *, once: IdempotencyKey | None = None) -> Customs:
    """Create and store a declaration.

    Errors: NotFound if a stored commodity or address it refers to does not exist.
    """
    declaration = Customs.model_validate(give_customs_ids(app, expand_body(app, data)))
    with app.store.transaction(locks=list_key_locks(once)) as tx:
        nested.store(tx, KIND, declaration.model_dump())
        if once:
            once.remember_made(tx, declaration.model_dump())
    return declaration


def get_declaration(app: App, declaration_id: str) -> Customs:
    """Return a stand-alone declaration, or one inside a shipment.

    Errors: NotFound.
    """
    declaration = nested.find(app, KIND, declaration_id)
    if declaration is None:
        raise NotFound("customs declaration", declaration_id)
    return Customs.model_validate(declaration)


def update_declaration(app: App, declaration_id: str, data: CustomsPatch) -> Customs:
    """Change the given fields of a declaration: options and duty are merged, commodities with a known id are
    updated and others added, and the payor's address is replaced. A draft shipment keeps its rates.

    Errors: NotFound; Conflict if its shipment is not a draft; Invalid.
    """
    with app.store.transaction() as tx:
        owner, current = find_open_owner(app, declaration_id), get_declaration(app, declaration_id)
        changed = Customs.model_validate(_change(app, current, data))
        nested.leave(tx, KIND, current.model_dump())
        if owner is None:
            nested.store(tx, KIND, changed.model_dump())
        else:
            write_inside(app, tx, owner, changed.model_dump(), priced=False)
    return changed


def _change(app: App, current: Customs, data: CustomsPatch) -> dict[str, Any]:
    body = expand_body(app, data)
    changes = {name: body[name] for name in data.model_fields_set}
    if "options" in changes:
        changes["options"] = merge_keys(current.options, changes["options"])
    if data.duty:
        before = current.duty.model_dump() if current.duty else {}
        changes["duty"] = before | {name: body["duty"][name] for name in data.duty.model_fields_set}
    if changes.get(PAYOR):
        changes[PAYOR] = give_id(app, changes[PAYOR], "adr_")
    if "commodities" in changes:
        changes["commodities"] = list(change_items(app, current.commodities, data, "commodities"))
    return {**current.model_dump(), **changes}


def discard_declaration(app: App, declaration_id: str) -> Customs:
    """Delete a declaration and return it; its draft shipment is left without one.

    Errors: NotFound; Conflict if its shipment is not a draft.
    """
    with app.store.transaction() as tx:
        owner, declaration = find_open_owner(app, declaration_id), get_declaration(app, declaration_id)
        if owner is None:
            tx.delete(KIND, declaration_id)
        else:
            save(app, tx, owner[0], {**owner[1], "customs": None}, "content")
        nested.leave(tx, KIND, declaration.model_dump())
    return declaration
