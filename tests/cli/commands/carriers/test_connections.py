"""`shipcli connections`: secrets come in quietly and are shown masked."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from shipcli.carrier import registry
from tests.cli.conftest import Cli, Result

GIVEN = {"display_name": "Mine", "custom_carrier_name": "mine"}


def with_secret() -> tuple[str, dict[str, str], str]:
    """A carrier with a secret: its slug, credentials for it, and the secret's name."""
    for kind in registry.list_working():
        secrets = kind.secret_fields()
        fields = kind.connection_fields()
        required = {name: f"value-of-{name}" for name, row in fields.items() if row["required"]}
        if secrets & set(required) and all(fields[name]["type"] == "string" for name in required):
            return kind.slug, required, min(secrets & set(required))
    pytest.skip("no carrier has a secret")


def added(cli: Cli, *words: str) -> Result:
    data = [word for name, value in GIVEN.items() for word in ("-d", f"{name}={value}")]
    return cli("connections", "add", "generic", *data, *words)


def test_a_connection_is_added_and_shown_masked(cli: Cli) -> None:
    made = added(
        cli, "--carrier-id", "dock", "--config", "text_color=#000000", "--metadata", "team=a", "--json"
    )
    assert made.code == 0, made.err
    assert made.json["carrier_id"] == "dock"
    assert made.json["credentials"]["display_name"] == "***"
    assert made.json["metadata"] == {"team": "a"}
    shown = cli("connections", "get", "dock", "--reveal", "--json").json
    assert shown["credentials"]["display_name"] == "Mine"


def test_credentials_come_from_file_then_environment_then_data(
    cli: Cli, monkeypatch: pytest.MonkeyPatch
) -> None:
    Path("c.yaml").write_text("display_name: file\ncustom_carrier_name: file\naccount_number: '007'\n")
    monkeypatch.setenv("SHIPCLI_GENERIC_CUSTOM_CARRIER_NAME", "env")
    monkeypatch.setenv("SHIPCLI_GENERIC_DISPLAY_NAME", "env")
    words = ("connections", "add", "generic", "--credentials-file", "c.yaml", "-d", "display_name=data")
    cli(*words)
    found = cli("connections", "get", "@last", "--reveal", "--json").json["credentials"]
    assert (found["display_name"], found["custom_carrier_name"], found["account_number"]) == (
        "data",
        "env",
        "007",
    )


def test_a_secret_on_the_command_line_is_warned_about(cli: Cli) -> None:
    slug, given, secret = with_secret()
    words = [word for name, value in given.items() for word in ("-d", f"{name}={value}")]
    shown = cli("connections", "add", slug, *words)
    assert shown.code == 0, shown.err
    assert f"warning: {secret} on the command line is visible" in shown.err
    assert f"value-of-{secret}" not in shown.out + shown.err


def test_a_secret_is_never_in_the_store_in_clear(cli: Cli, home: Path) -> None:
    slug, given, secret = with_secret()
    Path("c.json").write_text("{" + ",".join(f'"{name}":"{value}"' for name, value in given.items()) + "}")
    assert cli("connections", "add", slug, "--credentials-file", "c.json").code == 0
    assert not any(f"value-of-{secret}".encode() in path.read_bytes() for path in home.rglob("shipcli.db*"))


def test_what_is_missing_is_asked_and_secrets_are_not_shown(
    cli: Cli, terminal: Callable[..., Result]
) -> None:
    slug, given, secret = with_secret()
    answers = [(f"{name}: ", value) for name, value in given.items()]
    fields = registry.get(slug).connection_fields()
    first = next(iter(given))
    rest = [(f"{name}: ", given[name]) for name in given if name != first]
    shown = terminal("connections", "add", slug, "-d", f"{first}={given[first]}", answers=rest)
    assert shown.code == 0, shown.out
    assert len(answers) <= len(fields)
    if secret != first:
        assert f"value-of-{secret}" not in shown.out
    assert cli("connections", "get", "@last", "--pick", "carrier_name").out == f"{slug}\n"


def test_prompts_say_where_a_value_is_found_and_why_they_ask_again(
    cli: Cli, terminal: Callable[..., Result]
) -> None:
    answers = [("client_id: ", ""), ("client_id: ", "me"), ("client_secret: ", "s3"), ("account_number", ""),
               ("account_country_code", "1"), ("account_country_code", "Cannada"),
               ("account_country_code", "Canada")]  # fmt: skip
    shown = terminal("connections", "add", "ups", answers=answers)
    assert shown.code == 0, shown.out
    assert "developer.ups.com" in shown.out
    assert "client_id is needed, so it is asked again" in shown.out
    assert "'1' is not known" in shown.out
    assert "'Cannada' is not known; did you mean CA?" in shown.out
    found = cli("connections", "get", "ups", "--reveal", "--json").json["credentials"]
    assert (found["client_id"], found["account_country_code"]) == ("me", "CA")


def test_where_each_credential_is_found_is_listed(cli: Cli) -> None:
    rows = {row["name"]: row for row in cli("carriers", "fields", "fedex", "--json").json}
    assert "developer.fedex.com" in rows["api_key"]["where"]


def test_without_a_terminal_missing_credentials_are_named(cli: Cli) -> None:
    shown = cli("connections", "add", "generic")
    assert shown.code == 2
    assert "needs display_name, custom_carrier_name" in shown.err
    assert "SHIPCLI_GENERIC_DISPLAY_NAME" in shown.err


def test_a_credential_that_does_not_exist_has_a_nearest(cli: Cli) -> None:
    assert "did you mean display_name?" in cli("connections", "add", "generic", "-d", "display_nam=x").err


def test_a_carrier_that_does_not_exist_has_a_nearest(cli: Cli) -> None:
    shown = cli("connections", "add", "generik")
    assert shown.code == 3
    assert "Did you mean generic?" in shown.err


def test_a_simulated_connection_needs_no_credentials(cli: Cli) -> None:
    made = cli("connections", "add", "generic", "--simulated", "--json")
    assert made.json["config"] == {"sandbox": True}
    assert cli("--live", "connections", "add", "generic", "--simulated").code == 6


def test_a_connection_is_changed(cli: Cli) -> None:
    id = added(cli, "--ids").out.strip()
    changed = cli(
        "connections", "update", id, "--inactive", "--carrier-id", "b", "-d", "account_number=7", "--json"
    )
    assert (changed.json["active"], changed.json["carrier_id"]) == (False, "b")
    found = cli("connections", "get", id, "--reveal", "--json").json["credentials"]
    assert (found["account_number"], found["display_name"]) == ("7", "Mine")


def test_connections_are_filtered(cli: Cli) -> None:
    added(cli, "--carrier-id", "a")
    added(cli, "--carrier-id", "b", "--inactive", "--metadata", "team=x")
    added(cli, "--carrier-id", "c", "--system")
    for line, names in {
        "": ["c", "b", "a"], "--inactive": ["b"], "--active": ["c", "a"], "--system-only": ["c"],
        "--metadata-value x": ["b"], "--carrier-name ups": [], "--live": [],
    }.items():  # fmt: skip
        assert cli("connections", "list", *line.split(), "--pick", "carrier_id").lines == names


def test_a_list_masks_credentials_unless_told(cli: Cli) -> None:
    added(cli)
    words = ("connections", "list", "--pick", "credentials.display_name")
    assert cli(*words).out == "***\n"
    assert cli(*words, "--reveal").out == "Mine\n"


def test_a_list_survives_a_lost_key(cli: Cli, home: Path) -> None:
    added(cli)
    (home / "master.key").unlink()
    assert cli("connections", "list", "--pick", "carrier_name").out == "generic\n"
    shown = cli("connections", "list", "--reveal")
    assert (shown.code, "master key is missing" in shown.err) == (4, True)


def test_a_removed_connection_is_gone(cli: Cli) -> None:
    id = added(cli, "--ids").out.strip()
    assert cli("connections", "remove", id).code == 2
    assert cli("connections", "remove", id, "-y").code == 0
    assert cli("connections", "get", id).code == 3


def test_a_check_says_what_carriers_accept(cli: Cli) -> None:
    cli("connections", "add", "generic", "--simulated")
    shown = cli("connections", "check", "--ndjson")
    assert shown.code == 0
    assert shown.json["accepted"] is True


def test_prices_of_ones_own_come_from_a_rate_sheet(cli: Cli) -> None:
    Path("prices.csv").write_text("service_code,currency,rate\nsame_day,USD,9.50\n")
    made = added(cli, "--rate-sheet", "prices.csv")
    assert made.code == 0, made.err
    Path("prices.csv").write_text("service_code,currency,price\nsame_day,USD,9.50\n")
    refused = added(cli, "--carrier-id", "other", "--rate-sheet", "prices.csv")
    assert (refused.code, "row 1, rate: the column is missing" in refused.err) == (6, True)
    wrong = cli("connections", "add", "ups", "--rate-sheet", "prices.csv")
    assert wrong.code in (2, 6)


def test_an_account_moves_to_the_carrier_that_replaces_its_own(cli: Cli) -> None:
    old = ("-d", "site_id=v62_x", "-d", "password=old", "-d", "account_number=123456789")
    settings = ("--config", "label_type=ZPL_6x4", "--config", "timezone=Europe/Berlin")
    cli("connections", "add", "dhl_express", *old, *settings)
    moved = cli("connections", "migrate", "dhl_express", "-d", "username=key", "-d", "password=new", "--json")
    assert moved.code == 0, moved.err
    assert moved.json["carrier_id"] == "mydhl"
    assert moved.json["config"] == {"timezone": "Europe/Berlin"}
    credentials = cli("connections", "get", "mydhl", "--reveal", "--json").json["credentials"]
    assert credentials["account_number"] == "123456789"
    assert (credentials["username"], credentials["password"]) == ("key", "new")
    assert cli("connections", "get", "dhl_express", "--json").json["active"] is False


def test_an_account_without_a_successor_stays(cli: Cli) -> None:
    added(cli, "--carrier-id", "dock")
    refused = cli("connections", "migrate", "dock")
    assert refused.code == 6
    assert "no successor" in refused.err
    assert cli("connections", "get", "dock", "--json").json["active"] is True
