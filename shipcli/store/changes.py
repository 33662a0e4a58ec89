"""What saving a document changes: its narrow row, its text, its search values, and the counts of it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from shipcli.models.basics.json import dumps
from shipcli.store.codecs import count_microseconds, pack, write_moment
from shipcli.store.schema import SHARED, Kind

Row = dict[str, Any]

# Scope, key, mode, moment and value of a row of `entries`.
Entry = tuple[str, str, int, int, str]
# Mode, scope and key of a row of `tallies`.
Counted = tuple[int, str, str]


@dataclass(frozen=True, slots=True)
class Existing:
    """A stored document: its narrow row, and its text for kinds whose search values are made from it."""

    row: Row
    document: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class DocumentChange:
    """What is written for a document, new or changed.

    Shapes: `row` is the narrow row, of a change only what differs; `texts` those of the text index, None if
            it stays as it is; `steps` by mode and status, and `tallied` by mode, scope and key, are what is
            added to the counts.
    """

    kind: Kind
    seq: int | None
    row: Row
    json: str
    texts: tuple[str, ...] | None
    gone: list[Entry]
    new: list[Entry]
    steps: list[tuple[int, str, int]]
    tallied: list[tuple[int, str, str, int]]


# What to write for a document, given what is stored of it.
MakeChange = Callable[[Existing | None], DocumentChange]


def make_change(
    kind: Kind,
    doc: Mapping[str, Any],
    existing: Existing | None,
    mode: int | None,
    extra: Mapping[str, Any],
    now: str,
) -> DocumentChange:
    """What saving this document changes, given what is stored of it."""
    old, before = (existing.row, existing.document) if existing else (None, {})
    row = _make_row(kind, doc, old, mode, extra, now)
    held = list_entries(kind, old, before) if old else set()
    entries = list_entries(kind, row, doc)
    counts = list_tallied(kind, old, held), list_tallied(kind, row, entries)
    texts = kind.texts(doc) if kind.text else None
    return DocumentChange(
        kind=kind,
        seq=old["seq"] if old else None,
        # Only changed columns are written: each column named means updating its indexes.
        row={name: value for name, value in row.items() if old is None or value != old[name]},
        json=pack(dumps(doc)),
        texts=None if texts is None or (old and kind.texts(before) == texts) else texts,
        gone=sorted(held - entries),
        new=sorted(entries - held),
        steps=_list_steps(find_place(kind, old), find_place(kind, row)),
        tallied=list_tally_steps(*counts),
    )


def _list_steps(before: tuple[int, str] | None, after: tuple[int, str] | None) -> list[tuple[int, str, int]]:
    """One document fewer where it was counted, and one more where it is."""
    if before == after:
        return []
    gone = [(*before, -1)] if before else []
    return gone + ([(*after, 1)] if after else [])


def list_tally_steps(before: set[Counted], after: set[Counted]) -> list[tuple[int, str, str, int]]:
    """One document fewer where it was tallied, and one more where it is."""
    new = [(*counted, 1) for counted in sorted(after - before)]
    return new + [(*counted, -1) for counted in sorted(before - after)]


def _make_row(
    shape: Kind,
    doc: Mapping[str, Any],
    old: Row | None,
    mode: int | None,
    extra: Mapping[str, Any],
    now: str,
) -> Row:
    """Build the narrow row of a document."""
    row = _choose_times(doc, old, extra, now)
    row["id"], row["test_mode"] = doc["id"], mode
    for column in shape.columns:
        name = column.name
        if name in extra or column.source is not None:
            value = extra[name] if name in extra else column.read(doc)
            row[name] = column.empty if value is None else column.encode(value)
        else:
            row[name] = old[name] if old else column.empty
    _refuse_unknown(shape, extra, row)
    return row


def _choose_times(doc: Mapping[str, Any], old: Row | None, extra: Mapping[str, Any], now: str) -> Row:
    created = extra.get("created_at") or doc.get("created_at")
    updated = extra.get("updated_at") or doc.get("updated_at")
    before = old["created_at"] if old else now
    return {
        "created_at": write_moment(created) if created else before,
        "updated_at": write_moment(updated) if updated else now,
    }


def _refuse_unknown(shape: Kind, extra: Mapping[str, Any], row: Row) -> None:
    for name in extra:
        if name not in row:
            raise LookupError(f"{shape.plural} have no column {name}")


def list_entries(shape: Kind, row: Row, doc: Mapping[str, Any]) -> set[Entry]:
    pairs = list(shape.pairs_of(doc)) if shape.pairs else []
    if not pairs:
        return set()
    mode, at = encode_mode(shape, row["test_mode"]), count_microseconds(row["created_at"])
    return {(scope, key, mode, at, value) for scope, key, value in pairs}


def list_tallied(shape: Kind, row: Row | None, entries: set[Entry]) -> set[Counted]:
    """The counts that include a document with this row and these entries."""
    counts = {(mode, scope, key) for scope, key, mode, _, _ in entries}
    if row is None or not shape.counted:
        return counts
    mode = encode_mode(shape, row["test_mode"])
    return counts | {(mode, name, "") for name in shape.counted if row[name]}


def find_place(shape: Kind, row: Row | None) -> tuple[int, str] | None:
    """Where a document is counted in `totals`."""
    if row is None:
        return None
    return encode_mode(shape, row["test_mode"]), encode_status(
        shape, row[shape.tally] if shape.tally else None
    )


def encode_status(shape: Kind, value: Any) -> str:
    """The status under which a column's value is counted in `totals`."""
    if shape.tally is None or value is None:
        return ""
    return str(int(value)) if shape.table.type_of(shape.tally) == "flag" else str(value)


def encode_mode(shape: Kind, test_mode: Any) -> int:
    """The mode number under which a document is counted in `totals`."""
    return int(bool(test_mode)) if shape.moded else SHARED
