"""Identifiers: their form, their order, and the same ones again from the same seed."""

from __future__ import annotations

import os
import re
import threading
from pathlib import Path
from typing import Any

from shipcli.store import SeededIds, Store, SystemIds


def test_an_id_is_its_prefix_and_32_hex_digits(clock: Any) -> None:
    for source in (SystemIds(clock), SeededIds(clock, "s")):
        assert re.fullmatch("shp_[0-9a-f]{32}", source.new("shp_"))


def test_ids_grow_while_the_clock_stands_or_goes_back(clock: Any) -> None:
    for source in (SystemIds(clock), SeededIds(clock, 1)):
        ids = [source.new("") for _ in range(300)]
        clock.advance(hours=-1)
        ids += [source.new("") for _ in range(3)]
        clock.advance(hours=2)
        ids.append(source.new(""))
        assert ids == sorted(set(ids))


def test_ids_of_many_threads_differ(clock: Any) -> None:
    source = SystemIds(clock)
    ids: list[str] = []
    draw = [threading.Thread(target=lambda: ids.extend(source.new("") for _ in range(500))) for _ in range(4)]
    for thread in draw:
        thread.start()
    for thread in draw:
        thread.join()
    assert len(set(ids)) == 2000


def test_the_same_seed_gives_the_same_ids(clock: Any) -> None:
    first, second, other = SeededIds(clock, "a"), SeededIds(clock, "a"), SeededIds(clock, "b")
    assert [first.new("x_"), first.new("y_")] == [second.new("x_"), second.new("y_")]
    assert SeededIds(clock, "a").new("x_") != other.new("x_")


def test_processes_with_one_seed_share_the_numbers_of_the_store(path: Path, clock: Any) -> None:
    ids = []
    for _ in range(2):
        source = SeededIds(clock, "a", numbers=lambda: store.next_number("ids"))
        with Store.open(path, clock=clock, ids=source) as store:
            ids.append(store.new_id("shp_"))
            with store.transaction():
                ids.append(store.new_id("shp_"))
    assert len(set(ids)) == 4


def test_a_fork_gives_other_ids_than_its_parent(clock: Any) -> None:
    ids = SystemIds(clock)
    ids.new("a_")
    reader, writer = os.pipe()
    child = os.fork()
    if child == 0:
        os.write(writer, ids.new("a_").encode())
        os._exit(0)
    os.waitpid(child, 0)
    assert os.read(reader, 100).decode() != ids.new("a_")
    os.close(reader)
    os.close(writer)
