"""`shipcli proxy`: what goes straight through to carriers. Bodies and answers are those of the API."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from shipcli.cli.arguments.bodies import Data, File, check_body, read_body
from shipcli.cli.arguments.rate_options import Key, format_price
from shipcli.cli.arguments.selectors import CarrierName
from shipcli.cli.commands.moving.trackers import Hub, Number
from shipcli.cli.console.output import show
from shipcli.cli.current_run import get_run
from shipcli.cli.flows.for_each import is_agreed
from shipcli.cli.gateway import ask
from shipcli.cli.verbs import Verbs
from shipcli.models.basics.text import count_text

if TYPE_CHECKING:
    from shipcli.models.base import Model

verb = Verbs()


@verb
def rates(data: Data = None, from_file: File = None) -> None:
    """Ask carriers for prices.

    Examples:
    shipcli proxy rates --from-file rate.json
    shipcli proxy rates --from-file rate.json --pick rates[0].total_charge
    """
    from shipcli.features.shipments.proxy import fetch_rates
    from shipcli.models import RateRequestData

    show(ask(fetch_rates, check_body(RateRequestData, read_body({}, data, from_file))))


@verb
def shipping(idempotency_key: Key = None, data: Data = None, from_file: File = None) -> None:
    """Buy a label at one of the given rates.

    Examples:
    shipcli proxy shipping --from-file offer.json
    shipcli proxy shipping --from-file offer.json --idempotency-key auto
    """
    from shipcli.features.shipments.proxy import buy_label
    from shipcli.models import ShippingRequestData
    from shipcli.workflows.ship import offer_again

    request = check_body(ShippingRequestData, read_body({}, data, from_file))
    rate = offer_again(get_run().gateway, request)
    if is_agreed(f"buy {rate.service} of {rate.carrier_id}", format_price(rate)):
        show(get_run().gateway.ask_once(idempotency_key, buy_label, request))


@verb
def void(carrier: CarrierName, data: Data = None, from_file: File = None) -> None:
    """Void a label.

    Examples:
    shipcli proxy void ups -d shipment_identifier=1ZA1B2C30300000012
    shipcli proxy void ups --from-file void.json
    """
    from shipcli.features.shipments.proxy import void_label
    from shipcli.models import ShipmentCancelData

    request = check_body(ShipmentCancelData, read_body({}, data, from_file))
    _act(f"void {request.shipment_identifier} with {carrier}", void_label, carrier, request)


@verb
def tracking(hub: Hub = None, data: Data = None, from_file: File = None) -> None:
    """Track a number.

    Examples:
    shipcli proxy tracking --from-file tracking.json
    shipcli proxy tracking --from-file tracking.json --pick tracking.status
    """
    from shipcli.features.shipments.proxy import get_tracking
    from shipcli.models import TrackingData

    show(ask(get_tracking, check_body(TrackingData, read_body({}, data, from_file)), hub=hub))


@verb
def track(
    carrier: CarrierName,
    number: Number,
    hub: Hub = None,
) -> None:
    """Track a number; the former name of `shipcli proxy tracking`.

    Examples:
    shipcli proxy track ups 1ZA1B2C30300000012
    shipcli proxy track ups 1ZA1B2C30300000012 --pick tracking.status
    """
    from shipcli.operations.doors import track_shipment

    show(ask(track_shipment, carrier, number, hub=hub))


@verb
def pickup(carrier: CarrierName, data: Data = None, from_file: File = None) -> None:
    """Book a pickup.

    Examples:
    shipcli proxy pickup usps --from-file pickup.json
    shipcli proxy pickup usps --from-file pickup.json -d ready_time=10:00
    """
    from shipcli.features.pickups.proxy import schedule_pickup
    from shipcli.models import PickupRequestData

    request = check_body(PickupRequestData, read_body({}, data, from_file))
    _act(f"book a {carrier} pickup on {request.pickup_date}", schedule_pickup, carrier, request)


@verb
def pickup_update(carrier: CarrierName, data: Data = None, from_file: File = None) -> None:
    """Change a pickup.

    Examples:
    shipcli proxy pickup-update usps --from-file pickup.json
    shipcli proxy pickup-update usps --from-file pickup.json -d ready_time=10:00
    """
    from shipcli.features.pickups.proxy import update_pickup
    from shipcli.models import PickupUpdateRequestData

    request = check_body(PickupUpdateRequestData, read_body({}, data, from_file))
    _act(f"change the {carrier} pickup {request.confirmation_number}", update_pickup, carrier, request)


@verb
def pickup_cancel(carrier: CarrierName, data: Data = None, from_file: File = None) -> None:
    """Cancel a pickup.

    Examples:
    shipcli proxy pickup-cancel usps -d confirmation_number=WTC000000001
    shipcli proxy pickup-cancel usps --from-file cancel.json
    """
    from shipcli.features.pickups.proxy import cancel_pickup
    from shipcli.models import PickupCancelRequestData

    request = check_body(PickupCancelRequestData, read_body({}, data, from_file))
    _act(f"cancel the {carrier} pickup {request.confirmation_number}", cancel_pickup, carrier, request)


@verb
def manifest(data: Data = None, from_file: File = None) -> None:
    """Make a manifest of shipments.

    Examples:
    shipcli proxy manifest --from-file manifest.json
    shipcli proxy manifest --from-file manifest.json -d reference=monday
    """
    from shipcli.features.manifests.proxy import generate_manifest
    from shipcli.models import ManifestRequestData

    request = check_body(ManifestRequestData, read_body({}, data, from_file))
    count = len(request.shipment_identifiers)
    _act(f"close {count_text(count, 'shipment')} with {request.carrier_name}", generate_manifest, request)


def _act(what: str, use: Callable[..., Model], *arguments: Any) -> None:
    """Do it once the person agreed, and show the answer."""
    if is_agreed(what):
        show(ask(use, *arguments))
