"""Mails on the command line: the lines of docs/customers.md, and what a sandbox keeps."""

from __future__ import annotations

import json
import re
import shlex
from pathlib import Path

import pytest

from tests.cli.conftest import Cli

PAGE = (Path(__file__).parents[4] / "docs" / "customers.md").read_text("utf-8")
LINES = [line for block in re.findall(r"```sh\n(.*?)```", PAGE, re.DOTALL) for line in block.splitlines()]
TO = ("--to-name", "Ana Ruiz", "--to-line1", "1625 N Central Ave", "--to-city", "Phoenix", "--to-state", "AZ",
      "--to-postal-code", "85004", "--to-country", "US", "--to-email", "ana@example.org")  # fmt: skip


@pytest.fixture
def sold(box: Cli) -> Cli:
    """A sandbox whose customer is told of a label."""
    assert box("mail", "setup", "--events", "all").code == 0
    bought = box(
        "ship", *TO, "--weight", "2lb", "--carrier", "generic", "--cheapest", "-y", "--reference", "1003"
    )
    assert bought.code == 0, bought.err
    return box


def test_every_line_does_what_the_page_says(
    sold: Cli, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    for name, text in (("password.txt", "s3cr3t"), ("mail.txt", "{carrier}"), ("mail.html", "<p>{city}</p>")):
        Path(name).write_text(text)
    assert len(LINES) == 9
    for line in LINES:
        name, *words = shlex.split(line)
        assert name == "shipcli"
        done = sold(*words, "-y")
        assert done.code == 0, f"{line}\n{done.err}"
        assert "s3cr3t" not in done.out + done.err


def test_a_sandbox_keeps_a_mail_and_shows_it(sold: Cli) -> None:
    assert [mail["state"] for mail in sold("mail", "list", "--json").json] == ["waiting"]
    assert sold("worker", "--once").code == 0
    (mail,) = sold("mail", "list", "--json").json
    assert (mail["state"], mail["address"]) == ("kept", "ana@example.org")
    shown = sold("mail", "get", "@last", "--json").json
    assert shown["id"] == mail["id"]
    link = sold("trackers", "link", "1003").out.strip()
    assert link.startswith("http://127.0.0.1:5002/track/")
    assert link in shown["text"]
    assert sold("mail", "retry", "@last").code == 5
    assert sold("mail", "get", "mail_nothing").code == 3
    assert sold("mail", "list", "--state", "send").code == 6


def test_a_dry_run_changes_nothing(sold: Cli) -> None:
    before = sold("mail", "setup", "--json").out
    for line in ("mail setup --events none", "mail look --name X", "mail edit purchased --subject X",
                 "mail test me@example.com", "mail retry @last"):  # fmt: skip
        done = sold(*line.split(), "--dry-run")
        assert (done.code, "dry run: would" in done.err, done.out) == (0, True, ""), done.err
    assert sold("mail", "setup", "--json").out == before
    assert json.loads(sold("mail", "look", "--json").out)["name"] == ""


def test_a_dry_run_refuses_what_the_command_refuses(box: Cli) -> None:
    for line in (
        "mail setup --port 99999", "mail setup --security foo", "mail setup --events foo",
        "mail setup --from nonsense",
        "mail look --color zzz", "mail look --url foo", "mail edit purchased --subject {foo}",
        "mail edit nope --restore", "mail test nonsense", "mail test me@example.com --event nope",
        "parcels presets remove nope", "parcels presets add a/b 8x6x4in",
    ):  # fmt: skip
        dry, real = box(*line.split(), "--dry-run"), box(*line.split(), "-y")
        assert (dry.code, dry.err) == (real.code, real.err), line
        assert dry.code in (3, 6), line
