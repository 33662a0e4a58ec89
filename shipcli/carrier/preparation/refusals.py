"""What a carrier is known not to take, refused before it is asked: places, options, payers, parcels."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from shipcli.carrier.base import DESTINATION_NOT_SERVICED, FIELD_ERROR, ORIGIN_NOT_SERVICED
from shipcli.carrier.index import list_names_of_options
from shipcli.carrier.preparation.returns import IS_RETURN, is_return
from shipcli.models import Invalid, Parcel, RateRequest, ShipmentRequest

if TYPE_CHECKING:
    from shipcli.carrier.base import Carrier

SIDES = ("length", "width", "height")
REQUIRED = {"code": "required", "message": "This field is required"}
DANGEROUS = "dangerous_good"


def check_origin(request: RateRequest | ShipmentRequest, carrier: Carrier[Any, Any]) -> None:
    """Errors: CarrierError when a shipment begins where the carrier does not collect."""
    origin, home = request.shipper.country_code, carrier.home_country
    if carrier.returns_from_abroad and is_return(request, carrier):
        return
    if carrier.sells_at_home and isinstance(request, ShipmentRequest):
        home = carrier.home
    if home and origin not in (None, home):
        raise carrier.refuse(ORIGIN_NOT_SERVICED, f"{carrier.name} does not collect in {origin}")


def check_destination(request: RateRequest | ShipmentRequest, carrier: Carrier[Any, Any]) -> None:
    """Errors: CarrierError when a shipment ends where the carrier does not deliver."""
    destination = request.recipient.country_code
    if destination in (None, carrier.home_country):
        return
    if carrier.returns_from_abroad and is_return(request, carrier):
        home = carrier.home_country or carrier.home
        if home not in (None, destination):
            text = f"{carrier.name} brings returns to {home} only, not to {destination}"
            raise carrier.refuse(DESTINATION_NOT_SERVICED, text)
    if carrier.stays_home:
        text = f"{carrier.name} delivers in {carrier.home_country} only, not in {destination}"
        raise carrier.refuse(DESTINATION_NOT_SERVICED, text)


def check_options(request: RateRequest | ShipmentRequest, carrier: Carrier[Any, Any]) -> None:
    """Errors: Invalid naming an option that the carrier refuses, chosen for the shipment or for a parcel, or
    one that a parcel has without the option that says of which kind.
    """
    check_dangerous(request)
    refused = {**list_impossible(request, carrier), **carrier.refused_options}
    if refused:
        carrier.options_of(request).refuse(refused)
    if carrier.refused_alone:
        for options in carrier.options_of_each(request):
            options.refuse_alone(carrier.refused_alone)


def check_dangerous(request: RateRequest | ShipmentRequest) -> None:
    """Errors: Invalid when a shipment declares dangerous goods, and each of its parcels denies them."""
    answers = [parcel.options.get(DANGEROUS) for parcel in request.parcels]
    if request.options.get(DANGEROUS) is True and answers and all(answer is False for answer in answers):
        raise Invalid(
            f"options.{DANGEROUS}", "The shipment declares dangerous goods, and no parcel holds any"
        )


def list_impossible(request: RateRequest | ShipmentRequest, carrier: Carrier[Any, Any]) -> dict[str, str]:
    """Return what would be bought without the carrier knowing of it, with the reason: a label the wrong way,
    papers that nobody gets. No customs read the papers of a parcel that stays in its country.
    """
    abroad = request.shipper.country_code != request.recipient.country_code
    names = set(list_names_of_options(type(carrier)))
    texts = {
        IS_RETURN: f"{carrier.name} has no return labels that can be bought here",
        "paperless_trade": f"{carrier.name} takes no customs papers by this way: print them",
    }
    if not abroad or "paperless" in carrier.capabilities():
        del texts["paperless_trade"]
    return {name: text for name, text in texts.items() if name not in names}


def check_payer(request: ShipmentRequest, carrier: Carrier[Any, Any]) -> None:
    """Errors: Invalid when somebody is to pay whom the carrier can't bill; the sender would be billed."""
    payer = request.payment.paid_by if request.payment else "sender"
    if carrier.hosts and payer not in carrier.bills:
        billed = " or the ".join(sorted(carrier.bills)).replace("_", " ")
        raise Invalid("payment.paid_by", f"{carrier.name} bills the {billed} only")


def check_parcels(parcels: Sequence[Parcel], carrier: Carrier[Any, Any], request_type: type) -> None:
    """Errors: Invalid for too many parcels; CarrierError naming what a parcel lacks."""
    if carrier.one_parcel and len(parcels) > 1:
        raise Invalid("parcels", f"{carrier.name} takes one parcel for each shipment")
    sides = SIDES if request_type in carrier.needs_sides else ()
    wrong = {
        f"parcel[{at}].{name}": problem
        for at, parcel in enumerate(parcels)
        for name, problem in find_parcel_problems(parcel, carrier, sides).items()
    }
    if wrong:
        lacks_sides = all(not name.endswith(".weight") for name in wrong)
        text = f"{carrier.name} needs the length, width and height of every parcel"
        raise carrier.refuse(FIELD_ERROR, text if lacks_sides else "Invalid request payload", **wrong)


def find_parcel_problems(
    parcel: Parcel, carrier: Carrier[Any, Any], sides: Sequence[str]
) -> dict[str, dict[str, str]]:
    """Return what a parcel lacks, by the names of its fields."""
    names = (*(["weight"] if carrier.needs_weight and parcel.weight is None else []), *sides)
    return {name: REQUIRED for name in names if not getattr(parcel, name)}
