"""Where secrets of this machine are stored: the system keyring if there is one, else a private file."""

from __future__ import annotations

import os
from contextlib import suppress
from pathlib import Path
from typing import Any

SERVICE = "shipcli"
REFUSED = ("keyrings.alt", "keyring.backends.fail", "keyring.backends.null")


class KeyringLocked(Exception):
    """The keyring exists but can't be opened."""


def can_use_keyring() -> bool:
    """Whether there is a real backend: none that fails or writes plain text, not even in a chain."""
    import keyring

    backend = keyring.get_keyring()
    return all(_is_safe(member) for member in getattr(backend, "backends", None) or [backend])


def _is_safe(backend: Any) -> bool:
    return float(backend.priority) > 0 and not type(backend).__module__.startswith(REFUSED)


def keep_in_keyring(entry: str, text: str) -> bool:
    """Store a text in the system keyring; False if it can't, for example because it is locked."""
    import keyring
    from keyring.errors import KeyringError

    if can_use_keyring():
        with suppress(KeyringError):
            keyring.set_password(SERVICE, entry, text)
            return True
    return False


def read_from_keyring(entry: str) -> str | None:
    """The text the keyring holds under a name; None if there is none.

    Errors: KeyringLocked.
    """
    import keyring
    from keyring.errors import KeyringError

    try:
        return keyring.get_password(SERVICE, entry) if can_use_keyring() else None
    except KeyringError as error:
        raise KeyringLocked(str(error)) from error


def remove_from_keyring(entry: str) -> None:
    """Remove a name from the keyring, if it is there.

    Errors: KeyringLocked.
    """
    import keyring
    from keyring.errors import KeyringError, PasswordDeleteError

    try:
        if can_use_keyring():
            keyring.delete_password(SERVICE, entry)
    except PasswordDeleteError:
        return
    except KeyringError as error:
        raise KeyringLocked(str(error)) from error


def write_private(path: Path, text: str) -> None:
    """Write a file atomically, readable by this user only: a killed process leaves no partial file."""
    path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
    partial = path.with_name(f"{path.name}.{os.getpid()}.part")
    partial.unlink(missing_ok=True)
    descriptor = os.open(partial, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    with os.fdopen(descriptor, "w", encoding="utf-8") as file:
        file.write(text)
        file.flush()
        os.fsync(file.fileno())
    partial.replace(path)
