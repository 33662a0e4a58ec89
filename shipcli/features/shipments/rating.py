"""Fetch rates: select the connections, ask them in parallel and collect their quotes and messages."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from shipcli.carrier.base import ORIGIN_NOT_SERVICED
from shipcli.carrier.duties import check_terms
from shipcli.carrier.preparation.returns import IS_RETURN
from shipcli.carrier.sending.jobs import CarrierJob
from shipcli.features.connections.accounts import Account, choose, list_services, owns
from shipcli.features.connections.option_names import check_customs_names
from shipcli.features.core.scenarios import SOLD_AS, find_sold_service, is_magic_service, read_scenario
from shipcli.features.shipments.transit import add_days
from shipcli.models import Message, NoConnection, Quote, Rate, RateRequest, Shipment, make_refusal
from shipcli.models.basics.text import find_nearest
from shipcli.models.rate import PRICED_ONLY

if TYPE_CHECKING:
    from shipcli.features.core.app import App


def make_rate_request(shipment: Shipment) -> RateRequest:
    """Build the rate request of a shipment."""
    return RateRequest.model_construct(
        shipper=shipment.shipper,
        recipient=shipment.recipient,
        parcels=list(shipment.parcels),
        services=list(shipment.services),
        options=shipment.options,
        reference=shipment.reference,
        payment=shipment.payment,
        customs=shipment.customs,
        return_address=shipment.return_address,
        billing_address=shipment.billing_address,
    )


def quote(
    app: App,
    request: RateRequest,
    *,
    carrier_ids: Sequence[str] = (),
    strict: bool = False,
    object_id: str | None = None,
    scenario: str | None = None,
) -> tuple[list[Rate], list[Message]]:
    """Fetch the rates of all matching connections, cheapest first, and the messages of the others.

    With `strict`, services that no connection offers are an error; otherwise they are ignored.
    Messages that a carrier does not serve the lane are returned only for `carrier_ids`, or if there is no
    rate at all: callers that ask all carriers expect gaps, and would take a message for a partial failure.
    Errors: NoConnection if none matches; Refused if there is no rate and at least one message; Invalid for
            terms of trade that contradict the payer of the duties.
    """
    check_terms(request.customs)
    check_customs_names(request.customs)
    magic = [name for name in request.services if is_magic_service(app, name)]
    if magic:
        plain = [name for name in request.services if name not in magic]
        request = request.model_copy(update={"services": plain})
    accounts = choose(app, "rating", carrier_ids=carrier_ids, services=request.services)
    offered = [name for name in request.services if any(owns(account, name) for account in accounts)]
    if request.services and not offered and strict:
        raise NoConnection(_explain_unowned(accounts, request.services))
    if not carrier_ids:  # carriers whose API was shut down are asked only by name
        accounts = [account for account in accounts if account.kind.retired is None] or accounts
    serving, far = split_by_reach(accounts, request)
    if not serving and not carrier_ids:
        raise NoConnection({account.carrier_id: _explain_not_serviced(account, request) for account in far})
    scenario = scenario or read_scenario(app, options=request.options)
    jobs = []
    for account in serving:
        carrier = account.open(app, scenario=scenario)
        services = [name for name in offered if owns(account, name)]
        asks = request if services == request.services else request.model_copy(update={"services": services})
        jobs.append(CarrierJob.of(carrier, "rate", asks, object_id))
    outcomes = app.driver.run_all(jobs)
    offers = [
        drop_repetitions(limit_quotes(account, offered, outcome.result or []))
        for account, outcome in zip(serving, outcomes, strict=True)
    ]
    offers, notes = add_days(app, jobs, offers)
    rates = [
        make_rate(app, account, quote)
        for account, quotes in zip(serving, offers, strict=True)
        for quote in quotes
    ]
    if magic:
        rates = name_magic_services(app, rates, magic, keep=bool(offered))
    outcome_messages = [
        (account.kind.says_not_serviced(message), message)
        for account, outcome in zip(serving, outcomes, strict=True)
        for message in outcome.messages
    ]
    messages = [message for _, message in outcome_messages]
    if carrier_ids:
        messages = [_make_note(account, request) for account in far] + messages
    if not rates and messages:
        raise make_refusal(messages)
    if not carrier_ids:
        messages = [message for is_lane, message in outcome_messages if not is_lane]
    return sorted(rates, key=lambda rate: rate.total_charge), [*messages, *notes, *_list_priced_only(rates)]


def name_magic_services(app: App, rates: Sequence[Rate], magic: Sequence[str], *, keep: bool) -> list[Rate]:
    """Return the cheapest rate of each connection under the names of magic services; with `keep` all others
    too.
    """
    cheapest: dict[str, Rate] = {}
    for rate in sorted(rates, key=lambda rate: rate.total_charge):
        if not rate.priced_only:
            cheapest.setdefault(rate.carrier_id, rate)
    named = [
        rate.model_copy(
            update={
                "id": app.new_id("rat_"),
                "service": name,
                "meta": {**(rate.meta or {}), SOLD_AS: rate.service},
            }
        )
        for rate in cheapest.values()
        for name in magic
    ]
    return [*(rates if keep else ()), *named]


def _list_priced_only(rates: Sequence[Rate]) -> list[Message]:
    """Return a message for each connection whose rates can't be bought."""
    priced_only = {rate.carrier_id: rate for rate in rates if rate.priced_only}
    return [
        Message(
            code=PRICED_ONLY,
            message=f"These prices can't be bought: {rate.priced_only}",
            carrier_name=rate.carrier_name,
            carrier_id=carrier_id,
        )
        for carrier_id, rate in priced_only.items()
    ]


def _explain_unowned(accounts: Sequence[Account], services: Sequence[str]) -> dict[str, str]:
    offered = {service for account in accounts for service in list_services(account)}
    nearest = {name: find_nearest(name, offered) for name in services}
    return {
        name: f"no connection offers it; did you mean {close}?" if close else "no connection offers it"
        for name, close in nearest.items()
    }


def quote_again(app: App, account: Account, shipment: Shipment, rate: Rate) -> Rate:
    """Return the rate updated with its account's current quote; unchanged if there is no such quote."""
    if not account.can("rating"):
        return rate
    service = str(find_sold_service(rate))
    request = make_rate_request(shipment).model_copy(update={"services": [service]})
    carrier = account.open(app)
    outcome = app.driver.run(CarrierJob.of(carrier, "rate", request, shipment.id))
    quotes = limit_quotes(account, request.services, outcome.result or [])
    if not quotes:
        return rate
    cheapest = min(quotes, key=lambda quote: quote.total_charge)
    fresh = make_rate(app, account, cheapest)
    names = {key: value for key, value in (rate.meta or {}).items() if key == SOLD_AS}
    kept = {"id": rate.id, "service": rate.service, "meta": {**(fresh.meta or {}), **names}}
    return fresh.model_copy(update=kept | keep_days(fresh, rate))


def keep_days(fresh: Quote | Rate, earlier: Rate) -> dict[str, Any]:
    """Return the days of a price, which are those of an earlier rate where a newer one does not say them."""
    names = ("transit_days", "estimated_delivery")
    return {name: getattr(fresh, name) or getattr(earlier, name) for name in names}


def limit_quotes(account: Account, services: Sequence[str], quotes: Sequence[Quote]) -> list[Quote]:
    """Return the quotes for the requested services; some carriers return all they have regardless."""
    rows = account.kind.services
    slugs = {row.slug if (row := rows.get(name)) else name for name in services}
    return [quote for quote in quotes if not slugs or quote.service in slugs]


def drop_repetitions(quotes: Sequence[Quote]) -> list[Quote]:
    """Drop repeated quotes: some carriers list a service once per package type at the same price."""
    seen: dict[tuple[Any, ...], Quote] = {}
    for quote in quotes:
        seen.setdefault((quote.service, quote.total_charge, quote.currency, quote.transit_days), quote)
    return list(seen.values())


def split_by_reach(accounts: Sequence[Account], request: RateRequest) -> tuple[list[Account], list[Account]]:
    """Split accounts into those that ship from the shipper's country (or any), and those that do not.

    Returns come from wherever the carrier fetches them.
    """
    here, comes_back = (None, request.shipper.country_code), bool(request.options.get(IS_RETURN))
    reaching: list[Account] = []
    others: list[Account] = []
    for account in accounts:
        reaches = account.country in here or (comes_back and account.kind.returns_from_abroad)
        (reaching if reaches else others).append(account)
    return reaching, others


def _make_note(account: Account, request: RateRequest) -> Message:
    return Message(
        code=ORIGIN_NOT_SERVICED,
        message=_explain_not_serviced(account, request),
        carrier_name=account.slug,
        carrier_id=account.carrier_id,
    )


def _explain_not_serviced(account: Account, request: RateRequest) -> str:
    return f"This account ships from {account.country}, not from {request.shipper.country_code}"


def make_rate(app: App, account: Account, quote: Quote) -> Rate:
    """Convert a carrier's quote to a rate."""
    details: dict[str, Any] = dict(quote.meta or {})
    # a hub names the carrier that moves the parcel
    behind = details.get("rate_provider") or details.get("carrier")
    provider = str(behind).lower() if behind else account.shown_name
    title = str(details.get("service_name") or quote.service or "")
    meta = {
        **details,
        "ext": account.slug,
        "carrier": provider,
        "rate_provider": provider,
        "service_name": title.replace("_", " ").upper(),
        "carrier_connection_id": account.id,
    }
    return Rate(
        id=app.new_id("rat_"),
        object_type="rate",
        carrier_name=account.shown_name,
        carrier_id=account.carrier_id,
        service=quote.service,
        total_charge=quote.total_charge,
        currency=quote.currency,
        transit_days=quote.transit_days,
        estimated_delivery=quote.estimated_delivery,
        extra_charges=list(quote.extra_charges),
        meta=meta,
        test_mode=app.test_mode,
    )
