"""A carrier is begun from its fact sheet."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

from shipcli.carrier import load_catalogue
from tests.carriers.scaffold import begin, write_catalogue
from tests.shared import find_shared


@pytest.mark.parametrize("slug", ["purolator", "dhl_parcel_de", "easypost", "laposte"])
def test_a_carrier_begins_with_its_data_its_credentials_and_its_nouns(slug: str, tmp_path: Path) -> None:
    find_shared(f"carriers/{slug}")
    written = begin(slug, tmp_path)
    for name in written:
        if name.endswith(".py"):
            ast.parse((tmp_path / name).read_text())
    catalogue = load_catalogue(str(tmp_path / "__init__.py"))
    assert len(catalogue.services) + len(catalogue.statuses.codes)
    assert len(catalogue.options) >= 0
    assert begin(slug, tmp_path) == []


def test_a_row_of_data_stands_on_a_line_of_its_own() -> None:
    text = write_catalogue({"services": [{"slug": "a", "code": "1"}, {"slug": "b", "code": "2"}]})
    assert text.splitlines()[2:4] == ['  {"slug": "a", "code": "1"},', '  {"slug": "b", "code": "2"}']
