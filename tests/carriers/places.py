"""Where the facts and recordings of the carriers lie, which may be absent."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Any

from shipcli.carrier import registry
from tests.shared import SHARED, list_rows

ROOT = Path(__file__).resolve().parents[2]
RECORDED = (SHARED / "carriers", SHARED / "carriers-2026")  # those of the contract, those that came after it
# Carriers without a fact sheet and recordings: what they were held against lies elsewhere.
UNRECORDED = frozenset({"shipengine"})
HAND_MADE = ROOT / "tests" / "carriers"


def find_recorded(slug: str) -> Path:
    """The folder of a carrier, which may be absent."""
    folders = [place / slug for place in RECORDED]
    return next((folder for folder in folders if folder.is_dir()), folders[0])


def list_recorded_rows(read: Callable[[Path], Iterable[Any]]) -> list[Any]:
    """Parameters that are read from the folders of carriers; a single skipped one where there are none."""
    built = [folder for folder in list_recorded() if folder.name in registry.list_slugs()]
    return list_rows("carriers", lambda _: [row for folder in built for row in read(folder)])


def list_recorded() -> Iterator[Path]:
    """The folder of every carrier that was recorded, built or not."""
    for place in RECORDED:
        yield from sorted(facts.parent for facts in place.glob("*/facts.json"))
