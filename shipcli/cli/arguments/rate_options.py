"""The options of every purchase: which rate to buy, and the questions before it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field, replace
from decimal import Decimal
from operator import itemgetter
from typing import TYPE_CHECKING, Annotated

import typer

from shipcli import models
from shipcli.cli.console.error_report import format_message
from shipcli.cli.console.formats import split_names
from shipcli.cli.console.list_views import ListColumn
from shipcli.cli.console.prompts import accept, format_live_tag, take_key, would
from shipcli.cli.console.stderr import note, write
from shipcli.cli.console.tables import draw_list, measure_terminal
from shipcli.cli.current_run import get_run
from shipcli.cli.usage_errors import Usage
from shipcli.features.connections import option_names
from shipcli.features.core.interruption import check_interruption
from shipcli.features.shipments import budget, price_ceiling, rate_selection, requirements, ship
from shipcli.models.basics.json import write_number
from shipcli.models.basics.places import find_country_code
from shipcli.models.parts import exchange

if TYPE_CHECKING:
    from shipcli.features.shipments.ship import RateCriteria
    from shipcli.models import Message, Parcel, ParcelData, Rate, Shipment

Cheapest = Annotated[bool, typer.Option("--cheapest", help="Buy at the cheapest rate.")]
Fastest = Annotated[bool, typer.Option("--fastest", help="Buy at the fastest rate.")]
By = Annotated[
    str | None, typer.Option("--by", metavar="DAY", help="Arrive by this day: friday, 3d, 2026-11-30.")
]
Service = Annotated[str | None, typer.Option("--service", metavar="SERVICE", help="Only this service.")]
ExchangeRates = Annotated[
    list[str] | None,
    typer.Option("--rate", metavar="CUR=RATE", help="Declare goods at this exchange rate: JPY=0.0068USD."),
]
RateId = Annotated[
    list[str] | None,
    typer.Option(
        "--rate", metavar="RATE_ID", help="Buy at this rate, by its id; or an exchange rate: JPY=0.0068USD."
    ),
]
Carriers = Annotated[
    list[str] | None,
    typer.Option(
        "--carrier", metavar="CARRIER", help="Only these carriers or connections; repeat it or use commas."
    ),
]
Currency = Annotated[
    str | None, typer.Option("--currency", metavar="CUR", help="Compare prices in this currency.")
]
MaxTotal = Annotated[
    str | None, typer.Option("--max-total", metavar="AMOUNT", help="Spend no more than this: 50, 50USD.")
]
Key = Annotated[
    str | None,
    typer.Option(
        "--idempotency-key", metavar="KEY", help="Repeat safely: one key, one purchase; auto makes one."
    ),
]
Again = Annotated[bool, typer.Option("--again", help="Buy even if this reference already has a label.")]
OUNCES = 16  # in a pound
MENU_LINES, MORE = 10, "m"  # rates shown at once; the key for as many more
MAX_NAMED = 4  # parcels whose weights a question names
RATE_COLUMNS = ("id", "service", "carrier_id", "total_charge", "currency", "transit_days")


@dataclass(frozen=True)
class RuleOptions:
    """The rule by which the rate of any draft is chosen."""

    cheapest: Cheapest = False
    fastest: Fastest = False
    by: By = None
    service: Service = None
    carrier: Carriers = None
    currency: Currency = None
    max_total: MaxTotal = None
    rate: ExchangeRates = None

    def read_criteria(self) -> ship.RateCriteria:
        """The criteria that the options describe.

        Errors: Usage for options that exclude each other; Invalid for a wrong budget.
        """
        set_exchange_rates(self.rate)
        rules: list[rate_selection.Rule] = [rule for rule in ("cheapest", "fastest") if getattr(self, rule)]
        if len(rules) > 1:
            raise Usage("--cheapest and --fastest can't be used together")
        return ship.RateCriteria(
            rule=rules[0] if rules else None,
            service=self.service,
            carriers=tuple(split_values(self.carrier)),
            currency=read_code(self.currency),
            by=self.by,
            budget=budget.Budget.read(self.max_total) if self.max_total else budget.Budget(),
        )


@dataclass(frozen=True)
class RateOptions(RuleOptions):
    """The rate to buy: chosen by a rule, or named."""

    rate: RateId = None

    def read_criteria(self) -> RateCriteria:
        """The criteria that the options describe.

        Errors: Usage for options that exclude each other; Invalid for a wrong budget.
        """
        criteria, named = super().read_criteria(), [rate for rate in self.rate or () if "=" not in rate]
        others = [f"--{name}" for name in ("cheapest", "fastest", "service", "by") if getattr(self, name)]
        if named and (others or len(named) > 1):
            raise Usage(f"--rate names one rate; leave out {' and '.join(others or named[1:])}")
        return replace(criteria, rate_id=named[0] if named else None)


def set_exchange_rates(stated: Sequence[str] | None) -> None:
    """Use exchange rates (`JPY=0.0068USD`) in this run; the ids of rates are left alone.

    Errors: Invalid for what is no exchange rate; Usage where a server buys, which has its own.
    """
    if not (rates := [rate for rate in stated or () if "=" in rate]):
        return

    texts = [str(exchange.read_exchange_rate(rate, "rate")) for rate in rates]
    if get_run().api_url:
        raise Usage("the server converts at rates of its own", hint=f"--option exchange_rates={texts[0]}")
    get_run().set_exchange_rates(texts)


def split_values(words: Sequence[str] | None) -> list[str]:
    """The names of an option that can be repeated and also takes commas."""
    return split_names(",".join(words or ()))


def read_code(text: str | None) -> str | None:
    """A code in capitals."""
    return text.upper() if text else None


def read_country(text: str | None) -> str | None:
    """The code of a country given by code or name; what is neither is left for the check to name."""
    return text and (find_country_code(text) or text.upper())


def check_key(key: str | None, count: int) -> None:
    """Errors: Usage if one key is given for several purchases."""
    if key and key != "auto" and count > 1:
        raise Usage(f"one --idempotency-key can't serve {count} objects; say --idempotency-key auto")


# -- questions -------------------------------------------------------------------------------------


@dataclass
class PromptState:
    """What the prompts of this run have shown, and what the user has answered.

    Shapes: `shown` are messages, `accepted` counts the prices that were accepted; `next_step` is what
            follows a purchase, such as "and print"; `chosen_rate_id` is the rate chosen in the menu.
    """

    shown: set[str] = field(default_factory=set)
    accepted: int = 0
    next_step: str = ""
    chosen_rate_id: str | None = None

    def describe_action(self, rate: Rate) -> str:
        """`buy 6.72 USD and print`."""
        return f"buy {format_price(rate)} {self.next_step}".rstrip()

    def describe_choice(self, rate: Rate) -> str:
        """`buy usps_ground for 6.72 USD and print`."""
        return f"buy {rate.service} for {format_price(rate)} {self.next_step}".rstrip()


def make_prompter(state: PromptState, *, again: bool) -> ship.Prompter:
    """Make what asks the user at this terminal, once: choosing in the menu counts as consent."""

    def choose(offered: Shipment) -> Rate:
        unsent = [message for rate in offered.rates for message in _list_unsent(offered, rate)]
        notes = [*list_notes(offered, offered.rates[0]), *unsent]
        show_messages([*list_messages(offered, offered.rates), *notes], state.shown)
        rate = take_rate(offered, state.describe_choice)
        state.chosen_rate_id = rate.id if len(offered.rates) > 1 else None
        return rate

    def agree(shipment: Shipment, rate: Rate) -> None:
        """Ask before the money is spent, naming service, destination and price."""
        if rate.id != state.chosen_rate_id:
            show_messages([*list_messages(shipment, [rate]), *list_notes(shipment, rate)], state.shown)
            accept(describe_purchase(shipment, rate), state.describe_action(rate), format_price(rate))
        check_interruption()
        state.accepted += 1

    return ship.Prompter(choose, agree, again)


def choose_without_buying(offered: Shipment) -> Rate:
    """The rate that the user chooses without buying."""
    return take_rate(offered, lambda rate: f"take {rate.service} for {format_price(rate)}")


def would_buy(shipment: Shipment, rate: Rate) -> None:
    """Say what a purchase would buy, for `--dry-run`."""
    show_messages(list_notes(shipment, rate))
    would(f"{describe_purchase(shipment, rate)} for {format_price(rate)}")


def list_messages(shipment: Shipment, rates: Sequence[Rate]) -> list[Message]:
    """The messages of the carriers of these rates; with `-v` those of all carriers."""
    return list(shipment.messages) if get_run().options.verbose else ship.list_own_messages(shipment, rates)


def list_notes(shipment: Shipment, rate: Rate) -> list[Message]:
    """What a person should know before a label is bought: what looks wrong, what customs asks, what is not
    sent.
    """
    return [
        *requirements.list_address_notes(shipment),
        *requirements.list_customs_notes(shipment, rate),
        *_list_unsent(shipment, rate),
    ]


def _list_unsent(shipment: Shipment, rate: Rate) -> list[Message]:
    """Notes about what the carrier of a rate is not sent, and a limit that it may pass, if this machine knows
    the carrier.
    """
    from shipcli.carrier import registry  # the package loads the whole kit

    slug = (rate.meta or {}).get("ext")
    if slug not in registry.list_slugs():
        return []
    kind = registry.get(slug)
    notes = [
        *option_names.list_unsent_options(kind, shipment, rate),
        *requirements.list_carrier_notes(kind, shipment, rate),
    ]
    return [*notes, *price_ceiling.list_warnings(shipment, rate, can_void=kind.can("void"))]


def describe_purchase(shipment: Shipment, rate: Rate) -> str:
    """A purchase in words: `buy usps_ground of usps to Ana Ruiz, Phoenix, US (2 lb 6 oz)`."""
    return f"buy {rate.service} of {rate.carrier_id} {describe_destination(shipment)}"


def describe_destination(shipment: Shipment) -> str:
    """`to Ana Ruiz, Phoenix, US (2 lb 6 oz)`."""
    to = shipment.recipient
    destination = ", ".join(part for part in (to.name, to.city or to.postal_code, to.country_code) if part)
    return f"to {destination} ({describe_parcels(shipment.parcels)})"


def describe_parcels(parcels: Sequence[Parcel | ParcelData]) -> str:
    """The weights and size of parcels: `2 lb 6 oz, 12x8x4 in`, or `2 parcels: 2 lb, 5 lb`."""
    each = [describe_weight(parcel) for parcel in parcels[:MAX_NAMED]]
    if len(parcels) == 1:
        return ", ".join(part for part in (*each, describe_size(parcels[0])) if part)
    ellipsis = ["..."] if len(parcels) > MAX_NAMED else []
    return f"{len(parcels)} parcels: {', '.join([*each, *ellipsis])}"


def describe_weight(parcel: Parcel | ParcelData) -> str:
    """`2 lb 6 oz`, `1.5 kg`: pounds as a scale shows them."""
    weight, unit = parcel.weight or Decimal(0), str(parcel.weight_unit).lower()
    if unit != "lb" or weight == int(weight):
        return f"{write_number(weight)} {unit}"
    pounds, ounces = divmod(round(weight * OUNCES, 1), OUNCES)
    return f"{pounds:f} lb {write_number(ounces)} oz" if pounds else f"{write_number(ounces)} oz"


def describe_size(parcel: Parcel | ParcelData) -> str:
    """`12x8x4 in`; empty if a side is unknown."""
    sides = (parcel.length, parcel.width, parcel.height)
    size = "x".join(write_number(side) for side in sides if side)
    return f"{size} {str(parcel.size_unit).lower()}" if size.count("x") == len(sides) - 1 else ""


def format_price(rate: Rate) -> str:
    """`1,012.40 USD`: never fewer decimals than the currency has."""
    usual = models.reference.count_decimals(rate.currency or "")
    exact = -int(rate.total_charge.normalize().as_tuple().exponent)
    return f"{rate.total_charge:,.{max(usual, exact)}f} {rate.currency or ''}".strip()


def take_rate(offered: Shipment, act: Callable[[Rate], str]) -> Rate:
    """The rate that the user chooses in the menu: the first with Enter, else by number or service.

    Errors: Usage if nobody can be asked; Declined.
    """
    rates = offered.rates
    if not get_run().interactive:
        raise Usage("say which rate to buy: --cheapest, --fastest, --by DAY, --service S or --rate ID")
    if len(rates) == 1:
        return rates[0]
    write(describe_destination(offered))
    hidden = _show_lines(_draw_menu(rates))
    while True:
        more = f", m = {len(hidden)} more" if hidden else ""
        write(f"Enter = {act(rates[0])}", format_live_tag())
        answer = take_key(f"a number or a service = that one{more}, q = no")
        if hidden and answer.lower() == MORE:
            hidden = _show_lines(hidden)
            continue
        matches = _find_rates(rates, answer) if answer else rates[:1]
        if len(matches) == 1:
            return matches[0]
        note(f"{answer!r} is {'several' if matches else 'none'} of them")


def _show_lines(lines: Sequence[str]) -> Sequence[str]:
    """Write as many lines as a person takes in, and return the others."""
    for line in lines[:MENU_LINES]:
        write(line)
    return lines[MENU_LINES:]


def _draw_menu(rates: Sequence[Rate]) -> list[str]:
    """A line for each rate, with its number, as wide as the terminal."""
    rows = [
        {
            "place": f"{'>' if number == 1 else ' '}{number:>2}",
            "service": rate.service or "",
            "carrier": rate.carrier_id,
            "price": format_price(rate),
            "days": "" if rate.transit_days is None else f"{rate.transit_days} d",
        }
        for number, rate in enumerate(rates, 1)
    ]
    columns = (
        ListColumn("", itemgetter("place")),
        ListColumn("", itemgetter("service"), least=24),
        ListColumn("", itemgetter("carrier"), rank=3),
        ListColumn("", itemgetter("price"), right=True),
        ListColumn("", itemgetter("days"), rank=2, right=True),
    )
    return draw_list(rows, columns, color=False, width=measure_terminal(), heading=False).splitlines()


def _find_rates(rates: Sequence[Rate], answer: str) -> list[Rate]:
    """The rates that a number or a service names; the start of a service is enough."""
    if answer.isdecimal():
        return list(rates[int(answer) - 1 : int(answer)]) if int(answer) else []
    word = answer.casefold().replace(" ", "_")
    named = [rate for rate in rates if str(rate.service).casefold() == word]
    return named or [rate for rate in rates if str(rate.service).casefold().startswith(word)]


def show_messages(messages: Iterable[Message], shown: set[str] | None = None) -> None:
    """Show the messages of carriers beside a result, each once; with `--json` they are in the data.

    Shapes: `shown` are those that were shown before; what is shown is added. That a carrier does not serve a
            place is only shown with `-v`.
    """
    options, shown = get_run().options, set() if shown is None else shown
    for message in messages if options.format != "json" else ():
        line = format_message(message)
        if line not in shown and (options.verbose or ship.is_news(message)):
            note(line)
        shown.add(line)
