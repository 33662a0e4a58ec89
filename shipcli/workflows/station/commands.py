"""What keys and command barcodes do."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import TYPE_CHECKING

from shipcli.workflows.station import hands, labels
from shipcli.workflows.station.loads import Load, Phase
from shipcli.workflows.station.offers import find_next
from shipcli.workflows.station.packing_check import name
from shipcli.workflows.station.scans import StationCommand
from shipcli.workflows.station.state import Effects, StationState
from shipcli.workflows.station.weights import is_open

if TYPE_CHECKING:
    from shipcli.workflows.station.steps import Pressed

HARMLESS = (StationCommand.CLEAR, StationCommand.CUSTOMS, StationCommand.CHECK)
ONCE = (StationCommand.BUY, StationCommand.REPRINT)


def press_key(state: StationState, event: Pressed, at: float) -> Effects:
    """A key was pressed; one that spends or prints counts once, however often it repeats itself."""
    is_double = event.command in ONCE and state.is_double(f"key {event.command}", at)
    return () if is_double else press(state, event.command)


def press(state: StationState, command: StationCommand) -> Effects:
    """Do what a key or a command barcode says; what was scanned before it comes first."""
    if state.pending and command not in HARMLESS:
        return state.refuse_early()
    return COMMANDS[command](state)


def choose_next_rate(state: StationState) -> Effects:
    """Choose the rate after the chosen one."""
    load = state.load
    if load is None or load.draft is None or not is_open(load):
        return state.refuse("There are no rates to choose from")
    rate = find_next(load.draft, load.rate)
    if rate is None:
        return state.refuse("There is no other rate")
    state.table.replace(replace(load, rate=rate, phase=Phase.PRICED, trouble=""))
    return state.say(f"{rate.carrier_id} {rate.service}")


def choose_next_box(state: StationState) -> Effects:
    """Choose the box after the chosen one; after the last none, so that rules choose."""
    load = state.load
    if load is None or not is_open(load) or load.job.parcels > 1:
        return state.refuse("There is no parcel to choose a box for")
    if not load.job.boxes:
        return state.refuse("There are no boxes: shipcli parcels presets add M 12x8x6in")
    names = ("", *load.job.boxes)
    box = names[(names.index(load.box) + 1) % len(names)] if load.box in names else ""
    changed = replace(load, box=box)
    state.table.replace(changed)
    state.say(f"box {box}" if box else "the box that rules choose")
    return hands.ask_rates(state, changed) if changed.weight else ()


def hold(state: StationState) -> Effects:
    """Put the load in hand on hold, or take back the one that was held last."""
    if state.load:
        number = state.load.number
        hands.leave(state)
        state.table.set_aside()
        state.question = None
        return state.say(f"{number} is on hold")
    if not state.table.held:
        return state.refuse("Nothing is on hold")
    hands.put(state, state.table.held[-1])
    return ()


def toggle_customs(state: StationState) -> Effects:
    """Show what is declared to customs, or hide it."""
    state.shows_customs = not state.shows_customs and state.load is not None
    return ()


def toggle_check(state: StationState) -> Effects:
    """Switch the packing check on or off."""
    state.checks_goods = not state.checks_goods
    return state.say(f"The packing check is {'on' if state.checks_goods else 'off'}")


def take_out(state: StationState) -> Effects:
    """Take the article out of the box again that was counted last."""
    load = state.load
    if load is None or not load.goods.counted or not is_open(load):
        return state.refuse("There is no article to take out again")
    line = load.goods.counted[-1]
    goods = load.goods.drop_last()
    state.table.replace(replace(load, goods=goods))
    return state.say(f"{name(line)} is taken out again. {goods.describe_problem() or 'All is in the box'}")


def answer_yes(state: StationState) -> Effects:
    """Answer the question."""
    question, state.question = state.question, None
    if question is None:
        return state.refuse("Nothing was asked")
    if question.shipment:
        return labels.void(question.shipment)
    if question.weight and state.load and is_open(state.load):
        state.say(f"{state.load.number} weighs {question.weight.describe()}")
        return hands.set_weight(state, question.weight)
    return ()


def clear(state: StationState) -> Effects:
    """Answer no; else go on after what did not belong in the box; else take the load off the table."""
    load = state.load
    if state.question:
        state.question = None
        return state.say("Not done")
    if load and load.goods.is_wrong:
        state.table.replace(replace(load, goods=load.goods.clear_strays()))
        return state.say("Taken out")
    if load is None:
        return ()
    return _take_off(state, load)


def _take_off(state: StationState, load: Load) -> Effects:
    if load.is_under_way:
        return state.refuse(f"{load.number} is under way")
    hands.leave(state)
    if load.shipment and not load.job.is_bought:
        state.table.keep_unprinted(load.shipment)
    state.table.finish(load.key)
    return state.say(f"{load.number} is off the table")


WORDS: Mapping[StationCommand, str] = {
    StationCommand.BUY: "Buy the label, and print it",
    StationCommand.REPRINT: "Print the label again",
    StationCommand.VOID: "Void the label (asks first)",
    StationCommand.NEXT: "Take the next rate",
    StationCommand.HOLD: "Hold the order, or take it back",
    StationCommand.BOX: "Take another box",
    StationCommand.CUSTOMS: "Show what customs are told",
    StationCommand.CHECK: "Packing check on or off",
    StationCommand.UNDO: "Take the last article out again",
    StationCommand.YES: "Yes",
    StationCommand.CLEAR: "No; taken out; off the table",
}
COMMANDS: Mapping[StationCommand, Callable[[StationState], Effects]] = {
    StationCommand.BUY: labels.buy,
    StationCommand.REPRINT: labels.reprint,
    StationCommand.VOID: labels.ask_void,
    StationCommand.NEXT: choose_next_rate,
    StationCommand.HOLD: hold,
    StationCommand.BOX: choose_next_box,
    StationCommand.CUSTOMS: toggle_customs,
    StationCommand.CHECK: toggle_check,
    StationCommand.UNDO: take_out,
    StationCommand.YES: answer_yes,
    StationCommand.CLEAR: clear,
}
