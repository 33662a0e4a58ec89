"""Writes the tables of carriers in docs/carriers.md and carriers/README.md: `python -m tests.carriers.table`.

What the carriers say of themselves comes from their classes, the counts of cases from a replay of the
recorded ones; where those are absent the counts that stand there stay.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence

from shipcli.carrier import registry
from shipcli.carrier.base import CAPABILITIES
from shipcli.carrier.index import CarrierFacts, gather_facts
from tests.carriers.places import ROOT, UNRECORDED, find_recorded
from tests.carriers.recordings import find
from tests.carriers.replay import replay

PAGE, GUIDE = ROOT / "docs" / "carriers.md", ROOT / "carriers" / "README.md"
OVERVIEW = ("carrier", "rates", "labels", "tracking", "pickups", "manifests", "documents", "last checked")
DETAILS = (
    "carrier", "operations", "labels", "API in 2026", "last checked", "recover",
    "cases", "matched", "declared",
)  # fmt: skip
PUBLISHED = {"schema.json": "published description", "schema.xml": "published schema"}
RECORDINGS = "recorded cases, fact sheet"
WORDS = "words of the published description"
CASES = 3  # the last columns of the details
OUT_OF_USE = ("off", "retiring", "superseded")
Row = Sequence[str]


def carriers() -> list[CarrierFacts]:
    return [gather_facts(registry.get(slug)) for slug in sorted(registry._find_folders())]


# -- what anybody asks -----------------------------------------------------------------------------


def overview() -> list[Row]:
    return [
        [
            remark(facts),
            *("yes" if one in facts.capabilities else "" for one in CAPABILITIES.values()),
            describe_check(facts),
        ]
        for facts in carriers()
    ]


def remark(facts: CarrierFacts) -> str:
    """The slug, and what a reader should know before anything else."""
    notes = ["a hub"] * facts.hub + [f"API {facts.api_state}"] * (facts.api_state in OUT_OF_USE)
    return ", ".join([f"`{facts.slug}`", *notes])


# -- what the people who build carriers ask ---------------------------------------------------------


def details(known: Mapping[str, Row]) -> list[Row]:
    """A row for each carrier; `known` are the counts that stand there, by slug."""
    return [
        [
            f"`{facts.slug}`",
            ", ".join(facts.operations),
            ", ".join(facts.label_formats),
            state(facts),
            describe_check(facts),
            "yes" if facts.recovers else "no",
            *(counted(facts.slug) or known.get(facts.slug, [""] * CASES)),
        ]
        for facts in carriers()
    ]


def state(facts: CarrierFacts) -> str:
    since = f" since {facts.api_since}" if facts.api_since else ""
    instead = f": {name_of(facts.successor)}" if facts.successor else ""
    return f"{facts.api_state}{since}{instead}"


def describe_check(facts: CarrierFacts) -> str:
    """When a carrier was last held against something else than our own simulator, and against what."""
    folder = ROOT / "carriers" / facts.slug
    published = (words for name, words in PUBLISHED.items() if (folder / name).exists())
    others = WORDS if facts.slug in UNRECORDED else RECORDINGS
    return f"{facts.held_on}: {next(published, others)}" if facts.held_on else ""


def name_of(successor: str) -> str:
    return f"`{successor}`" if successor in registry.list_slugs() else successor


def counted(slug: str) -> Row | None:
    """How many recorded cases prove something, how many match and how many deviate as declared."""
    folder = find_recorded(slug)
    if not folder.is_dir():
        return None
    reports = [report for case in find([folder]) if (report := replay(case)).aspects]
    matched = sum(not one.lines for one in reports)
    declared = sum(bool(one.lines) and not one.undeclared for one in reports)
    return [str(len(reports)), str(matched), str(declared)]


# -- where they stand ------------------------------------------------------------------------------


def rows_of(text: str, heads: Row) -> list[Row]:
    """The rows of the table under these heads as they stand in a document."""
    _, _, below = text.partition(line(heads) + "\n")
    found = re.match(r"\|[-|]+\|\n((?:\|.*\n)*)", below)
    assert found is not None, f"there is no table under {line(heads)}"
    return [[cell.strip() for cell in row.strip("|").split("|")] for row in found[1].splitlines()]


def with_rows(text: str, heads: Row, rows: Sequence[Row]) -> str:
    """A document with other rows in the table under these heads."""
    old = [line(row) for row in rows_of(text, heads)]
    head = f"{line(heads)}\n|{'---|' * len(heads)}\n"
    before, _, after = text.partition(head + "".join(f"{row}\n" for row in old))
    return before + head + "".join(f"{line(row)}\n" for row in rows) + after


def line(cells: Row) -> str:
    return "|" + "".join(f" {cell} |" if cell else " |" for cell in cells)


def documents() -> Iterator[tuple[str, str, str]]:
    """The name of each document, its text, and what it should be."""
    page, guide = PAGE.read_text("utf-8"), GUIDE.read_text("utf-8")
    known = {row[0].strip("`"): row[-CASES:] for row in rows_of(guide, DETAILS)}
    yield "docs/carriers.md", page, with_rows(page, OVERVIEW, overview())
    yield "carriers/README.md", guide, with_rows(guide, DETAILS, details(known))


def main() -> None:
    for name, text, wanted in documents():
        if text != wanted:
            (ROOT / name).write_text(wanted, "utf-8")
            print(f"written: {name}")


if __name__ == "__main__":
    main()
