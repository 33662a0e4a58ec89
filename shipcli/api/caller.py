"""Who asks, once that is known."""

from __future__ import annotations

from dataclasses import dataclass

from shipcli.operations.doors import ANYBODY

READ, WRITE = "read", "write"


@dataclass(frozen=True, slots=True)
class Caller:
    """Who asks: the owner of idempotency keys and limits, the mode they see, what they may do."""

    name: str
    test_mode: bool
    scopes: frozenset[str] = frozenset({READ, WRITE})


NOBODY = Caller(ANYBODY, False, frozenset({READ}))
