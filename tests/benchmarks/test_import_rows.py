"""How fast a file is read and checked, as a multiple of a fixed piece of work."""

from __future__ import annotations

from pathlib import Path

import pytest

from shipcli.bootstrap import open_app
from shipcli.features.files.engine import ImportPlan
from shipcli.readers.tables import DataFile
from tests.benchmarks.rows import csv_file
from tests.benchmarks.yardstick import SLACK, against, yardstick
from tests.features.importing import check_shipments

pytestmark = [pytest.mark.slow, pytest.mark.benchmark]

ROWS = 1000


def test_1500_rows_are_read_and_checked_in_a_cpu_second(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    app, content = open_app(tmp_path / "home", sandbox=True, environ={}), csv_file(ROWS)
    assert check_shipments(app, DataFile("rows.csv", content), ImportPlan()).good == ROWS
    seconds, ratio = against(
        lambda: check_shipments(app, DataFile("rows.csv", content), ImportPlan()),
        yardstick(tmp_path),
        count=1,
        rounds=7,
    )
    app.close()
    with capsys.disabled():
        print(f"\n{ROWS / seconds:7.0f} rows a CPU second, {ratio:5.1f} pieces of work for {ROWS}", end="")
    assert ratio <= 300 * SLACK  # 667 ms, where a piece of work took 2.2 ms
