"""The answers that a carrier shows in its descriptions, read by the flow of the verb that asks for them."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from decimal import Decimal
from typing import Any

from shipcli.carrier import Reply, Request
from shipcli.carrier.sending.jobs import FlowOutcome
from shipcli.models import json as plain_json
from tests.carriers.bench import AnyCarrier, Bench, lane
from tests.carriers.comparison import plain
from tests.carriers.errands import ERRANDS, KEY, verbs_of
from tests.carriers.meaning import leaves
from tests.carriers.tap import Tap, let_go
from tests.carriers.witness.descriptions import Operation
from tests.carriers.witness.holding import DescriptionWitness, find_witness

KEPT = ("trackingNumber", "internationalTrackingNumber", "manifestNumber", "labelImage", "SCANFormImage",
        "confirmationNumber")  # fmt: skip
UNASKED = "/returnLabel/"  # comes with a label if it is asked for
UNREADABLE = "unreadable_reply"


@dataclass(frozen=True)
class Showing:
    """One example in the place of one answer, and what became of the flow."""

    verb: str
    operation: str
    example: Any
    outcome: FlowOutcome[Any]


def shows_examples(carrier_class: AnyCarrier) -> bool:
    witness = find_witness(carrier_class)
    operations = witness.descriptions.operations if isinstance(witness, DescriptionWitness) else ()
    return any(list_examples(one) for one in operations)


def list_examples(operation: Operation) -> list[tuple[int, Any]]:
    """The examples of what is no refusal, with their status."""
    return [
        (int(status), value)
        for status, contents in operation.answers.items()
        if status.startswith("2")
        for media, content in contents.items()
        if "json" in media
        for value in content.examples
        if isinstance(value, dict | list)
    ]


def show_examples(carrier_class: AnyCarrier, witness: DescriptionWitness) -> Iterator[Showing]:
    """Every example of every operation that a verb asks."""
    for verb in verbs_of(carrier_class):
        bench = Bench(carrier_class, lane(carrier_class))
        try:
            yield from show_examples_of(bench, verb, witness)
        finally:
            bench.close()


def show_examples_of(bench: Bench, verb: str, witness: DescriptionWitness) -> Iterator[Showing]:
    tap, request = Tap(bench), ERRANDS[verb](bench)
    tap.sent.clear()
    bench.ask(verb, request, key=KEY)
    found = [witness.descriptions.find(one) for one in tap.sent]
    for operation in dict.fromkeys(one.name for one in found if one):
        described = next(one for one in found if one and one.name == operation)
        for count, (status, example) in enumerate(list_examples(described)):
            reply = Reply(status, plain_json.dumps(example).encode(), {"content-type": "application/json"})
            tap.instead = answer_with(witness, operation, reply)
            outcome = bench.ask(verb, ERRANDS[verb](bench), key=f"{count + 7:032x}")
            tap.instead = let_go
            yield Showing(verb, operation, example, outcome)


def answer_with(witness: DescriptionWitness, name: str, reply: Reply) -> Any:
    def answer(request: Request) -> Reply | None:
        operation = witness.descriptions.find(request)
        return reply if operation and operation.name == name else None

    return answer


# -- what is lost of them --------------------------------------------------------------------------


def list_losses(showing: Showing) -> list[str]:
    """Numbers, files and prices of an example that the result does not tell; or that it was not read."""
    where = f"{showing.verb}: {showing.operation}"
    if any(one.code == UNREADABLE for one in showing.outcome.messages):
        return [f"{where}: can't be read"]
    if showing.verb == "void" or "authorization" in showing.operation:
        return []  # nothing but whether it was done is told of a cancellation, and nothing of a log-in
    told = leaves(plain(showing.outcome.result))
    texts = {str(value) for value in told.values()}
    amounts = {value for value in told.values() if isinstance(value, Decimal)}
    shown = leaves(showing.example)
    lost = [
        f"{where}: {path} {value!r} is lost"
        for path, value in shown.items()
        if path.rpartition("/")[2] in KEPT and UNASKED not in path and str(value) not in texts
    ]
    prices = {as_amount(value) for path, value in shown.items() if path.endswith("/totalPrice")}
    return [*lost, *([f"{where}: no price is told"] if prices and not prices & amounts else [])]


def as_amount(value: Any) -> Decimal | None:
    return Decimal(str(value)) if isinstance(value, int | float | Decimal) else None
