"""Addresses: stand-alone ones, and those inside shipments and orders."""

from __future__ import annotations

import logging
from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from pydantic import ValidationError

from shipcli.features.book import nested
from shipcli.features.core.idempotency_key import IdempotencyKey, list_key_locks
from shipcli.features.core.repository import save
from shipcli.features.core.scenarios import find_address_effect
from shipcli.models import Address, AddressData, AddressPatch, Conflict, Invalid, Model, NotFound
from shipcli.models.basics.problems import Problem
from shipcli.models.parts.address import PLACE, AddressValidation, PostalAddress

if TYPE_CHECKING:
    from shipcli.features.core.app import App
    from shipcli.store.transaction import Transaction

log = logging.getLogger("shipcli.addresses")
PRICED = frozenset({"address_line1", "address_line2", "postal_code", "city", "country_code", "residential"})
UNPRICED: Mapping[str, Any] = {"rates": [], "messages": [], "selected_rate": None, "selected_rate_id": None}
CORRECTED = "2 Corrected Street"
INVALID_ADDRESS = "invalid_address"


def create_address(app: App, data: AddressData, *, once: IdempotencyKey | None = None) -> Address:
    """Create and store an address.

    Errors: Invalid, code invalid_address, if validation was requested and the address fails it.
    """
    return store_new(app, data.model_dump(), once)


def create_addresses(app: App, rows: Sequence[AddressData]) -> list[Address]:
    """Create and store several addresses, all of them or none.

    Errors: as for `create_address`.
    """
    made = [
        validate_address(app, Address.model_validate({**data.model_dump(), "id": app.new_id("adr_")}))
        for data in rows
    ]
    with app.store.transaction(locks=()) as tx:
        for address in made:
            tx.put("address", address.model_dump())
    return made


def store_new(app: App, plain: Mapping[str, Any], once: IdempotencyKey | None = None) -> Address:
    address = validate_address(app, Address.model_validate({**plain, "id": app.new_id("adr_")}))
    with app.store.transaction(locks=list_key_locks(once)) as tx:
        tx.put("address", address.model_dump())
        if once:
            once.remember_made(tx, address.model_dump())
    return address


def validate_address(app: App, address: Address) -> Address:
    """Return the address with its validation result, if validation was requested and is configured.

    Errors: Invalid, code invalid_address, if it breaks the postal rules of its country.
    """
    if validation := simulate_validation(app, address):
        return address.model_copy(update={"validation": validation})
    if not address.validate_location:
        return address
    if app.config["address_validation"] != "offline":
        log.warning("validate_location was asked for and no validation service is configured")
        return address
    problems = list_problems(address)
    if problems:
        raise Invalid.many(problems, INVALID_ADDRESS)
    meta = {"provider": "offline", "rules": address.country_code}
    return address.model_copy(update={"validation": AddressValidation(success=True, meta=meta)})


def simulate_validation(app: App, address: Address) -> AddressValidation | None:
    """What a validation service says of a magic address of the sandbox; None for any other."""
    meta: dict[str, Any] = {"provider": "sandbox"}
    match find_address_effect(app, (address.address_line1, address.address_line2)):
        case "invalid_address":
            reasons = {"address_line1": "There is no such street", "postal_code": "It is not in this city"}
        case "apartment_missing":
            reasons = {} if address.address_line2 else {"address_line2": "A unit number is needed"}
        case "corrected_address":
            corrected = {name: getattr(address, name) for name in PLACE}
            corrected["address_line1"], reasons = CORRECTED, {}
            meta["corrected"] = {name: value for name, value in corrected.items() if value}
        case _:
            return None
    return AddressValidation(success=not reasons, meta=meta | ({"messages": reasons} if reasons else {}))


def list_problems(address: PostalAddress) -> list[Problem]:
    """Return the fields of an address that break the postal rules of its country."""
    from shipcli.models.parts.address_check import check_address

    return check_address(address)


def get_address(app: App, address_id: str) -> Address:
    """Return a stand-alone address, or one inside a shipment or order.

    Errors: NotFound.
    """
    address = nested.find(app, "address", address_id)
    if address is None:
        raise NotFound("address", address_id)
    return Address.model_validate(address)


def update_address(app: App, address_id: str, data: AddressPatch) -> Address:
    """Change the given fields of an address; null clears a field. If the change can affect prices, the rates
    of the draft shipment that contains it are cleared.

    Errors: NotFound; Conflict if it belongs to an object that can no longer be changed; Invalid.
    """
    changes = data.model_dump(exclude_unset=True)
    with app.store.transaction() as tx:
        owner, current = find_open_owner(app, address_id), get_address(app, address_id)
        changed = current.model_copy(update=check_address(current.model_dump() | changes).model_dump())
        moved = differs(current, changed, PRICED)
        if moved or "validate_location" in changes:
            changed = validate_address(app, changed.model_copy(update={"validation": None}))
        if owner is None:
            tx.put("address", changed.model_dump())
        else:
            write_inside(app, tx, owner, changed.model_dump(), priced=moved)
    return changed


def check_address(plain: Mapping[str, Any]) -> AddressData:
    """Validate the fields of an address.

    Errors: Invalid naming the fields that break the rules of the country.
    """
    try:
        return AddressData.model_validate(plain)
    except ValidationError as error:
        raise Invalid.from_pydantic(error) from None


def differs(before: Model, after: Model, fields: Iterable[str]) -> bool:
    """Return whether any of these fields has a different value."""
    return any(getattr(before, name) != getattr(after, name) for name in fields)


def check_open(kind: str, document: Mapping[str, Any]) -> None:
    """Errors: Conflict unless the owner is a draft shipment, an unfulfilled order or a declaration."""
    if kind == "customs":  # a stand-alone declaration can always be changed
        return
    editable = {"shipment": "draft", "order": "unfulfilled"}.get(kind)
    if editable is None or document.get("status") != editable:
        raise Conflict(
            f"The {kind} it belongs to is {document.get('status', 'stored')}: it cannot be changed"
        )


def find_open_owner(app: App, member_id: str) -> tuple[str, dict[str, Any]] | None:
    """Return the kind and document of the owner of an object to be changed, or None if it has no owner.

    Nested objects are read in both modes, but a change of one is a change of its owner, which has a mode.
    Errors: NotFound for an owner of the other mode; as for `check_open`.
    """
    owner = nested.find_owner(app, member_id)
    if owner:
        kind, document = owner
        if document.get("test_mode", app.test_mode) != app.test_mode:
            raise NotFound(kind, document["id"])
        check_open(kind, document)
    return owner


def write_inside(
    app: App, tx: Transaction, owner: tuple[str, dict[str, Any]], member: dict[str, Any], *, priced: bool
) -> None:
    """Write a changed object back into its owner, which was read in the same transaction. If `priced`, clear
    the rates of a shipment, as they may no longer be right.
    """
    kind, document = owner
    for _, inside in nested.find_nested(kind, document):
        if inside["id"] == member["id"]:
            inside.clear()
            inside.update(member)
            break
    if priced and kind == "shipment":
        document |= UNPRICED
    save(app, tx, kind, document, "content")


def discard_address(app: App, address_id: str) -> Address:
    """Delete a stand-alone address and return it.

    Errors: NotFound; Conflict if it belongs to another object.
    """
    address = get_address(app, address_id)
    owner = nested.find_owner(app, address_id)
    if owner:
        raise Conflict(f"The address belongs to the {owner[0]} {owner[1]['id']} and cannot be deleted")
    with app.store.transaction() as tx:
        tx.delete("address", address_id)
    return address
