"""What help says of a caller's own notes."""

from __future__ import annotations

import pytest

from tests.cli.conftest import Cli


@pytest.mark.parametrize(
    "words", [("shipments", "create"), ("shipments", "update"), ("connections", "add"), ("orders", "update")]
)
def test_help_says_that_metadata_is_no_place_for_secrets(cli: Cli, words: tuple[str, str]) -> None:
    said = " ".join(cli(*words, "--help").out.replace("│", " ").split())
    assert "no sensitive data" in said
