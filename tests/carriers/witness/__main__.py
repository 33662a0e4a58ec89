"""Prints what the carriers' own descriptions hold: `python -m tests.carriers.witness [--seed N] [SLUG...]`.

With carriers named: their departures, one by one, and whether they are declared.
"""

from __future__ import annotations

import argparse

from shipcli.carrier import registry
from tests.carriers import deviations
from tests.carriers.witness.holding import SEED, hold_carrier
from tests.carriers.witness.report import write_table


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m tests.carriers.witness", description=__doc__)
    parser.add_argument("slugs", nargs="*", metavar="SLUG")
    parser.add_argument("--seed", type=int, default=SEED, help="of the random mixtures")
    options = parser.parse_args()
    for line in write_table(options.seed) if not options.slugs else ():
        print(line, flush=True)
    for slug in options.slugs:
        lines = hold_carrier(registry.get(slug), options.seed).faults
        undeclared = deviations.undeclared(lines, deviations.of_operation(slug, deviations.PUBLISHED))
        for line in lines:
            print(f"{'    ' if line in undeclared else 'declared '}{line}")


if __name__ == "__main__":
    main()
