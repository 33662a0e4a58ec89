"""Tracking: whose number it is, and the page that the carrier has for a parcel."""

from __future__ import annotations

from typing import TYPE_CHECKING

from shipcli.carrier import registry
from shipcli.carrier.number_forms import list_mistyped, list_number_carriers
from shipcli.features.trackers.lookup import MistypedNumber, UnknownNumber
from shipcli.features.trackers.service import get_tracker
from shipcli.models import NotFound, Shipment
from shipcli.models.basics.barcodes import compress_number, read_barcode
from shipcli.workflows.lookup import find_shipment, list_accounts

if TYPE_CHECKING:
    from shipcli.gateway.gateway import Gateway


def name_carrier(gateway: Gateway, text: str) -> tuple[str, str]:
    """The number as its carrier writes it, and that carrier.

    Errors: UnknownNumber if the number fits no carrier or several, or there is no account with that carrier;
            MistypedNumber if its check digit is wrong.
    """
    number = compress_number(read_barcode(text))
    possible = list_number_carriers(number)
    if not possible and (carriers := list_mistyped(number)):
        raise MistypedNumber(text, carriers)
    if not possible:
        raise UnknownNumber(text)
    accounts = {account.carrier_name for account in list_accounts(gateway, "tracking")}
    able = registry.drop_superseded([slug for slug in possible if slug in accounts])
    if len(able) == 1:
        return number, able[0]
    raise UnknownNumber(text, possible=able or possible, has_account=bool(able))


class NoTrackingPage(NotFound):
    """A parcel whose carrier has no page for its number, or one that nobody knows."""

    def __init__(self, word: str, reason: str) -> None:
        super().__init__("page", word, message=f"{word}: {reason}")
        self.hint = f"shipcli track {word}"


def find_tracking_page(gateway: Gateway, word: str, shown: str) -> str:
    """The address of the tracking page of a shipment or tracker, found by anything that names it.

    Errors: NoTrackingPage, which names it as `shown` does.
    """
    shipment = find_shipment(gateway, word)
    page = _find_shipment_page(shipment) if shipment else _find_tracker_page(gateway, word)
    if page:
        return page
    if shipment and not shipment.tracking_number:
        raise NoTrackingPage(shown, f"the shipment is {shipment.status} and has no number yet")
    raise NoTrackingPage(shown, "no tracking page is known of it")


def _find_shipment_page(shipment: Shipment) -> str | None:
    return (shipment.meta or {}).get("carrier_tracking_link")


def _find_tracker_page(gateway: Gateway, word: str) -> str | None:
    matches = gateway.find("tracker", word, 1)
    tracker = gateway.ask(get_tracker, str(matches[0]["id"])) if matches else None
    return tracker.info.carrier_tracking_link if tracker and tracker.info else None
