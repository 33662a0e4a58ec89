"""What a line names and nothing has is refused with the nearest name, whichever command it is."""

from __future__ import annotations

import pytest

from shipcli.cli import command_table
from shipcli.cli.stored_noun_table import STORED_NOUNS
from tests.cli.conftest import Cli

EMPTY = {"connections": ("--inactive",)}
LISTS = [row.name for row in command_table.NOUNS for verb in row.verbs if verb.name == "list"]
# Lines of commands that only read, each with a field that its rows have.
LINES = {
    "addresses find boston": "city",
    "carriers fields ups": "default",
    "carriers get ups": "carrier_name",
    "connections check ups": "accepted",
    "db info": "version",
    "db tables": "rows",
    "export shipments --status all": "Status",
    "find boston": "kind",
    "options": "option",
    "orders get 1042": "order_id",
    "parcels presets": "preset",
    "quote 02210 --weight 1kg": "service",
    "shipments get 1002": "tracking_number",
    "shipments get 1002 1003": "tracking_number",
    "track @last": "status",
    "worker jobs": "state",
    "worker status": "waiting",
}


UNKNOWN = "no_such_field"


def asking_for(field: str) -> list[tuple[str, ...]]:
    """Every way to name a field."""
    return [("--columns", field), ("--csv", "--columns", field), (f"--json={field}",), ("--pick", field),
            ("--template", f"{{{field}}}")]  # fmt: skip


@pytest.mark.parametrize("noun", LISTS)
@pytest.mark.parametrize("flags", asking_for(UNKNOWN), ids=" ".join)
def test_a_list_refuses_a_field_that_its_rows_have_not(bench: Cli, noun: str, flags: tuple[str, ...]) -> None:
    found = bench(noun, "list", "--json").json
    done = bench(noun, "list", *flags)
    rows = found["results"] if isinstance(found, dict) else found
    if rows:
        assert (done.code, done.out) == (2, ""), done.err
        assert f"there is no field {UNKNOWN}" in done.err
    else:
        assert (done.code, done.out.strip()) in ((0, ""), (0, "[]"), (0, UNKNOWN))


@pytest.mark.parametrize("noun", sorted(set(LISTS) & STORED_NOUNS.keys()))
@pytest.mark.parametrize("flags", [("--columns", UNKNOWN), ("--sort", UNKNOWN), ("--sort", f"-{UNKNOWN}")])
def test_an_empty_list_of_what_the_api_lists_refuses_it_too(
    cli: Cli, noun: str, flags: tuple[str, ...]
) -> None:
    wanted = 2 if command_table.list_calls((noun, "list")) else 0  # else nothing says what its rows have
    assert cli("--sandbox", noun, "list", *EMPTY.get(noun, ()), *flags).code == wanted


@pytest.mark.parametrize(("line", "field"), LINES.items(), ids=LINES)
def test_a_command_that_reads_refuses_what_is_not_there_and_shows_what_is(
    bench: Cli, line: str, field: str
) -> None:
    for flags in asking_for(field):
        assert bench(*line.split(), *flags).code == 0, flags
    for flags in asking_for(f"{field}x"):
        done = bench(*line.split(), *flags)
        assert (done.code, done.out) == (2, ""), flags
        assert f"did you mean {field}?" in done.err


@pytest.mark.parametrize(
    ("line", "field"),
    [
        ("carriers options ups", "code"),
        ("carriers presets ups", "preset"),
        ("carriers services ups", "service"),
        ("config show", "value"),
    ],
)
def test_a_table_of_what_is_a_map_refuses_them_too(bench: Cli, line: str, field: str) -> None:
    """Its JSON has keys of its own."""
    assert bench(*line.split(), "--columns", field).code == 0
    assert bench(*line.split(), "--columns", f"{field}x").code == 2


@pytest.mark.parametrize("noun", ["shipments", "orders", "trackers", "batches", "events"])
def test_a_word_that_is_none_of_a_filter_is_refused_with_the_nearest(cli: Cli, noun: str) -> None:
    option, word = {"events": ("--type", "shipment_purchasd"), "orders": ("--status", "fulfiled"),
                    "shipments": ("--status", "drfat"), "trackers": ("--status", "deliverd"),
                    "batches": ("--type", "order")}[noun]  # fmt: skip
    done = cli(noun, "list", option, word)
    assert (done.code, done.out) == (6, "")
    assert "; did you mean " in done.err


@pytest.mark.parametrize(
    ("line", "near"),
    [
        ("addresses create -d cty=Boston", "city"),
        ("addresses update @last -d cty=Boston", "city"),
        ("parcels create -d weigth=2", "weight"),
        ("orders create -d order_idd=1", "order_id"),
        ("orders create -d line_items[0].quantiy=1", "quantity"),
        ("orders update 1042 -d metadta.note=x", "metadata"),
        ("shipments create --to @last --weight 1kg -d recipent.city=x", "recipient"),
        ("shipments create --to @last -d parcels[0].wieght=1", "weight"),
        ("ship --to @last --weight 1kg --cheapest -y -d payment.paid_bye=sender", "paid_by"),
        ("quote 02210 --weight 1kg -d recipient.contry_code=US", "country_code"),
        ("webhooks create -d urll=https://example.com", "url"),
        ("templates create -d slugg=a", "slug"),
        ("trackers update @last -d inf.note=x", "info"),
        ("pickups schedule usps today 14:00-17:00 --shipments 1002 -d instrction=x", "instruction"),
        ("manifests create usps 1003 -d referense=x", "reference"),
        ("shipments create --to @last --weight 1kg --option insurence=500", "insurance"),
        ("ship --to @last --weight 1kg --cheapest -y --option insurence=500", "insurance"),
        ("quote 02210 --weight 1kg --option insurence=500", "insurance"),
        ("shipments update 1001 --option insurence=500", "insurance"),
        ("shipments list --statu draft", "--status"),
    ],
)
def test_a_name_that_a_line_spells_wrong_is_refused_with_the_nearest(
    bench: Cli, line: str, near: str
) -> None:
    done = bench(*line.split())
    assert (done.code, done.out) == (2, ""), done.err
    assert f"did you mean {near}?" in done.err


@pytest.mark.parametrize(
    ("line", "near"),
    [
        ("config set weight_unt lb", "weight_unit"),
        ("config set color alwys", "always"),
        ("config set mode tset", "test"),
        ("config get colr", "color"),
        ("config unset colr", "color"),
    ],
)
def test_a_setting_or_its_value_that_is_spelled_wrong_is_refused_with_the_nearest(
    bench: Cli, line: str, near: str
) -> None:
    done = bench(*line.split())
    assert (done.code, done.out) == (6, "")
    assert f"id you mean {near}?" in done.err


def test_what_was_done_is_shown_whatever_fields_are_named(cli: Cli) -> None:
    """The line must not end like a failure: it would be run again."""
    for flags in asking_for(UNKNOWN):
        assert (
            cli("--sandbox", "addresses", "create", "--city", "Boston", "--country", "US", *flags).code == 0
        )
