"""A field that a line names and that nothing has is an error, before anything is printed."""

from __future__ import annotations

import pytest

from shipcli.cli.console.field_names import find_unknown
from tests.cli.conftest import Cli

LINES = ("addresses", "list")
SHIP = ("ship", "--to-name", "Ann Smith", "--to-line1", "5 Main Street", "--to-city", "Boston", "--to-state",
        "MA", "--to-postal-code", "02134", "--weight", "2lb", "--cheapest", "-y")  # fmt: skip


@pytest.fixture
def box(cli: Cli) -> Cli:
    run: Cli = lambda *words, **more: cli("--sandbox", *words, **more)  # noqa: E731  # as the other fixtures
    for city in ("Boston", "Chicago"):
        assert run("addresses", "create", "--city", city, "--country", "US").code == 0
    return run


@pytest.mark.parametrize(
    "flags",
    [("--columns", "citi"), ("--columns", "id,citi", "--csv"), ("--json=id,citi",), ("--pick", "citi"),
     ("--csv", "--columns", "citi"), ("--sort", "citi"), ("--sort", "-citi", "--all")],
)  # fmt: skip
def test_a_field_that_nothing_has_is_refused_with_the_nearest(box: Cli, flags: tuple[str, ...]) -> None:
    done = box(*LINES, *flags)
    assert (done.code, done.out) == (2, "")
    assert "there is no field citi; did you mean city?" in done.err


@pytest.mark.parametrize("flags", [("--columns", "city,person_name"), ("--json=city",), ("--sort", "city")])
def test_fields_that_are_there_are_shown_even_where_they_are_empty(box: Cli, flags: tuple[str, ...]) -> None:
    assert box(*LINES, *flags).code == 0


def test_what_was_bought_is_shown_whatever_fields_are_named(box: Cli) -> None:
    """The money is spent: the line must not end like a failure."""
    done = box(*SHIP, "--json=tracking_number,nope")
    assert (done.code, done.json["nope"]) == (0, None)
    assert done.json["tracking_number"]
    assert box("shipments", "get", "@last", "--json=nope").code == 2


@pytest.mark.parametrize(
    "flags",
    [("--json=parcels[0",), ("--template", "{id"), ("--template", "{}"),
     ("--template", "{id!r}"), ("--pick", "a..b"), ("--columns", "a["), ("--jq", ".a[")],
)  # fmt: skip
def test_output_that_cannot_be_read_is_refused_before_anything_is_bought(
    box: Cli, flags: tuple[str, ...]
) -> None:
    done = box(*SHIP, *flags)
    assert (done.code, done.out) == (2, "")
    assert box("shipments", "list", "--ids").out == ""


def test_a_form_that_the_value_does_not_take_says_what_was_bought(box: Cli) -> None:
    done = box(*SHIP, "--template", "{tracking_number:d}")
    number = box("shipments", "list", "--pick", "tracking_number").out.strip()
    assert done.code == 1
    assert f"bought {number}, but --template: {{tracking_number:d}}" in done.err
    made = box("addresses", "create", "--city", "Reno", "--country", "US", "--template", "{city:d}")
    assert (made.code, "[output]" in made.err) == (1, True)
    assert box("addresses", "list", "--template", "{city:d}").code == 2


@pytest.mark.parametrize(
    ("path", "step"),
    [
        ("city", None), ("metadata.anything", None), ("nothing.at.all", None), ("parcels[7].weight", None),
        ("parcels[0].wait", "wait"), ("to.citty", "citty"), ("empty.x", None), ("nope", "nope"),
    ],
)  # fmt: skip
def test_only_what_can_never_be_there_is_unknown(path: str, step: str | None) -> None:
    row = {
        "city": None,
        "metadata": {},
        "nothing": None,
        "parcels": [{"weight": 1}],
        "to": {"city": 1},
        "empty": {},
    }
    found = find_unknown(row, path)
    assert (found[0] if found else None) == step
