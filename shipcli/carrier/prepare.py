"""What a carrier may rely on in a request, ensured in one place for the driver and for replays.

- Addresses are in the form of the carrier (`addresses` of its catalogue): phone numbers, states, postal
  codes, and the countries of special areas.
- A declaration is there only when the goods pass customs.
- A parcel has its units, and from its preset the sizes, weight and packaging that it does not state.
- An item has a unit beside its weight: its own, else its parcel's, else that of the first parcel. Its title
  and its description both say its variant, as carriers send to customs one or the other.
- `options.shipment_date` is the day of `options.shipping_date`, which wins; both may be missing.
- A carrier of single parcels (`one_parcel`, of returns `one_parcel_back`) is asked to price and to ship one;
  one that `needs_weight` gets the weight of every parcel.
- No service is priced or bought that does not take the shipment (`limits` of the catalogue): too heavy, too
  large, too valuable, to a post office box.
- None of the options that the carrier refuses is chosen: what can't be bought is not priced either, except
  what a carrier is known to price (a limit that is `priced`): then the quotes say so in their `meta`. Nor is
  one that needs another option beside it to say of which kind (`refused_alone`).
- The payer of a shipment that is bought is one whom the carrier can bill.
- A carrier that collects in its `home_country` alone is asked for shipments from there, or from no country;
  if it `returns_from_abroad`, for returns from anywhere.
- A return is priced and bought by services that bring goods back (`returns` of the catalogue); those that
  do nothing else are no offer for goods that are sent, unless they are named.
- The addresses of a request that is sent have the fields in `required` of the carrier's form, and their texts
  are as short as its `widths`: what is too long stands in a free line, or is refused.
- A price request has the fields in `fills_in_quotes`, as "N/A" where they are missing.
- An export from the US that is bought has its ITN.
- All goods are in one currency that the carrier's forms can say (`goods_currencies`, `values_each`), and so
  are amounts to insure or collect (`option_currency`): converted at rates that the user states, else refused.
- Terms of trade and the payer of the duties do not contradict each other.
- `options.hold_at_location` is a flag; the id of a place stands in the carrier's own option for it.
- `payment` is there (the sender pays when nobody is named), and so is the `duty` of a declaration, paid as
  its terms of trade say, else by the recipient.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from decimal import ROUND_HALF_UP, Decimal
from typing import TYPE_CHECKING, Any, TypeVar

from shipcli.carrier.address_form import restore_place, write_addresses
from shipcli.carrier.base import (
    DESTINATION_NOT_SERVICED,
    FIELD_ERROR,
    ORIGIN_NOT_SERVICED,
    CarrierError,
)
from shipcli.carrier.contents import say_variant
from shipcli.carrier.currencies import list_exchange_rates, settle_money
from shipcli.carrier.duties import check_terms, complete_duty
from shipcli.carrier.exports import check_export
from shipcli.carrier.index import list_names_of_options
from shipcli.carrier.limit_checks import (
    ask_rates_within_limits,
    check_limits,
    find_broken_limits,
)
from shipcli.carrier.limits import round_to_limit
from shipcli.carrier.own_labels import check_printable, draw_own_label
from shipcli.carrier.request_options import HOLD, HOLD_ID, read_place_id
from shipcli.carrier.required_fields import require_fields
from shipcli.carrier.returns import (
    IS_RETURN,
    check_parcels_back,
    check_return_service,
    check_taken_back,
    is_return,
    keep_direction,
)
from shipcli.carrier.text_widths import fit_addresses
from shipcli.carrier.wire.calls import Bought, Flow, Pause
from shipcli.models import (
    Address,
    AddressValidationDetails,
    Commodity,
    Customs,
    Invalid,
    Label,
    Message,
    Model,
    Parcel,
    Payment,
    Quote,
    RateRequest,
    ShipmentRequest,
    Tracking,
    TrackingInfo,
)
from shipcli.models.basics.areas import crosses_customs
from shipcli.models.basics.units import choose_dimension_unit, convert_length

if TYPE_CHECKING:
    from shipcli.carrier.base import Carrier

M = TypeVar("M", bound=Model)
T = TypeVar("T")
LINK = "carrier_tracking_link"
BETWEEN_LOOKUPS_S = 10.0
SIDES = ("length", "width", "height")
REQUIRED = {"code": "required", "message": "This field is required"}
NOT_AVAILABLE = "N/A"
DANGEROUS = "dangerous_good"
HUNDREDTH = Decimal("0.01")
DEFAULT_UNIT = "LB"  # what a weight without a unit means in the recorded requests


def start_checked_flow(carrier: Carrier[Any, Any], verb: str, request: Any) -> Flow[Any]:
    """Run the flow of a verb for a request that is whole and does not contradict itself, as some recorded
    ones are not.
    """
    if verb in ("rate", "ship") and is_declared(request):
        check_terms(request.customs)
    prepared = fit_addresses(require_fields(prepare(request, carrier), carrier), carrier)
    return (yield from start_prepared_flow(carrier, verb, request, prepared))


def start_flow(carrier: Carrier[Any, Any], verb: str, request: Any) -> Flow[Any]:
    """Run the flow of a verb on the prepared request."""
    return (yield from start_prepared_flow(carrier, verb, request, prepare(request, carrier)))


def start_prepared_flow(carrier: Carrier[Any, Any], verb: str, original: Any, request: Any) -> Flow[Any]:
    """Run the flow of a verb, with a label of ours where the carrier gives none.

    A purchase that comes back without the carrier's own label is bought, and its label missing.
    """
    if verb == "rate":
        return (yield from start_rate_flow(carrier, original, request))
    if verb == "void":
        check_taken_back(request, carrier)
    if verb == "ship":
        check_return_service(request, carrier)
        check_export(request, list_exchange_rates(request, carrier))
        request = settle_money(request, carrier)
        check_payer(request, carrier)
        check_limits(request, carrier, find_broken_limits(original, request, carrier))
        if carrier.labels == "ours":
            check_printable(request)
    flow = look_up(carrier, request) if verb == "recover" else find_method(carrier, verb, request)(request)
    result = add_links(carrier, (yield from flow))
    if isinstance(result, AddressValidationDetails) and result.complete_address:
        address = restore_place(original.address, result.complete_address, carrier.addresses)
        return result.model_copy(update={"complete_address": address})
    if verb not in ("ship", "recover") or result is None or not lacks_label(carrier, result):
        return result
    if carrier.labels == "theirs" and verb == "recover":
        return result  # the purchase is found; its label is fetched later
    yield Bought(
        result.tracking_number,
        result.shipment_identifier,
        selected_rate=result.selected_rate,
        meta=result.meta,
    )
    if carrier.labels == "theirs":
        text = f"{carrier.name} sold {result.tracking_number} and gave no label"
        raise CarrierError(Message(code="no_label", message=text))
    return draw_own_label(carrier, request, result)


def start_rate_flow(carrier: Carrier[Any, Any], original: Any, request: RateRequest) -> Flow[list[Quote]]:
    """Run the flow of a price, of services that take the shipment, and say what can't be bought."""
    request = settle_money(request, carrier)
    broken = find_broken_limits(original, request, carrier)
    quotes = yield from ask_rates_within_limits(request, carrier, broken)
    return list(keep_direction(quotes, request, carrier))


def look_up(carrier: Carrier[Any, Any], request: ShipmentRequest) -> Flow[Label | None]:
    """Run the flow that finds a purchase, again while the carrier may not know of it yet (`lookup_lag_s`)."""
    context = carrier.context
    age_s = (context.now - context.sent_at).total_seconds() if context.sent_at else 0.0
    label: Label | None = yield from carrier.recover(request)
    while label is None and age_s < carrier.lookup_lag_s:
        yield Pause(BETWEEN_LOOKUPS_S)
        age_s += BETWEEN_LOOKUPS_S
        label = yield from carrier.recover(request)
    return label


def find_method(carrier: Carrier[Any, Any], verb: str, request: Any) -> Callable[[Any], Flow[Any]]:
    """Return what a carrier does for a verb: a return is bought in a way of its own."""
    comes_back = verb == "ship" and is_return(request, carrier)
    method: Callable[[Any], Flow[Any]] = getattr(carrier, "ship_return" if comes_back else verb)
    return method


def fetch_flow(carrier: Carrier[Any, Any], bought: Bought, request: ShipmentRequest) -> Flow[Label]:
    """Run the flow that fetches the label of a bought shipment, or draws it."""
    request = prepare(request, carrier)
    if carrier.labels == "theirs":
        return add_links(carrier, (yield from carrier.fetch_label(bought, request)))
    label = Label(
        tracking_number=bought.name,
        shipment_identifier=bought.shipment_identifier,
        meta=dict(bought.meta),
    )
    return draw_own_label(carrier, request, label)


def add_links(carrier: Carrier[Any, Any], result: T) -> T:
    """Return a label or trackings with the carrier's public tracking page, where they name no other."""
    if isinstance(result, list):
        return [add_links(carrier, item) for item in result]  # type: ignore[return-value]
    if not isinstance(result, Label | Tracking) or not (link := carrier.link(result.tracking_number)):
        return result
    if isinstance(result, Label):
        return result.model_copy(update={"meta": {**result.meta, LINK: result.meta.get(LINK) or link}})
    info = result.info or TrackingInfo()
    page = info.carrier_tracking_link or link
    return result.model_copy(update={"info": info.model_copy(update={"carrier_tracking_link": page})})


def lacks_label(carrier: Carrier[Any, Any], label: Label) -> bool:
    return not label.docs.get("label") and label.label_type not in carrier.no_file


def prepare(request: M, carrier: Carrier[Any, Any]) -> M:
    """Return the request with what this module promises; what the caller stated is never changed.

    Errors: Invalid for a size in an unknown unit, for several parcels where a shipment is one;
            CarrierError for what the carrier is known not to take.
    """
    declares = is_declared(request) or carrier.declares_at_home
    request = put_addresses(request, carrier)
    changes: dict[str, Any] = {}
    if parcels := getattr(request, "parcels", None):
        prepared = [prepare_parcel(parcel, carrier) for parcel in parcels]
        changes["parcels"] = [round_to_limit(parcel, carrier.limits) for parcel in prepared]
    if isinstance(request, RateRequest | ShipmentRequest):
        request = name_place(request, carrier)
        check_origin(request, carrier)
        check_destination(request, carrier)
        check_options(request, carrier)
        check_parcels(changes.get("parcels", ()), carrier, type(request))
        check_parcels_back(request, carrier)
    if isinstance(request, RateRequest) and carrier.fills_in_quotes:
        changes["shipper"] = fill_address(request.shipper, carrier.fills_in_quotes)
        changes["recipient"] = fill_address(request.recipient, carrier.fills_in_quotes)
    if options := getattr(request, "options", None):
        changes["options"] = prepare_dates(options)
    if "payment" in type(request).model_fields:
        changes["payment"] = request.payment or Payment()  # type: ignore[attr-defined]  # it has the field
        customs = request.customs if declares else None  # type: ignore[attr-defined]
        changes["customs"] = prepare_customs(customs, changes.get("parcels", ()), carrier)
    return request.model_copy(update=changes) if changes else request


def fill_address(address: Address, names: Sequence[str]) -> Address:
    """Return the address of a price request; a street that a carrier demands changes no price."""
    facts = {**dict(address), "person_name": address.name}  # a company's name will do
    missing = {name: NOT_AVAILABLE for name in names if not facts[name]}
    return address.model_copy(update=missing) if missing else address


def name_place(request: M, carrier: Carrier[Any, Any]) -> M:
    """Return the request with the id of the place where it is held in the option that takes it.

    Errors: CarrierError where the carrier takes none, or none of this form: it is that of another carrier.
    """
    options: Mapping[str, Any] = request.options  # type: ignore[attr-defined]  # of a price or a purchase
    place, row = read_place_id(options.get(HOLD)), carrier.options.get(HOLD_ID)
    if not place:
        return request
    if row is None or not re.fullmatch(row.pattern or ".+", place):
        raise carrier.refuse(
            DESTINATION_NOT_SERVICED, f"{carrier.name} has no place {place} to hold parcels at"
        )
    others = {name: value for name, value in options.items() if name != HOLD}
    return request.model_copy(update={"options": {**others, HOLD_ID: place}})


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
    if carrier.stays_home and destination not in (None, carrier.home_country):
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


def prepare_parcel(parcel: Parcel, carrier: Carrier[Any, Any]) -> Parcel:
    unit = parcel.weight_unit or DEFAULT_UNIT
    preset = carrier.presets.get(parcel.package_preset)
    facts = preset.to_dict() if preset else {}
    if parcel.weight is None and facts.get("weight"):
        unit = facts["weight_unit"]
    changes = {
        "weight_unit": unit,
        "dimension_unit": parcel.dimension_unit or facts.get("dimension_unit") or choose_dimension_unit(unit),
        "items": prepare_items(parcel.items, unit),
    }
    if facts:
        changes |= _take_preset_facts(parcel, facts, str(changes["dimension_unit"]))
    return parcel.model_copy(update=changes)


def _take_preset_facts(parcel: Parcel, facts: Mapping[str, Any], unit: str) -> dict[str, Any]:
    """Return what the preset knows and the parcel does not state, sizes in the parcel's unit."""
    names = ("weight", "packaging_type", *SIDES)
    taken = {name: facts[name] for name in names if name in facts and getattr(parcel, name) is None}
    if facts.get("dimension_unit") == unit:
        return taken
    return taken | {
        side: convert_length(taken[side], facts["dimension_unit"], unit).quantize(HUNDREDTH, ROUND_HALF_UP)
        for side in SIDES
        if side in taken
    }


def prepare_items(items: Sequence[Commodity], unit: str) -> Sequence[Commodity]:
    if all(item.weight_unit and not item.metadata for item in items):
        return items
    return [say_variant(item, {"weight_unit": item.weight_unit or unit}) for item in items]


def is_declared(request: Model) -> bool:
    """Whether a declaration belongs to a request; to one that names no countries it may."""
    if not isinstance(request, RateRequest | ShipmentRequest):
        return False
    shipper, recipient = request.shipper, request.recipient
    is_located = bool(shipper.country_code and recipient.country_code)
    return not is_located or crosses_customs(shipper, recipient)


def put_addresses(request: M, carrier: Carrier[Any, Any]) -> M:
    """Return the request with its addresses in the form of the carrier."""
    written = write_addresses(request, carrier.addresses)
    changed = {name: address for name, address in written.items() if address is not getattr(request, name)}
    return request.model_copy(update=changed) if changed else request


def prepare_customs(
    customs: Customs | None, parcels: Sequence[Parcel], carrier: Carrier[Any, Any]
) -> Customs | None:
    if customs is None:
        return None
    if address := customs.duty_billing_address:
        customs = customs.model_copy(update={"duty_billing_address": carrier.addresses.write(address)})
    unit = str(parcels[0].weight_unit) if parcels else DEFAULT_UNIT
    return customs.model_copy(
        update={
            "duty": complete_duty(customs),
            "commodities": prepare_items(customs.commodities, unit),
        }
    )


def prepare_dates(options: Mapping[str, Any]) -> Mapping[str, Any]:
    """Return the options with their two dates agreeing: `shipping_date` (date and time) wins."""
    time = options.get("shipping_date")
    return {**options, "shipment_date": str(time)[:10]} if time else options
