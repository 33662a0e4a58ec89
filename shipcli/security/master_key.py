"""The master key: from `SHIPCLI_MASTER_KEY`, else from the place chosen when it was created.

The store records the place and the key's fingerprint. A missing or wrong key is an error that says how to
fix it; a new key is created only once per store.
"""

from __future__ import annotations

import base64
import binascii
import hashlib
import os
import stat
from collections.abc import Mapping
from pathlib import Path

from shipcli.models.basics.errors import ShipcliError
from shipcli.security import secret_storage

VARIABLE = "SHIPCLI_MASTER_KEY"
FILE = "master.key"
OTHERS = stat.S_IRWXG | stat.S_IRWXO
KEYRING, KEY_FILE, ENVIRONMENT = "keyring", "file", "environment"


class MasterKeyError(ShipcliError):
    """The master key is missing, unreadable or not the one the store was sealed with."""

    code = "master_key"
    exit_code = 4


def compute_fingerprint(key: bytes) -> str:
    """The fingerprint of a key, as the store records it."""
    return hashlib.sha256(b"shipcli master key" + key).hexdigest()[:16]


def make(
    home: Path, random: bytes, *, place: str | None = None, environ: Mapping[str, str] = os.environ
) -> tuple[bytes, str]:
    """The key of a new store, made of these random bytes, and where it is kept: in the keyring if there is a
    real one, else in a file.

    Errors: MasterKeyError if a key that is given, or that exists already, is not valid.
    """
    if environ.get(VARIABLE):
        return _decode(environ[VARIABLE], VARIABLE), ENVIRONMENT
    existing = _read_file(home / FILE)
    if existing:
        return existing, KEY_FILE
    key = random
    if place != KEY_FILE and secret_storage.keep_in_keyring(_name_entry(home), _encode(key)):
        return key, KEYRING
    secret_storage.write_private(home / FILE, f"{_encode(key)}\n")
    return key, KEY_FILE


def load(home: Path, place: str, fingerprint: str, environ: Mapping[str, str] = os.environ) -> bytes:
    """The key of an existing store, which recorded its place and fingerprint.

    Errors: MasterKeyError, saying where it was looked for and what to do.
    """
    if environ.get(VARIABLE):
        key: bytes | None = _decode(environ[VARIABLE], VARIABLE)
        where = f"the variable {VARIABLE}"
    elif place == KEYRING:
        key, where = _read_from_keyring(home), "the system keyring"
    elif place == ENVIRONMENT:
        raise MasterKeyError(
            f"This store was sealed with a key given in {VARIABLE}: set that variable to open it"
        )
    else:
        key, where = _read_file(home / FILE), str(home / FILE)
    if key is None:
        raise MasterKeyError(
            f"The master key is missing from {where}: restore it from your backup, or give it in {VARIABLE}"
        )
    if compute_fingerprint(key) != fingerprint:
        raise MasterKeyError(
            f"The master key in {where} is not the one this store was sealed with ({fingerprint}): "
            f"put that one there, or give it in {VARIABLE}"
        )
    return key


def _name_entry(home: Path) -> str:
    return str(home.absolute())


def _read_from_keyring(home: Path) -> bytes | None:
    try:
        text = secret_storage.read_from_keyring(_name_entry(home))
    except secret_storage.KeyringLocked as error:
        raise MasterKeyError(f"The system keyring can't be opened: {error}") from error
    return _decode(text, "the system keyring") if text else None


def _encode(key: bytes) -> str:
    return base64.urlsafe_b64encode(key).decode()


def _decode(text: str, where: str) -> bytes:
    try:
        key = base64.urlsafe_b64decode(text.strip())
    except (binascii.Error, ValueError):
        key = b""
    if len(key) != 32:
        raise MasterKeyError(f"The master key in {where} must be 32 bytes in base64")
    return key


def _read_file(path: Path) -> bytes | None:
    """The key in a file, if there is one.

    Errors: MasterKeyError if others may read the file, or it does not hold a valid key.
    """
    if not path.is_file():
        return None
    if os.name == "posix" and path.stat().st_mode & OTHERS:
        raise MasterKeyError(f"Others may read the master key: run `chmod 600 {path}`")
    return _decode(path.read_text("ascii", errors="replace"), str(path))
