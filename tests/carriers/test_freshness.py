"""What a carrier was held against, and how a newer description is noticed."""

from __future__ import annotations

from pathlib import Path

import pytest

from shipcli.carrier import registry
from shipcli.carrier.index import HeldDocument, HeldDocuments, read_held
from tests.carriers import freshness
from tests.carriers.freshness import list_documents, list_stale, write_file

LABELS = '{"openapi": "3.0.3", "info": {"title": "Labels", "version": "%s"}, "paths": {}}'


@pytest.fixture
def sheet(tmp_path: Path) -> Path:
    """A carrier that publishes one description and two schemas."""
    folder = tmp_path / "sheets" / "acme"
    for name in ("published", "wire"):
        (folder / name).mkdir(parents=True)
    (folder / "facts.json").write_text('{"source_version": "2024.12.6"}')
    (folder / "published" / "labels.json").write_text(LABELS % "1.0")
    for name in ("rate", "ship"):
        (folder / "wire" / f"{name}.xsd").write_text(f"<schema id='{name}'/>")
    return folder


@pytest.fixture
def folder(tmp_path: Path, sheet: Path) -> Path:
    """The carrier, held against all of it."""
    place = tmp_path / "carriers" / "acme"
    place.mkdir(parents=True)
    write_file(place / "published.json", HeldDocuments(date="2026-01-31", documents=list_documents(sheet)))
    return place


def test_a_carrier_that_was_held_against_all_of_it_is_not_named(sheet: Path, folder: Path) -> None:
    assert [row.title for row in read_held(folder).documents] == ["Labels 1.0", "XML schemas"]
    assert not list(list_stale("acme", sheet, folder))


def test_a_newer_version_is_named_with_the_one_that_was_held(sheet: Path, folder: Path) -> None:
    (sheet / "published" / "labels.json").write_text(LABELS % "1.1")
    assert list(list_stale("acme", sheet, folder)) == [
        "acme: Labels 1.0 is Labels 1.1 now (published/labels.json); held on 2026-01-31"
    ]


def test_other_contents_under_the_same_version_are_named(sheet: Path, folder: Path) -> None:
    (sheet / "published" / "labels.json").write_text(LABELS % "1.0" + "\n")
    (sheet / "wire" / "ship.xsd").write_text("<schema/>")
    assert list(list_stale("acme", sheet, folder)) == [
        "acme: Labels 1.0 has other contents now (published/labels.json); held on 2026-01-31",
        "acme: XML schemas has other contents now (wire/*.xsd); held on 2026-01-31",
    ]


def test_a_description_more_or_less_is_named(sheet: Path, folder: Path) -> None:
    (sheet / "published" / "labels.json").rename(sheet / "published" / "orders.json")
    assert list(list_stale("acme", sheet, folder)) == [
        "acme: Labels 1.0 is published too (published/orders.json); held on 2026-01-31",
        "acme: Labels 1.0 is published no more (published/labels.json); held on 2026-01-31",
    ]


def test_where_nothing_is_published_the_version_of_the_sheet_counts(sheet: Path, folder: Path) -> None:
    for path in [*sheet.glob("published/*"), *sheet.glob("wire/*")]:
        path.unlink()
    old = HeldDocument(name="fact sheet", version="2024.12.5", files="facts.json")
    write_file(folder / "published.json", HeldDocuments(date="2026-01-31", documents=[old]))
    assert list(list_stale("acme", sheet, folder)) == [
        "acme: fact sheet 2024.12.5 is fact sheet 2024.12.6 now (facts.json); held on 2026-01-31"
    ]


def test_a_carrier_that_says_nothing_is_named(sheet: Path, tmp_path: Path) -> None:
    assert list(list_stale("acme", sheet, tmp_path)) == ["acme: says nowhere what it was held against"]


def run(places: tuple[Path, ...], monkeypatch: pytest.MonkeyPatch) -> int:
    monkeypatch.setattr(freshness, "SHEETS", places)
    monkeypatch.setattr(freshness.sys, "argv", ["freshness"])
    return freshness.main()


def test_the_task_fails_and_names_the_carrier(
    sheet: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    sheet.rename(sheet.with_name("generic"))
    assert run((sheet.parent,), monkeypatch) == 1
    lines = capsys.readouterr().out.splitlines()
    assert [line.partition(":")[0] for line in lines] == ["generic"] * len(lines)
    assert lines[0].startswith("generic: Labels 1.0 is published too (published/labels.json); held on ")


def test_without_sheets_the_task_is_skipped_by_name(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run((tmp_path / "absent",), monkeypatch) == 0
    assert capsys.readouterr().out == "skipped: needs shared/carriers beside the checkout\n"


def test_every_carrier_says_what_it_was_held_against_and_when() -> None:
    silent = [facts.slug for facts in registry.list_facts() if not (facts.held_on and facts.held_against)]
    assert not silent, "write published.json: python -m tests.carriers.published SLUG"
