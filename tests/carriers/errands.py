"""One request of every verb, with what has to be there before it: a label to void, a collection to change."""

from __future__ import annotations

import base64
from collections.abc import Callable, Mapping, Sequence
from decimal import Decimal
from functools import cache
from typing import Any

from shipcli.carrier import registry
from shipcli.carrier.sending.jobs import FlowOutcome
from shipcli.models import (
    AddressValidationRequest,
    CancelRequest,
    DocumentUploadRequest,
    Label,
    LocationRequest,
    ManifestRequest,
    Model,
    Parcel,
    PickupCancelRequest,
    PickupDetails,
    PickupRequest,
    PickupUpdateRequest,
    Quote,
    RateRequest,
)
from shipcli.models.basics.areas import crosses_customs
from tests.carriers.bench import PLACES, AnyCarrier, Bench, address, lane, parcel, said

DELIVERED = "SC0300000004"  # a number whose journey ends well
KEY = "e" * 32  # of the purchases that errands make
DAY = "2025-03-05"
WORTH, PIECES = Decimal("23.45"), 3
GOODS = {"title": "Crimson scarf", "description": "Crimson scarf", "quantity": PIECES, "weight": "0.2",
         "weight_unit": "KG", "value_amount": WORTH, "value_currency": "USD", "origin_country": "US",
         "hs_code": "621490", "sku": "SC-7"}  # fmt: skip


def two_parcels() -> list[Parcel]:
    return [parcel("1.5", items=[GOODS]), parcel("2.5", items=[GOODS])]


def collection(bench: Bench, **values: Any) -> dict[str, Any]:
    return {
        "pickup_date": DAY,
        "ready_time": "13:00",
        "closing_time": "17:00",
        "address": address(bench.lane[0], "Ann Sender"),
        "parcels": [parcel()],
        "instruction": "Ring twice",
        "package_location": "Front door",
        **values,
    }


def cancellation(bench: Bench, number: str, meta: Mapping[str, Any] | None = None) -> PickupCancelRequest:
    """The cancellation of a collection, its shipments among the options as the product has them."""
    held = {"shipment_identifiers": bench.collected.get(number, [])}
    return PickupCancelRequest(
        confirmation_number=number,
        address=address(bench.lane[0], "Ann Sender"),
        pickup_date=DAY,
        reason="Closed",
        options=held,
        meta=dict(meta or {}),
    )


def end_of_day(bench: Bench, *numbers: str) -> ManifestRequest:
    """The form of labels, told with the shipments that are known, as the product does."""
    known = [bench.sold[number] for number in numbers if number in bench.sold]
    place = address(bench.lane[0], "Ann Sender")
    return ManifestRequest(shipment_identifiers=list(numbers), address=place, options={"shipments": known})


def document(bench: Bench, number: str | None) -> DocumentUploadRequest:
    file = {"doc_file": base64.b64encode(b"%PDF-1.4\n%%EOF").decode(), "doc_name": "invoice.pdf",
            "doc_type": "commercial_invoice", "doc_format": "pdf"}  # fmt: skip
    countries = {"origin_country_code": bench.lane[0], "destination_country_code": bench.lane[1]}
    return DocumentUploadRequest.model_validate(
        {"document_files": [file], "tracking_number": number, "shipment_date": "2025-03-03",
         "options": countries}
    )  # fmt: skip


# -- verbs with all they need ----------------------------------------------------------------------


def identifiers(label: Label) -> list[str]:
    """What names the labels of a shipment: one number, or one for each parcel."""
    return list(label.meta.get("shipment_identifiers") or [label.shipment_identifier])


def _bought(bench: Bench) -> Label | None:
    """A label to work with, where the carrier sells any."""
    if not bench.carrier_class.can("ship"):
        return None
    return buy(bench, bench.request(service=service(bench)))


def buy(bench: Bench, request: Model) -> Label:
    outcome = bench.ask("ship", request)
    assert outcome.result, said(outcome)
    label: Label = outcome.result
    return label


def purchase_of_two(bench: Bench) -> Model:
    parcels = two_parcels()
    return bench.request(*parcels, service=cheapest(bench.quote(*parcels).result or []))


def void_of(bench: Bench, label: Label) -> Model:
    """The void of a whole shipment, as the product asks for it."""
    names = identifiers(label)
    options = {**destination(bench), **({"shipment_identifiers": names} if len(names) > 1 else {})}
    rate = label.selected_rate
    return CancelRequest(
        shipment_identifier=names[0], service=rate.service if rate else service(bench), options=options
    )


def destination(bench: Bench) -> dict[str, Any]:
    """Where the shipments of a bench go, as the product says it of a void."""
    return {"postal_code": PLACES[bench.lane[1]]["postal_code"]}


def service(bench: Bench) -> str:
    """The cheapest service on the lane of a bench."""
    return _service(bench.carrier_class.slug, bench.lane)


@cache
def _service(slug: str, where: tuple[str, str]) -> str:
    bench = Bench(registry.get(slug), where)
    try:
        return bench.service()
    finally:
        bench.close()


def cheapest(quotes: Sequence[Quote]) -> str:
    return str(min(quotes, key=lambda quote: quote.total_charge).service)


def leaves_its_country(carrier_class: AnyCarrier) -> bool:
    """Whether a carrier quotes a shipment that crosses a border."""
    return lane_abroad(carrier_class) is not None


@cache
def carries_two(carrier_class: AnyCarrier) -> bool:
    """Whether a carrier quotes a shipment of two parcels."""
    bench = Bench(carrier_class, lane(carrier_class))
    try:
        return bool(bench.quote(*two_parcels()).result)
    finally:
        bench.close()


def _track(bench: Bench) -> Model:
    label = _bought(bench)
    return bench.tracking(label.tracking_number if label else DELIVERED)


def _void(bench: Bench) -> Model:
    label = _bought(bench)
    return void_of(bench, label) if label else CancelRequest(shipment_identifier="1")


def _pickup(bench: Bench) -> dict[str, Any]:
    label = _bought(bench)
    return collection(bench, shipment_identifiers=identifiers(label) if label else [])


def _book(bench: Bench, wanted: Mapping[str, Any]) -> PickupDetails:
    outcome = bench.ask("schedule_pickup", PickupRequest.model_validate(wanted))
    assert outcome.result, said(outcome)
    booked: PickupDetails = outcome.result
    return booked


def _cancel(bench: Bench) -> Model:
    booked = _book(bench, _pickup(bench))
    return cancellation(bench, booked.confirmation_number, booked.meta)


def changed_collection(bench: Bench) -> PickupUpdateRequest:
    """The change of a collection that was just booked, for the same shipments."""
    wanted = _pickup(bench)
    number = _book(bench, wanted).confirmation_number
    return PickupUpdateRequest.model_validate(
        {**wanted, "confirmation_number": number, "closing_time": "18:00"}
    )


def _manifest(bench: Bench) -> Model:
    label = _bought(bench)
    return end_of_day(bench, *(identifiers(label) if label else ["1"]))


def _document(bench: Bench) -> Model:
    label = _bought(bench)
    return document(bench, label.tracking_number if label else None)


def _question(bench: Bench) -> Model:
    return AddressValidationRequest(address=address(bench.lane[0], "Ann Sender"))


ERRANDS: Mapping[str, Callable[[Bench], Model]] = {
    "rate": lambda bench: RateRequest.model_validate(bench.shipment(*goods(bench))),
    "ship": lambda bench: bench.request(*goods(bench), service=service(bench), reference="Order 7"),
    "track": _track,
    "void": _void,
    "schedule_pickup": lambda bench: PickupRequest.model_validate(_pickup(bench)),
    "update_pickup": changed_collection,
    "cancel_pickup": _cancel,
    "manifest": _manifest,
    "upload_document": _document,
    "validate_address": _question,
    "find_locations": lambda bench: LocationRequest(address=address(bench.lane[1], "Bo Buyer")),
    "estimate_transit": lambda bench: RateRequest.model_validate(bench.shipment(*goods(bench))),
}
OF_TWO_PARCELS: Mapping[str, Callable[[Bench], Model]] = {
    "ship": purchase_of_two,
    "void": lambda bench: void_of(bench, buy(bench, purchase_of_two(bench))),
}


def goods(bench: Bench) -> list[Parcel]:
    return [parcel("1.5", items=[GOODS])]


def verbs_of(carrier_class: AnyCarrier) -> list[str]:
    """What a carrier can be asked, of the verbs above."""
    return [verb for verb in ERRANDS if carrier_class.can(verb)]


def run_errand(bench: Bench, verb: str, request: Model | None = None) -> FlowOutcome[Any]:
    return bench.ask(verb, request or ERRANDS[verb](bench), key=KEY)


# -- lanes -----------------------------------------------------------------------------------------


def lane_abroad(carrier_class: AnyCarrier) -> tuple[str, str] | None:
    """From where the carrier collects to another country it delivers in, over a customs border if there is
    one; None if it quotes none.
    """
    return _lane_abroad(carrier_class.slug) if carrier_class.can("rate") else None


@cache
def _lane_abroad(slug: str) -> tuple[str, str] | None:
    carrier_class = registry.get(slug)
    start = lane(carrier_class)[0]
    for end in sorted(PLACES, key=lambda place: not crosses_customs(start, place)):
        if end != start and _quotes(carrier_class, (start, end)):
            return start, end
    return None


def lane_across_customs(carrier_class: AnyCarrier) -> tuple[str, str] | None:
    """From where the carrier collects to a country beyond a customs border; None if it quotes none."""
    return _lane_across_customs(carrier_class.slug) if carrier_class.can("rate") else None


@cache
def _lane_across_customs(slug: str) -> tuple[str, str] | None:
    carrier_class = registry.get(slug)
    start = lane(carrier_class)[0]
    lanes = ((start, end) for end in PLACES if crosses_customs(start, end))
    return next((where for where in lanes if _quotes(carrier_class, where)), None)


def _quotes(carrier_class: AnyCarrier, where: tuple[str, str]) -> bool:
    bench = Bench(carrier_class, where)
    try:
        return bool(bench.quote().result)
    finally:
        bench.close()
