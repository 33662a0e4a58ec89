"""Work whose transactions share one commit, as a server carries out its quick writes."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from shipcli.store.store import Store


def in_batch(store: Store, *works: Callable[[], Any]) -> list[Any]:
    """What each piece of work gave or ran into.

    Errors: StoreError when the batch was not kept.
    """
    found = []
    with store.batch():
        for work in works:
            try:
                found.append(work())
            except Exception as error:  # noqa: BLE001 - it is told
                found.append(error)
    return found
