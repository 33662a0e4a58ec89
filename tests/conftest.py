"""Options and fixtures of all tests."""

from __future__ import annotations

import pytest


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--carrier", action="append", default=[], metavar="SLUG",
                     help="run the carrier suites for this carrier only; may be repeated")  # fmt: skip
    parser.addoption("--write-acceptance-table", action="store_true",
                     help="write tests/acceptance/table.tsv anew from the marks")  # fmt: skip
