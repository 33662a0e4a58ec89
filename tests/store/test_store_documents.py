"""Documents: what goes in comes out, in its mode, counted, with what belongs to it."""

from __future__ import annotations

import stat
from collections.abc import Callable
from decimal import Decimal
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from shipcli.store.query import equal, flag, one_of, pair, text
from shipcli.store.store import Store
from tests.store.batches import in_batch

Make = Callable[..., dict[str, Any]]
Keep = Callable[..., str]


def test_a_document_comes_back_as_it_was_written(store: Store, shipment: Make) -> None:
    document = shipment(metadata={"charge": Decimal("10.50"), "note": "ß"})
    with store.transaction() as tx:
        assert tx.put("shipment", document)
    assert store.get("shipment", document["id"]) == document


def test_a_decimal_rests_as_a_json_number(store: Store, keep: Keep) -> None:
    raw = store.raw("shipment", keep(metadata={"charge": Decimal("10.50")}))
    assert raw is not None
    assert '"charge":10.5' in raw.replace(" ", "")


def test_an_unknown_id_gives_none(store: Store) -> None:
    assert store.get("shipment", "shp_0") is None


def test_an_unknown_kind_is_a_lookup_error(store: Store) -> None:
    with pytest.raises(LookupError, match="no kind parcelle"):
        store.get("parcelle", "x")


def test_an_object_of_the_other_mode_is_not_there(store: Store, keep: Keep) -> None:
    id = keep(test_mode=False)
    assert store.get("shipment", id, test_mode=True) is None
    assert store.get("shipment", id, test_mode=False) is not None
    assert store.page("shipment", test_mode=True).count == 0
    assert store.page("shipment", [equal("status", "draft")], test_mode=False).count == 1


def test_kinds_without_mode_are_shared_by_both(store: Store) -> None:
    with store.transaction() as tx:
        tx.put("address", {"id": "adr_1", "city": "Oslo"}, test_mode=True)
    assert store.get("address", "adr_1", test_mode=False) is not None
    assert store.page("address", test_mode=False).count == 1


def test_a_new_document_of_unknown_mode_is_refused(store: Store, shipment: Make) -> None:
    document = shipment()
    del document["test_mode"]
    with pytest.raises(ValueError, match="say the mode"), store.transaction() as tx:
        tx.put("shipment", document)


def test_a_change_keeps_the_mode_and_the_moment_of_creation(store: Store, shipment: Make, clock: Any) -> None:
    document = shipment()
    with store.transaction() as tx:
        tx.put("shipment", document)
    clock.advance(days=1)
    del document["test_mode"]
    with store.transaction() as tx:
        assert not tx.put("shipment", document)
    row = store.select("shipments")[0]
    assert (row["test_mode"], (row["updated_at"] - row["created_at"]).days) == (True, 1)


def test_columns_handed_in_survive_a_change_that_does_not_name_them(store: Store, shipment: Make) -> None:
    document = shipment()
    with store.transaction() as tx:
        tx.put("shipment", document, extra={"has_manifest": True})
        tx.put("shipment", document | {"status": "purchased"})
    assert store.page("shipment", [flag("has_manifest", True)]).count == 1


def test_an_unknown_extra_column_is_refused(store: Store, shipment: Make) -> None:
    with pytest.raises(LookupError, match="no column colour"), store.transaction() as tx:
        tx.put("shipment", shipment(), extra={"colour": "red"})


def test_totals_follow_changes_and_deletions(store: Store, shipment: Make, keep: Keep) -> None:
    document = shipment()
    with store.transaction() as tx:
        tx.put("shipment", document)
    keep(), keep(status="purchased", test_mode=False)
    with store.transaction() as tx:
        tx.put("shipment", document | {"status": "purchased"})
    count = store.count
    assert count("shipment", [equal("status", "draft")], True) == 1
    assert count("shipment", [one_of("status", ["draft", "purchased"])], True) == 2
    with store.transaction() as tx:
        tx.delete("shipment", document["id"])
    assert (count("shipment"), count("shipment", [equal("status", "purchased")], True)) == (2, 0)
    assert store.check() == []


def test_a_deleted_document_leaves_nothing_behind(store: Store, keep: Keep) -> None:
    id = keep(metadata={"order": "77"}, reference="needle")
    with store.transaction() as tx:
        tx.put_file(id, "label", b"%PDF", format="PDF", media_type="application/pdf")
        assert tx.delete("shipment", id)
        assert not tx.delete("shipment", id)
    assert store.get("shipment", id) is None
    assert store.file(id, "label") is None
    assert (
        store.count("shipment", [text("needle")])
        == store.count("shipment", [pair("metadata", "order", "77")])
        == 0
    )
    assert store.check() == []


def test_stale_search_values_go_with_a_change(store: Store, shipment: Make) -> None:
    document = shipment(metadata={"order": "1", "lane": "a"}, reference="first words")
    with store.transaction() as tx:
        tx.put("shipment", document)
        tx.put("shipment", document | {"metadata": {"order": "2"}, "reference": "second"})
    gone = [[pair("metadata", "order", "1")], [pair("metadata", "lane", "a")], [text("first words")]]
    assert [store.count("shipment", filters) for filters in gone] == [0, 0, 0]
    assert store.count("shipment", [pair("metadata", "order", 2), text("second")]) == 1


def test_files_keep_their_bytes_and_their_id(store: Store, keep: Keep) -> None:
    id = keep()
    with store.transaction() as tx:
        first = tx.put_file(id, "label", b"\x00\xff", format="ZPL", media_type="x-application/zpl")
        again = tx.put_file(id, "label", b"^XA\x00", format="ZPL", media_type="x-application/zpl")
    file = store.file(id, "label")
    assert first == again
    assert file is not None
    assert (file["content"], file["format"]) == (b"^XA\x00", "ZPL")


def test_files_come_in_the_order_asked_for(store: Store) -> None:
    with store.transaction() as tx:
        for owner in ("a", "b", "c"):
            tx.put_file(owner, "label", owner.encode(), format="PDF", media_type="application/pdf")
    assert list(store.files(["c", "x", "a"], "label")) == ["c", "a"]


def test_an_address_of_a_shipment_is_counted_apart(store: Store) -> None:
    with store.transaction() as tx:
        tx.put("address", {"id": "adr_1"})
        tx.put("address", {"id": "adr_2"}, extra={"attached": True})
    page = store.page("address", [flag("attached", False)])
    assert (page.count, len(page.items)) == (1, 1)


def test_text_no_column_can_hold_is_searched_without_it(store: Store, keep: Keep) -> None:
    keep(reference="a\0bc")
    assert store.count("shipment", [text("abc")]) == 1


@pytest.mark.sqlite_only("the mode of its file")
def test_a_new_store_is_open_to_its_owner_only(store: Store, path: Path) -> None:
    modes = [stat.S_IMODE(place.stat().st_mode) for place in (path.parent, path, Path(f"{path}-wal"))]
    assert modes == [0o700, 0o600, 0o600]


def test_searched_text_is_that_of_the_last_of_several_changes(store: Store, shipment: Make) -> None:
    first, second, third = (shipment(reference=f"before-{number}") for number in range(3))

    def write(document: dict[str, Any], reference: str) -> None:
        with store.transaction() as tx:
            tx.put("shipment", {**document, "reference": reference})
            assert reference != "never"

    def delete(*, fails: bool) -> None:
        with store.transaction() as tx:
            tx.delete("shipment", third["id"])
            assert not fails

    results = in_batch(
        store,
        *(partial(write, one, one["reference"]) for one in (first, second, third)),
        partial(write, first, "between"),
        partial(write, first, "before-0"),
        partial(write, second, "never"),
        partial(delete, fails=True),
        partial(delete, fails=False),
    )
    assert [type(one) for one in results if one] == [AssertionError, AssertionError]
    words = ("before-", "before-0", "between", "never")
    assert [store.page("shipment", [text(one)]).count for one in words] == [2, 1, 0, 0]
    assert store.check() == []
