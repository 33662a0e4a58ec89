"""Addresses of mail: what a header and a mail server take, and nothing that could end a line."""

from __future__ import annotations

import re

LONGEST = 254
_ADDRESS = re.compile(r"([^\s\x00-\x20\x7f@<>\"(),:;\\\[\]]{1,64})@([^\s\x00-\x20\x7f@<>\"(),:;\\\[\]/]+)")
UNPRINTABLE = re.compile(r"[\x00-\x1f\x7f-\x9f\u2028\u2029]+")


def is_address(text: str) -> bool:
    """Whether a text is the address of one mailbox in some domain."""
    match = _ADDRESS.fullmatch(text)
    if match is None or len(text) > LONGEST:
        return False
    parts = [*match[1].split("."), *match[2].split(".")]
    return all(parts) and "." in match[2]


def write_line(text: str) -> str:
    """A text as one line of a header: what could end the line becomes a space."""
    return " ".join(UNPRINTABLE.sub(" ", text).split())
