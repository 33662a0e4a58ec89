"""Addresses are looked at before a label is bought, without asking anybody: at the bench and in the API."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from shipcli.models import json
from tests.cli.conftest import Cli, Result

TO = ("--to-name", "Ann Smith", "--to-line1", "5 Main Street", "--to-city", "Boston")
WEIGHT = ("--weight", "2lb", "--carrier", "ups", "--cheapest")
ELSEWHERE = "recipient: the postal code '90210' does not fit the rules of MA, United States"


@pytest.fixture
def ship(cli: Cli) -> Callable[..., Result]:
    return lambda *words: cli("--sandbox", "ship", *TO, *words, *WEIGHT, "-y")


def test_a_postal_code_of_another_state_warns_here_and_in_the_answer(ship: Callable[..., Result]) -> None:
    done = ship("--to-state", "MA", "--to-postal-code", "90210", "--json")
    assert done.code == 0, done.err
    assert [one["message"] for one in done.json["messages"]] == [ELSEWHERE]
    assert done.json["messages"][0]["code"] == "postal_code_elsewhere"
    assert ELSEWHERE in ship("--to-state", "MA", "--to-postal-code", "90210").err


def test_the_warning_comes_before_the_question(terminal: Callable[..., Result]) -> None:
    words = ("--sandbox", "ship", *TO, "--to-state", "MA", "--to-postal-code", "90210", *WEIGHT)
    done = terminal(*words, answers=[("q = no", "q")], NO_COLOR="1")
    assert done.code == 1
    assert done.out.index(ELSEWHERE) < done.out.index("Enter = ")


def test_a_state_that_is_none_is_refused(ship: Callable[..., Result], cli: Cli) -> None:
    for more in ((), ("--dry-run",)):
        done = ship("--to-state", "ZZ", "--to-postal-code", "02134", *more)
        assert (done.code, "'ZZ' is not a state of the US" in done.err) == (6, True), done.err
    assert cli("--sandbox", "sandbox", "ledger", "--json").json == []
    assert ship("--to-state", "ma", "--to-postal-code", "02134").code == 0


@pytest.mark.parametrize("lacking", ["--to-postal-code", "--to-line1", "--to-city", "--to-name"])
def test_a_dry_run_refuses_what_the_purchase_would_refuse(cli: Cli, lacking: str) -> None:
    whole = {
        "--to-name": "Ann",
        "--to-line1": "5 Main Street",
        "--to-city": "Boston",
        "--to-postal-code": "02134",
    }
    words = [word for name, value in whole.items() if name != lacking for word in (name, value)]
    line = (
        "--sandbox",
        "ship",
        *words,
        "--to-state",
        "MA",
        "--weight",
        "2lb",
        "--service",
        "standard_service",
    )
    bought, planned = cli(*line, "-y"), cli(*line, "--dry-run")
    assert planned.code == bought.code == 6, planned.err
    assert planned.err == bought.err


def test_a_dry_run_of_an_order_refuses_it_too(cli: Cli) -> None:
    order = {"order_id": "7", "shipping_to": {"person_name": "Ann", "city": "Boston", "country_code": "US"},
             "line_items": [{"title": "Lamp", "weight": 1, "weight_unit": "LB"}]}  # fmt: skip
    assert cli("--sandbox", "orders", "create", "--from-file", "-", typed=json.dumps(order)).code == 0
    done = cli("--sandbox", "ship", "7", "--service", "ups_ground", "--dry-run")
    assert (done.code, "recipient.postal_code" in done.err) == (6, True), done.err
    planned = cli("--sandbox", "orders", "fulfil", "7", "--dry-run", "--json").json
    assert [one["status"] for one in planned] == ["failed"]
