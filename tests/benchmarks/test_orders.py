"""What importing orders costs: rows stored per CPU second, beside a fixed workload of the same run."""

from __future__ import annotations

import csv
import io
import sqlite3
import time
from pathlib import Path

import pytest

from shipcli.bootstrap import open_app
from shipcli.features.files.engine import ImportPlan
from shipcli.readers.tables import DataFile
from tests.features.files.rows import line
from tests.features.importing import import_orders

pytestmark = pytest.mark.benchmark
ROWS = 1000


def _table(lines: int) -> DataFile:
    """A thousand rows, this many to an order."""
    rows = [line(f"{lines}-{number // lines}", f"Thing {number}") for number in range(ROWS)]
    text = io.StringIO()
    writer = csv.DictWriter(text, list(rows[0]))
    writer.writeheader()
    writer.writerows(rows)
    return DataFile("orders.csv", text.getvalue().encode())


def _bare() -> float:
    """CPU seconds of reading the same rows and keeping each as one row of a bare database."""
    start = time.process_time()
    database = sqlite3.connect(":memory:")
    database.execute("create table rows (id integer primary key, cells text)")
    with database:
        database.executemany("insert into rows (cells) values (?)", ((repr(row.cells),) for row in _table(1)))
    return time.process_time() - start


@pytest.mark.parametrize("lines", [1, 2])
def test_a_thousand_rows_are_stored_per_cpu_second(tmp_path: Path, lines: int) -> None:
    spent, ratios = [], []
    for turn in range(3):
        app = open_app(tmp_path / f"home{turn}", sandbox=True, environ={})
        table, bare = _table(lines), _bare()
        start = time.process_time()
        results = import_orders(app, table, ImportPlan())
        spent.append(time.process_time() - start)
        ratios.append(spent[-1] / bare)
        assert results.count("created") == ROWS / lines
        app.close()
    rate = ROWS / sorted(spent)[1]
    print(f"\n{lines} to an order: {rate:.0f} rows per CPU second, {sorted(ratios)[1]:.1f} x a bare insert")
    assert rate >= 1000
