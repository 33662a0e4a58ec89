"""Shipping options by name: a name that nobody knows is refused, one that is not sent is told."""

from __future__ import annotations

import pytest

from tests.cli.conftest import Cli

ANN = ("--to-name", "Ann Smith", "--to-line1", "5 Main Street", "--to-city", "Boston", "--to-state", "MA",
       "--to-postal-code", "02134", "--weight", "2lb")  # fmt: skip
TO_COLLECT = ("ship", *ANN, "--option", "usps_label_delivery_service=true", "--service")
TOLD = "UPS has no such option and was not sent it: usps_label_delivery_service"


@pytest.fixture
def box(cli: Cli) -> Cli:
    return lambda *words, **more: cli("--sandbox", *words, **more)


@pytest.mark.parametrize("command", [("ship", *ANN), ("quote", "02134", "--weight", "2lb"),
                                     ("shipments", "create", *ANN)])  # fmt: skip
@pytest.mark.parametrize(
    ("given", "near"),
    [("insurence=500", "insurance"), ("signature=yes", "signature_confirmation"), ("zzz=1", None)],
)
def test_an_option_that_no_carrier_has_is_refused_with_the_nearest(
    box: Cli, command: tuple[str, ...], given: str, near: str | None
) -> None:
    done = box(*command, "--option", given)
    asked = f"; did you mean {near}? [usage]" if near else "such an option [usage]"
    assert (done.code, asked in done.err) == (2, True), done.err


def test_a_stored_draft_takes_no_unknown_option(box: Cli) -> None:
    draft = box("shipments", "create", *ANN, "--ids").out.strip()
    for verb in ("update", "rates"):
        assert box("shipments", verb, draft, "--option", "insurence=500").code == 2
    assert box("shipments", "rates", draft, "--option", "saturday_delivery=true").code == 0


@pytest.mark.parametrize("rest", [(), ("-y",), ("--dry-run",)])
def test_an_option_that_the_carrier_has_not_is_told_before_the_money_is_spent(
    box: Cli, rest: tuple[str, ...]
) -> None:
    done = box(*TO_COLLECT, "ups_ground", *rest)
    assert done.err.count(TOLD) == 1, done.err
    assert TOLD not in box(*TO_COLLECT, "usps_ground_advantage", *rest).err


def test_an_option_of_your_own_goes_in_the_body(box: Cli) -> None:
    done = box("shipments", "create", *ANN, "-d", "options.colour=red", "--json")
    assert (done.code, done.json["options"]["colour"]) == (0, "red")
