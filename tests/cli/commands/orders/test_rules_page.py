"""The lines of docs/rules.md, in their order, in one sandbox."""

from __future__ import annotations

import re
import shlex
from pathlib import Path

from tests.cli.conftest import Cli

PAGE = (Path(__file__).parents[4] / "docs" / "rules.md").read_text("utf-8")
LINES = [line for block in re.findall(r"```sh\n(.*?)```", PAGE, re.DOTALL) for line in block.splitlines()]


def test_every_line_does_what_the_page_says(cli: Cli, tmp_path: Path) -> None:
    assert len(LINES) == 14
    for line in LINES:
        name, *words = shlex.split(line.replace("rules.yaml", str(tmp_path / "rules.yaml")))
        assert name == "shipcli"
        done = cli("--sandbox", *words, "-y")
        assert done.code == 0, f"{line}\n{done.err}"
    assert (tmp_path / "rules.yaml").read_text().count("condition:") == 3
