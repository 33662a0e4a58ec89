"""Check an address: offline by the postal rules of its country, then with a carrier, if one is named."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from shipcli.features.book.addresses import list_problems
from shipcli.features.book.drafts import expand_body
from shipcli.features.connections.accounts import list_accounts
from shipcli.features.connections.carrier_call import ask_carrier
from shipcli.models import Address, AddressValidationDetails, AddressValidationRequest, Invalid
from shipcli.models.address_check import AddressCheck, AddressCheckData, AddressFinding
from shipcli.models.parts.address import PLACE

if TYPE_CHECKING:
    from shipcli.features.connections.accounts import Account
    from shipcli.features.core.app import App

VERB = "validate_address"


def check_address(app: App, data: AddressCheckData) -> AddressCheck:
    """Say what is wrong with an address; the carrier is asked about those that keep the postal rules.

    Errors: NotFound for the id of an address that is not stored; Invalid if the carrier named checks no
            addresses, or none of this country; Refused.
    """
    account = _find_account(app, data) if data.carrier_name or data.carrier_id else None
    address = Address.model_validate(expand_body(app, data)["address"])
    if problems := list_problems(address):
        findings = [AddressFinding(field=problem.field, reason=problem.reason) for problem in problems]
        return AddressCheck(valid=False, problems=findings)
    if account is None:
        return AddressCheck(valid=True)
    details, _ = ask_carrier(app, account, VERB, AddressValidationRequest(address=address))
    return _read(account, address, details)


def _find_account(app: App, data: AddressCheckData) -> Account:
    """Errors: Invalid naming the carriers that can be asked."""
    able = [account for account in list_accounts(app) if account.kind.can(VERB)]
    for account in able:
        is_named = data.carrier_name in (None, account.slug, account.shown_name)
        if is_named and data.carrier_id in (None, account.carrier_id):
            return account
    offer = ", ".join(sorted({account.carrier_id for account in able})) or "no connection does"
    field = "carrier_id" if data.carrier_id else "carrier_name"
    raise Invalid(
        field, f"{data.carrier_id or data.carrier_name} checks no addresses here; these do: {offer}"
    )


def _read(account: Account, address: Address, details: AddressValidationDetails) -> AddressCheck:
    reasons: Mapping[str, str] = details.meta.get("messages") or {}
    if not details.success and not reasons:
        reasons = {"address_line1": f"is at no place that {account.kind.name} knows"}
    written = details.complete_address
    return AddressCheck(
        valid=details.success,
        problems=[AddressFinding(field=field, reason=reason) for field, reason in reasons.items()],
        corrected=_list_corrections(address, written) if written else None,
        candidates=details.meta.get("candidates") or [],
        residential=written.residential if written else None,
        carrier_name=account.slug,
        carrier_id=account.carrier_id,
    )


def _list_corrections(address: Address, written: Address) -> dict[str, Any] | None:
    """The place as the carrier writes it, if it differs in more than capitals."""
    place = {name: value for name in PLACE if (value := getattr(written, name))}
    lines = {"address_line1": address.street}
    differs = any(
        str(value).casefold() != str(lines.get(name, getattr(address, name)) or "").casefold()
        for name, value in place.items()
    )
    return place if differs else None
