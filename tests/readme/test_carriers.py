"""The table of carriers in the README says what the carriers themselves say."""

from __future__ import annotations

import re
from pathlib import Path

from shipcli.carrier import registry

README = (Path(__file__).parents[2] / "README.md").read_text("utf-8")
COLUMNS = ("rating", "shipping", "tracking", "pickup", "manifest", "paperless")


def table() -> dict[str, set[str]]:
    """Slug to capabilities; a row may name several carriers."""
    lines = README[README.index("| carrier | rates |") :].splitlines()[2:]
    found: dict[str, set[str]] = {}
    for line in lines:
        if not line.startswith("|"):
            break
        name, *cells = (cell.strip() for cell in line.strip("|").split("|"))
        can = {column for column, cell in zip(COLUMNS, cells, strict=True) if cell == "yes"}
        found |= dict.fromkeys(re.findall(r"`(\w+)`", name), can)
    return found


def test_every_carrier_is_listed_with_what_it_can_do() -> None:
    assert table() == {kind.slug: set(kind.capabilities()) for kind in registry.working()}
