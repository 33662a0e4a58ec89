"""Names of hosts with letters beyond ASCII, as the name service knows them."""

from __future__ import annotations

import idna


def encode_host(name: str) -> str:
    """A name in ASCII, by the rules of today: the older ones took other hosts for the same (`ß` for `ss`).

    Errors: UnicodeError for letters that no name holds.
    Source: RFC 5891; UTS 46 for capitals and forms of width.
    """
    return name if name.isascii() else idna.encode(name, uts46=True).decode()
