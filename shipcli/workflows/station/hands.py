"""Take loads in hand, and ask for their rates."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from shipcli.workflows.station.loads import Load, Phase, make_goods
from shipcli.workflows.station.state import AGAIN_S, Effects, StationState
from shipcli.workflows.station.steps import FetchRates, Priced

if TYPE_CHECKING:
    from shipcli.workflows.station.loads import Job
    from shipcli.workflows.station.weighing import ParcelWeight


def take(state: StationState, job: Job, at: float) -> Effects:
    """Take in hand what was scanned; the load that was there is held."""
    existing = state.table.find_job(job)
    if existing and existing in state.table.away:
        doing = "bought" if existing.is_buying else "printed"
        return state.refuse(f"{existing.number} is being {doing}")
    former = state.load
    load = existing or Load(state.make_key(), state.make_key(), job, make_goods(job))
    put(state, replace(load, priced_at=at))
    if former and state.table.is_held(former.key):
        state.say(f"{former.number} is on hold")
    return () if existing else begin(state)


def put(state: StationState, load: Load) -> None:
    """Put a load on the table."""
    leave(state)
    state.table.put(load)
    state.question, state.news, state.shows_customs = None, "", False


def leave(state: StationState) -> None:
    """The hands leave the load: its weight may still lie on the scale."""
    if state.load:
        state.scale.pass_on(state.load)


def begin(state: StationState) -> Effects:
    """What is done with a load that was just put on the table."""
    load = state.load
    assert load is not None
    if load.job.is_bought:
        state.table.replace(
            replace(load, shipment=load.job.shipment, phase=Phase.ATTENTION, trouble=load.job.trouble)
        )
        return state.refuse(load.job.trouble)
    if load.job.parcels > 1 or not state.scale.has_scale:
        return set_weight(state, load.job.expected) if load.job.expected else state.refuse(WEIGH)
    return ()


WEIGH = "Its weight is not known: type it, such as 2lb6oz, and Enter"


def set_weight(state: StationState, weight: ParcelWeight) -> Effects:
    """Weigh the load in hand."""
    assert state.load is not None
    state.question = None
    return ask_rates(state, replace(state.load, weight=weight))


def ask_rates(state: StationState, load: Load) -> Effects:
    """Ask for the rates of a load, as it is now."""
    facts = load.make_facts()
    state.table.replace(replace(load, facts=facts, draft=None, rate=None, phase=Phase.WEIGHED, trouble=""))
    return [FetchRates(load.key, load.job, facts)]


def price(state: StationState, event: Priced, at: float) -> Effects:
    """The rates of a load came; those for other facts than it has now are too late."""
    load = state.table.find(event.key)
    if load is None or load.phase is not Phase.WEIGHED or load.facts != event.facts:
        return ()
    if event.trouble or event.rate is None:
        trouble = event.trouble or "No rate is chosen"
        state.table.replace(
            replace(load, job=event.job, draft=event.draft, phase=Phase.ATTENTION, trouble=trouble)
        )
        return state.refuse(load.say(trouble))
    state.table.replace(
        replace(load, job=event.job, draft=event.draft, rate=event.rate, phase=Phase.PRICED, priced_at=at)
    )
    if state.is_bad and state.news.startswith(load.say("")):
        state.news = ""  # what was in its way before
    return ()


def was_shown(load: Load, at: float) -> bool:
    """Whether the price of a load was on the screen long enough before a moment."""
    return load.phase is Phase.PRICED and at >= load.priced_at + AGAIN_S
