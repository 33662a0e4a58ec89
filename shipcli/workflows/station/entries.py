"""What is scanned or typed: commands, articles of the load in hand, and what is taken in hand."""

from __future__ import annotations

from collections.abc import Sequence
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

ANSWERS = {
    "y": StationCommand.YES,
    "yes": StationCommand.YES,
    "n": StationCommand.CLEAR,
    "no": StationCommand.CLEAR,
}


def enter(state: StationState, event: Entered, at: float) -> Effects:
    """Something was scanned, or typed and ended with Enter."""
    entry = read_entry(event.text, is_scan=event.is_scan, at=at, layouts=state.layouts)
    if entry.packer:
        state.packer = entry.packer
        return state.say(f"{entry.packer} packs")
    if entry.command:
        state.layouts = _narrow(state.layouts, learn_layouts(entry))
        return () if state.is_double(entry.command, at) else press(state, entry.command)
    if not event.is_scan:
        answer = ANSWERS.get(event.text.strip().casefold())
        if state.question and answer:
            return press(state, answer)
        effects = take_typed(state, event.text)
        if effects is not None:
            return effects
    if entry.is_unknown_command:
        return state.refuse(f"{entry.words[0]} is no command of this station")
    if not entry.words:
        return ()
    state.pending.append(entry.words[0])
    return [LookUp(entry)]


def _narrow(layouts: Sequence[str], shown: Sequence[str]) -> tuple[str, ...]:
    """The layouts that may be set, after a command barcode showed some: several have the same signs."""
    return tuple(layout for layout in layouts if layout in shown) or tuple(shown or layouts)


def place(state: StationState, event: LookedUp, at: float) -> Effects:
    """An entry was looked up: an article of the load in hand counts, anything else is taken in hand."""
    if event.entry.words and event.entry.words[0] in state.pending:
        state.pending.remove(event.entry.words[0])
    load, existing = state.load, state.table.find_job(event.job) if event.job else None
    line = load.goods.find_line(event.entry.words) if load and not load.shipment else None
    if load and line:
        return _count(state, load, line)
    if event.job:
        is_double = state.is_double(event.job.id, event.entry.at)
        if load and load is existing:
            return () if is_double else _scan_again(state, load, event.entry)
        return hands.take(state, event.job, at)
    return _note_trouble(state, event) if event.trouble else _note_stranger(state, event.entry)


def _note_trouble(state: StationState, event: LookedUp) -> Effects:
    """What is said of an entry that could not be looked up: it is named."""
    word = next(iter(event.entry.words), event.entry.text)
    return state.refuse(event.trouble if word in event.trouble else f"{word}: {event.trouble}")


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
    is_checked = state.checks_goods and entry.is_scan  # what a person typed may be a slip
    if is_checked and load and load.goods.lines and not load.is_buying and not load.shipment:
        state.table.replace(replace(load, goods=load.goods.add_stray(text)))
        return state.refuse(f"{text} does not belong to order {load.number}: take it out, then Esc")
    return state.refuse(f"Nothing is called {text}")
