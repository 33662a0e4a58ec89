"""Ship a parcel from the bench: make a draft, choose a rate by given criteria, and buy it in one step."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass, field
from functools import partial
from typing import TYPE_CHECKING, Any, NamedTuple

from shipcli.carrier.base import NOT_SERVICED
from shipcli.features.core import idempotency
from shipcli.features.core.dates import read_day
from shipcli.features.parts import parcels
from shipcli.features.parts.drafts import find_time_zone, make_draft
from shipcli.features.shipments import service as shipments
from shipcli.features.shipments.budget import Budget, Reservation, exceeds_ceiling
from shipcli.features.shipments.defaults import read_defaults
from shipcli.features.shipments.price_ceiling import settle_voids, take_back
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
from shipcli.features.shipments.shorthand import fill_box, find_only_parcel
from shipcli.models import (
    Conflict,
    Invalid,
    LimitReached,
    Message,
    OutcomeUnknown,
    Parcel,
    ParcelPatch,
    Rate,
    RateResponse,
    Refused,
    Shipment,
    ShipmentData,
    ShippingRequestData,
)

if TYPE_CHECKING:
    from shipcli.features.core.app import App
    from shipcli.features.core.idempotency import IdempotencyKey
    from shipcli.features.shipments.defaults import ShipDefaults


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

    def plain(self) -> dict[str, Any]:
        """Return the fields that make two criteria the same, which excludes the budget."""
        names = ("rule", "service", "rate_id", "carriers", "currency", "by")
        return {name: getattr(self, name) for name in names if getattr(self, name)}


Choose = Callable[[Shipment], Rate]
RATE_REFUSED = "rate_refused"
# statuses, where a carrier says nothing else
PASSING = frozenset({"401", "403", "429", "502", "503", "unreachable"})


# Yields the rate to buy for a draft; at the end of the block the outcome of its purchase is known.
Decide = Callable[[Shipment], AbstractContextManager[Reservation]]
Buy = Callable[[Shipment, Rate], Shipment]
TakeBack = Callable[[str, str], Shipment]  # a bought shipment by its id, and what it may cost


class KeyedRequest(NamedTuple):
    """An idempotency key and the request made with it."""

    key: str
    request: Mapping[str, Any]


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
    return answer.changed(rates=matches or answer.rates)


def pick(defaults: ShipDefaults, draft: Shipment, criteria: RateCriteria, choose: Choose) -> Rate:
    """Return the rate that matches the criteria.

    Errors: Invalid listing what is offered; NotFound if a carrier is unknown.
    """
    if criteria.rate_id:
        return find_rate(draft, criteria.rate_id)
    fit = draft.changed(rates=select_by_carriers(defaults, draft, criteria.carriers))
    if criteria.by:
        today = defaults.now.astimezone(find_time_zone(draft.shipper)).date()
        fit = fit.changed(rates=list_in_time(fit, read_day(criteria.by, today, "by")))
    if criteria.service:
        fit = fit.changed(rates=list_offering(fit, criteria.service))
    rule = criteria.rule or ("cheapest" if criteria.service or criteria.by else None)
    currency = criteria.currency or choose_currency(defaults, draft)
    if rule is None:
        return choose(fit.changed(rates=list_cheapest_first(fit, currency)))
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


def read_stored_draft(app: App, shipment_id: str, parcel: Mapping[str, Any] | None = None) -> Shipment:
    """Read a stored draft with its rates; if it has none, or new parcel facts are given, fetch rates without
    storing them.

    Errors: NotFound, Conflict if it is not a draft, Invalid, NoConnection, Refused.
    """
    draft = shipments.get_shipment(app, shipment_id)
    if draft.status != "draft":
        raise explain_not_a_draft(draft)
    if parcel:
        draft = change_only_parcel(app, draft, parcel)
    return draft if draft.rates else shipments.rate_draft(app, draft, carrier_ids=draft.carrier_ids)


def explain_not_a_draft(shipment: Shipment) -> Conflict:
    """Build the error for a shipment that cannot be bought because it is not a draft."""
    number = f", its number {shipment.tracking_number}" if shipment.tracking_number else ""
    return Conflict(
        f"The shipment {shipment.display_name} is {shipment.status}{number}: only a draft can be bought"
    )


def change_only_parcel(app: App, draft: Shipment, parcel: Mapping[str, Any]) -> Shipment:
    """Change the only parcel of a draft and remove its rates, which no longer apply."""
    patch = ParcelPatch.model_validate(fill_box(read_defaults(app), parcel))
    changed = parcels.change_parcel(app, find_only_parcel(draft.parcels), patch)
    only = parcels.check_dimensions(Parcel.model_validate(changed))
    return draft.changed(parcels=[only], rates=[], messages=[])


def plan_purchase(defaults: ShipDefaults, draft: Shipment, criteria: RateCriteria, choose: Choose) -> Rate:
    """Return the rate a draft would be bought at and deduct its price from the budget, for a dry run.

    Errors: Invalid naming what a purchase would refuse; as for `pick`; LimitReached.
    """
    check_purchase(draft)
    rate = pick(defaults, draft, criteria, choose)
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


def buy_new(
    app: App, data: ShipmentData, decide: Decide, keyed_request: KeyedRequest | None = None
) -> Shipment:
    """Create and buy a shipment in one step, once per key; nothing is stored if it is refused.

    Errors: as for `make_rated_draft`, `decide` and `purchase.buy`.
    """
    once = idempotency.make_idempotency_key(app, "create_shipment", *keyed_request) if keyed_request else None
    return _buy_once(app, lambda: make_rated_draft(app, data), decide, once)


def buy_stored(
    app: App,
    shipment_id: str,
    decide: Decide,
    parcel: Mapping[str, Any] | None = None,
    keyed_request: KeyedRequest | None = None,
) -> Shipment:
    """Buy a stored draft, once per key, with its parcel changed if new facts are given.

    Errors: as for `read_stored_draft`, `decide` and `purchase.buy`.
    """
    once = (
        idempotency.make_idempotency_key(app, "purchase_shipment", *keyed_request) if keyed_request else None
    )
    return _buy_once(app, lambda: read_stored_draft(app, shipment_id, parcel), decide, once)


def _buy_once(
    app: App, read_draft: Callable[[], Shipment], decide: Decide, once: IdempotencyKey | None
) -> Shipment:
    def work() -> Shipment:
        def buy_at(draft: Shipment, rate: Rate) -> Shipment:
            return buy(app, draft, rate, once=once)

        return buy_first_sold(read_draft(), decide, buy_at, partial(take_back, app))

    result = idempotency.perform_with_key(app, once, work)
    return result if isinstance(result, Shipment) else Shipment.model_validate(result)


def buy_first_sold(draft: Shipment, decide: Decide, buy: Buy, take_back: TakeBack) -> Shipment:
    """Buy a draft at the rate that is decided on. One that its carrier refuses for good is left out and named
    in the messages, and the next is decided on, where any may be taken.

    Errors: those of `decide`, `buy` and `take_back`; if no other rate is left, the first refusal.
    """
    refusal: Refused | None = None
    while True:
        reservation: Reservation | None = None
        try:
            with decide(draft) as reservation:
                bought = buy(reservation.limit(draft), reservation.rate)
                return add_refusals(draft, settle_price(reservation, bought, take_back))
        except OutcomeUnknown:
            raise
        except Refused as error:
            if reservation is None or not reservation.open or is_passing(error):
                raise
            refusal = refusal or error
            draft = leave_out(draft, reservation.rate, error)
        except (Invalid, LimitReached):
            if reservation is None and refusal:
                raise refusal from None
            raise


def settle_price(reservation: Reservation, bought: Shipment, take_back: TakeBack) -> Shipment:
    """Count what was billed; a label that passes the budget, as others cost more meanwhile, is taken back.

    One that is above its own ceiling is kept: that it could not be taken back is known.
    Errors: those of `take_back`.
    """
    if reservation.settle(bought):
        return bought
    if not exceeds_ceiling(bought):
        bought = take_back(bought.id, str(reservation.find_most()))
    reservation.count_kept(bought)
    return bought


def is_passing(error: Refused) -> bool:
    """Whether a carrier answers nobody for now, or not us: that says nothing about the rate."""
    return any(message.code in PASSING for message in error.messages)


def add_refusals(draft: Shipment, bought: Shipment) -> Shipment:
    """Return what was bought with the messages of refused rates, if another server does not know them."""
    refused = [
        message
        for message in draft.messages
        if message.code == RATE_REFUSED and message not in bought.messages
    ]
    return bought.changed(messages=[*bought.messages, *refused]) if refused else bought


def leave_out(draft: Shipment, rate: Rate, error: Refused) -> Shipment:
    """Return a draft without a rate that its carrier did not sell; a message names it."""
    text = f"{rate.carrier_id} refused {rate.service}, so another rate was taken: {error.message}"
    note = Message(
        code=RATE_REFUSED, message=text, carrier_name=rate.carrier_name, carrier_id=rate.carrier_id
    )
    others = [offer for offer in draft.rates if offer.id != rate.id]
    return draft.changed(rates=others, messages=[*draft.messages, note])


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


def check_voidable(shipment: Shipment) -> None:
    """Errors: Conflict if there is no label that could be voided, or was."""
    if was_voided(shipment):
        return
    if shipment.status == "draft":
        raise Conflict(f"The shipment {shipment.display_name} has no label yet; to drop the draft: "
                       f"shipcli shipments cancel {shipment.word}")  # fmt: skip
    if shipment.status != "purchased":
        raise Conflict(f"The shipment {shipment.display_name} is {shipment.status} and can't be voided")
