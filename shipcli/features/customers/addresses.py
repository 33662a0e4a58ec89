"""Addresses of mail: what a header and a mail server take, and nothing that could end a line."""

from __future__ import annotations

import re
from email.headerregistry import Address

from shipcli.models import Invalid

LONGEST = 254
_ADDRESS = re.compile(r"([^\s\x00-\x20\x7f@<>\"(),:;\\\[\]]{1,64})@([^\s\x00-\x20\x7f@<>\"(),:;\\\[\]/]+)")
_UNPRINTABLE = re.compile(r"[\x00-\x1f\x7f-\x9f\u2028\u2029]+")


def is_address(text: str) -> bool:
    """Whether a text is the address of one mailbox in some domain."""
    match = _ADDRESS.fullmatch(text)
    if match is None or len(text) > LONGEST:
        return False
    parts = [*match[1].split("."), *match[2].split(".")]
    return all(parts) and "." in match[2]


def read_named_address(text: str, field: str) -> Address:
    """Read `Corner Shop <orders@example.com>`, or an address without a name.

    Errors: Invalid.
    """
    before, bracket, after = text.strip().partition("<")
    name, address = (before.strip().strip('"'), after.removesuffix(">")) if bracket else ("", before)
    if not is_address(address) or _UNPRINTABLE.search(name):
        raise Invalid(field, f"{text!r} is no address such as 'Corner Shop <orders@example.com>'")
    return make_address(address, name)


def make_address(address: str, name: str = "") -> Address:
    """An address for a header; a domain beyond ASCII is written as mail servers take it."""
    box, _, domain = address.rpartition("@")
    return Address(display_name=name, username=box, domain=encode_domain(domain))


def encode_domain(domain: str) -> str:
    """A domain in ASCII; as it is if it can't be written so."""
    try:
        return domain.encode("idna").decode()
    except UnicodeError:
        return domain


def write_line(text: str) -> str:
    """A text as one line of a header: what could end the line becomes a space."""
    return " ".join(_UNPRINTABLE.sub(" ", text).split())
