"""Ship a parcel from the bench: make a draft, choose a rate by given criteria, and buy it in one step."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import TYPE_CHECKING, Any

from shipcli.carrier import registry
from shipcli.carrier.base import NOT_SERVICED
from shipcli.features.book import parcels
from shipcli.features.book.drafts import find_time_zone, make_draft
from shipcli.features.core import idempotency
from shipcli.features.core.dates import read_day
from shipcli.features.shipments import service as shipments
from shipcli.features.shipments.budget import Budget
from shipcli.features.shipments.price_ceiling import settle_voids
from shipcli.features.shipments.purchase import buy, settle_open
from shipcli.features.shipments.rate_selection import (
    SERVICE_UNAVAILABLE,
    Rule,
    choose_rate,
    list_cheapest_first,
    list_in_time,
    list_offering,
)
from shipcli.features.shipments.requirements import check_purchase
from shipcli.features.shipments.rule_choice import find_rule, narrow_by_rules
from shipcli.features.shipments.second_labels import check_reference, hold_reference
from shipcli.features.shipments.shorthand import find_only_parcel
from shipcli.models import (
    Conflict,
    Invalid,
    Message,
    Parcel,
    ParcelPatch,
    Rate,
    RateResponse,
    Shipment,
    ShipmentData,
    ShippingRequestData,
)
from shipcli.models.purchase_steps import BoughtBefore, KeyedRequest, RatePurchase

if TYPE_CHECKING:
    from shipcli.features.core.app import App
    from shipcli.features.core.idempotency_key import IdempotencyKey
    from shipcli.features.shipments.defaults import ShipDefaults

SHIPMENT_ID = re.compile(r"shp_[0-9a-f]{32}")


@dataclass(frozen=True)
class RateCriteria:
    """The criteria for a rate. Without a rule, service, day or rate the person at the terminal chooses."""

    rule: Rule | None = None
    service: str | None = None
    rate_id: str | None = None
    carriers: tuple[str, ...] = ()
    currency: str | None = None
    by: str | None = None
    budget: Budget = field(default_factory=Budget, compare=False)

    @property
    def open(self) -> bool:
        """Whether another rate may be taken if the carrier refuses the first one."""
        return self.rate_id is None and (bool(self.by) or self.rule in ("cheapest", "fastest"))

    def to_dict(self) -> dict[str, Any]:
        """Return the fields that make two criteria the same, which excludes the budget."""
        names = ("rule", "service", "rate_id", "carriers", "currency", "by")
        return {name: getattr(self, name) for name in names if getattr(self, name)}


Choose = Callable[[Shipment], Rate]


@dataclass(frozen=True)
class Prompter:
    """The prompts: `choose` returns the rate to buy, `agree` confirms the purchase or raises.

    Shapes: `choose` takes a draft with the matching rates, the first of which is the suggestion; `again`
            allows another label for a reference that already has one.
    """

    choose: Choose
    agree: Callable[[Shipment, Rate], None]
    again: bool = False


# -- prices ------------------------------------------------------------------------------------


def select_by_currency(answer: RateResponse, currency: str | None, usual: str | None) -> RateResponse:
    """Filter rates by the given currency, else by the usual one if there are any in it.

    Errors: Invalid if nothing is quoted in the given currency.
    """
    chosen = currency or usual
    matches = [rate for rate in answer.rates if not chosen or rate.currency == chosen]
    if answer.rates and not matches and currency:
        quoted = ", ".join(sorted({str(rate.currency) for rate in answer.rates}))
        raise Invalid("currency", f"No price is quoted in {currency}, only in {quoted}.")
    return answer.model_copy(update={"rates": matches or answer.rates})


def select_rate(defaults: ShipDefaults, draft: Shipment, criteria: RateCriteria, choose: Choose) -> Rate:
    """Return the rate that matches the criteria.

    Errors: Invalid listing what is offered; NotFound if a carrier is unknown.
    """
    if criteria.rate_id:
        return find_rate(draft, criteria.rate_id)
    fit = draft.model_copy(update={"rates": select_by_carriers(defaults, draft, criteria.carriers)})
    if not criteria.service:
        fit = narrow_by_rules(fit, may_leave=bool(criteria.carriers))
    if criteria.by:
        today = defaults.now.astimezone(find_time_zone(draft.shipper)).date()
        fit = fit.model_copy(update={"rates": list_in_time(fit, read_day(criteria.by, today, "by"))})
    if criteria.service:
        fit = fit.model_copy(update={"rates": list_offering(fit, criteria.service)})
    rule = criteria.rule or ("cheapest" if criteria.service else find_rule(fit))
    rule = rule or ("cheapest" if criteria.by else None)
    currency = criteria.currency or choose_currency(defaults, draft)
    if rule is None:
        return choose(fit.model_copy(update={"rates": list_cheapest_first(fit, currency)}))
    return choose_rate(fit, rule, currency=currency)


def choose_currency(defaults: ShipDefaults, draft: Shipment) -> str | None:
    """Return the currency from the settings, unless the shipment has its own."""
    return None if draft.options.get("currency") else defaults.currency


def find_rate(draft: Shipment, rate_id: str) -> Rate:
    """Return the rate with this id, or with the only id that begins with it.

    Errors: Invalid on `selected_rate_id`.
    """
    matches = [rate for rate in draft.rates if rate.id == rate_id] or [
        rate for rate in draft.rates if rate.id.startswith(rate_id)
    ]
    if len(matches) != 1:
        raise Invalid(
            "selected_rate_id",
            f"{rate_id} is not one of this shipment's rates; see: shipcli shipments rates {draft.word}",
            SERVICE_UNAVAILABLE,
        )
    return matches[0]


def select_by_carriers(defaults: ShipDefaults, draft: Shipment, names: Sequence[str]) -> list[Rate]:
    """Return the rates of the given carriers, or all rates if none is given.

    Errors: Invalid if those carriers have no rate; NotFound if a carrier is unknown.
    """
    if not names:
        return list(draft.rates)
    carrier_ids = defaults.named(names)
    matches = [rate for rate in draft.rates if rate.carrier_id in carrier_ids]
    if draft.rates and not matches:
        offers = ", ".join(sorted({rate.carrier_id for rate in draft.rates}))
        raise Invalid("carrier_ids", f"No rate of {', '.join(names)}; there are rates of {offers}.")
    return matches


def list_own_messages(shipment: Shipment, rates: Sequence[Rate]) -> list[Message]:
    """Return the messages of the carriers of these rates; all messages if carriers were asked for by name.

    If there is a rate for a lane, it does not matter that other carriers have none.
    """
    if shipment.carrier_ids or not rates:
        return list(shipment.messages)
    carrier_ids = {None, *(rate.carrier_id for rate in rates)}
    return [message for message in shipment.messages if message.carrier_id in carrier_ids]


def is_news(message: Message) -> bool:
    """Return whether to show a message; that a carrier does not serve a place needs no action."""
    return message.code not in NOT_SERVICED


# -- buying ------------------------------------------------------------------------------------


def make_rated_draft(app: App, data: ShipmentData) -> Shipment:
    """Build a draft with rates, without storing it.

    Errors: as for `shipments.create_shipment`.
    """
    return shipments.rate_draft(app, make_draft(app, data), carrier_ids=data.carrier_ids)


def read_stored_draft(app: App, shipment_id: str, parcel: ParcelPatch | None = None) -> Shipment:
    """Read a stored draft with its rates; if it has none, or its parcel is changed, fetch rates without
    storing them.

    Errors: NotFound, Conflict if it is not a draft, Invalid, NoConnection, Refused.
    """
    draft = shipments.get_shipment(app, shipment_id)
    if draft.status != "draft":
        raise explain_not_a_draft(draft)
    if parcel and parcel.model_fields_set:
        draft = change_only_parcel(app, draft, parcel)
    return draft if draft.rates else shipments.rate_draft(app, draft, carrier_ids=draft.carrier_ids)


def explain_not_a_draft(shipment: Shipment) -> Conflict:
    """Build the error for a shipment that cannot be bought because it is not a draft."""
    number = f", its number {shipment.tracking_number}" if shipment.tracking_number else ""
    return Conflict(
        f"The shipment {shipment.display_name} is {shipment.status}{number}: only a draft can be bought"
    )


def change_only_parcel(app: App, draft: Shipment, patch: ParcelPatch) -> Shipment:
    """Change the only parcel of a draft and remove its rates, which no longer apply."""
    changed = parcels.change_parcel(app, find_only_parcel(draft.parcels), patch)
    only = parcels.check_dimensions(Parcel.model_validate(changed))
    return draft.model_copy(update={"parcels": [only], "rates": [], "messages": []})


def plan_purchase(defaults: ShipDefaults, draft: Shipment, criteria: RateCriteria, choose: Choose) -> Rate:
    """Return the rate a draft would be bought at and deduct its price from the budget, for a dry run.

    Errors: Invalid naming what a purchase would refuse; as for `select_rate`; LimitReached.
    """
    check_purchase(draft)
    rate = select_rate(defaults, draft, criteria, choose)
    criteria.budget.reserve(rate)
    return rate


def settle_interrupted(app: App) -> list[Shipment]:
    """Settle the purchases that dead processes left open and return the shipments as they are now.

    A purchase that turns out not to have happened leaves no shipment, unless it had a stored draft.
    """
    settled = settle_open(app)
    settle_voids(app)
    documents = (app.store.get("shipment", shipment_id, app.test_mode) for shipment_id in settled)
    return [Shipment.model_validate(document) for document in documents if document]


def find_bought(app: App, keyed: KeyedRequest) -> BoughtBefore:
    """Return what was bought with a key before.

    Errors: as the first purchase with it; IdempotencyConflict if it is under way or was another one.
    """
    answer = idempotency.find_answer(app, _make_key(app, keyed))
    return BoughtBefore(shipment=Shipment.model_validate(answer) if answer is not None else None)


def buy_rate(app: App, purchase: RatePurchase) -> Shipment:
    """Buy a draft at a rate, once per key, while nobody else buys for its reference.

    Errors: AlreadyBought if a shipment with the reference has a label, and no other one is wanted; as for
            `purchase.buy`.
    """
    draft = check_drafted(app, purchase.draft)
    with hold_reference(app, draft):
        check_reference(app, draft, again=purchase.again)
        work = partial(buy, app, draft, purchase.rate, is_stored=False)  # it may be a new one
        return buy_with_key(app, purchase.keyed, work, has_others=purchase.has_others)


def buy_with_key(
    app: App, keyed: KeyedRequest | None, work: Callable[..., Shipment], *, has_others: bool
) -> Shipment:
    """Do the work of a purchase, once per key; it gets the claimed key as `once`."""
    if keyed is None:
        return work()
    once = _make_key(app, keyed, goes_on=has_others)
    bought = idempotency.perform_with_key(app, once, partial(work, once=once))
    return bought if isinstance(bought, Shipment) else Shipment.model_validate(bought)


def _make_key(app: App, keyed: KeyedRequest, *, goes_on: bool = False) -> IdempotencyKey:
    return idempotency.make_idempotency_key(app, keyed.operation, keyed.key, keyed.digest, goes_on=goes_on)


def check_drafted(app: App, draft: Shipment) -> Shipment:
    """Return a draft that is to be bought, which another machine may have sent, as a draft of this store.

    Errors: Invalid if it is none, or its id is not one of a shipment.
    """
    if draft.status != "draft" or draft.tracking_number or draft.shipment_identifier:
        raise Invalid("draft", f"It is {draft.status}: only a draft can be bought.")
    if not SHIPMENT_ID.fullmatch(draft.id):
        raise Invalid("draft.id", f"{draft.id!r} is not the id of a shipment.")
    return draft.model_copy(update={"test_mode": app.test_mode, "label_url": None, "invoice_url": None})


def read_offered_rate(request: ShippingRequestData) -> Rate:
    """Return the rate selected in a purchase without a stored shipment.

    Errors: Invalid if it is not among the rates of the request.
    """
    rate = next((rate for rate in request.rates if rate.id == request.selected_rate_id), None)
    if rate is None:
        raise Invalid("selected_rate_id", f"{request.selected_rate_id} is not one of the rates given.")
    return rate


# -- voiding -----------------------------------------------------------------------------------


def was_voided(shipment: Shipment) -> bool:
    """Whether it had a label, which is void."""
    return shipment.status == "cancelled" and bool(shipment.tracking_number or shipment.shipment_identifier)


def describe_kept(shipment: Shipment) -> str | None:
    """Say what cancelling a label is where its carrier takes none back; None where it does, or is unknown."""
    slug = str((shipment.meta or {}).get("ext") or shipment.carrier_name)
    if shipment.status != "purchased" or slug not in registry.list_slugs():
        return None
    if "void" in registry.get_facts(slug).operations:
        return None
    what = f"{shipment.display_name} is cancelled here alone, and may be billed"
    return f"{shipment.carrier_name} takes no label back: {what}"


def check_voidable(shipment: Shipment) -> None:
    """Errors: Conflict if there is no label that could be voided, or was."""
    if was_voided(shipment):
        return
    if shipment.status == "draft":
        raise Conflict(f"The shipment {shipment.display_name} has no label yet; to drop the draft: "
                       f"shipcli shipments cancel {shipment.word}")  # fmt: skip
    if shipment.status != "purchased":
        raise Conflict(f"The shipment {shipment.display_name} is {shipment.status} and can't be voided")
