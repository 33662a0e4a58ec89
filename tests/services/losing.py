"""A sandbox carrier behind a line that loses requests or answers; what the carrier did stays done."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from shipcli.carrier.simulator import UPSETS
from shipcli.carrier.wire import Reply, Request
from shipcli.services.app import App

Choice = Callable[[Request], bool]


def never(request: Request) -> bool:
    return False


def buying(request: Request) -> bool:
    """Of Canada Post: the call that sells; it can be asked later what it sold."""
    return request.method == "POST" and request.path.endswith("/shipment")


def looking(request: Request) -> bool:
    return request.method == "GET"


class LosingSimulator:
    """Stands before a carrier's simulator; hangs up before or after the carrier has acted."""

    def __init__(self, real: Any, before: Choice, after: Choice) -> None:
        self._real, self._before, self._after = real, before, after
        self.asked: list[str] = []

    def answer(self, request: Request) -> Reply:
        self.asked.append(f"{request.method} {request.path}")
        if self._before(request):
            return UPSETS["closed"]
        reply: Reply = self._real.answer(request)
        return UPSETS["closed"] if self._after(request) else reply

    def __getattr__(self, name: str) -> Any:
        return getattr(self._real, name)


@contextmanager
def losing(
    app: App, slug: str = "canadapost", *, before: Choice = never, after: Choice = never
) -> Iterator[LosingSimulator]:
    """Lose requests (`before` the carrier acted) and answers (`after`) while the block runs."""
    real: Any = app.shared.simulator(slug)
    line: Any = LosingSimulator(real, before, after)
    app.shared.simulators[slug] = line
    try:
        yield line
    finally:
        app.shared.simulators[slug] = real
