"""How long mail classes take between two ZIP codes, from a day on. Pure.

Source: Shipping Options API v3, options/search: commitment of a rate option.
"""

from __future__ import annotations

import re

from shipcli.carrier import ServiceTable
from shipcli.carrier.wire.json_paths import Json, as_list, drop_empty
from shipcli.carrier.wire.rows import read_each
from shipcli.models import RateRequest, TransitTime

from .parts import CATALOGUE, Piece, list_asked, split_zip, write_measures

EVERY_CLASS = "ALL_OUTBOUND"
USUAL_PRICE_TYPE, CONTRACT = "COMMERCIAL", "CONTRACT"
PRICE_TYPES = frozenset({"RETAIL", USUAL_PRICE_TYPE, CONTRACT})
DAYS = re.compile(r"(\d+)[ -]days?\b", re.IGNORECASE)


def write_search(request: RateRequest, piece: Piece, payer: Json) -> Json:
    """A question for the one mail class that is asked for, or for all that bring a parcel there."""
    codes = [row.code for row in list_asked(request, CATALOGUE)]
    package = {
        "mailClass": codes[0] if len(codes) == 1 else EVERY_CLASS,
        "mailingDate": piece.mailing_date,
        **write_measures(piece.parcel),
        "hasNonstandardCharacteristics": piece.is_nonstandard or None,
    }
    body = {
        "originZIPCode": split_zip(request.shipper.postal_code)[0],
        "destinationZIPCode": split_zip(request.recipient.postal_code)[0],
        "packageDescription": package,
        "pricingOptions": [write_pricing(piece, payer)],
    }
    return dict(drop_empty(body))


def write_pricing(piece: Piece, payer: Json) -> Json:
    """The price list; of a contract, which may have commitments of its own, with its account."""
    named = piece.options.text("usps_price_type")
    price_type = named if named in PRICE_TYPES else USUAL_PRICE_TYPE
    return {"priceType": price_type, "paymentAccount": payer if price_type == CONTRACT else None}


def read_times(body: Json, services: ServiceTable) -> list[TransitTime]:
    """What is known of each mail class."""
    options = [
        option
        for pricing in as_list(body.get("pricingOptions"))
        for option in as_list(pricing.get("shippingOptions"))
    ]
    return read_each(options, lambda option: read_time(option, services))


def read_time(option: Json, services: ServiceTable) -> TransitTime:
    """The commitment of a mail class.

    Shapes: one for each rate; of a rate for mail that is brought to a facility near the recipient it is
            shorter, so those come last. The name is "2 Days", or says that there is none (MILITARY, NO STD).
    """
    rates = sorted(as_list(option.get("rateOptions")), key=is_entered_there)
    commitments = [row for rate in rates for row in as_list(rate.get("commitment"))]
    commitment = commitments[0] if commitments else {}
    days = DAYS.match(str(commitment.get("name")))
    day = commitment.get("expectedDeliveryDate") or commitment.get("scheduleDeliveryDate")
    return TransitTime(
        service=services.slug(option["mailClass"]),
        transit_days=int(days[1]) if days else None,
        estimated_delivery=day or None,
    )


def is_entered_there(rate: Json) -> bool:
    """Whether a rate is for mail that its sender brings to a facility near the recipient."""
    kinds = (row.get("destinationEntryFacilityType") for row in as_list(rate.get("rates")))
    return any(kind not in ("NONE", None) for kind in kinds)
