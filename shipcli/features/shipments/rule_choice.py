"""The rates that the rules leave to choose from."""

from __future__ import annotations

from typing import TYPE_CHECKING

from shipcli.features.rules.decision import SERVICE, read_decision
from shipcli.features.shipments.rate_selection import SERVICE_UNAVAILABLE
from shipcli.models import Invalid

if TYPE_CHECKING:
    from shipcli.features.shipments.rate_selection import Rule
    from shipcli.models import Shipment


def find_rule(draft: Shipment) -> Rule | None:
    """By what the rate is chosen among those that the rules leave; None if they choose none."""
    decision = read_decision(draft)
    if decision is None or SERVICE not in decision.settings:
        return None
    return "fastest" if decision.value(SERVICE) == "fastest" else "cheapest"


def narrow_by_rules(draft: Shipment, *, may_leave: bool = False) -> Shipment:
    """Return the draft with the rates that the rules leave; unchanged if they choose no service.

    Shapes: with `may_leave` the rates are those of carriers that the request names, which wins over rules.
    Errors: Invalid on `service` naming the rule, if what it chooses is not offered.
    """
    decision = read_decision(draft)
    if decision is None or SERVICE not in decision.settings:
        return draft
    rates = [rate for rate in draft.rates if rate.id in decision.rates]
    if not rates and not may_leave:
        chosen = decision.settings[SERVICE]
        offered = ", ".join(sorted({str(rate.service) for rate in draft.rates})) or "nothing"
        named = f"The rule {chosen['rule']!r} chooses {chosen['value']}"
        reason = f"{named}, which is not offered; offered: {offered}."
        raise Invalid("service", reason, SERVICE_UNAVAILABLE)
    return draft.model_copy(update={"rates": rates}) if rates else draft
