"""Tell whose tracking number it is, so that nobody has to name the carrier and none is asked in vain."""

from __future__ import annotations

from typing import TYPE_CHECKING

from shipcli.features.trackers.lookup import UnknownNumber
from shipcli.features.trackers.number_carriers import clean_number, list_number_carriers
from shipcli.workflows.lookup import list_accounts

if TYPE_CHECKING:
    from shipcli.gateway.gateway import Gateway


def name_carrier(gateway: Gateway, text: str) -> tuple[str, str]:
    """The number as its carrier writes it, and that carrier.

    Errors: UnknownNumber if the number fits no carrier or several, or there is no account with that carrier.
    """
    number = clean_number(text)
    possible = list_number_carriers(number)
    if not possible:
        raise UnknownNumber(text)
    accounts = {one.carrier_name for one in list_accounts(gateway, "tracking")}
    able = [slug for slug in possible if slug in accounts]
    if len(able) == 1:
        return number, able[0]
    raise UnknownNumber(text, possible=able or possible, has_account=bool(able))
