"""How many labels were bought at the bench today."""

from __future__ import annotations

from collections.abc import Callable
from datetime import date


class DayCount:
    """A count that begins anew with each day, at this machine's place."""

    def __init__(self, find_today: Callable[[], date]) -> None:
        self._find_today = find_today
        self._day, self._count = find_today(), 0

    @property
    def value(self) -> int:
        """The count of today."""
        self._turn()
        return self._count

    def set(self, count: int) -> None:
        """So many were bought before."""
        self._turn()
        self._count = count

    def add(self, more: int) -> None:
        """So many more were bought; fewer than nothing were voided."""
        self._turn()
        self._count = max(self._count + more, 0)

    def _turn(self) -> None:
        today = self._find_today()
        if today != self._day:
            self._day, self._count = today, 0
