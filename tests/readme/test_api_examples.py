"""The curl lines of the README, sent to a throw-away sandbox server."""

from __future__ import annotations

import json
import re
import shlex
import urllib.request
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.api.running import Running

ROOT = Path(__file__).parents[2]
PAGES = (ROOT / "README.md", ROOT / "docs" / "server.md")
CURL = [line for page in PAGES for line in page.read_text("utf-8").splitlines() if line.startswith("curl ")]


@pytest.fixture(scope="module")
def sandbox(tmp_path_factory: pytest.TempPathFactory) -> Iterator[dict[str, Any]]:
    """What `sandbox up --json` prints."""
    home = tmp_path_factory.mktemp("sandbox")
    with Running(
        "--home", str(home), "sandbox", "up", "--carriers", "all", "--seed", "demo", "--json", "--port", "0"
    ) as running:
        yield running.said
        assert running.stop() == 0


def request(line: str, sandbox: dict[str, Any]) -> urllib.request.Request:
    """A curl line as a request: -H, -d and the address are all that the README uses."""
    words = shlex.split(line.replace("$KEY", sandbox["api_key"]))[1:]
    headers, data, url = {}, None, ""
    while words:
        word = words.pop(0)
        if word == "-H":
            name, _, value = words.pop(0).partition(": ")
            headers[name] = value
        elif word == "-d":
            data = words.pop(0).encode()
        else:
            url = re.sub(r"http://127\.0\.0\.1:\d+", sandbox["url"], word)
    return urllib.request.Request(url, data, headers)


@pytest.mark.parametrize("line", CURL, ids=lambda line: line.rpartition(" ")[2])
def test_every_curl_line_is_answered(line: str, sandbox: dict[str, Any]) -> None:
    with urllib.request.urlopen(request(line, sandbox), timeout=30) as answer:
        assert answer.status in (200, 201)
        assert json.loads(answer.read())


def test_the_readme_has_curl_lines() -> None:
    assert len(CURL) >= 2
