"""`shipcli proxy`: what goes straight through to carriers. Bodies and answers are those of the API."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from shipcli import models
from shipcli.cli.arguments.bodies import Data, File, check_body, read_body
from shipcli.cli.arguments.rate_options import Key, format_price
from shipcli.cli.arguments.selectors import CarrierName
from shipcli.cli.commands.moving.trackers import Hub, Number
from shipcli.cli.console.output import show
from shipcli.cli.current_run import get_run
from shipcli.cli.flows.for_each import is_agreed
from shipcli.cli.gateway import ask
from shipcli.cli.verbs import Verbs
from shipcli.features.pickups import proxy as pickup_proxy
from shipcli.features.shipments import proxy
from shipcli.models.basics.text import count_text
from shipcli.operations import adapters
from shipcli.workflows import ship

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
    show(ask(proxy.fetch_rates, check_body(models.RateRequestData, read_body({}, data, from_file))))


@verb
def shipping(idempotency_key: Key = None, data: Data = None, from_file: File = None) -> None:
    """Buy a label at one of the given rates.

    Examples:
    shipcli proxy shipping --from-file offer.json
    shipcli proxy shipping --from-file offer.json --idempotency-key auto
    """
    request = check_body(models.ShippingRequestData, read_body({}, data, from_file))
    rate = ship.offer_again(get_run().gateway, request)
    if is_agreed(f"buy {rate.service} of {rate.carrier_id}", format_price(rate)):
        show(get_run().gateway.ask_once(idempotency_key, proxy.buy_label, request))


@verb
def void(carrier: CarrierName, data: Data = None, from_file: File = None) -> None:
    """Void a label.

    Examples:
    shipcli proxy void ups -d shipment_identifier=1ZA1B2C30300000012
    shipcli proxy void ups --from-file void.json
    """
    request = check_body(models.ShipmentCancelData, read_body({}, data, from_file))
    _act(f"void {request.shipment_identifier} with {carrier}", proxy.void_label, carrier, request)


@verb
def tracking(hub: Hub = None, data: Data = None, from_file: File = None) -> None:
    """Track a number.

    Examples:
    shipcli proxy tracking --from-file tracking.json
    shipcli proxy tracking --from-file tracking.json --pick tracking.status
    """
    show(ask(proxy.get_tracking, check_body(models.TrackingData, read_body({}, data, from_file)), hub=hub))


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
    show(ask(adapters.track_shipment, carrier, number, hub=hub))


@verb
def pickup(carrier: CarrierName, data: Data = None, from_file: File = None) -> None:
    """Book a pickup.

    Examples:
    shipcli proxy pickup usps --from-file pickup.json
    shipcli proxy pickup usps --from-file pickup.json -d ready_time=10:00
    """
    request = check_body(models.PickupRequestData, read_body({}, data, from_file))
    _act(f"book a {carrier} pickup on {request.pickup_date}", pickup_proxy.schedule_pickup, carrier, request)


@verb
def pickup_update(carrier: CarrierName, data: Data = None, from_file: File = None) -> None:
    """Change a pickup.

    Examples:
    shipcli proxy pickup-update usps --from-file pickup.json
    shipcli proxy pickup-update usps --from-file pickup.json -d ready_time=10:00
    """
    request = check_body(models.PickupUpdateRequestData, read_body({}, data, from_file))
    _act(
        f"change the {carrier} pickup {request.confirmation_number}",
        pickup_proxy.update_pickup,
        carrier,
        request,
    )


@verb
def pickup_cancel(carrier: CarrierName, data: Data = None, from_file: File = None) -> None:
    """Cancel a pickup.

    Examples:
    shipcli proxy pickup-cancel usps -d confirmation_number=WTC000000001
    shipcli proxy pickup-cancel usps --from-file cancel.json
    """
    request = check_body(models.PickupCancelRequestData, read_body({}, data, from_file))
    _act(
        f"cancel the {carrier} pickup {request.confirmation_number}",
        pickup_proxy.cancel_pickup,
        carrier,
        request,
    )


@verb
def manifest(data: Data = None, from_file: File = None) -> None:
    """Make a manifest of shipments.

    Examples:
    shipcli proxy manifest --from-file manifest.json
    shipcli proxy manifest --from-file manifest.json -d reference=monday
    """
    request = check_body(models.ManifestRequestData, read_body({}, data, from_file))
    count = len(request.shipment_identifiers)
    _act(
        f"close {count_text(count, 'shipment')} with {request.carrier_name}",
        pickup_proxy.generate_manifest,
        request,
    )


def _act(what: str, use: Callable[..., Model], *arguments: Any) -> None:
    """Do it once the person agreed, and show the answer."""
    if is_agreed(what):
        show(ask(use, *arguments))
