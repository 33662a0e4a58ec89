"""Buy, print, print again and void: what makes a label of a load, once."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from shipcli.workflows.station import hands
from shipcli.workflows.station.loads import Load, Phase
from shipcli.workflows.station.state import Effects, Question, StationState
from shipcli.workflows.station.steps import BuyLabel, PrintLabel, VoidLabel

if TYPE_CHECKING:
    from shipcli.models import Shipment
    from shipcli.workflows.station.steps import LabelBought, PrintBegan, Printed, Voided


def buy(state: StationState) -> Effects:
    """Buy the label of the load in hand, or say what is in the way."""
    load = state.load
    if load is None:
        return state.refuse("Nothing is on the table: scan an order")
    obstacle = find_obstacle(state, load)
    if obstacle:
        return state.refuse(load.say(obstacle))
    if load.rate is None or load.draft is None:
        return hands.ask_rates(state, load)
    state.table.replace(replace(load, is_buying=True, phase=Phase.PRICED, trouble=""))
    return [BuyLabel(load.key, load.intent, load.job, load.draft, load.rate, state.packer)]


def find_obstacle(state: StationState, load: Load) -> str:
    """What stops the label of a load; empty if nothing does."""
    if load.shipment:
        return load.trouble or "it has its label"
    if load.is_buying:
        return "its label is being bought"
    if load.is_doubtful:
        return ""  # the same purchase is asked for again, whatever lies on the scale now
    if state.question:
        return f"answer first: {state.question.text}"
    if load.weight is None:
        return state.scale.trouble or state.scale.wait or load.trouble or hands.WEIGH
    if load.phase is Phase.WEIGHED:
        return "its rates are being fetched"
    return _find_packing_problem(state, load) or state.scale.find_doubt(load)


def _find_packing_problem(state: StationState, load: Load) -> str:
    is_checked = state.checks_goods and bool(load.goods.lines)
    return load.goods.describe_problem() if is_checked else ""


def buy_done(state: StationState, event: LabelBought, at: float) -> Effects:
    """A purchase ended: the label is printed; after a refusal the next one is another purchase."""
    load = state.table.find(event.key)
    if load is None:
        return ()
    if event.shipment is None:
        return _report_unbought(state, load, event)
    state.bought_today.add(1)
    state.last = event.shipment
    state.table.replace(
        replace(
            load, shipment=event.shipment, phase=Phase.BOUGHT, is_buying=False, is_doubtful=False, trouble=""
        )
    )
    state.say(f"{load.number} is bought: {event.shipment.tracking_number}")
    return [PrintLabel(load.key, event.shipment)]


def _report_unbought(state: StationState, load: Load, event: LabelBought) -> Effects:
    intent = load.intent if event.is_doubtful else state.make_key()
    doubt = "; F9 asks again, and buys nothing twice" if event.is_doubtful else ""
    trouble = f"{event.trouble}{doubt}"
    failed = replace(load, is_buying=False, is_doubtful=event.is_doubtful, intent=intent,
                     phase=Phase.ATTENTION, trouble=trouble)  # fmt: skip
    state.table.replace(failed)
    if failed in state.table.away:
        state.table.hold_again(failed)
    return state.refuse(load.say(trouble))


# -- paper -----------------------------------------------------------------------------------------


def print_began(state: StationState, event: PrintBegan, at: float) -> Effects:
    """A label is on its way to the printer."""
    load = state.table.find(event.key)
    if load:
        state.table.replace(replace(load, phase=Phase.PRINTING, trouble=""))
    return ()


def print_done(state: StationState, event: Printed, at: float) -> Effects:
    """A label is on paper, and its load leaves the table; or it is not, which is said."""
    load = state.table.find(event.key) or state.table.find_label(event.shipment.id)
    if event.trouble:
        return _report_unprinted(state, load, event)
    state.table.forget_unprinted(event.shipment.id)
    if load:
        if load is state.load:
            hands.leave(state)
        state.table.finish(load.key)
    name, number = event.shipment.display_name, event.shipment.tracking_number
    done = f"is printed on {event.printer}" if event.printer else "was printed meanwhile"
    return state.say(f"{name}: label {number} {done}")


def _report_unprinted(state: StationState, load: Load | None, event: Printed) -> Effects:
    text = f"{event.shipment.display_name} is bought and not printed, F5 prints it: {event.trouble}"
    if load:
        state.table.replace(replace(load, phase=Phase.ATTENTION, trouble=text))
    state.table.keep_unprinted(event.shipment)
    if load and load is not state.load:
        state.table.drop_away(load.key)
    return state.refuse(text)


def reprint(state: StationState) -> Effects:
    """Print the label in hand again; else those that were never printed, else the last one."""
    load = state.load
    if load and load.shipment:
        if load.is_under_way:
            return state.refuse(f"{load.number} is being printed")
        state.table.replace(replace(load, phase=Phase.BOUGHT, trouble=""))
        return [PrintLabel(load.key, load.shipment, again=True, unless_printed=not load.job.is_bought)]
    if state.table.unprinted:
        return [
            PrintLabel(shipment.id, shipment, again=True, unless_printed=True)
            for shipment in state.table.unprinted
        ]
    if state.last is None:
        return state.refuse("There is no label to print again")
    return [PrintLabel(state.last.id, state.last, again=True)]


# -- voids -----------------------------------------------------------------------------------------


def ask_void(state: StationState) -> Effects:
    """Ask whether the label in hand, else the last one, is to be voided."""
    shipment = _find_label(state)
    if shipment is None:
        return state.refuse("There is no label to void")
    text = f"Void {shipment.tracking_number} of {shipment.display_name}? Y, or scan CMD-YES"
    state.question = Question(text, shipment=shipment)
    return state.refuse(text)


def _find_label(state: StationState) -> Shipment | None:
    if state.load:
        return state.load.shipment
    return state.last


def void(shipment: Shipment) -> Effects:
    """Void a label."""
    return [VoidLabel(shipment)]


def void_done(state: StationState, event: Voided, at: float) -> Effects:
    """A label is void, and its load leaves the table; or it is not."""
    if event.trouble:
        return state.refuse(f"{event.shipment.display_name} is not voided: {event.trouble}")
    state.bought_today.add(-event.was_counted)
    state.table.forget_unprinted(event.shipment.id)
    if state.last and state.last.id == event.shipment.id:
        state.last = None
    load = state.load
    if load and load.shipment and load.shipment.id == event.shipment.id:
        hands.leave(state)
        state.table.finish(load.key)
    return state.say(f"{event.shipment.display_name}: the label {event.shipment.tracking_number} is void")
