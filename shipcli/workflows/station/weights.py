"""What the scale says, and weights that are typed, for the load in hand."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from shipcli.scales.readings import ScaleReading, ScaleState
from shipcli.workflows.station.hands import set_weight
from shipcli.workflows.station.loads import Load, Phase
from shipcli.workflows.station.state import Effects, Question, StationState
from shipcli.workflows.station.weighing import WeightSource
from shipcli.workflows.station.weight_watch import read_typed_weight

if TYPE_CHECKING:
    from shipcli.workflows.station.steps import ScaleSilent, Weighed
    from shipcli.workflows.station.weighing import WeightVerdict


def weigh(state: StationState, event: Weighed, at: float) -> Effects:
    """The scale said something; while an order is looked up, it may be the parcel of that."""
    load = None if state.pending else state.load
    verdict = state.scale.read(event.reading, load)
    _drop_question(state, event.reading)
    if load is None or not _takes_scale(load):
        return ()
    if load.weight and event.reading.state is ScaleState.UNDERLOAD:
        return ()  # the parcel was lifted
    if verdict.weight and not verdict.question and load.is_weighed_as(verdict.weight):
        return ()
    return take_verdict(state, load, verdict)


def _drop_question(state: StationState, reading: ScaleReading) -> None:
    """A weight is asked about as long as it lies there."""
    asked = state.question.weight if state.question else None
    is_there = not reading.is_stable or (asked is not None and asked.is_like(reading))
    if asked and asked.source is WeightSource.SCALE and not is_there:
        state.news = "" if state.question and state.question.text == state.news else state.news
        state.question = None


def _takes_scale(load: Load) -> bool:
    is_typed = load.weight is not None and load.weight.source is WeightSource.TYPED
    return is_open(load) and not is_typed and load.job.parcels == 1


def is_open(load: Load) -> bool:
    """Whether the weight of a load may still change."""
    return load.shipment is None and not load.is_buying and not load.is_doubtful


def take_typed(state: StationState, text: str) -> Effects | None:
    """Take what was typed as a weight; None if it is none. Digits alone are a number of something."""
    load = state.load
    if text.strip().isdigit():
        return None
    if state.pending:
        return state.refuse_early() if read_typed_weight(text, state.weight_unit, None) else None
    if load is None or not is_open(load):
        return None
    verdict = read_typed_weight(text, state.weight_unit, load.job.expected)
    if verdict is None:
        return None
    if load.job.parcels > 1:
        return state.refuse(f"{load.number} needs {load.job.parcels} parcels: ship it with shipcli ship")
    return take_verdict(state, load, verdict)


def take_verdict(state: StationState, load: Load, verdict: WeightVerdict) -> Effects:
    """Weigh the load in hand, ask about a weight, or say why it is none."""
    if verdict.trouble:
        return _show_trouble(state, load, verdict.trouble)
    if load.phase is Phase.ATTENTION and load.weight is None:
        state.table.replace(replace(load, phase=Phase.IDLE, trouble=""))
    if verdict.question:
        state.question = Question(
            f"{verdict.question}: is it right? Y, or scan CMD-YES", weight=verdict.weight
        )
        return state.show(state.question.text) if verdict.is_light else state.refuse(state.question.text)
    return set_weight(state, verdict.weight) if verdict.weight else ()


def _show_trouble(state: StationState, load: Load, trouble: str) -> Effects:
    """What the scale shows is no weight, and the one that counted does no more."""
    is_new = load.trouble != trouble
    state.table.replace(
        replace(load, weight=None, draft=None, rate=None, facts=None, phase=Phase.ATTENTION, trouble=trouble)
    )
    return state.refuse(trouble) if is_new else ()


def lose_scale(state: StationState, event: ScaleSilent, at: float) -> Effects:
    """The scale says nothing any more."""
    is_new = state.scale.trouble != event.reason
    state.scale.lose(event.reason)
    return state.refuse(f"{event.reason}. A weight can be typed, such as 2lb6oz, and Enter") if is_new else ()
