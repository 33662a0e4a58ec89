"""Addresses in the headers of mail."""

from __future__ import annotations

from email.headerregistry import Address

from shipcli.features.customers.addresses import UNPRINTABLE, is_address
from shipcli.models import Invalid
from shipcli.models.basics.host_names import encode_host


def read_named_address(text: str, field: str) -> Address:
    """Read `Corner Shop <orders@example.com>`, or an address without a name.

    Errors: Invalid.
    """
    before, bracket, after = text.strip().partition("<")
    name, address = (before.strip().strip('"'), after.removesuffix(">")) if bracket else ("", before)
    if not is_address(address) or UNPRINTABLE.search(name):
        raise Invalid(field, f"{text!r} is no address such as 'Corner Shop <orders@example.com>'")
    return make_address(address, name)


def make_address(address: str, name: str = "") -> Address:
    """An address for a header; a domain beyond ASCII is written as mail servers take it."""
    box, _, domain = address.rpartition("@")
    return Address(display_name=name, username=box, domain=encode_domain(domain))


def encode_domain(domain: str) -> str:
    """A domain in ASCII; as it is if it can't be written so."""
    try:
        return encode_host(domain)
    except UnicodeError:
        return domain
