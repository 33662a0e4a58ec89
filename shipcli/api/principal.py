"""The authenticated caller of a request."""

from __future__ import annotations

from dataclasses import dataclass

from shipcli.operations.adapters import ANYBODY

READ, WRITE = "read", "write"


@dataclass(frozen=True, slots=True)
class Principal:
    """Who makes a request, the mode they see, and what they may do.

    Shapes: `name` is the credential, used for rate limits and the request log. `owner` is the account it acts
            for, which owns idempotency keys: it stays the same when the credential is replaced.
    """

    name: str
    test_mode: bool
    scopes: frozenset[str] = frozenset({READ, WRITE})
    owner: str = ""

    def __post_init__(self) -> None:
        if not self.owner:
            object.__setattr__(self, "owner", self.name)


def name_key(key_id: str) -> str:
    """The name of whoever uses an API key, in a header or at a page."""
    return f"key:{key_id}"


ANONYMOUS = Principal(ANYBODY, False, frozenset({READ}))
