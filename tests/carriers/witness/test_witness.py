"""What goes out to a carrier and what comes back is as the carrier publishes it, if it publishes anything."""

from __future__ import annotations

from tests.carriers import deviations
from tests.carriers.bench import AnyCarrier
from tests.carriers.places import RECORDED
from tests.carriers.promises import needs
from tests.carriers.witness.holding import SEED, find_witness, hold_carrier
from tests.shared import find_shared


@needs(network=True, when=lambda carrier: not RECORDED.is_dir() or find_witness(carrier) is not None)
def test_what_goes_out_and_comes_back_is_as_the_carrier_publishes_it(
    carrier_class: AnyCarrier, witness_seed: int
) -> None:
    """A departure is declared; by the fixed seed none is declared that is none."""
    find_shared("carriers")
    lines = hold_carrier(carrier_class, witness_seed).faults
    declared = deviations.of_operation(carrier_class.slug, deviations.PUBLISHED)
    undeclared = deviations.undeclared(lines, declared)
    assert not undeclared, "\n".join(["", *undeclared])
    shown = deviations.covering(lines, declared)
    idle = [one.path for one in declared if one not in shown]
    assert witness_seed != SEED or not idle, f"take out what departs no more: {idle}"
