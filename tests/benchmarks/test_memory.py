"""The most memory that checking a large file takes, in a process of its own."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.benchmarks.rows import csv_file, lines

pytestmark = [pytest.mark.slow, pytest.mark.benchmark]

ROWS = 100_000
MOST_MB = 400
CHECK = """
import resource, sys
from pathlib import Path
from shipcli.readers.tables import DataFile
from shipcli.bootstrap import open_app
from shipcli.features.files.engine import NO_PLAN, check_file
from shipcli.features.files.row_handlers import open_rows

app = open_app(Path(sys.argv[1]), sandbox=True, environ={})
found = check_file(open_rows(app, "shipments", DataFile.open(Path(sys.argv[2])), NO_PLAN))
app.close()
unit = 1024 if sys.platform != "darwin" else 1
print(found.good, resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * unit)
"""


def csv_rows(path: Path) -> None:
    path.write_bytes(csv_file(ROWS))


def xlsx_rows(path: Path) -> None:
    from openpyxl import Workbook

    book = Workbook(write_only=True)
    sheet = book.create_sheet()
    for line in lines(ROWS):
        sheet.append(line)
    book.save(path)


@pytest.mark.parametrize(
    ("name", "write"), [("rows.csv", csv_rows), ("rows.xlsx", xlsx_rows)], ids=["csv", "xlsx"]
)
def test_a_file_of_100000_rows_is_checked_in_little_memory(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], name: str, write: Callable[[Path], None]
) -> None:
    write(tmp_path / name)
    command = [sys.executable, "-c", CHECK, str(tmp_path / "home"), str(tmp_path / name)]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    good, peak = (int(part) for part in done.stdout.split())
    with capsys.disabled():
        print(f"\n{name}: {peak / 1e6:.0f} MB at most for {ROWS} rows", end="")
    assert good == ROWS
    assert peak <= MOST_MB * 1e6
