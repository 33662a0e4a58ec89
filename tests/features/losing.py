"""A sandbox carrier behind a line that loses requests or answers; what the carrier did stays done."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from shipcli.carrier.simulation.simulator import SCENARIOS
from shipcli.carrier.wire.calls import Reply, Request
from shipcli.features.core.app import App

Choice = Callable[[Request], bool]


def never(request: Request) -> bool:
    return False


def always(request: Request) -> bool:
    return True


def buying(request: Request) -> bool:
    """Of Canada Post: the call that sells; it can be asked later what it sold."""
    return request.method == "POST" and request.path.endswith("/shipment")


class FirstSale:
    """The first call that sells, of a carrier that is asked for nothing else by POST under such a path."""

    def __init__(self, path: str) -> None:
        self._path, self.lost = path, False

    def __call__(self, request: Request) -> bool:
        is_first = not self.lost and request.method == "POST" and self._path in request.path
        self.lost |= is_first
        return is_first


def looking(request: Request) -> bool:
    return request.method == "GET"


class LosingSimulator:
    """Stands before a carrier's simulator; hangs up (or else) before or after the carrier has acted."""

    def __init__(self, real: Any, before: Choice, after: Choice, instead: str) -> None:
        self._real, self._before, self._after, self._instead = real, before, after, SCENARIOS[instead]
        self.asked: list[str] = []

    def answer(self, request: Request) -> Reply:
        self.asked.append(f"{request.method} {request.path}")
        if self._before(request):
            return self._instead
        reply: Reply = self._real.answer(request)
        return self._instead if self._after(request) else reply

    def __getattr__(self, name: str) -> Any:
        return getattr(self._real, name)


@contextmanager
def losing(
    app: App,
    slug: str = "canadapost",
    *,
    before: Choice = never,
    after: Choice = never,
    instead: str = "closed",
) -> Iterator[LosingSimulator]:
    """Lose requests (`before` the carrier acted) and answers (`after`) while the block runs.

    `instead` names what comes in their place.
    """
    real: Any = app.simulator(slug)
    line: Any = LosingSimulator(real, before, after, instead)
    app.simulators[slug] = line
    try:
        yield line
    finally:
        app.simulators[slug] = real
