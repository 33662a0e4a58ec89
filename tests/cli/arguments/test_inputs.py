"""What is typed is what is stored."""

from __future__ import annotations

from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest

from shipcli.cli.arguments.bodies import read_bodies, read_body, read_file, read_size, read_value, read_weight
from shipcli.cli.usage_errors import Usage
from tests.cli.conftest import Cli


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("2.50", Decimal("2.50")),
        ("12345678901234567890", 12345678901234567890),
        ("true", True),
        ("null", None),
        ("02134", "02134"),
        ("1e5", "1e5"),
        ("-0", "-0"),
        ("NaN", "NaN"),
        ("", ""),
        ('{"a": 1.10}', {"a": Decimal("1.10")}),
        ('"12"', "12"),
        ("[1, 2]", [1, 2]),
    ],
)
def test_a_value_is_read_as_it_was_meant(text: str, value: Any) -> None:
    found = read_value(text)
    assert found == value
    assert type(found) is type(value)


def test_paths_make_objects_and_lists() -> None:
    given = read_body({}, ["parcels[0].weight=2", "parcels[1].weight=3", "options.insurance=9.90", "a.b.c=x"])
    assert given == {
        "parcels": [{"weight": 2}, {"weight": 3}],
        "options": {"insurance": Decimal("9.90")},
        "a": {"b": {"c": "x"}},
    }


@pytest.mark.parametrize("item", ["parcels[1].weight=2", "=2", "weight", "a..b=1", "a[x]=1"])
def test_a_path_that_leads_nowhere_is_refused(item: str) -> None:
    with pytest.raises(Usage):
        read_body({}, [item])


def test_flags_win_over_data_and_data_over_the_file(tmp_path: Path) -> None:
    file = tmp_path / "x.json"
    file.write_text('{"a": 1, "b": 1, "c": 1}')
    assert read_body({"c": 3, "d": None}, ["b=2", "c=2"], str(file)) == {"a": 1, "b": 2, "c": 3}


def test_yaml_keeps_codes_and_digits(tmp_path: Path) -> None:
    file = tmp_path / "x.yaml"
    file.write_text(
        "country: NO\nzip: 02134\nweight: 2.30\nday: 2024-01-02\nyes: on\nhome: true\nnone:\nid: '7'\n"
    )
    assert read_file(str(file)) == [
        {"country": "NO", "zip": "02134", "weight": Decimal("2.30"), "day": "2024-01-02", "yes": "on",
         "home": True, "none": None, "id": "7"}
    ]  # fmt: skip


def test_csv_rows_are_objects_and_empty_cells_are_left_out(tmp_path: Path) -> None:
    file = tmp_path / "x.csv"
    file.write_text("\ufeffcity,options.note,postal_code\nBoston,,02134\n")
    assert read_bodies({}, None, str(file)) == [{"city": "Boston", "postal_code": "02134"}]


@pytest.mark.parametrize(
    ("name", "content"),
    [("x.json", "{"), ("x.json", "[1]"), ("x.yaml", "a: [1"), ("x.yaml", "!!python/name:os.system"),
     ("x.csv", "a\n1,2\n"), ("x.txt", "a"), ("x.json", "\xff")],
)  # fmt: skip
def test_a_file_that_holds_something_else_is_refused(name: str, content: str, tmp_path: Path) -> None:
    (tmp_path / name).write_bytes(content.encode("latin-1"))
    with pytest.raises(Usage):
        read_file(str(tmp_path / name))


def test_a_missing_file_is_named(cli: Cli) -> None:
    shown = cli("addresses", "create", "--from-file", "gone.json")
    assert shown.code == 2
    assert "gone.json can't be read: No such file or directory" in shown.err


def test_a_list_is_refused_where_one_object_is_meant(cli: Cli, tmp_path: Path) -> None:
    (tmp_path / "x.json").write_text("[{}, {}]")
    assert "holds 2 objects" in cli("addresses", "update", "x", "--from-file", "x.json").err


def test_standard_input_is_read_as_json_or_yaml(cli: Cli) -> None:
    assert (
        cli(
            "addresses",
            "create",
            "--from-file",
            "-",
            "--pick",
            "city",
            typed='{"country_code":"US","city":"A"}',
        ).out
        == "A\n"
    )
    assert (
        cli(
            "addresses", "create", "--from-file", "-", "--pick", "city", typed="country_code: US\ncity: B\n"
        ).out
        == "B\n"
    )


def test_json_from_standard_input_may_begin_with_a_byte_order_mark(cli: Cli) -> None:
    made = cli(
        "addresses", "create", "--from-file", "-", "--pick", "city",
        typed='\ufeff{\n\t"country_code": "US",\n\t"city": "A"\n}\n',
    )  # fmt: skip
    assert made.out == "A\n", made.err


def test_weights_and_sizes_take_units() -> None:
    assert read_weight("1lb 4oz") == {"weight": Decimal("1.25"), "weight_unit": "LB"}
    assert read_size("30x20x10cm") == {"length": 30, "width": 20, "height": 10, "dimension_unit": "CM"}
    assert read_weight(None) == read_size(None) == {}
