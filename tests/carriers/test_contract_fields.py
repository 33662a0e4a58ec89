"""What every carrier promises of a value that its schema refuses: it is told as the field it was made of."""

from __future__ import annotations

import re
from collections.abc import Iterator

from shipcli.carrier.field_samples import replace_field
from shipcli.models import Model
from shipcli.models.basics.problems import flatten, join_steps
from tests.carriers.bench import AnyCarrier, Bench, lane, said
from tests.carriers.errands import ERRANDS, lane_abroad, run_errand
from tests.carriers.promises import needs

# Paths, names of members, patterns and checks, as schemas write them.
WIRE = re.compile(r"\w/[\w@]|\b[a-z]+[A-Z]\w|\(\?|\[A-Z|\\d|pattern|\d\.\.\d|text 1|one of ")
NO_TIME, LONG = "99:99", "Long" + "winded" * 20
TOO_LONG = ("city", "postal_code", "email")
LEFT_OUT = ("city", "postal_code", "phone_number")
OTHERS = {
    "ship": (("reference",), ("customs", "commodities", 0, "hs_code"), ("customs", "commodities", 0, "sku")),
    "schedule_pickup": (("pickup_date",), ("ready_time",), ("instruction",)),
}
Place = tuple[int | str, ...]


def list_wrong(request: Model, verb: str) -> Iterator[tuple[Place, Model]]:
    """The request with some of its fields too long, and some left out."""
    side = "recipient" if verb == "ship" else "address"
    too_long: list[Place] = [*((side, name) for name in TOO_LONG), *OTHERS[verb]]
    for place in too_long:
        if place[0] != "customs" or getattr(request, "customs", None):
            yield place, replace_field(request, place, NO_TIME if place[-1] == "ready_time" else LONG)
    for name in LEFT_OUT:
        yield (side, name), replace_field(request, (side, name), None)


def find_untold(bench: Bench, verb: str) -> list[str]:
    """The refusals in the words of a wire, or of another field than the one that is wrong."""
    untold = []
    for place, request in list_wrong(ERRANDS[verb](bench), verb):
        outcome = run_errand(bench, verb, request)
        if not outcome.failed:
            continue
        fields = {problem.field for message in outcome.messages for problem in flatten(message.details)}
        texts = said(outcome).replace(bench.carrier_class.name, "")
        if WIRE.search(texts) or (fields and join_steps(place) not in fields):
            untold.append(f"{join_steps(place)}: {said(outcome)}")
    return untold


@needs("ship", network=True)
def test_what_a_schema_refuses_of_a_label_names_its_field(carrier_class: AnyCarrier) -> None:
    bench = Bench(carrier_class, lane_abroad(carrier_class) or lane(carrier_class))
    assert find_untold(bench, "ship") == []
    bench.close()


@needs("schedule_pickup", network=True)
def test_what_a_schema_refuses_of_a_collection_names_its_field(carrier_class: AnyCarrier) -> None:
    bench = Bench(carrier_class, lane(carrier_class))
    assert find_untold(bench, "schedule_pickup") == []
    bench.close()
