"""Names of shipment options: the known ones, and those that are not sent to a carrier."""

from __future__ import annotations

from collections.abc import Mapping
from decimal import Decimal
from typing import TYPE_CHECKING, Any

from shipcli.carrier import registry
from shipcli.carrier.catalogue_rows import Option
from shipcli.carrier.customs_names import list_customs_names, list_unified_names
from shipcli.carrier.duties import choose_payer
from shipcli.carrier.index import list_names_of_options
from shipcli.carrier.request_options import HOLD, HOLD_ID, read_place_id
from shipcli.models import Customs, Invalid, Message, Rate, Shipment, find_nearest
from shipcli.models.basics.areas import crosses_customs

if TYPE_CHECKING:
    from shipcli.carrier.registry import AnyCarrier

TYPES: Mapping[str, type] = {"boolean": bool, "float": Decimal}  # that are checked before carriers are asked

NOT_SENT = "option_not_sent"
# Options that shipcli itself handles: date, currency, what is bought, documents, orders, the sandbox.
OWN = frozenset({
    "currency", "shipment_date", "shipping_date", "preferred_service", "carrier_ids", "shipment_note",
    "invoice_template", "invoice_number", "invoice_date", "doc_files", "doc_references",
    "paid_by", "payment_account_number", "duty_paid_by", "duty_account_number", "single_item_per_parcel",
    "sandbox_scenario", "exchange_rates", "max_total",
})  # fmt: skip


def list_option_names() -> set[str]:
    """Return all option names that a carrier or shipcli itself knows."""
    named = {name for facts in registry.list_facts() for name in facts.option_names}
    return {*list_shared_names(), *OWN, "paperless_trade"} | named


def list_shared_names() -> tuple[str, ...]:
    """Return the names of options that mean the same with every carrier."""
    from shipcli.features.connections.catalog import UNIVERSAL_OPTIONS

    return tuple(UNIVERSAL_OPTIONS)


def find_wrong_value(name: str, value: Any) -> str | None:
    """What is wrong with the value of an option that means the same with every carrier; None for nothing.

    Without this each carrier that has the option refuses, and one that has not gets the parcel.
    """
    from shipcli.features.connections.catalog import UNIVERSAL_OPTIONS

    kind = TYPES.get(UNIVERSAL_OPTIONS.get(name, ("", ""))[1])
    if kind is None or value is None or name == HOLD:  # which may be the id of a place
        return None
    try:
        Option(slug=name, code="", type=kind).read(value)
    except Invalid as error:
        return error.problems[0].reason
    return None


def list_unsent(kind: AnyCarrier, options: Mapping[str, Any]) -> list[str]:
    """Return the options with a value that are not sent to a carrier, as it has no such option."""
    names = {*OWN, *list_names_of_options(kind)}
    names |= {"paperless_trade"} if "paperless" in kind.capabilities() else set()
    names |= {HOLD} if kind.options.get(HOLD_ID) and read_place_id(options.get(HOLD)) else set()
    return [name for name, value in options.items() if value not in (None, False, "") and name not in names]


def check_customs_names(customs: Customs | None) -> None:
    """Errors: Invalid naming the options of a declaration that no carrier has, with the nearest name."""
    if customs is None or not customs.options:
        return
    names = {
        *list_unified_names(),
        *(name for facts in registry.list_facts() for name in facts.customs_names),
    }
    problems = []
    for name in customs.options:
        if name not in names:
            near = find_nearest(name, names)
            hint = f"; did you mean {near}?" if near else f"; known: {', '.join(list_unified_names())}"
            problems.append((f"customs.options.{name}", f"no carrier has such an option{hint}"))
    if problems:
        raise Invalid.many(problems)


def list_unsent_customs(kind: AnyCarrier, shipment: Shipment) -> list[str]:
    """Return what a declaration says that a carrier is not told."""
    options = shipment.customs.options if shipment.customs else {}
    sent = list_customs_names(kind)
    names = [f"customs.options.{name}" for name, value in options.items() if value and name not in sent]
    to, crosses = shipment.recipient, is_abroad(shipment)
    if crosses and kind.hosts and not kind.tells_tax_number and (to.federal_tax_id or to.state_tax_id):
        names.append("recipient.federal_tax_id")
    return names


def is_abroad(shipment: Shipment) -> bool:
    """Whether a shipment crosses a customs border."""
    return crosses_customs(shipment.shipper, shipment.recipient)


def list_unsent_options(kind: AnyCarrier, shipment: Shipment, rate: Rate) -> list[Message]:
    """Return the messages for a purchase if some options of it or its parcels are not sent to the carrier, or
    it is not told who pays the duties.

    The purchase goes on all the same.
    """
    every = [shipment.options, *(parcel.options for parcel in shipment.parcels)]
    names = list(dict.fromkeys(name for options in every for name in list_unsent(kind, options)))
    names += list_unsent_customs(kind, shipment)
    texts = [f"{kind.name} has no such option and was not sent it: {', '.join(names)}"] if names else []
    if misses_payer(kind, shipment, rate):
        texts.append(f"{kind.name} is not told that another pays the duties: it asks the recipient for them")
    who = {"carrier_name": rate.carrier_name, "carrier_id": rate.carrier_id}
    return [Message.model_validate({"code": NOT_SENT, "message": text, **who}) for text in texts]


def misses_payer(kind: AnyCarrier, shipment: Shipment, rate: Rate) -> bool:
    """Whether somebody else than the recipient is to pay the duties, and neither the carrier's forms nor the
    service say so.
    """
    customs = shipment.customs
    if customs is None or kind.tells_payer or not kind.hosts or not is_abroad(shipment):
        return False
    return choose_payer(customs) != "recipient" and "ddp" not in (rate.service or "").split("_")
