"""Connections that several tests make."""

from __future__ import annotations

UPS = {"client_id": "me", "client_secret": "hush-hush-1234", "account_number": "A1B2C3"}
