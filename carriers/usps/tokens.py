"""Tokens of the sandbox: readable, so that none has to be kept, and as short-lived as the true ones."""

from __future__ import annotations

import base64
from datetime import datetime


def issue(kind: str, whose: str, now: datetime, seconds: int) -> str:
    until = int(now.timestamp()) + seconds
    return base64.urlsafe_b64encode(f"{kind}|{whose}|{until}".encode()).decode().rstrip("=")


def is_valid(kind: str, token: str, now: datetime) -> bool:
    try:
        text = base64.urlsafe_b64decode(token + "=" * (-len(token) % 4)).decode()
        found, _, rest = text.partition("|")
        return found == kind and int(rest.rpartition("|")[2]) > now.timestamp()
    except ValueError:
        return False
