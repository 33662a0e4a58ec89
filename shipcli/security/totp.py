"""Second-step codes: six digits from the secret and the current 30 seconds, as in authenticator apps.

Source: RFC 6238 with its defaults (SHA-1, 30 seconds, 6 digits), which are all that common apps know.
"""

from __future__ import annotations

import base64
import hmac
import secrets
from urllib.parse import quote

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
