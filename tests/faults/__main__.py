"""`python -m tests.faults [SCENARIO...] [--grain effect]`: the table "fault, tries, figures"."""

from __future__ import annotations

import argparse
import sys

from tests.faults.children import Parent
from tests.faults.scenario import Report, scenarios, try_all


def main() -> int:
    """Run the scenarios that are named, or all; 1 when one found what must not be."""
    parser = argparse.ArgumentParser(prog="python -m tests.faults", description=__doc__)
    parser.add_argument("names", nargs="*", metavar="SCENARIO", help="default: all")
    parser.add_argument("--grain", choices=("statement", "effect"), default="statement")
    given = parser.parse_args()
    known = {one.name: one for one in scenarios()}
    unknown = sorted(set(given.names) - set(known))
    if unknown:
        parser.error(f"no scenario {', '.join(unknown)}; there are {', '.join(known)}")
    with Parent() as parent:
        reports = [shown(try_all(known[name], given.grain, parent)) for name in given.names or known]
    return 1 if any(report.broken for report in reports) else 0


def shown(report: Report) -> Report:
    """Print a report as soon as it is there."""
    print("\n    ".join([line_of(report), *report.broken]), flush=True)
    return report


def line_of(report: Report) -> str:
    """A scenario's row: its name, its tries, and what was found in all of them."""
    figures = ", ".join(f"{name} {count}" for name, count in sorted(report.figures.items()))
    state = f"{len(report.broken)} BROKEN" if report.broken else "held"
    return f"{report.scenario.name:<28} {report.tries:>4} tries   {state:<12} {figures}"


if __name__ == "__main__":
    sys.exit(main())
