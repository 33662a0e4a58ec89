"""The exports of twelve shops go through with no cell lost: label, slip and the carrier's request say all."""

from __future__ import annotations

from pathlib import Path

import pypdfium2
import pytest

from tests.cli.commands.files.shop_exports import SHOPS, ShopExport
from tests.cli.conftest import Cli

FROM = (
    "setup", "--name", "Lee", "--company", "Acme", "--line1", "100 Market St", "--city", "Philadelphia",
    "--state", "PA", "--postal-code", "19106", "--country", "US", "--phone", "2157638100",
)  # fmt: skip


def read_pdf(path: Path) -> str:
    """The text of a document."""
    document = pypdfium2.PdfDocument(path)
    text = " ".join(page.get_textpage().get_text_bounded() for page in document)
    document.close()
    return text


def list_lost(parts: tuple[str, ...], text: str) -> list[str]:
    """What a text does not say, wherever its lines break."""
    return [part for part in parts if squeeze(part) not in squeeze(text)]


def squeeze(text: str) -> str:
    return "".join(text.split()).casefold()


@pytest.mark.parametrize("slug", SHOPS)
def test_a_shop_file_is_recognised_and_nothing_of_it_is_lost(box: Cli, tmp_path: Path, slug: str) -> None:
    export: ShopExport = SHOPS[slug]
    file, slip, label = tmp_path / "export.csv", tmp_path / "slip.pdf", tmp_path / "label.pdf"
    file.write_text(export.text, encoding="utf-8", newline="")
    box(*FROM)
    stored = box("import", "orders", str(file), "--set", "weight=1lb", *export.words)
    assert stored.code == 0, stored.err
    assert f"is read with --map {slug}" in stored.err
    assert list_lost(export.notes, stored.err) == []
    box("documents", "make", "slip", export.order, "--orders", "-o", str(slip))
    assert list_lost(export.slip, read_pdf(slip)) == []
    words = ("--carrier", "usps", "--cheapest", "--size", "8x6x4in", "-y", "--label", str(label))
    bought = box("ship", export.order, *words)
    assert bought.code == 0, bought.err
    assert list_lost(export.label, read_pdf(label)) == []
    wire = box("traces", "list", "--carrier-name", "usps", "--limit", "3", "--json").out
    assert list_lost(export.label[1:-1], wire) == []


def test_a_picture_in_a_typed_name_stops_no_label_and_is_named(box: Cli, tmp_path: Path) -> None:
    label = tmp_path / "label.pdf"
    box(*FROM)
    to = ("--to-name", "Ada Brooks 🎉", "--to-line1", "22 Oak Ave\nUnit 9", "--to-city", "Boston",
          "--to-state", "MA", "--to-postal-code", "02134", "--to-country", "US")  # fmt: skip
    parcel = ("--weight", "1lb", "--size", "8x6x4in", "--carrier", "usps", "--cheapest", "-y")
    bought = box("ship", *to, *parcel, "--label", str(label))
    assert bought.code == 0, bought.err
    assert "pictures of the person_name" in bought.err + bought.out
    assert list_lost(("Ada Brooks", "22 Oak Ave", "Unit 9"), read_pdf(label)) == []
