"""Keys for other servers, one per URL: in the system keyring, else in a private file of this user."""

from __future__ import annotations

from pathlib import Path

from shipcli.models import json
from shipcli.models.basics.errors import ShipcliError
from shipcli.security import secret_storage

FILE = "servers.json"
KEYRING, KEY_FILE = "keyring", "file"


class ServerKeysError(ShipcliError):
    """The stored keys can't be read."""

    code = "server_keys"
    exit_code = 4


def keep(home: Path, url: str, key: str) -> str:
    """Store the key of a server; returns where it is stored."""
    if secret_storage.keep_in_keyring(_name_entry(url), key):
        _write(home, {name: text for name, text in _read(home).items() if name != url})
        return KEYRING
    _write(home, {**_read(home), url: key})
    return KEY_FILE


def find(home: Path, url: str) -> str | None:
    """The key of a server; None if there is none.

    Errors: ServerKeysError.
    """
    key = _read(home).get(url)
    if key:
        return key
    try:
        return secret_storage.read_from_keyring(_name_entry(url))
    except secret_storage.KeyringLocked as error:
        raise ServerKeysError(f"The system keyring can't be opened: {error}") from None


def forget(home: Path, url: str) -> bool:
    """Remove the key of a server; returns whether there was one."""
    existed = find(home, url) is not None
    try:
        secret_storage.remove_from_keyring(_name_entry(url))
    except secret_storage.KeyringLocked as error:
        raise ServerKeysError(f"The system keyring can't be opened: {error}") from None
    _write(home, {name: text for name, text in _read(home).items() if name != url})
    return existed


def _name_entry(url: str) -> str:
    return f"server {url}"


def _read(home: Path) -> dict[str, str]:
    path = home / FILE
    if not path.is_file():
        return {}
    try:
        stored = json.loads(path.read_bytes())
    except (ValueError, OSError):
        stored = None
    if not isinstance(stored, dict):
        raise ServerKeysError(f"{path} is damaged: remove it, then log in again")
    return {str(name): str(text) for name, text in stored.items()}


def _write(home: Path, keys: dict[str, str]) -> None:
    if keys or (home / FILE).is_file():
        secret_storage.write_private(home / FILE, json.dumps(keys, indent=True) + "\n")
