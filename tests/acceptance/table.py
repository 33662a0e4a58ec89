"""The table of acceptance lines and what is wrong with it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from itertools import pairwise
from pathlib import Path

from tests.acceptance.marks import Row

HERE = Path(__file__).parent
TABLE = HERE / "table.tsv"
# Lines that no test names so far, one number per line. The list may shrink and must not grow.
UNNAMED = HERE / "unnamed.txt"
LINES = range(1, 452)

# Lines that are not checked, each with the reason.
EXCUSED: dict[int, str] = {
    153: "counts all 45 carriers, and not all are built; those that are stand beside their classes",
    256: "asks a hub, and no hub is among the carriers that are built",
    390: "needs the published clients of three languages, which are not installed here",
}


def read_table(text: str) -> list[Row]:
    """Rows of a line number, a tab and the id of a test, in the order of the file."""
    rows = (line.split("\t") for line in text.splitlines())
    return [Row(int(number), test) for number, test in rows]


def write_table(rows: Iterable[Row]) -> str:
    return "".join(f"{row.line}\t{row.test}\n" for row in sorted(rows))


def read_unnamed(text: str) -> list[int]:
    return [int(number) for number in text.split()]


def write_unnamed(rows: Iterable[Row], before: Iterable[int]) -> str:
    """The list without the lines that are named by now; a line that lost its test is not taken in."""
    named = {row.line for row in rows}
    return "".join(f"{number}\n" for number in sorted(set(before) - named))


def complaints(rows: Iterable[Row], unnamed: list[int], excused: Mapping[int, str]) -> list[str]:
    """What is wrong with the lines that the rows name, leave for later and excuse; empty when all is well."""
    named = {row.line for row in rows}
    spoken = [*named, *unnamed, *excused]
    return [
        *(f"line {one} is named by no test" for one in LINES if one not in spoken),
        *(f"line {one} does not exist" for one in sorted(set(spoken) - set(LINES))),
        *(f"line {one} is named by a test: take it off the unnamed" for one in unnamed if one in named),
        *(f"line {one} is named by a test and excused" for one in excused if one in named),
        *(f"line {one} is excused and unnamed" for one in unnamed if one in excused),
        *(f"line {one} stands twice or out of order" for one, two in pairwise(unnamed) if one >= two),
        *(f"line {one} is excused without a reason" for one, why in excused.items() if not why.strip()),
    ]
