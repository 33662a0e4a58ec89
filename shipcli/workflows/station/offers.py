"""The rates of a load as a packer sees them: the chosen one, the next ones, and why."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from shipcli.features.rules.decision import SERVICE, read_decision
from shipcli.features.rules.explanation import explain_rates

if TYPE_CHECKING:
    from shipcli.models import Rate, Shipment


@dataclass(frozen=True)
class StationOffer:
    """A rate and why it is chosen, or what is different about it."""

    rate: Rate
    reason: str


def list_offers(draft: Shipment, chosen: Rate) -> list[StationOffer]:
    """The chosen rate, then the others that can be bought, the cheapest first."""
    others = [rate for rate in list_buyable(draft) if rate.id != chosen.id]
    return [
        StationOffer(chosen, _explain_choice(draft, chosen)),
        *(_compare(draft, chosen, rate) for rate in others),
    ]


def list_buyable(draft: Shipment) -> list[Rate]:
    """The rates that can be bought, the cheapest first."""
    return sorted(
        (rate for rate in draft.rates if not rate.priced_only),
        key=lambda rate: (str(rate.currency), rate.total_charge, str(rate.service)),
    )


def find_next(draft: Shipment, chosen: Rate | None) -> Rate | None:
    """The rate after the chosen one, the first after the last; None if there is no other."""
    rates = list_buyable(draft)
    place = next((place for place, rate in enumerate(rates) if chosen and rate.id == chosen.id), -1)
    following = rates[(place + 1) % len(rates)] if rates else None
    return None if following is None or (chosen and following.id == chosen.id) else following


def _explain_choice(draft: Shipment, chosen: Rate) -> str:
    decision = read_decision(draft)
    if decision and SERVICE in decision.settings and chosen.id in decision.rates:
        return f"rule {decision.settings[SERVICE]['rule']}"
    if draft.options.get("preferred_service") == chosen.service:
        return "the order prefers it"
    cheapest = min(
        (rate.total_charge for rate in draft.rates if rate.currency == chosen.currency), default=None
    )
    return "cheapest" if chosen.total_charge == cheapest else "chosen"


def _compare(draft: Shipment, chosen: Rate, rate: Rate) -> StationOffer:
    decision = read_decision(draft)
    outcomes = {each.id: each.outcome for each in explain_rates(decision, [rate], chosen)} if decision else {}
    left_out = outcomes.get(rate.id, "")
    parts = [_compare_price(chosen, rate), _compare_days(chosen, rate)]
    parts += [left_out.removeprefix("left out: ")] if left_out.startswith("left out") else []
    return StationOffer(rate, ", ".join(part for part in parts if part))


def _compare_price(chosen: Rate, rate: Rate) -> str:
    if rate.currency != chosen.currency:
        return f"in {rate.currency}"
    difference = rate.total_charge - chosen.total_charge
    return f"{difference:+.2f}" if difference else "same price"


def _compare_days(chosen: Rate, rate: Rate) -> str:
    if rate.transit_days is None or chosen.transit_days is None or rate.transit_days == chosen.transit_days:
        return ""
    days = abs(rate.transit_days - chosen.transit_days)
    return (
        f"{days} day{'s' * (days != 1)} {'faster' if rate.transit_days < chosen.transit_days else 'slower'}"
    )
