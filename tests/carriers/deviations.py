"""Departures from the recordings that are meant: `<slug>/deviations.json` beside the carrier's own tests.

Each says at which path of which operation a carrier departs, why, and which schema or guide says so. It holds
for every exchange of the operation, those that nobody recorded included; it never names a file.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fnmatch import fnmatchcase
from functools import cache
from pathlib import Path

from shipcli.models import json as plain_json

HERE = Path(__file__).parent
FILE = "deviations.json"
PUBLISHED = (
    "published"  # in place of an operation: what goes out or comes back is not as the carrier publishes
)
FACTS = "facts"  # in place of an operation: the catalogue departs from the fact sheet
# In place of an operation: what was recorded is of a protocol that the carrier has left; the path is a
# pattern of the addresses that it called.
SUPERSEDED = "superseded"


@dataclass(frozen=True)
class Deviation:
    """One departure. `path` is a pattern of the start of a difference: `http/*/body/Shipment/Currency`.

    In it `*` stands for anything; a difference below the path is meant as well. `date` says when the source
    was read, which a departure from what the carrier publishes must say.
    """

    operation: str
    path: str
    reason: str
    source: str
    date: str = ""

    def covers(self, line: str) -> bool:
        """Whether a difference, such as `http/0/url: expected a, got b`, is this one."""
        pattern = self.path.replace("[", "[[]")
        found = line.partition(": ")[0]
        return any(fnmatchcase(text, pattern) for text in (found, line)) or fnmatchcase(found, f"{pattern}/*")


@cache
def of_carrier(slug: str, folder: Path = HERE) -> tuple[Deviation, ...]:
    """The deviations that a carrier declares.

    Errors: TypeError for an entry with other members, ValueError for one that says nothing.
    """
    path = folder / slug / FILE
    rows = plain_json.loads(path.read_bytes()) if path.is_file() else []
    found = tuple(Deviation(**row) for row in rows)
    for one in found:
        if not all(text.strip() for text in (one.operation, one.path, one.reason, one.source)):
            raise ValueError(f"{path}: an entry leaves something empty: {one}")
        if one.operation in (PUBLISHED, SUPERSEDED) and not one.date:
            raise ValueError(f"{path}: an entry has no date: {one}")
    return found


def of_operation(slug: str, operation: str) -> list[Deviation]:
    """The deviations that a carrier declares for one operation."""
    return [one for one in of_carrier(slug) if one.operation == operation]


def find_superseded(slug: str, addresses: Sequence[str]) -> str | None:
    """The first address of a recording all of whose calls went where the carrier calls no more, else None."""
    rows = of_operation(slug, SUPERSEDED)
    gone = bool(addresses) and all(any(row.covers(url) for row in rows) for url in addresses)
    return addresses[0] if gone else None


def covering(lines: Sequence[str], declared: Sequence[Deviation]) -> list[Deviation]:
    """The deviations that the differences show."""
    return [one for one in declared if any(one.covers(line) for line in lines)]


def undeclared(lines: Sequence[str], declared: Sequence[Deviation]) -> list[str]:
    """The differences that no deviation covers."""
    return [line for line in lines if not any(one.covers(line) for one in declared)]
