"""Names carriers that were held against something else than is published by now: `nox -s freshness`.

The sheets of the carriers, with what they publish, lie beside the checkout; nobody else is asked. What a
carrier was held against stands in `published.json` beside its catalogue, which
`python -m tests.carriers.published SLUG` writes.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from dataclasses import asdict
from hashlib import sha256
from pathlib import Path

from shipcli.carrier import registry
from shipcli.carrier.index import HELD_NAME, HeldDocument, HeldDocuments, read_held
from shipcli.clocks import real_clock
from shipcli.models import json as plain_json
from tests.carriers.places import RECORDED as SHEETS
from tests.carriers.places import ROOT
from tests.carriers.witness.descriptions import SUFFIXES, parse
from tests.shared import explain_absence

FACTS = "facts.json"
SCHEMAS = {"XML schemas": "wire/*.xsd", "WSDL": "wsdl/*.wsdl"}  # of several files, without a version
DIGITS = 16  # of a digest


def list_documents(sheet: Path, held: HeldDocuments | None = None) -> list[HeldDocument]:
    """What a sheet has of its carrier: descriptions, schemas, else the version of the sheet itself.

    Of what is as it was held before no file is read for its name and version.
    """
    before = {(row.files, row.digest): row for row in (held.documents if held else ())}
    described = sorted(path for path in (sheet / "published").glob("*") if path.suffix in SUFFIXES)
    groups = [("", f"published/{path.name}") for path in described] + list(SCHEMAS.items())
    documents = []
    for name, files in groups:
        if digest := digest_files(sheet, files):
            row = before.get((files, digest)) or read_document(sheet, name, files, digest)
            documents.append(row)
    return documents or [read_fact_sheet(sheet)]


def digest_files(sheet: Path, files: str) -> str | None:
    """A digest of the names and contents of files; None where there is none."""
    paths = sorted(sheet.glob(files))
    whole = sha256()
    for path in paths:
        whole.update(f"{path.name}\n".encode() + path.read_bytes())
    return whole.hexdigest()[:DIGITS] if paths else None


def read_document(sheet: Path, name: str, files: str, digest: str) -> HeldDocument:
    if name:
        return HeldDocument(name=name, files=files, digest=digest)
    about = parse(sheet / files).get("info") or {}
    version = str(about.get("version") or "").strip() or None
    title = str(about.get("title") or files).strip()
    return HeldDocument(name=title, version=version, files=files, digest=digest)


def read_fact_sheet(sheet: Path) -> HeldDocument:
    version = str(plain_json.loads((sheet / FACTS).read_bytes())["source_version"])
    return HeldDocument(name="fact sheet", version=version, files=FACTS)


def list_changes(held: HeldDocuments, documents: list[HeldDocument]) -> Iterator[str]:
    """How what is published differs from what a carrier was held against."""
    before = {row.files: row for row in held.documents}
    after = {row.files: row for row in documents}
    for files, row in after.items():
        old = before.get(files)
        if old is None:
            yield f"{row.title} is published too ({files})"
        elif old != row:
            now = f"is {row.title}" if old.title != row.title else "has other contents"
            yield f"{old.title} {now} now ({files})"
    gone = [row for files, row in before.items() if files not in after]
    yield from (f"{row.title} is published no more ({row.files})" for row in gone)


def list_stale(slug: str, sheet: Path, folder: Path) -> Iterator[str]:
    """What is new since the carrier in a folder was held against its sheet."""
    held = read_held(folder)
    if held.date is None:
        yield f"{slug}: says nowhere what it was held against"
        return
    for change in list_changes(held, list_documents(sheet, held)):
        yield f"{slug}: {change}; held on {held.date}"


def find_sheet(slug: str) -> Path | None:
    """The folder of a carrier beside the checkout; None for one of which there is none."""
    folders = (place / slug for place in SHEETS)
    return next((folder for folder in folders if (folder / FACTS).is_file()), None)


def find_folder(slug: str) -> Path:
    return ROOT / "carriers" / slug


def write_held(slug: str) -> None:
    """Say what a carrier was held against today; what has not changed keeps its day."""
    sheet, folder = find_sheet(slug), find_folder(slug)
    if sheet is None:
        return
    held = read_held(folder)
    documents = list_documents(sheet, held)
    if held.documents != documents:
        write_file(folder / HELD_NAME, HeldDocuments(date=f"{real_clock():%Y-%m-%d}", documents=documents))
        print(f"written: {folder / HELD_NAME}")


def write_file(path: Path, held: HeldDocuments) -> None:
    """JSON with a line for each document."""
    rows = [
        plain_json.dumps({key: value for key, value in asdict(row).items() if value is not None})
        for row in held.documents
    ]
    text = ",\n  ".join(rows)
    path.write_text(f'{{\n"date": "{held.date}",\n"documents": [\n  {text}\n]\n}}\n', "utf-8")


def main() -> int:
    if not any(place.is_dir() for place in SHEETS):
        print(f"skipped: {explain_absence('carriers')}")
        return 0
    slugs = sys.argv[1:] or registry.list_slugs()
    sheets = {slug: sheet for slug in slugs if (sheet := find_sheet(slug))}
    stale = [line for slug, sheet in sheets.items() for line in list_stale(slug, sheet, find_folder(slug))]
    print("\n".join(stale) or f"{len(sheets)} carriers were held against what is published")
    return 1 if stale else 0


if __name__ == "__main__":
    sys.exit(main())
