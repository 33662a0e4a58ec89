"""Tables as files: what spreadsheets cannot hold is refused, not cut."""

from __future__ import annotations

from pathlib import Path

import pytest

from shipcli.imports.tables import Table
from shipcli.imports.writing import FORMS, table_of, write_table
from shipcli.models import Invalid


@pytest.mark.parametrize("form", FORMS)
def test_texts_come_back_as_they_were(form: str) -> None:
    texts = ["007", "=1+1", 'é, "quoted"\nand 漢字', "1e5", "x" * 32000]
    rows = [{"A": text, "B": None} for text in texts]
    found = Table(f"a.{form}", table_of(form, ["A", "B"], rows))
    assert [row.cells["A"].replace("\r\n", "\n") for row in found] == texts


@pytest.mark.parametrize("form", ["xls", "xlsx"])
def test_a_cell_that_is_too_long_for_a_spreadsheet_is_refused(form: str) -> None:
    with pytest.raises(Invalid, match="Row 3 has 32768 characters under 'A'"):
        table_of(form, ["A"], [{"A": "x"}, {"A": "x" * 32768}])


def test_more_rows_than_the_old_format_holds_are_refused_and_nothing_is_left(tmp_path: Path) -> None:
    with pytest.raises(Invalid, match="holds 65535 rows; ask for csv"):
        write_table(tmp_path / "many.xls", ["A"], ({"A": str(n)} for n in range(65536)))
    assert list(tmp_path.iterdir()) == []
