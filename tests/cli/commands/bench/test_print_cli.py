"""`print` and `reprint` at the bench: what is asked, which labels are meant, what comes after a jam."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from shipcli.cli import command_loader, command_table
from tests.cli.conftest import Cli, Result, address


@pytest.fixture
def dock(box: Cli, spool: Path) -> Path:
    """The folder of the printer `dock`."""
    assert box("printers", "add", "dock", "--to", f"spool:{spool}", "--format", "PDF").code == 0
    return spool


def references(done: Result) -> list[str]:
    assert done.code == 0, done.err
    return [row["reference"] for row in done.json]


def sheets(spool: Path) -> int:
    return len(list(spool.iterdir()))


# -- a label in doubt ------------------------------------------------------------------------------


@pytest.fixture
def doubted(box: Cli, bought: list[Any], dock: Path, home: Path) -> Path:
    """The folder of the printer, after a print of SO-1 that was killed."""
    from shipcli.bootstrap import open_app

    box("print", "SO-1")
    app = open_app(home, sandbox=True, environ={})
    with app.store.transaction() as tx:
        tx.update("print_jobs", {"number": 1}, {"state": "unknown"})
        tx.mark("shipment", [bought[0]["id"]], {"printed": False})
    app.close()
    return dock


def test_a_label_in_doubt_is_not_a_success(box: Cli, doubted: Path) -> None:
    assert box("print", "--unprinted", "--dry-run").code == 0
    first, second = box("print", "--unprinted", "-y"), box("print", "--unprinted", "-y")
    assert (first.code, sheets(doubted)) == (9, 3), first.err
    assert second.code == 10, second.err
    assert all("job 1" in done.err and "may be printed already" in done.err for done in (first, second))
    box("printers", "cancel", "1", "--printed")
    assert box("print", "--unprinted", "-y").code == 0


def test_a_label_in_doubt_that_is_not_meant_changes_nothing(box: Cli, doubted: Path, tmp_path: Path) -> None:
    (tmp_path / "others.csv").write_text("order\nSO-2\nSO-3\n")
    assert box("print", "--unprinted", "--import", "others.csv", "-y").code == 0


# -- a second copy ---------------------------------------------------------------------------------


def test_a_label_is_printed_once_and_reprint_is_named_for_another_copy(
    box: Cli, bought: list[Any], dock: Path
) -> None:
    assert box("print", "SO-1").code == 0
    for words in (("print", "SO-1"), ("print", "SO-1", "-y"), ("print", "SO-1", "--dry-run")):
        again = box(*words)
        assert (again.code, again.out) == (5, "")
        assert "was printed before on dock (job 1)" in again.err
        assert f"shipcli reprint {bought[0]['tracking_number']}" in again.err
    assert sheets(dock) == 1


@pytest.mark.parametrize("place", ["{file}", "{file}/below", "~nosuch-user/spool"])
def test_a_spool_that_is_no_folder_is_a_printer_that_is_off_and_nothing_was_sent(
    box: Cli, bought: list[Any], tmp_path: Path, place: str
) -> None:
    (tmp_path / "file").touch()
    target = f"spool:{place.format(file=tmp_path / 'file')}"
    done = box("print", "SO-1", "--to", target)
    assert done.code == 10, done.err
    assert "unknown" not in box("printers", "queue", "--pick", "state").out


def test_of_several_labels_those_that_were_printed_are_left_out_and_told(
    box: Cli, bought: list[Any], dock: Path
) -> None:
    box("print", "SO-2")
    done = box("print", "SO-1", "SO-2", "SO-3")
    assert (done.code, sheets(dock)) == (9, 3)
    assert "SO-2: The label of SO-2 was printed before" in done.err


def test_a_label_whose_job_was_pruned_still_counts_as_printed(
    box: Cli, bought: list[Any], dock: Path, home: Path
) -> None:
    from shipcli.bootstrap import open_app

    box("print", "SO-1")
    app = open_app(home, sandbox=True, environ={})
    with app.store.transaction() as tx:
        tx.remove("print_jobs", {"number": 1})
    app.close()
    assert box("print", "SO-1").code == 5


@pytest.mark.parametrize(("answer", "code", "copies"), [("y", 0, 2), ("n", 1, 1)])
def test_a_terminal_is_asked_about_a_second_copy(
    box: Cli,
    terminal: Callable[..., Result],
    bought: list[Any],
    dock: Path,
    answer: str,
    code: int,
    copies: int,
) -> None:
    box("print", "SO-1")
    done = terminal("--sandbox", "print", "SO-1", answers=[("[y/N]", answer)])
    assert (done.code, sheets(dock)) == (code, copies)
    assert "Print the label again: SO-1 (on dock, 20" in done.out


# -- the unprinted ---------------------------------------------------------------------------------


def test_the_unprinted_are_counted_before_they_are_printed(box: Cli, bought: list[Any], dock: Path) -> None:
    asked = box("print", "--unprinted", "--slips")
    assert (asked.code, sheets(dock)) == (2, 0)
    assert "this would print 3 labels and 3 slips on dock; say --yes" in asked.err
    assert box("print", "--unprinted", "-y").code == 0
    assert sheets(dock) == 3


def test_a_dry_run_shows_which_labels_it_would_be(
    box: Cli, terminal: Callable[..., Result], bought: list[Any], dock: Path
) -> None:
    done = box("print", "--unprinted", "--dry-run")
    assert done.lines[0] == "reference\ttracking_number\tservice\trecipient\tkind\tprinter"
    first = bought[0]
    assert done.lines[1].split("\t") == [
        "SO-1", first["tracking_number"], first["service"], "Ana Ruiz, Phoenix AZ", "label", "dock",
    ]  # fmt: skip
    assert "would print 3 labels on dock" in done.err
    shown = terminal("--sandbox", "print", "--unprinted", "--dry-run", COLUMNS="80").out.splitlines()
    assert [line[:4] for line in shown[2:]] == ["SO-1", "SO-2", "SO-3"]
    assert max(map(len, shown[2:])) <= 80
    assert "shp_" not in "".join(shown)
    assert sheets(dock) == 0


def test_the_unprinted_are_narrowed_to_a_carrier(box: Cli, bought: list[Any], dock: Path) -> None:
    carrier = bought[0]["carrier_name"]
    other = box("ship", "-d", "recipient.city=Reno", "-d", "recipient.state_code=NV",
                "-d", "recipient.postal_code=89501", "-d", "recipient.address_line1=1 E 1st St",
                "-d", "recipient.person_name=Bo", "--weight", "1kg", "--carrier", "canadapost,fedex",
                "--reference", "SO-9", "--fastest", "-y")  # fmt: skip
    assert other.code == 0, other.err
    assert references(box("print", "--unprinted", "--carrier", carrier, "--dry-run", "--json")) == [
        "SO-1", "SO-2", "SO-3",
    ]  # fmt: skip
    assert references(box("print", "--unprinted", "--carrier", "fedex", "--dry-run", "--json")) == ["SO-9"]
    unknown = box("print", "--unprinted", "--carrier", "fedx", "--dry-run")
    assert (unknown.code, "Did you mean fedex?" in unknown.err) == (3, True)


def test_the_unprinted_are_narrowed_to_today(box: Cli, bought: list[Any], dock: Path, home: Path) -> None:
    from shipcli.bootstrap import open_app

    app = open_app(home, sandbox=True, environ={})
    with app.store.transaction() as tx:
        before = {"created_at": app.now().replace(year=2020)}
        tx.update("intents", {"shipment_id": bought[1]["id"]}, before)
    app.close()
    assert references(box("print", "--unprinted", "--today", "--dry-run", "--json")) == ["SO-1", "SO-3"]


HEADERS = "Shipper name,Shipper address 1,Shipper city,Shipper state,Shipper postal code,Shipper country,"
HEADERS += "Recipient name,Recipient address 1,Recipient city,Recipient state,Recipient postal code,"
HEADERS += "Recipient country,Parcel weight,Parcel weight unit,Reference\n"
ROW = "Dock,2600 Benjamin Franklin Pkwy,Philadelphia,PA,19130,US,Ada,12 Harbor St,Boston,MA,02210,US,1,KG,"


def test_the_unprinted_are_narrowed_to_an_imported_file(
    box: Cli, bought: list[Any], dock: Path, tmp_path: Path
) -> None:
    # By what the import made of it, also of rows without a reference; later by the references in it.
    file = tmp_path / "two.csv"
    file.write_text(f"{HEADERS}{ROW}SO-7\n{ROW}\n")
    assert box("import", "shipments", "two.csv", "--buy", "cheapest", "-y").code == 0
    found = box("print", "--unprinted", "--import", "two.csv", "--dry-run", "--json")
    assert references(found) == ["SO-7", None]
    file.write_text("Order,Pieces\n#SO-7,1\nSO-2,2\n")
    found = box("print", "--unprinted", "--import", "two.csv", "--dry-run", "--json")
    assert references(found) == ["SO-2", "SO-7"]
    assert box("print", "--unprinted", "--import", "none.csv").code == 3


def test_the_unprinted_are_narrowed_to_an_order(box: Cli, bought: list[Any], dock: Path) -> None:
    shipper = address(box)
    assert box("addresses", "default", shipper).code == 0
    mug = 'line_items=[{"sku": "MUG", "quantity": 1, "weight": 1, "weight_unit": "LB"}]'
    for number in ("2001", "2002"):
        to = f"shipping_to.id={address(box)}"
        made = box("orders", "create", "-d", f"order_id={number}", "-d", to, "-d", mug)
        assert made.code == 0, made.err
    assert box("orders", "fulfil", "2001", "2002", "--cheapest", "-y").code == 0
    assert references(box("print", "--unprinted", "--order", "2002", "--dry-run", "--json")) == ["2002"]
    assert box("print", "--unprinted", "--order", "2009", "--dry-run").code == 3


@pytest.mark.parametrize(
    "option", [("--today",), ("--carrier", "ups"), ("--order", "1"), ("--import", "x.csv")]
)
def test_what_narrows_the_unprinted_is_refused_without_them(box: Cli, option: tuple[str, ...]) -> None:
    done = box("print", "SO-1", *option)
    assert (done.code, f"{option[0]} goes with --unprinted" in done.err) == (2, True)


# -- after a jam -----------------------------------------------------------------------------------


@pytest.fixture
def jammed(box: Cli, bought: list[Any], dock: Path) -> Path:
    """Three labels and their slips came out, the second label twice."""
    assert box("print", "--unprinted", "--slips", "-y").code == 0
    assert box("reprint", "SO-2").code == 0
    return dock


def papers(done: Result) -> list[tuple[str, str]]:
    assert done.code == 0, done.err
    return [(row["kind"], row["reference"]) for row in done.json]


EVERY = [("label", "SO-1"), ("slip", "SO-1"), ("slip", "SO-2"), ("label", "SO-3"), ("slip", "SO-3"),
         ("label", "SO-2")]  # fmt: skip


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        (("--last", "2"), EVERY[-2:]),
        (("--last", "6"), EVERY),
        (("--last", "99"), EVERY),
        (("--from-job", "5"), EVERY[-3:]),
        (("--since", "2020-01-01T10:40"), EVERY),
        (("--since", "2100-01-01"), []),
    ],
)
def test_what_came_out_last_is_named_for_a_reprint_each_paper_once(
    box: Cli, jammed: Path, words: tuple[str, ...], expected: list[tuple[str, str]]
) -> None:
    done = box("reprint", *words, "--dry-run", "--json")
    assert papers(done) == expected
    assert ("nothing was printed" in done.err) == (not expected)


def test_a_reprint_after_a_jam_is_agreed_to_and_keeps_its_reason(box: Cli, jammed: Path) -> None:
    before = sheets(jammed)
    asked = box("reprint", "--last", "3")
    assert (asked.code, sheets(jammed)) == (2, before)
    assert "this would reprint 2 labels and 1 slip on dock; say --yes" in asked.err
    done = box("reprint", "--last", "3", "--reason", "jam", "-y", "--json")
    assert [(row["copy"], row["reason"]) for row in done.json] == [(2, "jam"), (2, "jam"), (3, "jam")]
    assert sheets(jammed) == before + 3


def test_a_reprint_goes_to_the_printer_that_jammed_or_to_another(
    box: Cli, bought: list[Any], dock: Path, tmp_path: Path
) -> None:
    (tmp_path / "two").mkdir()
    box("printers", "add", "two", "--to", f"spool:{tmp_path / 'two'}", "--format", "PDF")
    box("print", "SO-1", "--to", "dock")
    box("print", "SO-2", "--to", "two")
    assert papers(box("reprint", "--last", "9", "--dry-run", "--json")) == [("label", "SO-2")]
    assert papers(box("reprint", "--last", "9", "--on", "dock", "--dry-run", "--json")) == [("label", "SO-1")]
    assert papers(box("reprint", "--from-job", "1", "--dry-run", "--json")) == [("label", "SO-1")]
    assert (
        box("reprint", "--last", "1", "--on", "dock", "--to", "two", "-y", "--pick", "printer").out == "two\n"
    )


def test_the_printer_of_slips_is_not_taken_for_the_one_of_labels(
    box: Cli, bought: list[Any], dock: Path, tmp_path: Path
) -> None:
    (tmp_path / "laser").mkdir()
    laser = f"spool:{tmp_path / 'laser'}"
    box("printers", "add", "laser", "--to", laser, "--format", "PDF", "--kinds", "slip")
    assert box("print", "--unprinted", "--slips", "-y").code == 0
    again = box("reprint", "--last", "9", "--dry-run", "--json")
    assert papers(again) == [("label", "SO-1"), ("label", "SO-2"), ("label", "SO-3")]


def test_a_label_that_was_voided_does_not_come_out_again(box: Cli, jammed: Path) -> None:
    assert box("void", "SO-2", "-y").code == 0
    done = box("reprint", "--last", "3", "-y", "--json")
    assert (done.code, [row["kind"] for row in done.json]) == (9, ["label", "slip"])
    assert "The label of SO-2 was voided" in done.err


@pytest.mark.parametrize(
    ("words", "code", "said"),
    [
        ((), 2, "name shipments"),
        (("SO-1", "--last", "1"), 2, "name shipments"),
        (("--since", "10:40", "--last", "1"), 2, "name shipments"),
        (("SO-1", "--on", "dock"), 2, "--to"),
        (("--since", "25:00"), 6, "10:40"),
        (("--since", "soon"), 6, "10:40"),
        (("--from-job", "77"), 3, "print job 77"),
        (("--last", "1", "--on", "nobody"), 10, "nobody"),
    ],
)
def test_a_reprint_that_names_nothing_says_why(
    box: Cli, words: tuple[str, ...], code: int, said: str
) -> None:
    done = box("reprint", *words)
    assert (done.code, said in done.err) == (code, True), done.err


# -- commands that print ---------------------------------------------------------------------------

COMMANDS = [
    (row.name, verb.name) if verb else (row.name,)
    for row in command_table.NOUNS
    for verb in row.verbs or (None,)
]


def test_a_printer_is_named_alike_in_every_command_that_prints() -> None:
    """With --printer and, where that is no address, with --to; -p where printing is a choice."""
    found = {}
    for path in COMMANDS:
        command = command_loader.build(path)
        assert command is not None
        options = {name: one for one in command.params for name in one.opts if name.startswith("-")}
        if path[0] != "printers" and "PRINTER" in {getattr(one, "metavar", None) for one in options.values()}:
            named = options["--printer"]
            found[" ".join(path)] = "--to" in named.opts or options["--to"].metavar == "ADDRESS"
            assert ("--print" in options) == ("-p" in options)
    assert {name for name, alike in found.items() if not alike} == set()
    assert {"ship", "orders fulfil", "shipments buy", "import shipments", "eod", "documents make", "print",
            "reprint", "manifests print"} <= set(found)  # fmt: skip


def test_a_draft_is_bought_and_printed_in_one_line(box: Cli, dock: Path) -> None:
    assert box("shipments", "create", *SHIP[1:15], "--reference", "SO-5").code == 0
    assert box("shipments", "buy", "SO-5", "--cheapest", "-p", "-y").code == 0
    assert sheets(dock) == 1


def test_an_import_prints_only_what_it_buys(box: Cli, tmp_path: Path) -> None:
    (tmp_path / "one.csv").write_text(f"{HEADERS}{ROW}SO-7\n")
    done = box("import", "shipments", "one.csv", "-p")
    assert (done.code, "say --buy too" in done.err) == (2, True)


# -- bought for its printer ------------------------------------------------------------------------

SHIP = ("ship", "--to-name", "Bo", "--to-line1", "1 E 1st St", "--to-city", "Reno", "--to-state", "NV",
        "--to-postal-code", "89501", "--weight", "1kg", "--carrier", "ups", "--cheapest", "-y")  # fmt: skip


def add_printer(box: Cli, spool: Path, *more: str) -> None:
    done = box("printers", "add", "zebra", "--to", f"spool:{spool}", "--format", "ZPL", *more)
    assert done.code == 0, done.err


def test_a_label_for_a_zpl_printer_is_bought_as_zpl_and_printed_as_the_carrier_made_it(
    box: Cli, spool: Path, tmp_path: Path
) -> None:
    add_printer(box, spool, "--size", "4x6")
    done = box(*SHIP, "-p", "--json")
    assert (done.code, done.json["label_type"]) == (0, "ZPL"), done.err
    assert box("labels", "save", "@last", "-o", "kept.zpl").code == 0
    (sheet,) = spool.iterdir()
    assert sheet.read_bytes() == (tmp_path / "kept.zpl").read_bytes()


def test_orders_and_files_are_bought_for_the_printer_too(box: Cli, spool: Path, tmp_path: Path) -> None:
    add_printer(box, spool)
    (tmp_path / "one.csv").write_text(f"{HEADERS}{ROW}SO-7\n")
    assert box("import", "shipments", "one.csv", "--buy", "cheapest", "-y").code == 0
    mug = 'line_items=[{"sku": "MUG", "quantity": 1, "weight": 1, "weight_unit": "LB"}]'
    to, sender = f"shipping_to.id={address(box)}", f"shipping_from.id={address(box)}"
    made = box("orders", "create", "-d", "order_id=2001", "-d", to, "-d", sender, "-d", mug)
    assert made.code == 0, made.err
    assert box("orders", "fulfil", "2001", "--cheapest", "-y").code == 0
    assert [row["label_type"] for row in box("shipments", "list", "--json").json["results"]] == ["ZPL"] * 2


@pytest.mark.parametrize(
    ("printer", "words"),
    [
        (("--dpi", "300"), ()),  # what carriers sell is drawn for 203
        (("--size", "100x200mm"), ()),
        (("--kinds", "slip"), ()),
        ((), ("--label-type", "pdf")),
        ((), ("--label", "kept.pdf")),
        ((), ("--label", "kept.png")),
        ((), ("-d", "label_type=PDF")),
        ((), ("--printer", "file:paper.pdf")),
    ],
)
def test_a_label_is_bought_as_pdf_where_zpl_would_not_do_or_something_else_is_said(
    box: Cli, spool: Path, printer: tuple[str, ...], words: tuple[str, ...]
) -> None:
    add_printer(box, spool, *printer)
    done = box(*SHIP, *words, "--json")
    assert (done.code, done.json["label_type"]) == (0, "PDF"), done.err


def test_a_setting_says_the_format_whatever_the_printer(box: Cli, spool: Path) -> None:
    add_printer(box, spool)
    box("config", "set", "label_type", "PDF")
    assert box(*SHIP, "--json").json["label_type"] == "PDF"


def test_labels_that_become_one_pdf_are_bought_as_pdf(box: Cli, spool: Path, tmp_path: Path) -> None:
    add_printer(box, spool)
    (tmp_path / "one.csv").write_text(f"{HEADERS}{ROW}SO-7\n")
    assert box("import", "shipments", "one.csv", "--buy", "cheapest", "--merge", "all.pdf", "-y").code == 0
    assert box("shipments", "get", "SO-7", "--pick", "label_type").out == "PDF\n"


def test_a_label_bought_as_pdf_still_comes_out_of_a_zpl_printer(box: Cli, spool: Path) -> None:
    assert box(*SHIP, "--json").json["label_type"] == "PDF"
    add_printer(box, spool)
    assert box("print", "@last").code == 0
    (sheet,) = spool.iterdir()
    assert sheet.read_bytes().startswith(b"^XA")


WRITING = {
    "merge": ("labels", "merge"),
    "save": ("labels", "save"),
    "documents": ("documents", "merge", "label"),
}


@pytest.mark.parametrize("how", WRITING)
def test_what_is_written_to_a_file_is_printed_on_demand_only(
    box: Cli, bought: list[Any], dock: Path, tmp_path: Path, how: str
) -> None:
    assert box(*WRITING[how], "SO-1", "-o", str(tmp_path / "out.pdf")).code == 0
    planned = box("print", "--unprinted", "--dry-run", "--json")
    assert references(planned) == ["SO-2", "SO-3"]
    assert "left out 1 label that went to files; to print them as well: --saved" in planned.err
    everything = box("print", "--unprinted", "--saved", "--dry-run", "--json")
    assert references(everything) == ["SO-1", "SO-2", "SO-3"]
    assert box("print", "--saved", "SO-1").code == 2
    assert (box("print", "SO-1").code, sheets(dock)) == (0, 1)
