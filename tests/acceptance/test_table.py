"""The table of acceptance lines is what the marks say, and no line is left out.

`pytest tests/acceptance --write-acceptance-table` writes the table anew.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.acceptance.marks import BadMark, Row, rows_of
from tests.acceptance.table import EXCUSED, LINES, TABLE, complaints, read_table, write_table

TESTS = Path(__file__).parents[1]


@pytest.fixture(scope="module")
def marked(request: pytest.FixtureRequest) -> list[Row]:
    """The marks of the whole suite; the table is written from them when that is asked for."""
    rows = rows_of(TESTS)
    if request.config.getoption("--write-acceptance-table"):
        TABLE.write_text(write_table(rows))
    return rows


def test_the_table_is_what_the_marks_say(marked: list[Row]) -> None:
    assert TABLE.read_text() == write_table(marked), "see --write-acceptance-table"


def test_every_line_is_named_by_a_test_or_has_a_reason(marked: list[Row]) -> None:
    assert complaints(read_table(TABLE.read_text()), EXCUSED) == []


SOURCE = """
import pytest
pytestmark = [pytest.mark.slow, pytest.mark.acceptance(7)]

@pytest.mark.parametrize("n", [1, 2])
@pytest.mark.acceptance(2, 1)
def test_one(n): ...

@pytest.mark.acceptance(3)
class TestMany:
    @pytest.mark.acceptance(4)
    def test_two(self): ...
"""


def rows_in(folder: Path, source: str, name: str = "test_it.py") -> list[Row]:
    (folder / name).write_text(source)
    return rows_of(folder)


def test_marks_of_functions_classes_and_modules_are_read(tmp_path: Path) -> None:
    place = f"{tmp_path.name}/test_it.py"
    assert [(row.line, row.test) for row in rows_in(tmp_path, SOURCE)] == [
        (1, f"{place}::test_one"),
        (2, f"{place}::test_one"),
        (3, f"{place}::TestMany::test_two"),
        (4, f"{place}::TestMany::test_two"),
        (7, f"{place}::TestMany::test_two"),
        (7, f"{place}::test_one"),
    ]


@pytest.mark.parametrize(
    "source",
    [
        "@pytest.mark.acceptance(1)\ndef helper(): ...",
        "@pytest.mark.acceptance()\ndef test_one(): ...",
        "@pytest.mark.acceptance(*LINES)\ndef test_one(): ...",
        "@pytest.mark.acceptance('1')\ndef test_one(): ...",
        "@pytest.mark.acceptance(line=1)\ndef test_one(): ...",
        "rows = [pytest.param(1, marks=pytest.mark.acceptance(1))]",
    ],
)
def test_a_mark_that_names_no_test_or_no_line_is_refused(tmp_path: Path, source: str) -> None:
    with pytest.raises(BadMark):
        rows_in(tmp_path, source)


def test_a_mark_in_a_file_that_is_not_collected_is_refused(tmp_path: Path) -> None:
    with pytest.raises(BadMark):
        rows_in(tmp_path, SOURCE, name="checks.py")


def complete() -> list[Row]:
    return [Row(line, "tests/test_it.py::test_one") for line in LINES if line != 390]


def test_a_line_without_test_or_reason_is_told() -> None:
    assert complaints(complete(), {390: "why"}) == []
    assert complaints(complete()[1:], {390: "why"}) == ["line 1 is named by no test"]


@pytest.mark.parametrize(
    ("excused", "word"),
    [
        ({390: "why", 6: "why"}, "named by a test and excused"),
        ({390: " "}, "without a reason"),
        ({390: "why", 452: "why"}, "does not exist"),
    ],
)
def test_a_stale_excuse_is_told(excused: dict[int, str], word: str) -> None:
    (said,) = complaints(complete(), excused)
    assert word in said


def test_a_written_table_is_read_back() -> None:
    rows = [Row(line, "tests/test_it.py::test_one") for line in (1, 2)]
    assert read_table(write_table(rows[::-1])) == rows
