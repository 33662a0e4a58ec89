"""`python -m tests.mutations [MODULE...]`: would the tests notice if what must never fail were wrong?

mutmut makes small mistakes in the modules that `[tool.mutmut]` in pyproject.toml names, one at a time, and
runs the tests that reach each; a mistake that no test notices survives. It goes on where it was stopped, in
the folder `mutants`, which may be removed. A mistake takes seconds and a module has up to eight hundred: all
of a large one take two processors hours.

Mistakes in the wording of a sentence are left out. Of the others 85 in a hundred must be noticed in every
module, and those that are not must stand in survivors.tsv with the reason why that may be.

`--sample N` tries N mistakes of each module, picked at random by `--seed`: with the same seed it goes on
where it was stopped, with another it tries others as well. The figures then speak of those that were tried;
most of what stands in survivors.tsv was found by samples.

    pip install -c constraints.txt -e '.[dev,mutation]'
    python -m tests.mutations shipcli.store.jobs
    python -m tests.mutations shipcli.features.shipments.purchase --sample 100
"""

from __future__ import annotations

import argparse
import random
import re
import subprocess
import sys
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

SURVIVORS = Path(__file__).parent / "survivors.tsv"
MUTMUT = [sys.executable, "-m", "mutmut"]
LEAST = 0.85
NOTICED = ("killed", "timeout", "suspicious", "segfault", "caught by type check")
UNNOTICED = ("survived", "no tests")
STRING = re.compile(r'"[^"]* [^"]*"')  # with a blank in it: a sentence, or part of one


@dataclass(frozen=True)
class Mutant:
    """One mistake: mutmut's name for it, and what became of it."""

    name: str
    state: str

    @property
    def module(self) -> str:
        return self.name.rpartition(".")[0]

    @property
    def function(self) -> str:
        """Such as `_lease` or `Jobs.claim`, which mutmut calls `x__lease` and `xǁJobsǁclaim`."""
        return self.name.rpartition(".")[2].partition("__mutmut_")[0].replace("ǁ", ".")[2:]

    @cached_property
    def change(self) -> str:
        """The lines taken out and put in; the number in its name is another after the next edit."""
        from mutmut.mutation.diff_apply import get_diff_for_mutant  # `mutmut show` takes seconds for each

        lines = [
            line for line in get_diff_for_mutant(self.name).splitlines() if re.match(r"[-+](?![-+])", line)
        ]
        return " ".join(f"{line[0]} {line[1:].strip()}" for line in lines)

    @property
    def is_wording(self) -> bool:
        """Whether nothing but a sentence differs."""
        before, _, after = self.change.partition(" + ")
        return STRING.sub("", before[2:]) == STRING.sub("", after) and before[2:] != after


def main() -> int:
    """Run the modules that are named, or all; 1 when too much survived, or something without a reason."""
    parser = argparse.ArgumentParser(
        prog="python -m tests.mutations", description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    parser.add_argument("modules", nargs="*", metavar="MODULE", help="such as shipcli.store.jobs")
    parser.add_argument("--at-once", type=int, default=2, help="processes; default 2")
    parser.add_argument("--no-run", action="store_true", help="show what earlier runs found")
    parser.add_argument("--sample", type=int, metavar="N", help="try N mistakes of each module; default all")
    parser.add_argument("--seed", type=int, default=1, help="which ones; default 1")
    given = parser.parse_args()
    if given.sample:
        make(given.at_once)
        if left := sample(list(results()), given.modules, given.sample, given.seed):
            run(given.at_once, left)
    elif not given.no_run:
        run(given.at_once, [f"{module}.*" for module in given.modules])
    found = [one for one in results() if not given.modules or one.module in given.modules]
    return report(found, reasons())


def make(at_once: int) -> None:
    """Make the mistakes, as mutmut does at the start of a run, without trying any."""
    from mutmut.__main__ import copy_also_copy_files, copy_src_dir, create_mutants

    Path("mutants").mkdir(exist_ok=True)
    copy_src_dir()
    copy_also_copy_files()
    create_mutants(at_once)


def run(at_once: int, names: Sequence[str]) -> None:
    """Try the mistakes of these names, which may be patterns; without names all that were not tried yet."""
    subprocess.run([*MUTMUT, "run", "--max-children", str(at_once), *names], check=True)


def sample(every: Sequence[Mutant], modules: Sequence[str], size: int, seed: int) -> list[str]:
    """The names of as many mutants of each module, those left out that were tried before."""
    chosen: list[str] = []
    for module in modules or sorted({one.module for one in every}):
        mine = sorted((one for one in every if one.module == module), key=lambda one: one.name)
        picked = random.Random(seed).sample(mine, min(size, len(mine)))
        chosen += [one.name for one in picked if one.state not in NOTICED + UNNOTICED]
    return chosen


def results() -> Iterator[Mutant]:
    """What became of every mutant so far."""
    said = subprocess.run([*MUTMUT, "results", "--all", "true"], capture_output=True, text=True, check=True)
    for line in said.stdout.splitlines():
        name, _, state = line.strip().rpartition(": ")
        if name.startswith("shipcli."):
            yield Mutant(name, state)


def reasons() -> set[tuple[str, str, str]]:
    """The survivors that may be: module, function and change of each; the reason is for readers."""
    rows = (line.split("\t") for line in SURVIVORS.read_text("utf-8").splitlines()[1:])
    return {(module, function, change) for module, function, change, _ in rows}


def report(found: Sequence[Mutant], known: set[tuple[str, str, str]]) -> int:
    """Print the figures and what has no reason; the exit code."""
    unexplained, poor = [], False
    for module in sorted({one.module for one in found}):
        mine = [one for one in found if one.module == module]
        left = [one for one in mine if one.state in UNNOTICED and not one.is_wording]
        noticed = sum(one.state in NOTICED for one in mine)
        poor |= noticed < LEAST * (noticed + len(left))
        unexplained += [one for one in left if (module, one.function, one.change) not in known]
        print(line_of(module, noticed, len(left), Counter(one.state for one in mine)))
    print(*rows_of(unexplained), sep="\n")
    return 1 if poor or unexplained else 0


def line_of(module: str, noticed: int, left: int, states: Counter[str]) -> str:
    """A module's row."""
    share = 100 * noticed / max(noticed + left, 1)
    return f"{module:<36} {noticed:>4} noticed {left:>4} not {share:5.1f} %   {dict(states)}"


def rows_of(mutants: Iterable[Mutant]) -> Iterator[str]:
    """Rows for survivors.tsv that still lack a reason."""
    return ("\t".join((one.module, one.function, one.change, "")) for one in mutants)


if __name__ == "__main__":
    sys.exit(main())
