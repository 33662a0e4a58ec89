"""Printers by name: what is taken, what is refused, and which one a paper goes to."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pytest

from shipcli import config
from shipcli.bootstrap import open_app
from shipcli.features.core.app import App
from shipcli.features.paper.printing import printers
from shipcli.features.paper.printing.printers import Printer, choose_printer
from shipcli.features.paper.printing.sheet import PrinterError
from shipcli.features.paper.printing.transports import complete_target
from shipcli.models import Conflict, Invalid, NotFound


def add(app: App, name: str, **changes: Any) -> Printer:
    fields = {"target": f"tcp://{name}.test", "format": "ZPL", **changes}
    return printers.add_printer(app, Printer(name, **fields))


def at_bench(app: App, bench: str, **flags: str) -> App:
    return open_app(app.home.parent, sandbox=True, environ={}, flags={"bench": bench, **flags})


@contextmanager
def with_default(app: App, name: str) -> Iterator[App]:
    """The app as it is once the settings name a default printer."""
    config.write(app.home, "printer", name)
    told = open_app(app.home.parent, sandbox=True, environ={})
    yield told
    told.close()


def test_a_printer_is_kept_as_it_was_said(app: App) -> None:
    made = add(app, "dock2", dpi=300, size="100x150mm", copies=2, kinds=("label",), bench="2")
    assert printers.get_printer(app, "dock2") == made
    assert (made.size, made.dpi, made.copies, made.kinds) == ("3.937x5.906", 300, 2, ("label",))


@pytest.mark.parametrize(
    ("text", "inches"), [("4x6", "4x6"), ("10.16x15.24cm", "4x6"), ("4 X 6.50 in", "4x6.5"), ("", "")]
)
def test_paper_is_read_in_inches_and_millimetres(text: str, inches: str) -> None:
    assert printers.read_size(text) == inches


@pytest.mark.parametrize(
    ("field", "changes"),
    [
        ("format", {"format": "EPL"}),
        ("dpi", {"dpi": 204}),
        ("copies", {"copies": 0}),
        ("size", {"size": "4by6"}),
        ("size", {"size": "0x6"}),
        ("size", {"size": "1.2.3x6"}),
        ("kinds", {"kinds": ("labels",)}),
    ],
)
def test_what_no_printer_can_be_is_named(app: App, field: str, changes: dict[str, Any]) -> None:
    with pytest.raises(Invalid) as caught:
        add(app, "dock2", **changes)
    assert caught.value.problems[0].field == field


def test_a_name_that_could_be_a_target_is_refused(app: App) -> None:
    with pytest.raises(Invalid):
        add(app, "tcp:x")


def test_a_name_is_taken_once_unless_it_is_replaced(app: App) -> None:
    add(app, "dock2")
    with pytest.raises(Conflict):
        add(app, "dock2", dpi=300)
    changed = printers.add_printer(app, Printer("dock2", "cups:zebra", "ZPL", 300), replace=True)
    assert (changed.target, changed.dpi) == ("cups:zebra", 300)


def test_a_printer_nobody_knows_is_named_with_the_nearest_one(app: App) -> None:
    add(app, "dock2")
    with pytest.raises(NotFound, match="did you mean dock2"):
        printers.remove_printer(app, "dock3")
    printers.remove_printer(app, "dock2")
    assert printers.list_printers(app) == []


# -- chosen --------------------------------------------------------------------------------------


def test_the_only_printer_takes_everything(app: App) -> None:
    add(app, "one")
    assert {choose_printer(app, kind).name for kind in printers.KINDS} == {"one"}


def test_a_paper_goes_to_the_printer_made_for_its_kind(app: App) -> None:
    add(app, "any")
    add(app, "laser", format="PDF", kinds=("manifest", "invoice"))
    with with_default(app, "any") as told:
        chosen = [choose_printer(told, kind).name for kind in ("label", "manifest", "invoice")]
    assert chosen == ["any", "laser", "laser"]


def test_a_bench_has_printers_of_its_own_and_falls_back_on_the_shared_ones(app: App) -> None:
    add(app, "shared")
    add(app, "bench-2", bench="2", kinds=("label",))
    bench = at_bench(app, "2")
    assert (choose_printer(bench, "label").name, choose_printer(bench, "manifest").name) == (
        "bench-2",
        "shared",
    )
    assert choose_printer(app, "label").name == "shared"
    bench.close()


def test_the_printer_named_wins_over_all_rules(app: App) -> None:
    add(app, "one", kinds=("label",)), add(app, "two", bench="2")
    assert choose_printer(app, "manifest", "one").name == "one"
    assert choose_printer(app, "label", "two").name == "two"
    assert choose_printer(app, "label", "tcp://192.0.2.7").target == "tcp://192.0.2.7"


def test_the_setting_names_a_printer_or_a_target(app: App) -> None:
    add(app, "one"), add(app, "two")
    for usual in ("two", "tcp://192.0.2.7"):
        with with_default(app, usual) as told:
            assert choose_printer(told, "label").name == usual


def test_a_printer_that_is_forgotten_is_no_longer_the_default(app: App) -> None:
    add(app, "one"), add(app, "two")
    with with_default(app, "two") as told:
        printers.remove_printer(told, "one")
        assert config.is_written(app.home, "printer")
        printers.remove_printer(told, "two")
    assert not config.is_written(app.home, "printer")


def test_several_printers_without_a_default_are_named(app: App) -> None:
    add(app, "one"), add(app, "two")
    with pytest.raises(PrinterError, match="one, two") as caught:
        choose_printer(app, "label")
    assert "shipcli printers default one" in caught.value.hint
    with with_default(app, "one") as told:
        assert choose_printer(told, "label").name == "one"
        assert [one.is_default for one in printers.list_printers(told)] == [True, False]


def test_no_printer_at_all_says_how_to_add_one(app: App) -> None:
    with pytest.raises(PrinterError) as caught:
        choose_printer(app, "label")
    assert "shipcli printers add" in caught.value.hint


@pytest.mark.parametrize(
    ("text", "target"),
    [
        ("127.0.0.1:9100", "tcp://127.0.0.1:9100"),
        ("zebra.local:6101", "tcp://zebra.local:6101"),
        ("[fe80::1]:9100", "tcp://[fe80::1]:9100"),
        ("tcp://192.0.2.7", "tcp://192.0.2.7"),
        ("cups:9100", "cups:9100"),
        ("spool:12", "spool:12"),
    ],
)
def test_a_host_with_a_port_is_a_printer_of_the_network(text: str, target: str) -> None:
    assert complete_target(text) == target
