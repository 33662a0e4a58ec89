"""The values that a shell offers after an option or in the place of an argument."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from shipcli.cli.completion_engine import list_choices
from tests.cli.conftest import Cli
from tests.cli.samples import SHIPPED, older


def offered(line: str) -> list[str]:
    """What stands for the last word of a line; none has been typed when the line ends in a space."""
    return [value for value, _ in list_choices(line.split(" "))]


@pytest.mark.parametrize(
    ("line", "wanted"),
    [
        ("shipments list --status dr", ["draft"]),
        ("shipments list --status=dr", ["--status=draft"]),
        ("shipments list --status = dr", ["draft"]),  # as bash parts it
        ("shipments list --status draft,pur", ["draft,purchased"]),
        ("shipments list --limit 5 --status dra", ["draft"]),
        ("orders list --status un", ["unfulfilled"]),
        ("trackers list --status on_", ["on_hold"]),
        ("batches list --type or", ["orders"]),
        ("events list --type batch_f", ["batch_failed"]),
        ("export orders --status unf", ["unfulfilled"]),
        ("shipments list --carrier ups", ["ups"]),
        ("quote 02210 --carrier fede", ["fedex", "fedex_ws"]),
        ("quote 02210 --carrier fedex,ups", ["fedex,ups"]),
        ("carriers services amaz", ["amazon_shipping"]),
        ("carriers services ey", []),
        ("export tracking --map sho", ["shopify"]),
        ("export tracking --map ow", ["own"]),
        ("pickups schedule u", ["ups", "usps", "usps_international"]),
        ("manifests create fed", ["fedex"]),
        ("manifests create up", []),
        ("track 1Z999 --carrier canadap", ["canadapost"]),
        ("ship --carrier seko --service seko_domestic_s", ["seko_domestic_standard"]),
        ("ship --carrier ups --service ups_grou", ["ups_ground", "ups_ground_pr"]),
        ("ship --carrier seko,ups --service ups_grou", ["ups_ground", "ups_ground_pr"]),
        ("ship --carrier my-account --service ups_grou", ["ups_ground", "ups_ground_pr"]),
        ("ship --box ups_sm", ["ups_small_express_box"]),
        ("ship --label-type Z", ["ZPL"]),
        ("ship --option insur", ["insurance="]),
        ("print 1002 --format P", ["PDF", "PNG"]),
        ("print 1002 --to ze", ["zebra"]),
        ("printers default of", ["office"]),
        ("printers add label --dpi 2", ["203"]),
        ("config set weight_", ["weight_unit"]),
        ("config set color al", ["always"]),
        ("config set tracing t", ["true"]),
        ("config get pri", ["printer", "printer_format", "printer_wait"]),
        ("documents generate shelf", ["shelf_label"]),
        ("documents make cn", ["cn22", "cn23"]),
        ("documents make invoice 1002 --paper le", ["letter"]),
        ("documents merge man", ["manifest"]),
        ("uploads create 1002 invoice.pdf --type pack", ["packing_list"]),
        ("import orders orders.csv --map shop", ["shopify"]),
        ("import orders orders.csv --on-duplicate u", ["update"]),
        ("import shipments shipments.csv --buy f", ["fastest"]),
        ("webhooks create --events order_f", ["order_fulfilled"]),
        ("completion install z", ["zsh"]),
        ("--color ne", ["never"]),
    ],
)
def test_values_are_offered(bench: Cli, line: str, wanted: list[str]) -> None:
    assert offered(line) == wanted


@pytest.mark.parametrize(
    "line",
    ["shipments get ", "ship --to-name ", "addresses create --city ", "shipments list --keyword ", "-o ",
     "shipments list --columns ", "labels save 1002 ", "nonsense "],
)  # fmt: skip
def test_nothing_is_offered_where_anything_may_stand(bench: Cli, line: str) -> None:
    assert offered(line) == []


def test_what_a_store_knows_is_not_looked_for_where_there_is_none(
    cli: Cli, home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SHIPCLI_HOME", str(home))
    assert offered("print 1002 --to ") == []
    assert offered("shipments list --carrier ups --api-url http://127.0.0.1:9 --status dr") == ["draft"]
    assert not home.exists()


def test_a_store_of_an_older_program_is_not_migrated_to_complete_a_line(
    home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    older(home)
    monkeypatch.setenv("SHIPCLI_HOME", str(home))
    assert offered("print 1002 --yes --to ") == []
    assert list(home.glob("*.backup")) == []


@pytest.mark.parametrize(
    ("words", "wanted"),
    [
        ("shipcli shipments list --status dr", ["draft"]),
        ("shipcli printers default ze", ["zebra"]),
        ("shipcli config set color ''", ["auto", "always", "never"]),
    ],
)
def test_bash_offers_them(words: str, wanted: list[str], prepared: Path, tmp_path: Path) -> None:
    (tmp_path / "shipcli").write_text(f'#!/bin/sh\nexec {sys.executable} -m shipcli "$@"\n')
    (tmp_path / "shipcli").chmod(0o755)
    script = (
        f"source {SHIPPED / 'shipcli.bash'}; COMP_WORDS=({words}); COMP_CWORD={len(words.split()) - 1}; "
        '_shipcli; printf "%s\\n" "${COMPREPLY[@]}"'
    )
    environ = os.environ | {"PATH": f"{tmp_path}:{os.environ['PATH']}", "SHIPCLI_SANDBOX": "1",
                            "SHIPCLI_HOME": str(prepared / "home")}  # fmt: skip
    done = subprocess.run(["bash", "-c", script], capture_output=True, text=True, check=True, env=environ)
    assert done.stdout.split() == wanted


def test_zsh_is_told_what_they_are(bench: Cli, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("_SHIPCLI_COMPLETE", "described")
    assert bench("printers", "default", "ze").lines == ["zebra\tspool:printed"]
    assert bench("shipments", "list", "--status=dr").lines == ["--status=draft\t"]


def test_addresses_complete_by_nickname_and_name(cli: Cli, home: Path) -> None:
    for name, word in (("Ana Ruiz", "ana"), ("Bo Ek", "")):
        nickname = ("--nickname", word) if word else ()
        assert cli("addresses", "create", "--name", name, "--country", "US", *nickname).code == 0
    for option in ("--to", "--from"):
        assert offered(f"--home {home} ship {option} an") == ["ana"]
        assert offered(f"--home {home} ship {option} Bo") == ["Bo Ek"]
    for verb in ("get", "update", "delete", "default", "validate"):
        assert offered(f"--home {home} addresses {verb} an") == ["ana"]
    assert offered(f"--home {home} shipments get an") == []
