"""Global options are read anywhere in the line."""

from __future__ import annotations

import pytest

from shipcli.cli.global_options import GLOBALS, CommandLine, Options, explain_options, read_line
from shipcli.cli.usage_errors import Usage


def read(text: str, own: dict[str, bool] | None = None) -> CommandLine:
    return read_line(text.split(), lambda path: own or {})


@pytest.mark.parametrize("line", ["--json addresses list", "addresses --json list", "addresses list --json"])
def test_a_global_option_works_before_and_after_the_noun(line: str) -> None:
    found = read(line)
    assert found.path == ("addresses", "list")
    assert found.options.format == "json"
    assert found.rest == []


def test_fields_follow_json_after_an_equals_sign_only() -> None:
    assert read("addresses list --json=id,city").options.expression == "id,city"
    assert read("addresses get --json id").rest == ["id"]


def test_two_dashes_end_the_options() -> None:
    found = read("addresses find -- --json")
    assert found.options.format is None
    assert found.rest == ["--", "--json"]


def test_an_option_of_the_command_wins() -> None:
    found = read("addresses list -o x --json", {"-o": True})
    assert found.rest == ["-o", "x"]
    assert found.options == Options(format="json")


def test_the_value_of_a_commands_option_is_left_alone() -> None:
    assert read("parcels create --reference --json", {"--reference": True}).rest == ["--reference", "--json"]


def test_short_options_may_stand_together() -> None:
    options = read("addresses list -vvyq").options
    assert (options.verbose, options.yes, options.quiet) == (2, True, True)


def test_a_value_may_be_attached_to_a_short_option() -> None:
    assert read("addresses list -ofile.csv").options.output == "file.csv"


def test_a_singular_noun_and_show_are_aliases() -> None:
    assert read("address show x").path == ("addresses", "get")


def test_a_verb_of_its_own_wins_over_an_alias() -> None:
    assert read("config show").path == ("config", "show")


def test_a_noun_may_have_a_verb_that_goes_without_saying() -> None:
    assert read("references countries") == CommandLine(Options(), ("references", "get"), ["countries"])
    assert read("references").path == ("references", "get")


def test_a_single_dash_is_an_argument() -> None:
    assert read("addresses get -").rest == ["-"]


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        ("addresses list --json --csv", "can't be used together"),
        ("addresses list --color blue", "auto or always or never"),
        ("addresses list --home", "needs a value"),
        ("addresses list --yes=1", "takes no value"),
    ],
)
def test_a_wrong_global_option_is_refused(line: str, reason: str) -> None:
    with pytest.raises(Usage, match=reason):
        read(line)


def test_the_last_word_about_the_mode_counts() -> None:
    assert read("--live addresses list --test").options.mode == "test"


def test_every_option_is_explained() -> None:
    rows = explain_options()
    text = " ".join(row["option"] for row in rows)
    assert [name for row in GLOBALS for name in row.names if name not in text] == []
    assert all(row["description"] for row in rows)
