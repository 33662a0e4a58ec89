"""What goes out to a carrier and what comes back is as the carrier publishes it, if it publishes anything.

Where the descriptions are not beside the checkout, the excerpts that the simulators have stand for them.
"""

from __future__ import annotations

from shipcli.carrier.simulation.published_documents import NAME, read_sets
from shipcli.models import json as plain_json
from tests.carriers import deviations
from tests.carriers.bench import AnyCarrier
from tests.carriers.places import find_recorded
from tests.carriers.promises import needs
from tests.carriers.published import find_schema_file, list_called, write_schema
from tests.carriers.published_documents import write_documents
from tests.carriers.witness.examples import list_losses, show_examples, shows_examples
from tests.carriers.witness.holding import (
    SEED,
    DescriptionWitness,
    SchemaWitness,
    find_witness,
    hold_carrier,
)
from tests.carriers.witness.judging import list_faults
from tests.shared import find_shared


@needs(network=True, when=lambda carrier: find_witness(carrier) is not None)
def test_what_goes_out_and_comes_back_is_as_the_carrier_publishes_it(
    carrier_class: AnyCarrier, witness_seed: int
) -> None:
    """A departure is declared; by the fixed seed none is declared that is none."""
    lines = hold_carrier(carrier_class, witness_seed).faults
    declared = deviations.of_operation(carrier_class.slug, deviations.PUBLISHED)
    undeclared = deviations.undeclared(lines, declared)
    assert not undeclared, "\n".join(["", *undeclared])
    shown = deviations.covering(lines, declared)
    idle = [one.path for one in declared if one not in shown]
    is_whole = find_recorded(carrier_class.slug).is_dir() and witness_seed == SEED
    assert not (is_whole and idle), f"take out what departs no more: {idle}"


@needs(network=True, when=lambda carrier: isinstance(find_witness(carrier), DescriptionWitness))
def test_the_simulator_refuses_what_the_published_schema_forbids(carrier_class: AnyCarrier) -> None:
    """By rules made from it: `python -m tests.carriers.published` writes them anew."""
    find_shared("carriers")
    witness = find_witness(carrier_class)
    assert isinstance(witness, DescriptionWitness)
    described = {one.name for one in witness.descriptions.operations}
    path = find_schema_file(carrier_class)
    if not path.is_file():
        assert not list_called(carrier_class) & described, "its rules are not written"
        return  # it asks another API of the carrier
    paths = plain_json.loads(path.read_bytes())["paths"]
    names = {f"{method.upper()} {place}" for place, row in paths.items() for method in row}
    assert path.read_text() == write_schema(carrier_class, names)


@needs(network=True, when=lambda carrier: isinstance(find_witness(carrier), SchemaWitness))
def test_the_simulator_refuses_what_the_published_documents_forbid(carrier_class: AnyCarrier) -> None:
    """By schemas made from theirs: `python -m tests.carriers.published` writes them anew."""
    find_shared("carriers")
    path = find_schema_file(carrier_class, NAME)
    sets = list(read_sets(path.read_bytes()))
    roots = {root for each in sets for root in each.roots}
    assert all(each.compile() for each in sets)
    assert path.read_text() == write_documents(carrier_class.slug, roots)


@needs(network=True, when=shows_examples)
def test_the_published_examples_are_read_without_loss(carrier_class: AnyCarrier) -> None:
    """Each in the place of the answer of its operation, by the verb that asks for it."""
    find_shared("carriers")
    witness = find_witness(carrier_class)
    assert isinstance(witness, DescriptionWitness)
    showings = list(show_examples(carrier_class, witness))
    if not showings:  # it asks another API of the carrier
        assert not list_called(carrier_class) & {one.name for one in witness.descriptions.operations}
    assert [line for one in showings for line in list_losses(one)] == []


def test_a_whole_number_that_is_sent_as_a_decimal_is_no_integer() -> None:
    schema = {"type": "object", "properties": {"height": {"type": "integer"}}}
    assert list_faults({"height": 12}, schema) == []
    assert [place for place, _ in list_faults({"height": 12.0}, schema)] == ["/height"]
