"""Which shipments can be on the same manifest, and why the others cannot."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from shipcli.features.core.shipment_lookup import LISTED_IN, find_account, find_shipments, list_sellers
from shipcli.models import Invalid, ManifestData, Message, Shipment

if TYPE_CHECKING:
    from shipcli.features.connections.accounts import Account
    from shipcli.features.core.app import App

NOT_LISTED = "not_manifested"
UNSOLD = ("draft", "cancelled")


def select_listable(
    app: App, able: Sequence[Account], data: ManifestData
) -> tuple[Account, list[Shipment], list[Message]]:
    """Return the account, the shipments that can be on one form of it, and notes about the others.

    Errors: Invalid on `shipment_ids` with the reason for each, if none can be.
    """
    shipments = find_shipments(app, data.shipment_ids)
    fit: dict[str, tuple[Account, Shipment]] = {}
    rejected: list[tuple[str, str]] = []
    for word in dict.fromkeys(data.shipment_ids):
        shipment, account = shipments.get(word), None
        reason = find_obstacle(shipment)
        if shipment and not reason:
            account = choose_account(shipment, able)
            reason = _find_account_obstacle(shipment, account, fit)
        if shipment and account and not reason:
            fit.setdefault(shipment.id, (account, shipment))
        else:
            rejected.append((word, str(reason)))
    if not fit:
        raise Invalid.many([("shipment_ids", f"{word}: {reason}") for word, reason in rejected])
    account = next(iter(fit.values()))[0]
    return (
        account,
        [shipment for _, shipment in fit.values()],
        [list_left_out_options(account, *rejection) for rejection in rejected],
    )


def find_obstacle(shipment: Shipment | None) -> str | None:
    """Return why a shipment cannot be on a form; None if it can."""
    if shipment is None:
        return "there is no such shipment"
    if not shipment.tracking_number or shipment.status in UNSOLD:
        return f"the shipment is {shipment.status}"
    listed = (shipment.meta or {}).get(LISTED_IN)
    return f"the shipment is on the manifest {listed} already" if listed else None


def choose_account(shipment: Shipment, able: Sequence[Account]) -> Account | None:
    """Return the account whose form a shipment goes on: its own, else another of the same carrier."""
    account = find_account(shipment, able)
    if account:
        return account
    names = list_sellers(shipment)
    return next((candidate for candidate in able if {candidate.slug, candidate.shown_name} & names), None)


def _find_account_obstacle(
    shipment: Shipment, account: Account | None, fit: Mapping[str, tuple[Account, Shipment]]
) -> str | None:
    if account is None:
        return f"the shipment was bought with {shipment.carrier_id or shipment.carrier_name}"
    first = next(iter(fit.values()))[0] if fit else account
    if account.id != first.id:
        return f"the shipment was bought with {account.carrier_id}: it needs a manifest of its own"
    return None


def list_left_out_options(account: Account, word: str, reason: str) -> Message:
    """Build the message about a shipment that is left out of a form."""
    return Message(
        code=NOT_LISTED,
        message=f"{word} is not on the manifest: {reason}",
        details={"shipment": word},
        carrier_name=account.slug,
        carrier_id=account.carrier_id,
    )
