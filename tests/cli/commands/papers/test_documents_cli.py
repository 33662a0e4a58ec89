"""Documents, templates and uploads from the command line."""

from __future__ import annotations

import base64
from pathlib import Path
from typing import Any

import pypdfium2
import pytest
from PIL import Image

from shipcli.models import json
from tests.cli.conftest import Cli
from tests.cli.samples import made
from tests.documents.samples import codes, pictures, texts
from tests.factories import ABROAD, PARCEL, RECIPIENT, SHIPPER, body
from tests.features.paper.samples import CUSTOMS, GOODS

PAPER = {"parcels": [{**PARCEL, "items": [GOODS]}], "recipient": ABROAD, "customs": CUSTOMS}


@pytest.fixture
def box(cli: Cli) -> Cli:
    """The command line in a sandbox."""
    return lambda *words, **more: cli("--sandbox", *words, **more)


@pytest.fixture
def bought(box: Cli, tmp_path: Path) -> list[dict[str, Any]]:
    """Two labels to Berlin, SO-1 and SO-2."""
    rows = [{**PAPER, "reference": f"SO-{number}"} for number in (1, 2)]
    (tmp_path / "two.json").write_bytes(json.dump_bytes(rows))
    done = box("ship", "--from-file", "two.json", "--carrier", "ups", "--cheapest", "-y", "--ndjson")
    assert done.code == 0, done.err
    return [json.loads(line) for line in done.lines]


# -- built-in documents


@pytest.mark.parametrize("kind", ["invoice", "slip", "cn22", "cn23", "return"])
@pytest.mark.usefixtures("bought")
def test_built_in_documents_are_one_file_in_the_order_named(box: Cli, tmp_path: Path, kind: str) -> None:
    done = box("documents", "make", kind, "SO-2", "SO-1", "-o", "out.pdf")
    assert (done.code, done.out) == (0, ""), done.err
    pages = texts((tmp_path / "out.pdf").read_bytes())
    assert len(pages) == 2


@pytest.mark.usefixtures("bought")
def test_a_pick_list_puts_shipments_together(box: Cli, tmp_path: Path) -> None:
    assert box("documents", "make", "picklist", "SO-1", "SO-2", "-o", "out.pdf").code == 0
    assert "MUG Mug 4 SO-1 (2), SO-2 (2)" in texts((tmp_path / "out.pdf").read_bytes())[0]


def fulfilled(box: Cli, *numbers: str) -> None:
    """Orders of these numbers, bought as `orders fulfil` does it."""
    rows = [{"order_id": number, "shipping_to": RECIPIENT, "shipping_from": SHIPPER, "line_items": [GOODS]}
            for number in numbers]  # fmt: skip
    assert box("orders", "create", "--from-file", "-", typed=json.dumps(rows)).code == 0
    assert box("orders", "fulfil", *numbers, "--cheapest", "-y").code == 0


def test_a_pick_list_takes_what_is_bought_and_unprinted_and_goes_to_paper(box: Cli, tmp_path: Path) -> None:
    fulfilled(box, "W00001", "W00002")
    tray = tmp_path / "tray"
    tray.mkdir()
    done = box("documents", "make", "picklist", "--unprinted", "--to", f"spool:{tray}")
    assert (done.code, done.out) == (0, ""), done.err
    (sheet,) = tray.iterdir()
    assert "MUG Mug 4 W00001 (2), W00002 (2)" in texts(sheet.read_bytes())[0]
    assert box("print", "W00001", "--to", f"spool:{tray}").code == 0
    done = box("documents", "make", "picklist", "W00001", "W00002", "--orders", "-o", "out.pdf")
    assert "not on the pick list, its label is printed: W00001" in done.err
    (text,) = texts((tmp_path / "out.pdf").read_bytes())
    assert "for 1 order" in text
    assert "W00001" not in text


def test_a_pick_list_waits_for_a_printer_that_is_off(box: Cli, tmp_path: Path) -> None:
    fulfilled(box, "W00001")
    assert box("printers", "add", "office", "--to", "tcp://127.0.0.1:9", "--format", "PDF").code == 0
    done = box("documents", "make", "picklist", "--unprinted", "-p")
    assert (done.code, "the pick list was not printed" in done.err) == (10, True), done.err
    tray = tmp_path / "tray"
    tray.mkdir()
    assert box("printers", "resume", "--to", f"spool:{tray}").code == 0
    (sheet,) = tray.iterdir()
    assert "W00001" in texts(sheet.read_bytes())[0]
    assert box("db", "query", "select count(*) as n from files where name = 'document'", "--json").json == [
        {"n": 0}
    ]
    again = box("printers", "resume", "1")
    assert (again.code, "to print its paper again: shipcli documents make" in again.err) == (5, True)


def test_a_dry_run_prints_no_document(box: Cli, tmp_path: Path) -> None:
    fulfilled(box, "W00001")
    tray = tmp_path / "tray"
    done = box("documents", "make", "picklist", "--unprinted", "--to", f"spool:{tray}", "--dry-run")
    assert (done.code, "would print the pick list" in done.err) == (0, True)
    assert (tray.exists(), box("printers", "queue", "--all", "--json").json) == (False, [])


def test_a_pick_list_of_what_is_not_bought_yet(box: Cli, tmp_path: Path) -> None:
    body = {"order_id": "1001", "shipping_to": RECIPIENT, "line_items": [GOODS]}
    assert box("orders", "create", "--from-file", "-", typed=json.dumps([body])).code == 0
    assert box("documents", "make", "picklist", "--unfulfilled", "-o", "out.pdf").code == 0
    assert "MUG Mug 2 1001" in texts((tmp_path / "out.pdf").read_bytes())[0]


def test_papers_of_customs_are_refused_where_they_would_be_empty_or_wrong(box: Cli, tmp_path: Path) -> None:
    (tmp_path / "one.json").write_bytes(json.dump_bytes(body(recipient=ABROAD)))
    assert box("ship", "--from-file", "one.json", "--carrier", "ups", "--cheapest", "-y").code == 0
    done = box("documents", "make", "invoice", "SO-1", "-o", "out.pdf")
    assert (done.code, "SO-1: no goods were declared" in done.err) == (6, True), done.err
    fulfilled(box, "W00001")
    done = box("documents", "make", "cn22", "W00001", "-o", "out.pdf")
    assert (done.code, "W00001: it stays in US, so it needs no CN22" in done.err) == (6, True), done.err
    assert not (tmp_path / "out.pdf").exists()


@pytest.mark.usefixtures("bought")
def test_a_logistic_label_takes_the_prefix_of_option_or_settings(box: Cli, tmp_path: Path) -> None:
    refused = box("documents", "make", "gs1", "SO-1", "-o", "out.pdf")
    assert refused.code == 6
    assert "gs1_prefix" in refused.err
    assert box("documents", "make", "gs1", "SO-1", "--gs1-prefix", "1234567", "-o", "out.pdf").code == 0
    assert codes((tmp_path / "out.pdf").read_bytes())["(00)012345670000000015"] == "]C1"
    assert box("config", "set", "gs1_prefix", "7654321").code == 0
    assert box("documents", "make", "gs1", "SO-2", "-o", "out.pdf").code == 0
    assert any("(00)07654321" in code for code in codes((tmp_path / "out.pdf").read_bytes()))


def test_documents_of_orders(box: Cli, tmp_path: Path) -> None:
    body = {"order_id": "1001", "shipping_to": RECIPIENT, "line_items": [GOODS]}
    (tmp_path / "order.json").write_bytes(json.dump_bytes(body))
    assert box("orders", "create", "--from-file", "order.json").code == 0
    assert box("documents", "make", "slip", "1001", "--orders", "-o", "out.pdf").code == 0
    assert "MUG Mug 2 0 2" in texts((tmp_path / "out.pdf").read_bytes())[0]


@pytest.mark.usefixtures("bought")
@pytest.mark.parametrize(("words", "said"), [
    (("make", "poem", "SO-1", "-o", "out.pdf"), "poem is not a built-in document"),
    (("make", "slip", "SO-1"), "say where the document goes"),
    (("make", "slip", "SO-1", "-o", "out.zpl"), "must end in .pdf"),
    (("merge", "stamps", "SO-1", "-o", "out.pdf"), "stamps is not one of"),
    (("generate",  "shipping_label"), "say where the document goes"),
    (("generate", "--html", "nothing.html", "-o", "out.pdf"), "nothing.html can't be read"),
])  # fmt: skip
def test_a_wrong_request_says_why(box: Cli, words: tuple[str, ...], said: str) -> None:
    done = box("documents", *words)
    assert done.code == 2
    assert said in done.err


@pytest.mark.usefixtures("bought")
def test_kept_labels_are_merged(box: Cli, tmp_path: Path) -> None:
    assert box("documents", "merge", "label", "SO-1", "SO-2", "-o", "out.zpl").code == 0
    assert (tmp_path / "out.zpl").read_bytes().count(b"^XA") == 2


def test_a_missing_invoice_is_not_found(box: Cli, tmp_path: Path) -> None:
    (tmp_path / "one.json").write_bytes(
        json.dump_bytes({"recipient": RECIPIENT, "parcels": [PARCEL], "reference": "H-1"})
    )
    assert box("ship", "--from-file", "one.json", "--carrier", "generic", "--cheapest", "-y").code == 0
    assert box("documents", "merge", "invoice", "H-1", "-o", "out.pdf").code == 3


# -- templates


def test_a_template_is_stored_shown_changed_and_deleted(box: Cli, tmp_path: Path) -> None:
    id = made(box, tmp_path)
    assert box("templates", "get", "hello", "--pick", "related_object").out == "other\n"
    assert box("templates", "list", "--ids").lines == [id]
    assert box("templates", "update", "hello", "--name", "Bye", "--pick", "name").out == "Bye\n"
    assert box("templates", "delete", "hello", "-y").code == 0
    assert box("templates", "get", "hello").code == 3


def test_a_taken_slug_is_refused(box: Cli, tmp_path: Path) -> None:
    made(box, tmp_path)
    again = box("templates", "create", "--name", "X", "--slug", "hello", "--html", "hello.html")
    assert again.code == 6
    assert "slug" in again.err


def test_a_dry_run_stores_no_template(box: Cli, tmp_path: Path) -> None:
    (tmp_path / "a.html").write_text("x")
    given = ("--name", "X", "--slug", "x", "--html", "a.html")
    assert box("templates", "create", *given, "--dry-run").code == 0
    assert box("templates", "list", "--ids").lines == []


def test_a_ready_made_template_is_the_beginning_of_ones_own(box: Cli, tmp_path: Path) -> None:
    done = box("templates", "create", "--ready", "shipping_label", "--slug", "mine", "--ids")
    assert done.code == 0, done.err
    assert box("templates", "preview", "mine", "-o", "out.pdf").code == 0
    assert "SAMPLE000000001" in codes((tmp_path / "out.pdf").read_bytes())


@pytest.mark.usefixtures("bought")
def test_a_preview_shows_a_sample_or_a_shipment(box: Cli, tmp_path: Path) -> None:
    made(box, tmp_path, "Of {{ shipment.reference }}", related_object="shipment")
    assert box("templates", "preview", "hello", "-o", "out.pdf").code == 0
    assert texts((tmp_path / "out.pdf").read_bytes()) == ["Of SO-SAMPLE"]
    assert box("templates", "preview", "hello", "--shipment", "SO-2", "-o", "out.pdf").code == 0
    assert texts((tmp_path / "out.pdf").read_bytes()) == ["Of SO-2"]


# -- generate


def test_a_document_is_made_of_a_template_and_data(box: Cli, tmp_path: Path) -> None:
    made(box, tmp_path)
    assert box("documents", "generate", "hello", "-d", "name=Ana", "-o", "out.pdf").code == 0
    assert texts((tmp_path / "out.pdf").read_bytes()) == ["Hello Ana"]


@pytest.mark.usefixtures("bought")
def test_a_template_that_is_not_stored_shows_shipments(box: Cli, tmp_path: Path) -> None:
    (tmp_path / "a.html").write_text("Of {{ shipment.reference }}")
    done = box(
        "documents",
        "generate",
        "--html",
        "a.html",
        "--shipment",
        "SO-2",
        "--shipment",
        "SO-1",
        "-o",
        "out.pdf",
    )
    assert done.code == 0, done.err
    assert texts((tmp_path / "out.pdf").read_bytes()) == ["Of SO-2", "Of SO-1"]


def test_the_answer_of_the_api_is_there_as_json(box: Cli, tmp_path: Path) -> None:
    made(box, tmp_path)
    shown = box("documents", "generate", "hello", "-d", "name=Ana", "--json").json
    assert shown["template_id"] == "hello"
    assert texts(base64.b64decode(shown["doc_file"])) == ["Hello Ana"]


def test_a_broken_template_names_the_line(box: Cli, tmp_path: Path) -> None:
    (tmp_path / "a.html").write_text("a\n{{ }")
    done = box("documents", "generate", "--html", "a.html", "-o", "out.pdf")
    assert done.code == 6
    assert "template: line 2:" in done.err
    assert not (tmp_path / "out.pdf").exists()


# -- uploads


def test_documents_are_sent_to_the_carrier_and_listed(
    box: Cli, bought: list[dict[str, Any]], tmp_path: Path
) -> None:
    assert box("documents", "make", "invoice", "SO-1", "-o", "inv.pdf").code == 0
    done = box(
        "uploads", "create", "SO-1", "inv.pdf", "--type", "commercial_invoice", "--reference", "R-1", "--json"
    )
    assert done.code == 0, done.err
    assert done.json["reference"] == "R-1"
    assert len(done.json["documents"]) == 1
    listed = box("uploads", "list", "--shipment-id", bought[0]["id"], "--ids")
    assert listed.lines == [done.json["id"]]
    assert box("uploads", "list", "--shipment-id", bought[1]["id"], "--ids").lines == []
    assert box("uploads", "get", "@last", "--pick", "carrier_id").out == "ups\n"


@pytest.mark.usefixtures("bought")
def test_a_file_that_is_not_there_is_said(box: Cli) -> None:
    done = box("uploads", "create", "SO-1", "nothing.pdf")
    assert done.code == 2
    assert "nothing.pdf can't be read" in done.err


# -- paper


def page_sizes(path: Path) -> set[tuple[int, int]]:
    """The sides of the pages of a file, in points."""
    with pypdfium2.PdfDocument(path.read_bytes()) as book:
        found = [book.get_page_size(at) for at in range(len(book))]
    return {(round(wide), round(high)) for wide, high in found}


@pytest.mark.usefixtures("bought")
def test_flag_setting_and_country_choose_the_paper_in_this_order(box: Cli, tmp_path: Path) -> None:
    out, make = tmp_path / "out.pdf", ("documents", "make", "slip", "SO-1", "-o", "out.pdf")
    assert box(*make).code == 0
    assert page_sizes(out) == {(612, 792)}
    assert box("config", "set", "paper", "A4").code == 0
    assert box(*make).code == 0
    assert page_sizes(out) == {(595, 842)}
    assert box(*make, "--paper", "4x6").code == 0
    assert page_sizes(out) == {(288, 432)}
    refused = box(*make, "--paper", "a3")
    assert (refused.code, "say one of letter, a4, 4x6" in refused.err) == (2, True)
    assert box("config", "set", "paper", "a3").code == 6


@pytest.mark.parametrize(("paper", "sides"), [("letter", (612, 792)), ("4x6", (595, 842)), ("", (595, 842))])
def test_a_template_that_names_no_size_is_on_a_sheet(
    box: Cli, tmp_path: Path, paper: str, sides: tuple[int, int]
) -> None:
    assert box("config", "set", "paper", paper).code == 0
    (tmp_path / "hello.html").write_text("Hello")
    assert box("documents", "generate", "--html", "hello.html", "-o", "out.pdf").code == 0
    assert page_sizes(tmp_path / "out.pdf") == {sides}
    assert box("templates", "create", "--ready", "commercial_invoice", "--slug", "own").code == 0
    assert box("templates", "preview", "own", "-o", "out.pdf").code == 0
    assert page_sizes(tmp_path / "out.pdf") == {sides}


@pytest.mark.usefixtures("bought")
@pytest.mark.parametrize("kind", ["slip", "picklist", "return", "invoice", "cn23"])
def test_a_document_for_a_label_printer_is_a_label_by_itself(box: Cli, tmp_path: Path, kind: str) -> None:
    (tmp_path / "spool").mkdir()
    add = ("printers", "add", "zebra", "--to", f"spool:{tmp_path / 'spool'}", "--format", "PDF")
    assert box(*add, "--size", "4x6").code == 0
    assert box("documents", "make", kind, "SO-1", "--to", "zebra").code == 0
    (path,) = [one for one in (tmp_path / "spool").iterdir() if one.is_file()]
    assert page_sizes(path) == {(288, 432)}


@pytest.mark.usefixtures("bought")
def test_a_logo_is_checked_when_it_is_set(box: Cli, tmp_path: Path) -> None:
    (tmp_path / "note.txt").write_text("no picture")
    refused = box("config", "set", "logo", "note.txt")
    assert (refused.code, "is not a PNG or JPEG file" in refused.err) == (6, True)
    Image.new("RGB", (200, 80), (10, 90, 60)).save(tmp_path / "logo.png")
    assert box("config", "set", "logo", "logo.png").code == 0
    assert box("config", "get", "logo").out.strip() == str(tmp_path / "logo.png")
    assert box("documents", "make", "invoice", "SO-1", "-o", "out.pdf").code == 0
    assert pictures((tmp_path / "out.pdf").read_bytes()) == 1
    (tmp_path / "logo.png").unlink()
    done = box("documents", "make", "invoice", "SO-1", "-o", "out.pdf")
    assert (done.code, pictures((tmp_path / "out.pdf").read_bytes())) == (0, 0)
    assert f"left out the logo: {tmp_path / 'logo.png'} can't be read" in done.err


def test_goods_without_an_origin_are_named(box: Cli, tmp_path: Path) -> None:
    goods = {**GOODS, "origin_country": None}
    row = {**PAPER, "customs": {**CUSTOMS, "commodities": [goods]}, "reference": "SO-9"}
    (tmp_path / "one.json").write_bytes(json.dump_bytes(row))
    assert box("ship", "--from-file", "one.json", "--carrier", "ups", "--cheapest", "-y").code == 0
    done = box("documents", "make", "cn22", "SO-9", "-o", "out.pdf")
    assert done.code == 0
    assert "SO-9: no country of origin is stated for Mug" in done.err


@pytest.mark.usefixtures("bought")
def test_an_end_of_day_form_is_written_for_another_paper(box: Cli, tmp_path: Path) -> None:
    (tmp_path / "one.json").write_bytes(json.dump_bytes({"recipient": RECIPIENT, "parcels": [PARCEL]}))
    assert box("ship", "--from-file", "one.json", "--carrier", "generic", "--cheapest", "-y").code == 0
    made = box("manifests", "create", "generic", "-y", "--ids")
    assert made.code == 0, made.err
    assert box("manifests", "print", made.out.strip(), "-o", "out.pdf", "--paper", "4x6").code == 0
    assert page_sizes(tmp_path / "out.pdf") == {(288, 432)}
    alone = box("manifests", "print", made.out.strip(), "--paper", "4x6")
    assert (alone.code, "--paper is for -o FILE" in alone.err) == (2, True)
