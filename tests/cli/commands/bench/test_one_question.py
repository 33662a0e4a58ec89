"""One question before money is spent: Enter buys what the line names, a number or a service another rate."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from tests.cli.conftest import Cli, Result

TO_ANN = ("--to-name", "Ann Smith", "--to-line1", "5 Main Street", "--to-city", "Boston", "--to-state", "MA",
          "--to-postal-code", "02134")  # fmt: skip
SHIP = ("--sandbox", "ship", *TO_ANN, "--weight", "2lb6oz", "--size", "12x8x4in", "--carrier", "usps,ups")
MENU = "a number or a service = that one, q = no: "
Terminal = Callable[..., Result]


def bought(cli: Cli) -> list[dict[str, Any]]:
    """The shipments there are; those that came to nothing leave none."""
    held: list[dict[str, Any]] = cli("--sandbox", "shipments", "list", "--json").json["results"]
    return held


def test_enter_in_the_menu_buys_the_cheapest_and_nothing_else_is_asked(terminal: Terminal, cli: Cli) -> None:
    done = terminal(
        *SHIP, answers=[(f"Enter = buy usps_ground_advantage for 6.72 USD\r\n{MENU}", "")], NO_COLOR="1"
    )
    assert (done.code, done.out.count("Enter = ")) == (0, 1), done.out
    assert "to Ann Smith, Boston, US (2 lb 6 oz, 12x8x4 in)\n> 1  usps_ground_advantage" in done.out
    assert [one["service"] for one in bought(cli)] == ["usps_ground_advantage"]


@pytest.mark.parametrize("answer", ["3", "ups_ground", "UPS Ground"])
def test_a_number_or_a_service_chooses_and_buys(terminal: Terminal, cli: Cli, answer: str) -> None:
    offered = cli(*SHIP, "--cheapest", "--dry-run")
    assert offered.code == 0
    done = terminal(*SHIP, answers=[(MENU, answer)], NO_COLOR="1")
    assert (done.code, done.out.count("Enter = ")) == (0, 1), done.out
    (one,) = bought(cli)
    assert one["service"] == "ups_ground" or answer == "3"


def test_what_is_on_no_line_of_the_menu_is_asked_again(terminal: Terminal, cli: Cli) -> None:
    done = terminal(*SHIP, answers=[(MENU, "99"), (MENU, "nope"), (MENU, "1")], NO_COLOR="1")
    assert done.code == 0
    assert "'99' is none of them" in done.out
    assert len(bought(cli)) == 1


@pytest.mark.parametrize("answer", ["q", "n", "\x04"])
def test_leaving_the_menu_buys_nothing(terminal: Terminal, cli: Cli, answer: str) -> None:
    done = terminal(*SHIP, answers=[(MENU, answer)])
    assert (done.code, bought(cli)) == (1, [])


def test_a_rate_that_is_named_is_asked_for_once(terminal: Terminal, cli: Cli) -> None:
    line = (*SHIP, "--service", "ups_ground")
    declined = terminal(*line, answers=[("USD, q = no: ", "q")], NO_COLOR="1")
    assert (declined.code, bought(cli)) == (1, [])
    done = terminal(*line, answers=[("USD, q = no: ", "")], NO_COLOR="1")
    assert done.code == 0, done.out
    assert "Buy ups_ground of ups to Ann Smith, Boston, US (2 lb 6 oz, 12x8x4 in)\nEnter = buy " in done.out


def test_with_yes_the_menu_is_the_only_question(terminal: Terminal, cli: Cli) -> None:
    done = terminal(*SHIP, "-y", answers=[(MENU, "")])
    assert (done.code, done.out.count("Enter = "), len(bought(cli))) == (0, 1, 1)


def test_a_dry_run_takes_a_rate_and_buys_nothing(terminal: Terminal, cli: Cli) -> None:
    done = terminal(*SHIP, "--dry-run", answers=[("Enter = take usps_ground_advantage for 6.72 USD", "")])
    assert (done.code, bought(cli)) == (0, [])
    assert "would buy usps_ground_advantage" in done.out


def test_printing_is_part_of_what_enter_does(terminal: Terminal, cli: Cli, tmp_path: Any) -> None:
    assert (
        cli("--sandbox", "printers", "add", "dock", "--to", f"spool:{tmp_path}", "--format", "PDF").code == 0
    )
    done = terminal(*SHIP, "-p", answers=[("Enter = buy usps_ground_advantage for 6.72 USD and print", "")])
    assert (done.code, "on dock" in done.out) == (0, True), done.out


def test_what_a_carrier_is_not_sent_is_said_before_the_menu(terminal: Terminal) -> None:
    done = terminal(*SHIP, "--option", "canadapost_leave_at_door=true", answers=[(MENU, "q")], NO_COLOR="1")
    assert done.out.index("was not sent it") < done.out.index("Enter = ")


@pytest.mark.parametrize("width", [40, 60])
def test_the_menu_has_one_line_for_each_rate_on_a_narrow_terminal(terminal: Terminal, width: int) -> None:
    shown = terminal(*SHIP, answers=[(MENU, "q")], NO_COLOR="1", COLUMNS=str(width)).out.splitlines()
    menu = [line for line in shown if line[:3].strip(" >").isdecimal()]
    assert len(menu) > 5
    assert max(map(len, menu)) <= width
    assert menu[0].startswith("> 1  usps_ground_advantage")
    assert all(line.split()[-1] in ("USD", "d") for line in menu)


def test_a_long_menu_shows_ten_lines_and_more_of_them_on_demand(terminal: Terminal, cli: Cli) -> None:
    line = [word for word in SHIP if word not in ("--carrier", "usps,ups")]
    done = terminal(*line, answers=[(", m = ", "m"), ("q = no: ", "12")], NO_COLOR="1")
    assert done.code == 0, done.out
    first, second, *_ = done.out.split("Enter = buy ")
    assert ("10  " in first, "11  " in first, "11  " in second, "12  " in second) == (True, False, True, True)
    assert len(bought(cli)) == 1


def test_a_short_menu_offers_no_more(terminal: Terminal) -> None:
    assert ", m = " not in terminal(*SHIP, answers=[(MENU, "q")]).out
