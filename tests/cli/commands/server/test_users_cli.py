"""`shipcli users` and `shipcli oauth`."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from tests.cli.conftest import Cli, Result

PASSWORD = "correct horse battery"


def add(cli: Cli, email: str = "ana@shop.example") -> Result:
    made = cli("users", "create", email, "--password-file", "-", "--json", typed=f"{PASSWORD}\n")
    assert made.code == 0, made.err
    return made


def test_a_password_comes_from_the_input_or_a_file_and_is_never_shown(cli: Cli, tmp_path: Path) -> None:
    made = add(cli)
    assert made.json["email"] == "ana@shop.example"
    (tmp_path / "secret").write_text(f"{PASSWORD}\r\nmore\n")
    other = cli("users", "create", "Bob@shop.example", "--name", "Bob", "--password-file", "secret", "--json")
    assert (other.json["email"], other.json["name"]) == ("bob@shop.example", "Bob")
    listed = cli("users", "list", "--json")
    assert [row["email"] for row in listed.json] == ["bob@shop.example", "ana@shop.example"]
    for shown in (made, other, listed):
        assert PASSWORD not in shown.out + shown.err
        assert "argon2" not in shown.out + shown.err


def test_a_password_is_typed_twice_on_a_terminal(terminal: Callable[..., Result]) -> None:
    asked = [("password:", PASSWORD), ("password again:", PASSWORD)]
    made = terminal("users", "create", "ana@shop.example", answers=asked)
    assert made.code == 0
    assert PASSWORD not in made.out
    wrong = terminal(
        "users", "password", "ana@shop.example", answers=[asked[0], ("again:", "something else")]
    )
    assert (wrong.code, "differ" in wrong.out) == (2, True)


def test_without_a_password_nobody_is_added(cli: Cli) -> None:
    assert cli("users", "create", "ana@shop.example").code == 2
    assert cli("users", "create", "ana@shop.example", "--password-file", "absent").code == 2
    assert cli("users", "create", "ana@shop.example", "--password-file", "-", typed="short\n").code == 6
    assert cli("users", "list", "--json").json == []


def test_an_address_is_taken_once(cli: Cli) -> None:
    add(cli)
    again = cli("users", "create", "ANA@shop.example", "--password-file", "-", typed=f"{PASSWORD}\n")
    assert again.code == 5


def test_disabling_asks_first_and_hides_the_user(cli: Cli) -> None:
    add(cli)
    assert cli("users", "disable", "ana@shop.example").code == 2
    assert cli("users", "disable", "ana@shop.example", "--yes").code == 0
    assert cli("users", "list", "--json").json == []
    (row,) = cli("users", "list", "--disabled", "--json").json
    assert row["disabled_at"]
    assert cli("users", "disable", "eve@shop.example", "--yes").code == 3


def test_a_secret_for_an_app_is_shown_once_and_replaced_only_with_consent(cli: Cli) -> None:
    add(cli)
    shown = cli("users", "totp", "ana@shop.example", "--json").json
    assert shown["otpauth_uri"].startswith("otpauth://totp/shipcli:ana%40shop.example?secret=")
    assert cli("users", "list", "--json").json[0]["two_steps"] is True
    assert cli("users", "totp", "ana@shop.example").code == 2
    again = cli("users", "totp", "ana@shop.example", "--yes", "--json").json
    assert again["otpauth_uri"] != shown["otpauth_uri"]
    assert cli("users", "totp", "ana@shop.example", "--off", "--yes", "--json").json["two_steps"] is False


def test_a_dry_run_changes_no_user_and_no_client(cli: Cli) -> None:
    add(cli)
    before = cli("users", "list", "--json").out
    for words in (["password", "ana@shop.example"], ["totp", "ana@shop.example"],
                  ["disable", "ana@shop.example"], ["create", "bob@shop.example"]):  # fmt: skip
        assert "would" in cli("users", *words, "--dry-run").err
    assert "would" in cli("oauth", "create", "Shop", "--dry-run").err
    assert cli("users", "list", "--json").out == before
    assert cli("oauth", "list", "--json").json == []


def test_the_secret_of_a_client_is_shown_once(cli: Cli) -> None:
    made = cli(
        "oauth", "create", "Shop", "--redirect-uri", "https://shop.example/cb", "--scope", "read", "--json"
    )
    assert (made.json["scope"], made.json["public"]) == ("read", False)
    listed = cli("oauth", "list", "--json")
    assert made.json["secret"] not in listed.out
    assert listed.json[0]["id"] == made.json["client_id"]
    assert cli("oauth", "remove", made.json["client_id"]).code == 2
    assert cli("oauth", "remove", made.json["client_id"], "--yes").code == 0
    assert cli("oauth", "remove", made.json["client_id"], "--yes").code == 3


def test_a_client_with_a_wrong_address_or_scope_is_refused(cli: Cli) -> None:
    for words in (["--redirect-uri", "http://shop.example/cb"], ["--scope", "all"], ["--public"]):
        assert cli("oauth", "create", "Shop", *words).code == 6
