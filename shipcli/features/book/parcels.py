"""Parcels: stand-alone ones, and those inside shipments."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

from pydantic import ValidationError

from shipcli.features.book import nested
from shipcli.features.book.addresses import UNPRICED, differs, find_open_owner, write_inside
from shipcli.features.book.drafts import (
    SIDES,
    expand_body,
    fill_parcel,
    find_orphans,
    find_preset,
    give_id,
    give_parcel_ids,
    number_parcel,
)
from shipcli.features.core.idempotency_key import IdempotencyKey, list_key_locks
from shipcli.features.core.merge import merge_keys
from shipcli.features.core.repository import save
from shipcli.models import (
    CommodityData,
    Conflict,
    Invalid,
    NotFound,
    Parcel,
    ParcelData,
    ParcelPatch,
    StoredReference,
)
from shipcli.models.parts.parcel import list_dimension_problems

if TYPE_CHECKING:
    from shipcli.features.core.app import App
    from shipcli.models import Commodity, Model
    from shipcli.store.transaction import Transaction

PRICED = frozenset({"length", "width", "height", "weight", "weight_unit", "dimension_unit", "is_document"})


def create_parcel(app: App, data: ParcelData, *, once: IdempotencyKey | None = None) -> Parcel:
    """Create and store a parcel, filling in dimensions from its preset and a missing reference number.

    Errors: Invalid on `dimensions` if the preset leaves some missing; NotFound if a stored item is unknown.
    """
    parcel = check_dimensions(
        Parcel.model_validate(give_parcel_ids(app, fill_parcel(expand_body(app, data))))
    )
    with app.store.transaction(locks=list_key_locks(once)) as tx:
        parcel = number_parcel(tx, parcel)
        nested.store(tx, "parcel", parcel.model_dump())
        if once:
            once.remember_made(tx, parcel.model_dump())
    return parcel


def check_dimensions(parcel: Parcel) -> Parcel:
    """Return the parcel unchanged.

    Errors: Invalid if only some of its dimensions are set.
    """
    problems = list_dimension_problems(parcel)
    if problems:
        raise Invalid.many(problems)
    return parcel


def get_parcel(app: App, parcel_id: str) -> Parcel:
    """Return a stand-alone parcel, or one inside a shipment.

    Errors: NotFound.
    """
    parcel = nested.find(app, "parcel", parcel_id)
    if parcel is None:
        raise NotFound("parcel", parcel_id)
    return Parcel.model_validate(parcel)


def update_parcel(app: App, parcel_id: str, data: ParcelPatch) -> Parcel:
    """Change the given fields of a parcel; options are merged. If the change can affect prices, the rates of
    its draft shipment are cleared.

    Errors: NotFound; Conflict if its shipment is not a draft; Invalid.
    """
    with app.store.transaction() as tx:
        owner, current = find_open_owner(app, parcel_id), get_parcel(app, parcel_id)
        changed = check_dimensions(Parcel.model_validate(change_parcel(app, current, data)))
        if owner is None:
            nested.store(tx, "parcel", changed.model_dump())
        else:
            write_inside(app, tx, owner, changed.model_dump(), priced=differs(current, changed, PRICED))
    return changed


def change_parcel(app: App, current: Parcel, data: ParcelPatch) -> dict[str, Any]:
    changes = data.model_dump(exclude_unset=True)
    plain = {**current.model_dump(), **changes}
    if "options" in changes:
        plain["options"] = merge_keys(current.options, changes["options"])
    if "items" in changes:
        plain["items"] = list(change_items(app, current.items, data, "items"))
        if orphans := find_orphans(app, plain):
            raise Invalid.many(orphans)
    if not changes.get("package_preset"):
        return plain
    if find_preset(changes["package_preset"]) and changes["package_preset"] != current.package_preset:
        plain |= {size: changes.get(size) for size in (*SIDES, "dimension_unit")}  # not the old box's sizes
    return fill_parcel(plain)


def change_items(app: App, current: Sequence[Commodity], data: Model, field: str) -> Iterator[dict[str, Any]]:
    """Yield the goods of a parcel or declaration after a change: an item with the `id` of one of them updates
    it, any other item is added, and those not mentioned stay. An empty list removes them all.

    Shapes: `field` is the name of the changed list, such as `items`.
    Errors: NotFound if an id is unknown; Invalid on `items[i]`.
    """
    articles = getattr(data, field)
    if not articles:
        return
    changes = {item.id: item.extra for item in articles if isinstance(item, StoredReference)}
    existing = {str(item.id): item.model_dump() for item in current}
    for index, (item_id, item) in enumerate(existing.items()):
        changed = item_id in changes
        yield {**item, **check_item({**item, **changes[item_id]}, f"{field}[{index}]")} if changed else item
    new = [item for item in articles if not (isinstance(item, StoredReference) and item.id in existing)]
    for article in expand_body(app, data.model_copy(update={field: new}))[field]:
        yield give_id(app, article, "cdt_")


def check_item(plain: dict[str, Any], path: str) -> dict[str, Any]:
    try:
        return CommodityData.model_validate(plain).model_dump()
    except ValidationError as error:
        raise Invalid.from_pydantic(error, path) from None


def discard_parcel(app: App, parcel_id: str) -> Parcel:
    """Delete a parcel and return it; its draft shipment must keep at least one and its rates are cleared.

    Errors: NotFound; Conflict if its shipment is not a draft or has no other parcel.
    """
    with app.store.transaction() as tx:
        owner, parcel = find_open_owner(app, parcel_id), get_parcel(app, parcel_id)
        if owner is None:
            tx.delete("parcel", parcel_id)
        else:
            _take_out(app, tx, owner, parcel_id)
        nested.leave(tx, "parcel", parcel.model_dump())
    return parcel


def _take_out(app: App, tx: Transaction, owner: tuple[str, dict[str, Any]], parcel_id: str) -> None:
    kind, document = owner
    remaining = [parcel for parcel in document["parcels"] if parcel["id"] != parcel_id]
    if not remaining:
        raise Conflict("A shipment needs at least one parcel")
    save(app, tx, kind, {**document, **UNPRICED, "parcels": remaining}, "content")
