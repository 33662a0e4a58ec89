"""Your own prices: a rate sheet in a file, read as the services of a connection."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from shipcli.carrier.sheet_rows import read_sheet
from shipcli.readers.tables import DataFile


def read_rate_sheet(path: Path) -> list[dict[str, Any]]:
    """The services in a CSV file or a spreadsheet, as a connection stores them.

    Errors: NotFound if there is no such file; Invalid listing every wrong cell.
    """
    rows = [row.cells for row in DataFile.open(path)]
    return [level.plain() for level in read_sheet(rows)]
