"""Passwords as argon2id hashes."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from argon2 import PasswordHasher

# 19 MiB and two passes: as hard to guess as one pass with more memory, and many log-ins at once fit in.
MEMORY_KIB, PASSES, LANES = 19456, 2, 1


def hash_password(password: str) -> str:
    """The hash of a password, as it is stored."""
    return _make_hasher().hash(_encode_password(password))


def matches(stored: str | None, password: str) -> bool:
    """Whether a password has this hash; False if there is no hash, which takes just as long."""
    from argon2.exceptions import InvalidHashError, VerificationError

    try:
        _make_hasher().verify(stored or _make_dummy_hash(), _encode_password(password))
    except (VerificationError, InvalidHashError):
        return False
    return stored is not None


@cache
def _make_hasher() -> PasswordHasher:
    from argon2 import PasswordHasher

    return PasswordHasher(time_cost=PASSES, memory_cost=MEMORY_KIB, parallelism=LANES)


@cache
def _make_dummy_hash() -> str:
    return hash_password("")


def _encode_password(password: str) -> bytes:
    return password.encode("utf-8", "surrogatepass")
