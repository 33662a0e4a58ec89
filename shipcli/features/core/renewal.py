"""What holds for a short time only, renewed by a thread while the work that needs it goes on."""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from shipcli.store.errors import StoreError

LASTS_S = 90.0  # after a machine has died, others wait no longer than this
EVERY_S = 30.0

log = logging.getLogger(__name__)


class Renewal:
    """A thread that calls a function every so often, until it is ended."""

    def __init__(self, renew: Callable[[], None]) -> None:
        self._renew = renew
        self._ended = threading.Event()
        self._thread = threading.Thread(target=self._run, daemon=True, name="renewal")
        self._thread.start()

    def _run(self) -> None:
        while not self._ended.wait(EVERY_S):
            try:
                self._renew()
            except StoreError as error:  # the next time may come early enough
                log.warning("a claim could not be renewed: %s", error)

    def end(self) -> None:
        """Stop, and wait for a call that is under way."""
        self._ended.set()
        self._thread.join()


@contextmanager
def renewing(renew: Callable[[], None]) -> Iterator[None]:
    """Call this function every so often while the block runs."""
    renewal = Renewal(renew)
    try:
        yield
    finally:
        renewal.end()
