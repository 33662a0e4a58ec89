"""Paths of `-d` lead to fields of the body, and one that does not is refused."""

from __future__ import annotations

from pathlib import Path

import pytest

from shipcli.models import json
from tests.cli.conftest import Cli

SHIP = (
    "ship", "--to-name", "Ann Smith", "--to-line1", "5 Main Street", "--to-postal-code", "02134",
    "--weight", "2lb", "--cheapest", "--dry-run",
)  # fmt: skip


@pytest.fixture
def box(cli: Cli) -> Cli:
    return lambda *words, **more: cli("--sandbox", *words, **more)


@pytest.mark.parametrize(
    ("line", "path", "words"),
    [
        (SHIP, "recipiant.city", "there is no field recipiant; did you mean recipient?"),
        (SHIP, "recipient.citty", "there is no field citty; did you mean city?"),
        (SHIP, "parcels[0].wieght", "there is no field wieght; did you mean weight?"),
        (SHIP, "parcels[0].items[0].skuu", "there is no field skuu; did you mean sku?"),
        (("quote", "02134", "--weight", "2lb"), "shiper.city", "did you mean shipper?"),
        (("addresses", "create", "--country", "US"), "citty", "did you mean city?"),
        (("orders", "create"), "order_idd", "did you mean order_id?"),
    ],
)
def test_a_path_that_leads_nowhere_is_refused_with_the_nearest(
    box: Cli, line: tuple[str, ...], path: str, words: str
) -> None:
    done = box(*line, "-d", f"{path}=x")
    assert (done.code, words in done.err) == (2, True), done.err


def test_fields_keys_of_your_own_and_ids_are_taken(box: Cli) -> None:
    id = box("addresses", "create", "--country", "US", "--city", "Boston", "--ids").out.strip()
    given = ("recipient.city=Boston", "recipient.state_code=MA", "options.colour.deep=1", "metadata.any=2",
             f"return_address.id={id}", "payment.paid_by=sender")  # fmt: skip
    done = box(*SHIP, *(word for one in given for word in ("-d", one)))
    assert done.code == 0, done.err


def test_a_file_may_hold_more_than_the_body(box: Cli, tmp_path: Path) -> None:
    """What one command printed, another one reads."""
    file = tmp_path / "address.json"
    file.write_bytes(json.dump_bytes({"country_code": "US", "object_type": "address", "note": "x"}))
    assert box("addresses", "create", "--from-file", str(file)).code == 0
    assert box("addresses", "create", "-d", f"@{file}").code == 0
