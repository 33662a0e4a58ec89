"""Places where carriers take parcels in or hand them out, near an address."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from decimal import Decimal
from typing import TYPE_CHECKING

from shipcli.carrier import registry
from shipcli.carrier.base import DESTINATION_NOT_SERVICED, NOT_SUPPORTED
from shipcli.carrier.sending.jobs import CarrierJob
from shipcli.features.connections.accounts import Account, explain_missing, list_accounts
from shipcli.models import (
    Address,
    Invalid,
    Location,
    LocationList,
    LocationRequest,
    Message,
    NoConnection,
    make_refusal,
)
from shipcli.models.basics.places import find_country_code, read_state

if TYPE_CHECKING:
    from shipcli.features.core.app import App

VERB = "find_locations"
PURPOSES = ("drop_off", "pick_up")
USUAL, MOST = 10, 50
FARTHEST_KM = Decimal(500)


def find_locations(
    app: App,
    *,
    country_code: str,
    postal_code: str | None = None,
    city: str | None = None,
    state_code: str | None = None,
    address_line1: str | None = None,
    carrier_name: str | None = None,
    purpose: str | None = None,
    limit: int | None = None,
    radius_km: Decimal | None = None,
) -> LocationList:
    """Return the places of carriers near an address, nearest first; `carrier_name` are slugs or connections.

    Errors: Invalid; NoConnection; Refused if there is no place and at least one message of a carrier.
    """
    country = _read_country(country_code)
    place = {
        "country_code": country,
        "postal_code": postal_code,
        "city": city,
        "state_code": read_state(state_code, country) if state_code else None,
        "address_line1": address_line1,
    }
    request = LocationRequest.model_validate(
        {
            "address": Address.model_validate(place),
            "purpose": _check_purpose(purpose),
            "limit": _check_limit(limit),
            "radius_km": _check_radius(radius_km),
        }
    )
    if not (postal_code or city):
        raise Invalid("postal_code", "say a postal code, or a city")
    names = [name.strip() for name in (carrier_name or "").split(",") if name.strip()]
    return ask_accounts(app, choose_accounts(app, names), request, is_named=bool(names))


def _read_country(text: str) -> str:
    code = find_country_code(text)
    if code is None:
        raise Invalid("country_code", f"{text!r} is no country")
    return code


def _check_purpose(word: str | None) -> str | None:
    if word and word not in PURPOSES:
        raise Invalid("purpose", f"is one of {', '.join(PURPOSES)}")
    return word or None


def _check_limit(number: int | None) -> int:
    if number is not None and not 1 <= number <= MOST:
        raise Invalid("limit", f"is a number from 1 to {MOST}")
    return number or USUAL


def _check_radius(number: Decimal | None) -> Decimal | None:
    if number is not None and not 0 < number <= FARTHEST_KM:
        raise Invalid("radius_km", f"is a number above 0, up to {FARTHEST_KM}")
    return number


# -- whom to ask -----------------------------------------------------------------------------------


def choose_accounts(app: App, names: Collection[str]) -> list[Account]:
    """Return the accounts to ask: those that are named, else one for each carrier that can be asked.

    Errors: NoConnection.
    """
    accounts = list_accounts(app)
    named = [account for account in accounts if {account.slug, account.carrier_id} & {*names}]
    missing = [name for name in names if not any(name in (one.slug, one.carrier_id) for one in named)]
    if missing:
        raise explain_missing(app, missing)
    fitting = [account for account in (named if names else accounts) if account.kind.can(VERB)]
    if not fitting and not names:
        raise NoConnection({"locations": f"no connection can be asked; add one to {list_carriers()}"})
    chosen = {account.slug: account for account in reversed(fitting)}  # the newest of each carrier
    return list(chosen.values()) if fitting else named


def list_carriers() -> str:
    """Return the carriers that can be asked, for people."""
    return ", ".join(facts.slug for facts in registry.list_facts() if "locations" in facts.operations)


def ask_accounts(
    app: App, accounts: Sequence[Account], request: LocationRequest, *, is_named: bool
) -> LocationList:
    """Return the places of some accounts; a carrier that has none in the country says so if it is named."""
    country = request.address.country_code
    serving = [one for one in accounts if one.kind.can(VERB) and one.kind.home_country in (None, country)]
    jobs = [CarrierJob.of(account.open(app), VERB, request) for account in serving]
    outcomes = app.driver.run_all(jobs)
    messages = [message for outcome in outcomes for message in outcome.messages]
    if is_named:
        messages += [_explain_none(account, country) for account in accounts if account not in serving]
    places = [
        place.model_copy(update={"carrier_name": account.slug, "carrier_id": account.carrier_id})
        for account, outcome in zip(serving, outcomes, strict=True)
        for place in outcome.result or ()
        if place.serves(request.purpose) and is_near(place, request)
    ]
    if not places and messages:
        raise make_refusal(messages)
    nearest = [place.measure_in(request.distance_unit) for place in sort_places(places)[: request.limit]]
    return LocationList(messages=messages, locations=nearest)


def is_near(place: Location, request: LocationRequest) -> bool:
    """Whether a place is as near as is asked for; carriers look farther, or in whole miles."""
    return None in (request.radius_km, place.distance_km) or place.distance_km <= request.radius_km  # type: ignore[operator]


def sort_places(places: Iterable[Location]) -> list[Location]:
    """Return places nearest first, those at an unknown distance last."""
    far = Decimal("Infinity")
    return sorted(places, key=lambda place: far if place.distance_km is None else place.distance_km)


def _explain_none(account: Account, country: str | None) -> Message:
    can = account.kind.can(VERB)
    text = f"has no places in {country}" if can else f"can't be asked for its places; {list_carriers()} can"
    return Message(
        code=DESTINATION_NOT_SERVICED if can else NOT_SUPPORTED,
        message=f"{account.kind.name} {text}",
        carrier_name=account.slug,
        carrier_id=account.carrier_id,
    )
