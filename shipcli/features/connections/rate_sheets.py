"""Prices of one's own: a rate sheet in a file, as the services of a connection."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from shipcli.carrier.sheet_rows import read_sheet
from shipcli.readers.tables import DataFile


def read_rate_sheet(path: Path) -> list[dict[str, Any]]:
    """The services of a CSV file or a spreadsheet, as a connection keeps them.

    Errors: NotFound without the file; Invalid naming every wrong cell.
    """
    rows = [row.cells for row in DataFile.open(path)]
    return [level.plain() for level in read_sheet(rows)]
