"""What the screen shows of a station, as text: shapes beside colours, for those who cannot tell them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from decimal import Decimal
from typing import TYPE_CHECKING

from rich.text import Text

from shipcli.cli.station.keys import list_keys
from shipcli.workflows.station import labels
from shipcli.workflows.station.loads import Phase
from shipcli.workflows.station.offers import list_offers
from shipcli.workflows.station.packing_check import name
from shipcli.workflows.station.weighing import WeightSource

if TYPE_CHECKING:
    from shipcli.models import LineItem, Rate
    from shipcli.models.parts.address import PostalAddress
    from shipcli.workflows.station.loads import Load
    from shipcli.workflows.station.state import StationState

SIGNS = {
    Phase.IDLE: ("○", "SCAN", "white"),
    Phase.WEIGHED: ("◔", "RATES ARE COMING", "cyan"),
    Phase.PRICED: ("◆", "READY: F9 BUYS", "bold black on green"),
    Phase.BOUGHT: ("✔", "BOUGHT", "bold black on cyan"),
    Phase.PRINTING: ("▤", "PRINTING", "bold black on cyan"),
    Phase.ATTENTION: ("▲", "LOOK", "bold white on red"),
}
NOT_YET = ("◇", "NOT YET", "bold black on yellow")
ANSWER = ("?", "ANSWER: Y OR N", "bold black on yellow")
BUYING = ("▶", "BUYING", "bold black on yellow")
OFFERS = 3
LONGEST_NUMBER, ENTRY = 24, 50  # characters that are shown
SOURCES = {
    WeightSource.SCALE: ", weighed",
    WeightSource.TYPED: ", typed",
    WeightSource.LINES: ", added up",
}
GOOD, BAD = ("✔ ", "green"), ("▲ ", "bold red")


@dataclass(frozen=True)
class BenchFacts:
    """What does not change: the bench, its printer with the paper, and whether it is for trial."""

    bench: str
    printer: str
    mode: str = ""


def show_head(state: StationState, facts: BenchFacts) -> Text:
    """Where this is, who packs, today's count, the printer, and what waits."""
    parts = [
        facts.mode,
        facts.bench,
        f"{state.packer} packs" if state.packer else "nobody packs",
        f"{state.count} today",
        f"▲ {len(state.table.unprinted)} not printed" if state.table.unprinted else "",
        "check on" if state.checks_goods else "",
        f"printer {facts.printer}",
    ]
    return Text("  ".join(filter(None, parts)), style="reverse")


def show_phase(state: StationState) -> Text:
    """How far it is, as a sign, a word and a colour; and what is in the way of the label."""
    load = state.load
    sign, word, style = SIGNS[state.phase]
    if load is None:
        return Text(f" {sign} {word} ", style=style)
    obstacle = labels.find_obstacle(state, load)
    if load.is_buying:
        sign, word, style = BUYING
    elif state.question:
        sign, word, style = ANSWER
    elif load.phase is Phase.IDLE:
        word = "WEIGH" if state.scale.has_scale else "TYPE THE WEIGHT"
    elif load.phase is Phase.PRICED and obstacle:
        sign, word, style = NOT_YET
        word = f"{word}: {obstacle}"
    return Text(f" {sign} {_shorten(load.number)}  {word} ", style=style)


def _shorten(number: str) -> str:
    """A number that leaves room for what follows it: its ends tell it from others."""
    return number if len(number) <= LONGEST_NUMBER else f"{number[:9]}…{number[-10:]}"


def show_address(load: Load | None) -> Text:
    """The address, in large."""
    if load is None:
        return Text("\nScan an order\n", style="dim")
    address = _find_address(load)
    lines = [line for line in list_lines(address) if line]
    return Text("\n").join(
        Text(line.upper() if place < 2 else line, style="bold") for place, line in enumerate(lines)
    )


def _find_address(load: Load) -> PostalAddress | None:
    shipment = load.shipment or load.job.shipment
    return shipment.recipient if shipment else load.job.order.shipping_to if load.job.order else None


def list_lines(address: PostalAddress | None) -> list[str]:
    """The lines of an address."""
    if address is None:
        return []
    place = " ".join(filter(None, (address.city, address.state_code, address.postal_code)))
    lines = (address.person_name, address.company_name, *address.lines, place)
    return [line for line in (*lines, address.country_code) if line]


def show_box(state: StationState) -> Text:
    """The box, in large, and where its weight comes from."""
    load = state.load
    box = (load.box or describe_box(load)) if load else ""
    text = Text(f" ▣ {box} \n" if box else "\n", style="bold reverse" if box else "")
    if load and load.job.parcels > 1:
        return text.append(f"{load.job.parcels} parcels", style="bold")
    if load is None:
        return text
    expected = load.job.expected.describe() if load.job.expected else "unknown"
    return text.append(f"expected {expected}{SOURCES[load.weight.source] if load.weight else ''}", style="")


def describe_box(load: Load) -> str:
    """The box that rules chose, or the size of the parcel."""
    parcel = load.draft.parcels[0] if load.draft and load.draft.parcels else None
    if parcel is None:
        return ""
    sides = parcel.sides_in("IN") if parcel.dimension_unit == "IN" else parcel.sides_in("CM")
    size = (
        "x".join(f"{_trim(side)}" for side in sides) + (parcel.dimension_unit or "cm").lower()
        if sides
        else ""
    )
    return parcel.package_preset or size


def _trim(value: Decimal) -> str:
    return f"{value.quantize(Decimal('0.1')).normalize():f}"


def show_weight(state: StationState) -> str:
    """The weight that counts, else what the scale shows now: digits for large figures."""
    load, reading = state.load, state.scale.reading
    if load and load.weight:
        return load.weight.describe().split()[0]
    return reading.describe().split()[0] if reading and reading.is_stable else "-.--"


def show_scale(state: StationState) -> Text:
    """The unit of the weight, and what the scale is up to."""
    load, scale = state.load, state.scale
    if scale.trouble:
        return Text(f"▲ {scale.trouble}", style="bold red")
    if load and load.weight:
        return Text(f"\n{load.weight.unit.lower()} ✔", style="green")
    unit = scale.reading.unit.lower() if scale.reading else ""
    return Text("\n" + f"{unit} {scale.wait if scale.has_scale else 'no scale'}".strip())


def show_rates(load: Load | None) -> Text:
    """The rate that is chosen, and two others, each with its reason."""
    if load is None or load.draft is None or load.rate is None:
        return Text("")
    offers = list_offers(load.draft, load.rate)[:OFFERS]
    return Text("\n").join(_show_offer(offer.rate, offer.reason, place) for place, offer in enumerate(offers))


def _show_offer(rate: Rate, reason: str, place: int) -> Text:
    days = f" {rate.transit_days}d" if rate.transit_days is not None else ""
    text = Text(
        f"{'◆' if place == 0 else '·'} {rate.total_charge:.2f} {rate.currency or ''} ",
        style="bold" if place == 0 else "",
    )
    return text.append(f"{rate.service or ''}{days}\n", style="bold" if place == 0 else "").append(
        f"  {reason}", style="italic"
    )


def show_customs(load: Load | None) -> Text:
    """What is declared, line by line, and what is missing."""
    if load is None:
        return Text("")
    rows = [_declare(line) for line in load.goods.lines]
    gap = f"▲ {load.job.gap}" if load.job.gap else "✔ nothing is missing"
    return Text("\n").join(Text(row) for row in ("CUSTOMS (F6 closes)", *rows, gap))


def _declare(line: LineItem) -> str:
    value = line.value_amount if line.value_amount is not None else "?"
    code, origin = line.hs_code or "?", line.origin_country or "?"
    amount = f"{value} {line.value_currency or ''}".strip()
    return f"{line.unfulfilled_quantity} {name(line)}  HS {code}  from {origin}  {amount}"


def show_news(state: StationState) -> Text:
    """What was said last, or what is asked."""
    load = state.load
    sign, style = BAD if state.is_bad else GOOD
    lines = [Text(f"{sign}{state.news}", style=style)] if state.news else []
    if state.question and state.question.text != state.news:
        lines.append(Text(f"? {state.question.text}", style="bold yellow"))
    if load and load.trouble and load.trouble not in state.news:
        lines.append(Text(f"▲ {load.trouble}", style="bold red"))
    return Text("\n").join([*lines, *_show_waiting(state)])


def _show_waiting(state: StationState) -> Iterator[Text]:
    held = [load.number for load in state.table.held]
    away = [f"{load.number} ({'buying' if load.is_buying else 'printing'})" for load in state.table.away]
    if held:
        yield Text(f"▪ on hold (F2): {', '.join(held)}")
    if away:
        yield Text(f"▶ under way: {', '.join(away)}")


def show_entry(text: str, pending: Sequence[str] = ()) -> Text:
    """What is entered and not ended yet, and what is looked up."""
    shown = Text(f"> {text[-ENTRY:]}▏")
    return shown.append(f" … {_shorten(pending[0])}", style="dim") if pending else shown


def show_keys(columns: int) -> Text:
    """The keys, on as many lines as they need: none may be missing."""
    shown, used = Text(""), 0
    for key, word in list_keys():
        length = len(f"{key} {word} ")
        if used and used + length - 1 > columns:
            shown, used = shown.append("\n"), 0
        shown, used = shown.append(key, style="bold reverse").append(f" {word} "), used + length
    return shown
