"""`shipcli carriers`, as programs and as people read it."""

from __future__ import annotations

from collections.abc import Callable

from shipcli.carrier import registry
from shipcli.features.connections import catalog
from tests.cli.conftest import Cli, Result

Terminal = Callable[..., Result]
NARROW = {"COLUMNS": "80", "NO_COLOR": "1"}


def test_carriers_are_listed_with_what_they_offer(cli: Cli) -> None:
    rows = cli("carriers", "list", "--json").json
    assert [row["carrier_name"] for row in rows] == sorted(registry.list_slugs())
    assert cli("carrier", "show", "generic", "--json").json in rows


def test_the_fields_of_the_table_can_be_named_as_those_of_the_api(cli: Cli) -> None:
    named = cli("carriers", "list", "--json=carrier_name,operations,capabilities").json
    (ups,) = [one for one in named if one["carrier_name"] == "ups"]
    assert {"rate", "ship"} <= set(ups["operations"])
    assert {"rating", "shipping"} <= set(ups["capabilities"])


def test_a_line_says_what_a_carrier_does_and_what_is_known_of_its_api(cli: Cli) -> None:
    lines = cli("carriers", "list").lines
    assert lines[0] == "carrier_name\tdisplay_name\toperations\tapi\tservices\theld_on\theld_against"
    (line,) = [one for one in lines if one.startswith("usps_wt\t")]
    assert line.startswith("usps_wt\tUSPS Web Tools\trate, ship, track\toff\t29\t")


def test_a_carrier_says_which_published_versions_it_was_held_against_and_when(cli: Cli) -> None:
    facts = registry.get_facts("mydhl")
    (row,) = [one for one in cli("carriers", "list", "--json").json if one["carrier_name"] == "mydhl"]
    assert row["held_against"] == facts.held_against == ["DHL Express APIs (MyDHL API) 3.1.1"]
    assert row["held_on"] == facts.held_on
    lines = cli("carriers", "get", "mydhl").lines
    assert f"held_against\t{facts.held_against[0]}" in lines
    assert f"held_on\t{facts.held_on}" in lines


def test_the_list_breaks_no_slug_on_a_narrow_terminal(terminal: Terminal) -> None:
    shown = terminal("carriers", "list", **NARROW).out.splitlines()
    first = [line.split()[0] for line in shown[1:] if not line.startswith(" ")]
    assert first == list(registry.list_slugs())
    assert max(map(len, shown)) <= 80


def test_a_carrier_is_shown_with_its_successor_its_formats_and_its_fields(terminal: Terminal) -> None:
    shown = terminal("carriers", "get", "fedex_ws", **NARROW).out
    fields = dict(line.split(maxsplit=1) for line in shown.splitlines() if not line.startswith(" "))
    assert fields["api"] == "off since 2026-06-01; its successor is fedex"
    assert fields["label_formats"] == "PDF, ZPL, PNG"
    assert fields["tracking_link"] == "https://www.fedex.com/fedextrack/?trknbr={}"
    assert fields["credentials.password"] == "string, required, secret"
    assert fields["credentials.language_code"] == "string, default en"
    assert fields["config.label_type"].startswith("string: PDF_4x6, ")
    assert max(map(len, shown.splitlines())) <= 80


def test_a_carrier_that_this_program_lacks_is_shown_as_far_as_its_server_tells() -> None:
    from shipcli.cli.commands.carriers import carriers

    told = catalog.make_details(registry.get_facts("usps")).model_copy(update={"carrier_name": "new_one"})
    assert carriers._describe_carrier(told)["operations"] == told.capabilities
    assert "api" not in carriers._summarise_carrier(told)


def test_services_and_options_are_the_maps_of_the_api(cli: Cli) -> None:
    assert cli("carriers", "services", "generic", "--json").json == {"standard_service": "standard"}
    assert cli("carriers", "services", "generic").lines == ["service\tcode", "standard_service\tstandard"]
    assert cli("carriers", "options", "generic").lines[0] == "option\tcode\ttype"


def test_services_and_options_that_the_references_leave_out_are_listed_all_the_same(cli: Cli) -> None:
    assert catalog.list_published_services(registry.get("canpar")) == {}
    assert cli("carriers", "services", "canpar").lines[1] == "canpar_ground\t1"
    assert len(cli("carriers", "options", "canpar").lines) == 1 + len(registry.get("canpar").options)


def test_no_word_of_ours_or_the_carriers_is_cut_on_a_narrow_terminal(terminal: Terminal) -> None:
    fedex = terminal("carriers", "options", "fedex", **NARROW).out
    assert fedex.splitlines()[0].split() == ["OPTION", "TYPE", "CODE"]
    usps = terminal("carriers", "options", "usps", **NARROW).out
    assert usps.splitlines()[0].split() == ["TYPE", "CODE", "OPTION"]
    for shown, slug in ((fedex, "fedex"), (usps, "usps")):
        whole = "".join(shown.split())
        assert "…" not in shown
        assert max(map(len, shown.splitlines())) <= 80
        rows = [row for row in registry.get(slug).options if row.listed and len(row.slug) < 40]
        assert all(row.slug in whole for row in rows)


def test_presets_have_their_sizes(cli: Cli) -> None:
    lines = cli("carriers", "presets", "ups").lines
    assert lines[0] == "preset\tlength\twidth\theight\tdimension_unit\tweight\tweight_unit"
    assert lines[1] == "ups_small_express_box\t2\t13\t11\tIN\t30\tLB"
    assert cli("carriers", "presets", "fedex", "--json").json["fedex_tube"]["width"] == 38
    assert cli("carriers", "presets", "upps").code == 3


def test_presets_and_fields_fit_a_narrow_terminal(terminal: Terminal) -> None:
    boxes = terminal("carriers", "presets", "ups", **NARROW).out.splitlines()
    assert boxes[0].split() == ["PRESET", "SIZE", "WEIGHT"]
    assert boxes[1].split(maxsplit=1) == ["ups_small_express_box", "2 x 13 x 11 IN        30 LB"]
    fields = terminal("carriers", "fields", "dhl_parcel_de", **NARROW).out
    assert max(map(len, fields.splitlines())) <= 80
    assert "password                  string  yes       yes" in fields
    assert "PDF_910_300_300_oz" in fields


def test_a_carrier_without_settings_shows_none(terminal: Terminal) -> None:
    assert "config" not in terminal("carriers", "get", "sendle", **NARROW).out


def test_fields_say_what_is_asked(cli: Cli) -> None:
    rows = cli("carriers", "fields", "generic", "--ndjson").lines
    assert any('"name":"display_name"' in row and '"required":true' in row for row in rows)


def test_a_carrier_that_does_not_exist_has_a_nearest(cli: Cli) -> None:
    shown = cli("carriers", "get", "generik")
    assert shown.code == 3
    assert "generic" in shown.err
