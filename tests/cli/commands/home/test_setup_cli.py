"""`shipcli setup`: the first steps in one, at a terminal and by options."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from tests.cli.conftest import Cli, Result

ADDRESS = ("--name", "Ada Brooks", "--line1", "5 Main St", "--city", "Boston", "--state", "MA",
           "--postal-code", "02134", "--country", "US")  # fmt: skip
SHEET = "service_code,currency,rate,max_weight\nsame_day,USD,9.50,10\n"
# From the first question to the last, with a state and a printer that have to be said twice.
ANSWERS = [
    ("mode (test, live)", ""), ("country", "us"), ("person", "Ada Brooks"), ("company", ""),
    ("street and number", ""), ("street and number", "5 Main St"), ("second address line", ""),
    ("city", "Boston"), ("state or province", "Masachusets"), ("state or province", "massachusetts"),
    ("postal code", "02134"), ("phone", ""), ("e-mail", ""), ("weight unit", ""), ("size unit", ""),
    ("carrier to add", "generic"), ("display_name", "Own van"), ("custom_carrier_name", "own_van"),
    ("account_country_code", ""), ("account_number", ""), ("rate sheet", "prices.csv"),
    ("printer", "spool:paper"), ("a name for it", "dock"), ("what it speaks", "zpl"),
    ("print a test page now", ""), ("did a page come out", ""), ("store it", ""),
]  # fmt: skip


@pytest.fixture
def prices() -> Path:
    Path("paper").mkdir()
    Path("prices.csv").write_text(SHEET)
    return Path("prices.csv")


def values(cli: Cli, *keys: str) -> list[str]:
    return [cli("config", "get", key).out.strip() for key in keys]


def test_one_conversation_leads_to_a_price_and_a_printed_page(
    cli: Cli, terminal: Callable[..., Result], prices: Path
) -> None:
    done = terminal("setup", answers=ANSWERS)
    assert done.code == 0, done.out
    assert "street and number is needed, so it is asked again" in done.out
    assert "'Masachusets' is no state of US" in done.out
    assert values(cli, "mode", "weight_unit", "size_unit", "printer") == ["test", "LB", "IN", "dock"]
    (page,) = Path("paper").iterdir()
    assert page.read_bytes().startswith(b"^XA")
    quoted = cli("quote", "10001", "--weight", "2", "--json").json["rates"]
    assert [(rate["service"], rate["total_charge"]) for rate in quoted] == [("same_day", 9.5)]


def test_again_todays_values_are_the_answers(cli: Cli, terminal: Callable[..., Result], prices: Path) -> None:
    terminal("setup", answers=ANSWERS)
    shipper = values(cli, "shipper")
    asked = [
        (prompt, "Salem" if prompt == "city" else "")
        for prompt in ("mode", "country", "person", "company", "street", "second", "city", "state", "postal",
                       "phone", "e-mail", "weight", "size", "carrier to add", "printer", "test page",
                       "store it")
    ]  # fmt: skip
    again = terminal("setup", answers=asked)
    assert again.code == 0, again.out
    assert values(cli, "shipper") == shipper
    found = cli("addresses", "get", *shipper, "--json").json
    assert (found["city"], found["address_line1"], found["person_name"]) == (
        "Salem",
        "5 Main St",
        "Ada Brooks",
    )
    assert len(cli("addresses", "list", "--ids").lines) == 1
    assert values(cli, "printer") == ["dock"]


def test_the_answer_back_asks_the_question_before_again(cli: Cli, terminal: Callable[..., Result]) -> None:
    back = [("city", "Bostn"), ("state or", "<"), ("city [Bostn]", "Boston"), ("state or", "MA")]
    address = [
        ("country", "us"),
        ("person", "Ada Brooks"),
        ("company", ""),
        ("street", "5 Main St"),
        ("second", ""),
    ]
    rest = [("postal code", "02134"), ("phone", ""), ("e-mail", ""), ("weight unit", ""), ("size unit", "<"),
            ("weight unit", "OZ"), ("size unit", ""), ("carrier to add", ""), ("printer", "")]  # fmt: skip
    done = terminal("setup", answers=[("mode", ""), *address, *back, *rest, ("store it", "")])
    assert done.code == 0, done.out
    assert "shipper address: 5 Main St, Boston MA 02134, US" in done.out
    assert values(cli, "weight_unit", "size_unit") == ["OZ", "IN"]
    assert cli("addresses", "list", "--pick", "city").out == "Boston\n"


def test_declining_the_summary_writes_nothing(
    home: Path, terminal: Callable[..., Result], prices: Path
) -> None:
    done = terminal("setup", answers=[*ANSWERS[:-1], ("store it", "n")])
    assert (done.code, "weight unit: LB" in done.out) == (1, True)
    assert not (home / "config.toml").exists()


def test_the_credentials_are_tried_before_anything_is_written(terminal: Callable[..., Result]) -> None:
    address = [("mode", ""), ("country", "us"), ("person", "Ada"), ("company", ""), ("street", "5 Main St"),
               ("second", ""), ("city", "Boston"), ("state or", "MA"), ("postal code", "02134"),
               ("phone", ""), ("e-mail", ""), ("weight unit", ""), ("size unit", "")]  # fmt: skip
    account = [
        ("carrier to add", "dhl_universal"),
        ("consumer_key", "k"),
        ("consumer_secret", "s"),
        ("language", ""),
    ]
    done = terminal("--sandbox", "setup", answers=[*address, *account, ("printer", ""), ("store it", "")])
    assert done.code == 0, done.out
    assert "dhl_universal did not refuse the credentials" in done.out


def test_credentials_that_cannot_be_tried_are_kept(cli: Cli, terminal: Callable[..., Result]) -> None:
    assert cli("setup", *ADDRESS).code == 0
    kept = ("mode", "country", "person", "company", "street", "second", "city", "state", "postal",
            "phone", "e-mail", "weight", "size")  # fmt: skip
    account = [("carrier to add", "ups"), ("client_id", "me"), ("client_secret", "s3"),
               ("account_number", "A1")]  # fmt: skip
    answers = [*((prompt, "") for prompt in kept), *account, ("account_country_code", ""), ("printer", "")]
    nobody = "http://127.0.0.1:9"
    done = terminal("setup", answers=[*answers, ("store it", "")], HTTPS_PROXY=nobody, https_proxy=nobody)
    assert done.code == 0, done.out
    assert "ups could not be asked about the credentials" in done.out
    assert cli("connections", "list", "--json").json["count"] == 1


def test_leaving_in_the_middle_writes_nothing(
    home: Path, terminal: Callable[..., Result], prices: Path
) -> None:
    done = terminal("setup", answers=[*ANSWERS[:-3], ("print a test page now", "\x03")])
    assert done.code == 130
    assert not (home / "config.toml").exists()


def test_options_say_all_of_it_without_a_terminal(cli: Cli, prices: Path) -> None:
    done = cli(
        "setup", "--mode", "test", "--weight-unit", "lb", "--size-unit", "in", *ADDRESS,
        "--carrier", "generic", "-d", "display_name=Own van", "-d", "custom_carrier_name=own_van",
        "--rate-sheet", "prices.csv", "--printer", "dock", "--to", "spool:paper", "--format", "zpl",
        "--test-page", "--json",
    )  # fmt: skip
    assert done.code == 0, done.err
    assert done.json["shipper"] == "Ada Brooks, Boston MA"
    assert len(list(Path("paper").iterdir())) == 1
    assert cli("quote", "10001", "--weight", "2").code == 0
    changed = cli("setup", "--city", "Salem", "--carrier", "generic", "-d", "display_name=Van")
    assert changed.code == 0, changed.err
    assert cli("connections", "get", "generic", "--pick", "display_name").out == "Van\n"
    assert cli("addresses", "list", "--pick", "city").out == "Salem\n"


@pytest.mark.parametrize(
    ("words", "code", "said"),
    [
        ((), 2, "--mode, --weight-unit, --size-unit"),
        (("--city", "Boston"), 2, "--line1: is required"),
        (("--weight-unit", "stone"), 6, "KG, LB, OZ, G"),
        (("--printer", "dock"), 3, "no printer dock"),
        (("--format", "zpl"), 2, "--format needs --to"),
        (("--printer", "dock", "--to", "tcp://192.0.2.7"), 2, "--format: is required"),
        (("--carrier", "upss"), 3, "Did you mean ups?"),
        (("--carrier", "ups"), 2, "needs client_id"),
        (("--rate-sheet", "prices.csv"), 2, "--rate-sheet needs --carrier"),
        ((*ADDRESS, "--state", "CA"), 6, "--postal-code: "),
    ],
)
def test_a_part_that_is_wrong_is_named_and_nothing_is_written(
    cli: Cli, home: Path, words: tuple[str, ...], code: int, said: str
) -> None:
    done = cli("setup", *words)
    assert (done.code, said in done.err) == (code, True), done.err
    assert not (home / "config.toml").exists()


def test_a_wrong_part_keeps_the_right_ones_from_being_written(cli: Cli, home: Path) -> None:
    done = cli(
        "setup", "--mode", "live", *ADDRESS, "--printer", "dock", "--to", "usb:left", "--format", "zpl"
    )
    assert done.code == 10
    assert not (home / "config.toml").exists()
    assert cli("addresses", "list", "--ids", "--live").lines == []


def test_the_same_line_finishes_a_setup_that_was_killed_before_its_settings(cli: Cli, home: Path) -> None:
    line = ("setup", *ADDRESS, "--printer", "dock", "--to", "tcp://192.0.2.7", "--format", "zpl")
    assert cli(*line).code == 0
    (home / "config.toml").unlink()
    assert cli(*line).code == 0
    assert cli("config", "get", "shipper").lines == cli("addresses", "list", "--ids").lines


def test_a_dry_run_says_what_it_would_set(cli: Cli, home: Path) -> None:
    done = cli("setup", "--mode", "live", *ADDRESS, "--dry-run")
    assert "would set mode to live; set shipper to Ada Brooks, Boston MA" in done.err
    assert not (home / "config.toml").exists()


def test_in_a_sandbox_the_sandbox_is_set_up(cli: Cli, home: Path) -> None:
    assert cli("--sandbox", "setup", "--weight-unit", "oz", *ADDRESS).code == 0
    assert not (home / "config.toml").exists()
    assert "weight_unit" in (home / "sandbox" / "config.toml").read_text()


def test_an_account_asked_for_again_keeps_what_is_left_empty(
    cli: Cli, terminal: Callable[..., Result]
) -> None:
    given = ("-d", "client_id=me", "-d", "client_secret=s3", "-d", "account_number=A1")
    assert cli("--sandbox", "setup", *ADDRESS, "--carrier", "ups", *given).code == 0
    kept_on_the_way = ("mode", "country", "person", "company", "street", "second", "city", "state", "postal",
                       "phone", "e-mail", "weight", "size")  # fmt: skip
    asked = [
        *((prompt, "") for prompt in kept_on_the_way), ("carrier to add", "ups"), ("client_id", ""),
        ("client_secret", ""), ("account_number", "B2"), ("account_country_code", ""), ("printer", ""),
        ("store it", ""),
    ]  # fmt: skip
    done = terminal("--sandbox", "setup", answers=asked)
    assert done.code == 0, done.out
    assert "Empty keeps the one there is." in done.out
    found = cli("--sandbox", "connections", "get", "ups", "--reveal", "--json").json["credentials"]
    kept = {"client_id": "me", "client_secret": "s3", "account_number": "B2", "account_country_code": "US"}
    assert found == kept
