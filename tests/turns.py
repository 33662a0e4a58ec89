"""Work that is done in turns on this thread, as a server does its quick work."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

from shipcli.turns import Turns


def in_turns(*works: Callable[[], Any]) -> list[Any]:
    """What each piece of work gave or ran into."""
    found: list[Any] = [None] * len(works)

    def do(place: int, work: Callable[[], Any]) -> None:
        try:
            found[place] = work()
        except Exception as error:  # noqa: BLE001 - it is told
            found[place] = error

    turns = Turns(lambda: None)
    for place, work in enumerate(works):
        turns.put(partial(do, place, work))
    turns.close()
    turns.run()
    return found
