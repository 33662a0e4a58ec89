"""`shipcli mcp`: what it refuses before it serves anything."""

from __future__ import annotations

from pathlib import Path

import pytest

from shipcli.cli.commands.server import mcp
from tests.cli.conftest import Cli


@pytest.mark.parametrize(
    ("words", "code", "said"),
    [
        (["--allow", "buy"], 2, "--max-total 50USD"),
        (["--allow", "buy", "--max-total", "50"], 2, "50USD"),
        (["--allow", "buy", "--max-total", "much"], 2, "--max-total"),
        (["--allow", "sell"], 2, "write or buy"),
        (["--tools", "listOrder"], 6, "listOrders"),
        (["--tools", "createParcel"], 6, "--allow write"),
        (["--http", "--host", "0.0.0.0", "--port", "0"], 6, "--insecure"),
    ],
)
def test_lines_that_are_wrong(cli: Cli, words: list[str], code: int, said: str) -> None:
    told = cli("--sandbox", "mcp", *words)
    assert told.code == code
    assert said in told.err


def test_a_short_token_is_refused(cli: Cli, tmp_path: Path) -> None:
    (tmp_path / "token").write_text("tooshort\n")
    told = cli("--sandbox", "mcp", "--http", "--token-file", str(tmp_path / "token"))
    assert told.code == 2
    assert "16 characters" in told.err
    assert "tooshort" not in told.err


def test_without_its_package_it_says_how_to_get_it(cli: Cli, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(mcp, "PACKAGE", "no_such_package")
    told = cli("mcp")
    assert told.code == 1
    assert "pip install 'shipcli[mcp]'" in told.err
