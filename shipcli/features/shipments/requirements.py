"""Check what a shipment must have before a label can be bought, and note what it should have."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from shipcli.carrier.address_form import list_left_out
from shipcli.carrier.duties import PAID, choose_payer, find_service_terms, read_terms
from shipcli.carrier.exports import check_export
from shipcli.models import Address, Customs, Invalid, Message, Rate, Shipment
from shipcli.models.basics.areas import Place, crosses_customs
from shipcli.models.parts.address_check import check_address, uses_postal_code
from shipcli.models.parts.exchange import OPTION, read_exchange_rates
from shipcli.models.parts.goods import find_gap

if TYPE_CHECKING:
    from shipcli.carrier.registry import AnyCarrier

ASKS_TAX_NUMBER = frozenset({"BR", "KR"})  # of every recipient, a person too
ADDRESS_PART_NOT_SENT, CUSTOMS_NOT_SENT = "address_part_not_sent", "customs_not_sent"
POSTAL_CODE_ELSEWHERE = "postal_code_elsewhere"
REQUIRED = "is required to buy a label"


def check_addresses(shipment: Shipment) -> None:
    """Check that both addresses have a name, a street line, a city and, if the country uses them, a postal
    code, and that a US state is valid.

    Errors: Invalid naming each field that is missing or wrong.
    """
    problems = list(_list_problems(shipment))
    if problems:
        raise Invalid.many(problems)


def check_purchase(shipment: Shipment) -> None:
    """Errors: Invalid naming what an address lacks, or the number of an export declaration."""
    check_addresses(shipment)
    check_export(shipment, read_exchange_rates(shipment.options.get(OPTION)))


def check_persons(shipment: Shipment) -> None:
    """Like `check_addresses`, for purchases without a stored shipment, where a company name is not enough.

    Errors: Invalid naming each field that is missing or wrong.
    """
    sides = (side for side in ("shipper", "recipient") if _is_blank(getattr(shipment, side).person_name))
    nameless = [(f"{side}.person_name", REQUIRED) for side in sides]
    problems = dict([*_list_problems(shipment), *nameless])
    if problems:
        raise Invalid.many(problems.items())


def _list_problems(shipment: Shipment) -> Iterator[tuple[str, str]]:
    for side in ("shipper", "recipient"):
        address = getattr(shipment, side)
        for field in list_missing(address):
            yield f"{side}.{field}", REQUIRED
        if address.country_code == "US" and address.state_code:
            wrong = (problem for problem in check_address(address) if problem.field == "state_code")
            yield from (
                (f"{side}.{field}", f"{address.state_code!r} is not a state of the US.") for field, _ in wrong
            )


def list_missing(address: Address) -> list[str]:
    """Return the fields that an address lacks for a purchase."""
    fields = [name for name in ("address_line1", "city") if _is_blank(getattr(address, name))]
    if _is_blank(address.person_name) and _is_blank(address.company_name):
        fields.append("person_name")
    if _is_blank(address.postal_code) and uses_postal_code(address.country_code):
        fields.append("postal_code")
    return fields


def _is_blank(text: str | None) -> bool:
    return not (text and text.strip())


def list_address_notes(shipment: Shipment) -> list[Message]:
    """Return warnings about postal codes, checked offline; they do not prevent the purchase."""
    sides = (("shipper", shipment.shipper), ("recipient", shipment.recipient))
    return [
        Message(code=POSTAL_CODE_ELSEWHERE, message=f"{side}: the postal code {problem.reason}")
        for side, address in sides
        if address.postal_code
        for problem in check_address(address)
        if problem.field == "postal_code"
    ]


def list_carrier_notes(kind: AnyCarrier, shipment: Shipment, rate: Rate) -> list[Message]:
    """Return what of the addresses and of the declaration is not sent to the carrier that sells the label."""
    sides = (("shipper", shipment.shipper), ("recipient", shipment.recipient))
    lost = [name for side, address in sides for name in list_left_out(side, address, kind.addresses)]
    notes = []
    if lost:
        text = f"{kind.name} has no place for it and is not sent it: {', '.join(lost)}"
        notes.append(_make_note(rate, ADDRESS_PART_NOT_SENT, text))
    if shipment.customs and not crosses_customs(shipment.shipper, shipment.recipient):
        text = "The parcel crosses no customs border: its declaration is not sent"
        notes.append(_make_note(rate, CUSTOMS_NOT_SENT, text))
    return notes


def list_customs_notes(shipment: Shipment, rate: Rate) -> list[Message]:
    """Return warnings about missing customs data of a dutiable shipment; they do not prevent the purchase."""
    if not is_dutiable(shipment):
        return []
    if shipment.customs is None:
        text = f"{_describe_border(shipment)} without customs data: the carrier or the border may stop it"
        return [_make_note(rate, "customs_required", text)]
    notes, to = [], shipment.recipient
    if to.country_code in ASKS_TAX_NUMBER and not (to.federal_tax_id or to.state_tax_id):
        text = f"Customs of {to.country_code} ask for the recipient's tax number (federal_tax_id)"
        notes.append(_make_note(rate, "tax_number_required", text))
    if gap := find_gap(shipment.customs.commodities):
        notes.append(_make_note(rate, "goods_incomplete", f"Customs may ask about the goods: {gap}"))
    if shipment.customs.duty is None or not shipment.customs.duty.paid_by:
        notes.append(_make_note(rate, "duty_required", describe_payer(shipment.customs, rate.service)))
    elif other := describe_other_payer(shipment.customs, rate.service):
        notes.append(_make_note(rate, "duty_differs", other))
    return notes


def describe_payer(customs: Customs, service: str | None) -> str:
    """Say who pays the duties of a declaration that names nobody; the name of a service may say it."""
    payer, terms = choose_payer(customs), read_terms(customs)
    if sold_by := find_service_terms(service):
        payer, terms = ("sender" if sold_by == PAID else "recipient"), sold_by
    return f"Customs data without a payer of the duties: the {payer} pays them ({terms})"


def describe_other_payer(customs: Customs, service: str | None) -> str | None:
    """Say who pays the duties by the name of a service, where somebody else is named; None where it fits."""
    sold_by = find_service_terms(service)
    if sold_by is None or (sold_by == PAID) is (choose_payer(customs) != "recipient"):
        return None
    payer = "sender" if sold_by == PAID else "recipient"
    return f"By {service} the {payer} pays the duties ({sold_by}); customs.duty.paid_by is another"


def _describe_border(shipment: Shipment) -> str:
    """Return what kind of parcel it is, naming the area beyond a border that its country does not show."""
    for side in map(Place.of, (shipment.recipient, shipment.shipper)):
        if side.force:
            return "A parcel to or from the forces"
        if side.area and side.area.country == side.country:
            return f"A parcel that crosses the customs border of {side.area.title}"
    return "An international parcel"


def _make_note(rate: Rate, code: str, text: str) -> Message:
    return Message(code=code, message=text, carrier_name=rate.carrier_name, carrier_id=rate.carrier_id)


def is_dutiable(shipment: Shipment) -> bool:
    """Return whether the shipment contains goods, not just documents, and crosses a customs border."""
    goods = any(not parcel.is_document for parcel in shipment.parcels)
    return goods and crosses_customs(shipment.shipper, shipment.recipient)
