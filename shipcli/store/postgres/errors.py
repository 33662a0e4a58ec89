"""Errors of PostgreSQL as errors of the store, each with a message that says what to do."""

from __future__ import annotations

import re

import psycopg

from shipcli.store.errors import Duplicate, StoreBusy, StoreError, StoreFull

DUPLICATE, DISK_FULL = "23505", "53100"
_BUSY = {
    "55P03": "is locked by a long write; try again when it is done",
    "57014": "took too long over a statement and stopped it; try again",
    "40P01": "had two writers wait for each other and stopped this one; try again",
    "40001": "changed in the meantime; try again",
    "53200": "has no memory for it; try again, or allow more locks (max_locks_per_transaction)",
    "53300": "has no free connection; try again, or allow more in PostgreSQL (max_connections)",
    "57P03": "is starting or being restored; try again in a moment",
}
_REASONS = {
    DISK_FULL: "cannot grow, the disk of PostgreSQL is full; free some space, nothing was saved",
    "25006": "cannot be written: this server is a standby, or set to read only",
    "42501": "cannot be used: its user lacks a privilege in the schema",
    "3D000": "has no such database; create it: createdb",
    "28P01": "refused the password",
    "28000": "refused the user",
}
# What is said while a connection is opened, in English: in another language it is shown as it is.
_REFUSALS = {
    "password authentication failed": "refused the user or the password",
    "no password supplied": "asks for a password: give it in PGPASSWORD, ~/.pgpass or the keyring",
    "no pg_hba.conf entry": "does not let this user in from this machine (pg_hba.conf)",
    'role "[^"]*" does not exist': "does not know the user",
    'database "[^"]*" does not exist': _REASONS["3D000"],
    "unsupported startup parameter": "is behind a pooler that takes no settings: add pooler=yes to the URL",
    "invalid integer value": "has something in its URL, such as the port, that is no number",
}
_READ_ONLY = "session is read-only"
_ATTEMPT = re.compile(r"^- host: .*?: (?=connection )(.*)$", re.MULTILINE)
_HOST = re.compile(r'connection to server (?:at|on socket) "([^"]*)"(?:[^,]*, port (\d+))?')


def explain(error: psycopg.Error, place: str) -> StoreError:
    """Turn an error of PostgreSQL or of the connection into one that people understand."""
    code = error.sqlstate or ""
    if code == DUPLICATE:
        return Duplicate(f"the store {place} has this row already ({error.diag.message_detail})")
    if code in _BUSY:
        return StoreBusy(f"the store {place} {_BUSY[code]}")
    if code in _REASONS:
        kind = StoreFull if code == DISK_FULL else StoreError
        return kind(f"the store {place} {_REASONS[code]}")
    if is_lost(error):
        return StoreBusy(f"the store {place} can't be reached: {_first_line(error)}")
    return StoreError(f"the store {place} failed: {_first_line(error)}")


def explain_closed(error: psycopg.OperationalError, place: str) -> StoreError:
    """Turn an error of opening a connection into one that people understand.

    Shapes: the library says no code, but a text of the server or of its own; of several hosts, a line each.
    It is no StoreBusy if waiting mends nothing.
    """
    reasons = [_read_refusal(text) for text in _split_attempts(str(error))]
    if all(is_final for _, is_final in reasons):
        return StoreError(f"the store {place} {reasons[0][0]}")
    told = "; ".join(dict.fromkeys(text for text, _ in reasons))
    return StoreBusy(f"the store {place} can't be reached: {told}")


def _split_attempts(text: str) -> list[str]:
    """What became of each host."""
    attempts = _ATTEMPT.findall(text)
    return attempts or [text.strip().partition("\n")[0]]


def _read_refusal(text: str) -> tuple[str, bool]:
    """What an attempt tells, and whether waiting changes nothing of it."""
    for sign, reason in _REFUSALS.items():
        if re.search(sign, text):
            return reason, True
    match = _HOST.search(text)
    if _READ_ONLY in text:
        host = ":".join(filter(None, match.groups())) if match else "the server"
        return f"{host} is a standby, or set to read only", False
    return text.removeprefix("connection failed: ").removeprefix("connection is bad: "), False


def is_lost(error: psycopg.Error) -> bool:
    """Whether the connection is gone, rather than a statement wrong."""
    code = error.sqlstate or ""
    has_ended = code.startswith(("08", "57P")) or code == "25006"
    return has_ended or (isinstance(error, psycopg.OperationalError) and not code)


def _first_line(error: psycopg.Error) -> str:
    return str(error).strip().partition("\n")[0]
