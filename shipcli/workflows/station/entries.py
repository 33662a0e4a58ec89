"""What is scanned or typed: commands, articles of the load in hand, and what is taken in hand."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from shipcli.workflows.station import hands, labels
from shipcli.workflows.station.commands import press
from shipcli.workflows.station.loads import Load, Phase
from shipcli.workflows.station.packing_check import name
from shipcli.workflows.station.scans import Entry, StationCommand, learn_layouts, read_entry
from shipcli.workflows.station.state import Effects, StationState
from shipcli.workflows.station.steps import LookUp
from shipcli.workflows.station.weights import take_typed

if TYPE_CHECKING:
    from shipcli.models import LineItem
    from shipcli.workflows.station.steps import Entered, LookedUp

YES = ("y", "yes")


def enter(state: StationState, event: Entered, at: float) -> Effects:
    """Something was scanned, or typed and ended with Enter."""
    entry = read_entry(event.text, is_scan=event.is_scan, at=at, layouts=state.layouts)
    if entry.packer:
        state.packer = entry.packer
        return state.say(f"{entry.packer} packs")
    if entry.command:
        state.layouts = state.layouts or tuple(learn_layouts(entry))
        return () if state.is_double(entry.command, at) else press(state, entry.command)
    if not event.is_scan:
        if state.question and event.text.strip().casefold() in YES:
            return press(state, StationCommand.YES)
        effects = take_typed(state, event.text)
        if effects is not None:
            return effects
    return [LookUp(entry)] if entry.words else ()


def place(state: StationState, event: LookedUp, at: float) -> Effects:
    """An entry was looked up: an article of the load in hand counts, anything else is taken in hand."""
    load = state.load
    line = load.goods.find_line(event.entry.words) if load and not load.shipment else None
    if load and line:
        return _count(state, load, line)
    if event.job:
        is_double = state.is_double(event.job.id, event.entry.at)
        if load and load.job.id == event.job.id:
            return () if is_double else _scan_again(state, load, event.entry)
        return hands.take(state, event.job, at)
    return state.refuse(event.trouble) if event.trouble else _note_stranger(state, event.entry)


def _count(state: StationState, load: Load, line: LineItem) -> Effects:
    goods = load.goods.add(line)
    state.table.replace(replace(load, goods=goods))
    text = f"{name(line)} counted. {goods.describe_problem() or 'All is in the box'}"
    return state.refuse(text) if goods.is_wrong else state.say(text)


def _scan_again(state: StationState, load: Load, entry: Entry) -> Effects:
    """What is in hand was scanned once more: that buys it if its price was on the screen before."""
    if load.shipment is None and load.phase is Phase.ATTENTION and load.weight and not load.is_doubtful:
        return hands.ask_rates(state, load)
    if hands.was_shown(load, entry.at) or load.shipment:
        return labels.buy(state)
    return state.say(f"{load.number} is on the table already")


def _note_stranger(state: StationState, entry: Entry) -> Effects:
    text, load = entry.words[0], state.load
    if load and load.goods.lines and state.checks_goods and not load.is_buying and not load.shipment:
        state.table.replace(replace(load, goods=load.goods.add_stray(text)))
        return state.refuse(f"{text} does not belong to order {load.number}: take it out, then Esc")
    return state.refuse(f"Nothing is called {text}")
