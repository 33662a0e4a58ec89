"""Who asks, once that is known."""

from __future__ import annotations

from dataclasses import dataclass

from shipcli.operations.doors import ANYBODY

READ, WRITE = "read", "write"


@dataclass(frozen=True, slots=True)
class Caller:
    """Who asks, the mode they see, what they may do.

    Shapes: `name` is the credential, which limits and the request log go by. `owner` is whom it acts for, to
            whom idempotency keys belong: it stays the same when the credential is replaced.
    """

    name: str
    test_mode: bool
    scopes: frozenset[str] = frozenset({READ, WRITE})
    owner: str = ""

    def __post_init__(self) -> None:
        if not self.owner:
            object.__setattr__(self, "owner", self.name)


NOBODY = Caller(ANYBODY, False, frozenset({READ}))
