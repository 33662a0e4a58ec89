"""Passwords as argon2id hashes, and the codes of a second step."""

from __future__ import annotations

import base64
import hmac
import secrets
from functools import cache
from typing import TYPE_CHECKING
from urllib.parse import quote

if TYPE_CHECKING:
    from argon2 import PasswordHasher

PERIOD_S, DIGITS = 30, 6
SECRET_BYTES = 20
DRIFT = 1  # periods that a person's clock may be off


def make_secret() -> bytes:
    """A secret to share with an app."""
    return secrets.token_bytes(SECRET_BYTES)


def compute_code(secret: bytes, step: int) -> str:
    """The code of one period."""
    digest = hmac.digest(secret, step.to_bytes(8, "big"), "sha1")
    start = digest[-1] & 0x0F
    number = int.from_bytes(digest[start : start + 4], "big") & 0x7FFFFFFF
    return str(number % 10**DIGITS).zfill(DIGITS)


def find_step(secret: bytes, code: str, now_s: float) -> int | None:
    """The period that a code belongs to; None when it is wrong."""
    typed, step = code.replace(" ", "").encode(), int(now_s) // PERIOD_S
    near = range(step - DRIFT, step + DRIFT + 1)
    return next(
        (period for period in near if hmac.compare_digest(compute_code(secret, period).encode(), typed)), None
    )


def make_otpauth_address(secret: bytes, account: str, issuer: str) -> str:
    """The `otpauth` address that an app reads, as text or as a QR code."""
    text = base64.b32encode(secret).decode()
    return f"otpauth://totp/{quote(issuer)}:{quote(account)}?secret={text}&issuer={quote(issuer)}"


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
