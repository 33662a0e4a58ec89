"""Identifiers: their form, their order, and none twice."""

from __future__ import annotations

import os
import re
import threading
from typing import Any

from shipcli.store.ids import IdGenerator


def test_an_id_is_its_prefix_and_32_hex_digits(clock: Any) -> None:
    assert re.fullmatch("shp_[0-9a-f]{32}", IdGenerator(clock).new("shp_"))


def test_ids_grow_while_the_clock_stands_or_goes_back(clock: Any) -> None:
    source = IdGenerator(clock)
    ids = [source.new("") for _ in range(300)]
    clock.advance(hours=-1)
    ids += [source.new("") for _ in range(3)]
    clock.advance(hours=2)
    ids.append(source.new(""))
    assert ids == sorted(set(ids))


def test_ids_of_many_threads_differ(clock: Any) -> None:
    source = IdGenerator(clock)
    ids: list[str] = []
    draw = [threading.Thread(target=lambda: ids.extend(source.new("") for _ in range(500))) for _ in range(4)]
    for thread in draw:
        thread.start()
    for thread in draw:
        thread.join()
    assert len(set(ids)) == 2000


def test_a_fork_gives_other_ids_than_its_parent(clock: Any) -> None:
    ids = IdGenerator(clock)
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
