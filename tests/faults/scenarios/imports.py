"""Orders from files: each is stored once and whole, and told of once, whatever the run met."""

from __future__ import annotations

import csv
from collections import Counter
from dataclasses import dataclass
from pathlib import Path

from tests.faults.scenario import Done, Figures, Line, Scenario
from tests.faults.witness import opened

ORDER = {
    "Item title": "Lamp", "Item weight": "1", "Item weight unit": "KG", "Shipping name": "Ana Ruiz",
    "Shipping address 1": "1625 N Central Ave", "Shipping city": "Phoenix", "Shipping state": "AZ",
    "Shipping postal code": "85004", "Shipping country": "US",
}  # fmt: skip
NUMBERS = ("SO-1", "SO-2", "SO-3")


@dataclass(frozen=True)
class RowsFile:
    """A file `rows.csv`, and a store that is there."""

    rows: tuple[dict[str, str], ...]

    def __call__(self, folder: Path) -> int:
        with (folder / "rows.csv").open("w", encoding="utf-8", newline="") as file:
            writer = csv.DictWriter(file, list(self.rows[0]))
            writer.writeheader()
            writer.writerows(self.rows)
        return Line("orders", "list")(folder)


@dataclass(frozen=True)
class StoredOnce:
    """Objects of a kind, known by a field, with so many lines each, and an event for each of them."""

    kind: str
    field: str
    wanted: int
    event: str
    lines: int = 0

    def __call__(self, done: Done) -> Figures:
        with opened(done.folder) as app:
            found = list(app.store.each(self.kind, test_mode=True))
            events = Counter(one["type"] for one in app.store.each("event", test_mode=True))
        names = {one[self.field] for one in found}
        return {
            "missing": self.wanted - len(names),
            "twice": len(found) - len(names),
            "short": sum(len(one.get("line_items", ())) != self.lines for one in found),
            "untold": self.wanted - min(events[self.event], self.wanted),
            "told twice": max(0, events[self.event] - self.wanted),
        }


LINES = tuple({"Order number": number, **ORDER} for number in NUMBERS for _ in range(2))
SCENARIOS = [
    Scenario(
        "import-orders",
        RowsFile(LINES),
        Line("import", "orders", "{folder}/rows.csv", "--summary", "{folder}/run.json"),
        StoredOnce("order", "order_id", len(NUMBERS), "order_created", lines=2),
    ),
]
