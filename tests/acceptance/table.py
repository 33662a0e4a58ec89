"""The table of acceptance lines and what is wrong with it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import Path

from tests.acceptance.marks import Row

TABLE = Path(__file__).parent / "table.tsv"
LINES = range(1, 452)

# Lines that are not checked, each with the reason.
EXCUSED: dict[int, str] = {
    153: "counts all 45 carriers, and not all are built; those that are stand beside their classes",
    390: "needs the published clients of three languages, which are not installed here",
}


def read_table(text: str) -> list[Row]:
    """Rows of a line number, a tab and the id of a test, in the order of the file."""
    rows = (line.split("\t") for line in text.splitlines())
    return [Row(int(number), test) for number, test in rows]


def write_table(rows: Iterable[Row]) -> str:
    return "".join(f"{row.line}\t{row.test}\n" for row in sorted(rows))


def complaints(rows: Iterable[Row], excused: Mapping[int, str]) -> list[str]:
    """What is wrong with the lines that the rows name and excuse; empty when all is well."""
    named = {row.line for row in rows}
    spoken = {*named, *excused}
    return [
        *(f"line {one} is named by no test" for one in LINES if one not in spoken),
        *(f"line {one} does not exist" for one in sorted(spoken - set(LINES))),
        *(f"line {one} is named by a test and excused" for one in excused if one in named),
        *(f"line {one} is excused without a reason" for one, why in excused.items() if not why.strip()),
    ]
