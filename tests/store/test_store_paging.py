"""Pages and walks: newest first, steady while others write."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from shipcli.models.basics.json import loads
from shipcli.store.query import equal
from shipcli.store.store import Store

Keep = Callable[..., str]


def _ids(items: list[str]) -> list[str]:
    return [loads(item)["id"] for item in items]


def test_a_page_is_newest_first_with_the_whole_count(store: Store, keep: Keep, clock: Any) -> None:
    made = []
    for _ in range(5):
        made.append(keep())
        clock.advance(seconds=1)
    page = store.page("shipment", limit=2, offset=1, test_mode=True)
    assert (page.count, _ids(page.items)) == (5, [made[3], made[2]])


def test_a_standing_clock_keeps_the_order_of_writing(store: Store, keep: Keep) -> None:
    made = [keep() for _ in range(4)]
    assert _ids(store.page("shipment").items) == made[::-1]


def test_a_page_beyond_the_end_is_empty_and_still_counts(store: Store, keep: Keep) -> None:
    keep()
    assert store.page("shipment", offset=20) == store.page("shipment", offset=1)
    assert store.page("shipment", offset=20).count == 1


def test_connections_list_live_before_test(store: Store, clock: Any) -> None:
    with store.transaction() as tx:
        for number, mode in enumerate([False, True, False, True]):
            tx.put("connection", {"id": f"car_{number}", "active": True}, test_mode=mode)
            clock.advance(seconds=1)
    assert _ids(store.page("connection").items) == ["car_2", "car_0", "car_3", "car_1"]


def test_a_walk_gives_every_document_once_while_others_are_written(
    store: Store, keep: Keep, clock: Any
) -> None:
    made = [keep() for _ in range(7)]
    seen = []
    for document in store.each("shipment", test_mode=True, chunk=2):
        seen.append(document["id"])
        clock.advance(seconds=1)
        keep()
    assert seen == made[::-1]


def test_a_walk_bears_the_deletion_of_what_it_has_seen(store: Store, keep: Keep) -> None:
    made = [keep() for _ in range(6)]
    seen = []
    for document in store.each("shipment", chunk=2):
        seen.append(document["id"])
        with store.transaction() as tx:
            tx.delete("shipment", document["id"])
    assert seen == made[::-1]


def test_a_walk_through_both_modes_is_newest_first(store: Store, keep: Keep, clock: Any) -> None:
    made = []
    for number in range(6):
        made.append(keep(test_mode=number % 3 == 0))
        clock.advance(seconds=1)
    assert [document["id"] for document in store.each("shipment", chunk=2)] == made[::-1]


def test_pages_do_not_shift_when_filtered_by_moment(store: Store, keep: Keep, clock: Any) -> None:
    made = [keep() for _ in range(4)]
    before = store.page("shipment", [equal("status", "draft")], limit=2)
    with store.transaction() as tx:
        assert _ids(tx.page("shipment", limit=2).items) == _ids(before.items) == made[:1:-1]
