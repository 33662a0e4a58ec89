"""Sealing: AES-GCM per secret, bound to the record it belongs to."""

from __future__ import annotations

import hmac
import secrets
from collections.abc import Callable
from functools import cached_property
from typing import TYPE_CHECKING

from shipcli.security.master_key import MasterKeyError

if TYPE_CHECKING:
    from cryptography.hazmat.primitives.ciphers.aead import AESGCM

VERSION = b"\x01"
NONCE = 12


class SecretUnreadable(MasterKeyError):
    """One secret can't be opened; the key and other secrets may be fine."""


class Vault:
    """Seals and opens with the master key, which is fetched on first use."""

    def __init__(self, key: Callable[[], bytes]) -> None:
        self._key = key

    @cached_property
    def _master(self) -> bytes:
        return self._key()

    @cached_property
    def _cipher(self) -> AESGCM:
        from cryptography.hazmat.primitives.ciphers.aead import AESGCM

        return AESGCM(self._master)

    def derive_key(self, purpose: str) -> bytes:
        """A separate key for a purpose; neither the master key nor other keys can be derived from it."""
        return hmac.digest(self._master, f"shipcli key for {purpose}".encode(), "sha256")

    def seal(self, record: str, secret: bytes) -> bytes:
        """Seal a secret, so that it can be opened only with the key and only for this record."""
        nonce = secrets.token_bytes(NONCE)
        return VERSION + nonce + self._cipher.encrypt(nonce, secret, record.encode())

    def open(self, record: str, sealed: bytes) -> bytes:
        """The secret of a record.

        Errors: SecretUnreadable if it was sealed for another record or with another key; MasterKeyError.
        """
        from cryptography.exceptions import InvalidTag

        version, nonce, body = sealed[:1], sealed[1 : 1 + NONCE], sealed[1 + NONCE :]
        try:
            if version != VERSION:
                raise InvalidTag
            return self._cipher.decrypt(nonce, body, record.encode())
        except (InvalidTag, ValueError):
            raise SecretUnreadable(f"The secrets of {record} can't be opened with this master key") from None

    def __repr__(self) -> str:
        return "Vault(***)"
