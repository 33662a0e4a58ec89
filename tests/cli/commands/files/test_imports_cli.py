"""`shipcli import` and `shipcli export` of orders, trackers, invoices and data templates."""

from __future__ import annotations

import csv
import time
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from shipcli.models import json
from tests.cli.conftest import Cli

HEADERS = (
    "Order number", "Order date", "Item title", "Item weight", "Item weight unit", "Shipping name",
    "Shipping address 1", "Shipping city", "Shipping state", "Shipping postal code", "Shipping country",
)  # fmt: skip


@pytest.fixture
def sandbox(cli: Cli) -> Cli:
    return lambda *words, **more: cli("--sandbox", *words, **more)


def row(number: str, weight: str = "1", date: str = "2026-11-01") -> list[str]:
    return [number, date, "Lamp", weight, "KG", "Ana Ruiz", "1 Main St", "Phoenix", "AZ", "85004", "US"]


def file(path: Path, *rows: list[str], headers: tuple[str, ...] = HEADERS) -> str:
    with path.open("w", encoding="utf-8", newline="") as out:
        csv.writer(out).writerows([headers, *rows])
    return str(path)


def read(path: Path) -> list[dict[str, str]]:
    with path.open(encoding="utf-8", newline="") as source:
        return list(csv.DictReader(source))


def numbers(sandbox: Cli) -> list[str]:
    return sorted(one["order_id"] for one in sandbox("orders", "list", "--all", "--json").json["results"])


def test_orders_are_stored_and_counted(sandbox: Cli, tmp_path: Path) -> None:
    name = file(tmp_path / "o.csv", row("1"), row("1"), row("2"))
    done = sandbox("import", "orders", name, "--json")
    assert done.code == 0, done.err
    assert {key: done.json[key] for key in ("rows", "bad_rows", "created")} == {
        "rows": 3,
        "bad_rows": 0,
        "created": 2,
    }
    assert [one["status"] for one in done.json["results"]] == ["created", "created"]
    assert sandbox("import", "orders", name, "--json").json["existing"] == 2


def test_a_bad_cell_ends_with_6_and_stores_nothing(sandbox: Cli, tmp_path: Path) -> None:
    name = file(tmp_path / "o.csv", row("1"), row("2", "heavy"))
    done = sandbox("import", "orders", name)
    assert (done.code, "row 3, Item weight: 'heavy' is not a number" in done.err) == (6, True)
    assert numbers(sandbox) == []


def test_checking_tells_and_stores_nothing(sandbox: Cli, tmp_path: Path) -> None:
    good, bad = file(tmp_path / "g.csv", row("1")), file(tmp_path / "b.csv", row("1", "x"))
    assert sandbox("import", "orders", good, "--check").code == 0
    told = sandbox("import", "orders", bad, "--check", "--json")
    assert (told.code, told.json["wrong"][0]["column"]) == (6, "Item weight")
    assert sandbox("import", "orders", good, "--dry-run").code == 0
    assert numbers(sandbox) == []


def test_a_mistake_in_two_addresses_of_an_order_is_told_once(sandbox: Cli, tmp_path: Path) -> None:
    place = ",".join(["Ada", "5 Main St", "Boston", "90210", "MA", "US"])
    sides = ",".join(
        f"{side} {field}"
        for side in ("Shipping", "Billing")
        for field in ("Name", "Address1", "City", "Zip", "Province", "Country")
    )
    content = f"Name,Lineitem quantity,Lineitem name,Lineitem price,{sides}\n#1,1,Mug,12.50,{place},{place}\n"
    (tmp_path / "s.csv").write_text(content)
    words = ("--map", "shopify", "--set", "weight=1kg", "--check")
    told = sandbox("import", "orders", str(tmp_path / "s.csv"), *words)
    assert told.code == 0, told.err
    assert told.err.count("does not fit the rules of MA") == 1


MISNAMED = "row 1, shiping_address_2: nothing reads this column; did you mean 'Shipping address 2'?"


def test_a_column_that_is_nearly_named_right_is_warned_of(sandbox: Cli, tmp_path: Path) -> None:
    headers = (*HEADERS, "shiping_address_2", "Shop")
    name = file(tmp_path / "o.csv", [*row("1"), "Back door", "Lamps"], headers=headers)
    told = sandbox("import", "orders", name, "--check")
    assert (told.code, told.err.count(MISNAMED), "Shop:" in told.err) == (0, 1, False)
    [warned] = sandbox("import", "orders", name, "--check", "--json").json["warnings"]
    assert (warned["row"], warned["column"]) == (1, "shiping_address_2")
    stored = sandbox("import", "orders", name)
    assert (stored.code, stored.err.count(MISNAMED)) == (0, 1)


def test_a_column_is_not_warned_of_that_fills_another_or_names_the_rows(sandbox: Cli, tmp_path: Path) -> None:
    both = (*HEADERS, "Shipping address 2", "shipping_address_2")
    twice = file(tmp_path / "both.csv", [*row("1"), "Back door", "Gate"], headers=both)
    own = (*HEADERS, "order_source", "shipping_address_2")
    keyed = file(tmp_path / "keyed.csv", [*row("2"), "shop", "Gate"], headers=own)
    mapped = file(tmp_path / "mapped.csv", [*row("3"), "Back door"], headers=own[:-2] + own[-1:])
    words = ("--key", "order_source,shipping_address_2")
    for line in ((twice,), (keyed, *words), (mapped, "--map", "shipping_to_address2=shipping_address_2")):
        told = sandbox("import", "orders", *line)
        assert (told.code, "nothing reads" in told.err) == (0, False), told.err


def test_good_orders_go_on_and_bad_rows_come_back_in_their_columns(sandbox: Cli, tmp_path: Path) -> None:
    rejects, summary = tmp_path / "bad.csv", tmp_path / "sum.json"
    name = file(tmp_path / "o.csv", row("1"), row("2", "x"), row("2"))
    words = ("--rejects", str(rejects), "--summary", str(summary))
    assert sandbox("import", "orders", name, *words).code == 9
    assert numbers(sandbox) == ["1"]
    found = read(rejects)
    assert [(one["Order number"], one["Item weight"]) for one in found] == [("2", "x"), ("2", "1")]
    assert found[0]["Reason"] == "Item weight: 'x' is not a number"
    told = json.loads(summary.read_text())
    assert (told["exit_code"], told["created"], told["bad_rows"]) == (9, 1, 2)


def test_a_formula_that_was_rejected_is_rejected_again_until_it_is_mended(
    sandbox: Cli, tmp_path: Path
) -> None:
    rejects, bad = str(tmp_path / "bad.csv"), row("1")
    bad[HEADERS.index("Shipping city")] = "=VLOOKUP(7;C1:D9;2)"
    for name in (file(tmp_path / "o.csv", bad), rejects, rejects):
        assert sandbox("import", "orders", name, "--rejects", rejects).code == 9
        (left,) = read(tmp_path / "bad.csv")
        assert (list(left), left["Shipping city"]) == ([*HEADERS, "Reason"], "#N/A")
    assert numbers(sandbox) == []


def test_a_rejects_file_imports_once_it_is_mended(sandbox: Cli, tmp_path: Path) -> None:
    rejects = tmp_path / "bad.csv"
    name = file(tmp_path / "o.csv", row("2", "x"), row("2"))
    sandbox("import", "orders", name, "--rejects", str(rejects))
    rejects.write_text(rejects.read_text().replace(",x,", ",3,"))
    assert sandbox("import", "orders", str(rejects)).code == 0
    assert numbers(sandbox) == ["2"]


def test_a_rejected_line_brings_the_address_of_its_order_that_stood_in_a_line_left_out(
    sandbox: Cli, tmp_path: Path
) -> None:
    headers = (
        "Name", "Lineitem quantity", "Lineitem name", "Lineitem requires shipping", "Shipping Name",
        "Shipping Address1", "Shipping City", "Shipping Zip", "Shipping Province", "Shipping Country",
    )  # fmt: skip
    book = ["#1", "1", "E-book", "false", "Ana", "1 Main St", "Phoenix", "'85004", "AZ", "US"]
    lamp = ["#1", "x", "Lamp", "true", "", "", "", "", "", ""]
    name, rejects = file(tmp_path / "shop.csv", book, lamp, headers=headers), tmp_path / "bad.csv"
    words = ("--map", "shopify", "--set", "weight=1kg")
    assert sandbox("import", "orders", name, *words, "--rejects", str(rejects)).code == 9
    rejects.write_text(rejects.read_text().replace(",x,", ",3,"))
    assert sandbox("import", "orders", str(rejects), *words).code == 0
    assert numbers(sandbox) == ["#1"]


def test_marketplace_files_take_weights_from_the_line_or_a_list(sandbox: Cli, tmp_path: Path) -> None:
    headers = (
        "Name",
        "Lineitem name",
        "Lineitem quantity",
        "Lineitem sku",
        "Shipping Zip",
        "Shipping Country",
    )
    name = file(tmp_path / "s.csv", ["#1", "Lamp", "1", "L", "'02134", "US"], headers=headers)
    goods = file(tmp_path / "goods.csv", ["L", "700", "G"], headers=("SKU", "Weight", "Weight unit"))
    without = sandbox("import", "orders", name, "--map", "shopify")
    assert (without.code, "--set weight=0.5kg" in without.err) == (6, True)
    assert sandbox("import", "orders", name, "--map", "shopify", "--products", goods).code == 0
    found = sandbox("orders", "get", "#1", "--json").json
    assert (found["line_items"][0]["weight"], found["line_items"][0]["weight_unit"]) == (700, "G")
    assert found["shipping_to"]["postal_code"] == "02134"
    sandbox("orders", "cancel", "#1", "-y")
    words = ("--template", "shopify", "--set", "weight=1lb 8oz", "--on-duplicate", "update")
    assert sandbox("import", "orders", name, *words).code == 0
    newest = sandbox("orders", "list", "--json").json["results"][0]["line_items"][0]
    assert (str(newest["weight"]), newest["weight_unit"]) == ("1.5", "LB")


def test_a_named_run_goes_on_from_the_newest_day(sandbox: Cli, tmp_path: Path) -> None:
    first = file(tmp_path / "a.csv", row("1", date="2024-11-01"), row("2", date="2024-11-03"))
    assert sandbox("import", "orders", first, "--since", "@nightly").code == 0
    more = file(tmp_path / "b.csv", row("0", date="2024-11-02"), row("3", date="2024-11-03"))
    done = sandbox("import", "orders", more, "--since", "@nightly", "--json").json
    assert (done["created"], done["left_out"]) == (1, 1)
    assert numbers(sandbox) == ["1", "2", "3"]


def test_a_named_run_does_not_go_on_while_it_has_bad_rows(sandbox: Cli, tmp_path: Path) -> None:
    words = ("--since", "@nightly", "--rejects", str(tmp_path / "bad.csv"))
    bad = file(tmp_path / "a.csv", row("1", "heavy", "2024-11-01"), row("2", date="2024-11-03"))
    assert sandbox("import", "orders", bad, *words).code == 9
    assert numbers(sandbox) == ["2"]
    mended = file(tmp_path / "a.csv", row("1", "2", "2024-11-01"), row("2", date="2024-11-03"))
    assert sandbox("import", "orders", mended, *words).code == 0
    assert numbers(sandbox) == ["1", "2"]


def test_a_named_run_goes_on_from_today_when_a_row_is_of_the_future(sandbox: Cli, tmp_path: Path) -> None:
    mistyped = file(tmp_path / "a.csv", row("1", date="2999-11-01"))
    assert sandbox("import", "orders", mistyped, "--since", "@nightly").code == 0
    tomorrow = (datetime.now().astimezone() + timedelta(days=1)).date().isoformat()
    more = file(tmp_path / "b.csv", row("2", date=tomorrow), row("3", date="2024-11-01"))
    assert sandbox("import", "orders", more, "--since", "@nightly").code == 0
    assert numbers(sandbox) == ["1", "2"]


@pytest.mark.skipif(not hasattr(time, "tzset"), reason="the zone of this machine cannot be set")
@pytest.mark.parametrize("zone", ["EAST-14", "WEST+12"])  # at least one has another day than UTC
def test_today_is_the_day_of_this_machine(
    sandbox: Cli, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, zone: str
) -> None:
    with monkeypatch.context() as machine:
        machine.setenv("TZ", zone)
        time.tzset()
        now = datetime.now().astimezone()
        days = [(now - timedelta(days=ago)).date().isoformat() for ago in (0, 1)]
        name = file(tmp_path / "o.csv", row("today", date=days[0]), row("yesterday", date=days[1]))
        done = sandbox("import", "orders", name, "--since", "today")
    time.tzset()
    assert (done.code, numbers(sandbox)) == (0, ["today"])


@pytest.mark.parametrize(
    "words",
    [
        ("--on-duplicate", "maybe"),
        ("--rejects", "x.txt"),
        ("--set", "weight"),
        ("--summary", "/nowhere/x.json"),
    ],
)
def test_a_wrong_option_ends_with_2(sandbox: Cli, tmp_path: Path, words: tuple[str, ...]) -> None:
    name = file(tmp_path / "o.csv", row("1"))
    assert sandbox("import", "orders", name, *words).code == 2
    assert numbers(sandbox) == []


def test_a_missing_file_ends_with_3(sandbox: Cli) -> None:
    assert sandbox("import", "orders", "nowhere.csv").code == 3


def test_trackers_are_added(sandbox: Cli, tmp_path: Path) -> None:
    name = file(tmp_path / "t.csv", ["1Z1", "ups"], headers=("Tracking Number", "Carrier"))
    assert sandbox("import", "trackers", name, "--json").json["created"] == 1
    assert sandbox("import", "trackers", name, "--json").json["existing"] == 1
    assert sandbox("import", "trackers", name, "--on-duplicate", "error").code == 6


def test_invoice_lines_are_noted_or_told(sandbox: Cli, tmp_path: Path) -> None:
    made = sandbox("import", "orders", file(tmp_path / "o.csv", row("1")))
    assert made.code == 0
    bought = sandbox("orders", "fulfil", "1", "-y", "--json").json[0]
    rows = [[bought["tracking_number"], "9.50"], ["unknown", "1"]]
    name = file(tmp_path / "i.csv", *rows, headers=("Tracking number", "Amount"))
    done = sandbox("import", "invoices", name)
    assert (done.code, "row 3, unknown: failed" in done.err) == (9, True)
    found = sandbox("shipments", "get", bought["shipment_id"], "--json").json
    assert str(found["meta"]["billing"][0]["amount"]) == "9.5"


def test_templates_are_managed(sandbox: Cli, tmp_path: Path) -> None:
    def templates(*words: str) -> Any:
        return sandbox("import", "templates", *words)

    made = templates("create", "till", "--field", "order_id=No", "--field", "weight=Kg", "--json")
    assert made.json["fields_mapping"] == {"order_id": "No", "weight": "Kg"}
    changed = templates(
        "update", "till", "--field", "weight=", "--field", "title=What", "--name", "Till", "--json"
    )
    assert (changed.json["fields_mapping"], changed.json["name"]) == (
        {"order_id": "No", "title": "What"},
        "Till",
    )
    assert "till" in templates("list").out
    copy = templates("create", "mine", "--like", "shopify", "--field", "order_source=Vendor", "--json").json
    assert (copy["fields_mapping"]["order_source"], copy["rows"]["inherit_by"]) == ("Vendor", "Name")
    assert templates("delete", "till").code == 2
    assert templates("delete", "till", "-y").code == 0
    assert templates("get", "till").code == 3
    assert templates("delete", "shopify", "-y").code == 5
    assert templates("create", "bad", "--field", "nothing=No").code == 6
    assert templates("get").code == templates("forget").code == 2


# -- exports ---------------------------------------------------------------------------------------


def test_an_export_is_csv_and_reads_back(sandbox: Cli, cli: Cli, tmp_path: Path) -> None:
    sandbox("import", "orders", file(tmp_path / "o.csv", row("007"), row("2")))
    shown = sandbox("export", "orders", "--status", "all")
    assert shown.lines[0].startswith("ID,Order number,Order date")
    assert len(shown.lines) == 3
    for name in ("out.csv", "out.xlsx"):
        path = tmp_path / name
        assert sandbox("export", "orders", "--status", "all", "-o", str(path)).code == 0
        again = cli("--home", str(tmp_path / name[4:]), "--sandbox", "import", "orders", str(path), "--json")
        assert again.json["created"] == 2, again.err


def test_an_export_goes_on_by_name_and_leaves_fields_out(sandbox: Cli, tmp_path: Path) -> None:
    sandbox("import", "orders", file(tmp_path / "o.csv", row("1")))
    words = ("export", "orders", "--status", "all", "--since", "@n", "--exclude", "id,options")
    first = sandbox(*words).lines
    assert (len(first), first[0].startswith("Order number"), "Options" in first[0]) == (2, True, False)
    assert len(sandbox(*words).lines) == 1


def test_a_spreadsheet_needs_a_name(sandbox: Cli) -> None:
    assert sandbox("export", "shipments", "--xlsx").code == 2
    assert sandbox("export", "trackers", "--xlsx", "-o", "x.csv").code == 2
    assert sandbox("export", "trackers", "--status", "lost").code == 6
