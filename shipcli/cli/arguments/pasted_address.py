"""A postal address pasted at the terminal or read from standard input, and confirmed by the user."""

from __future__ import annotations

from collections.abc import Mapping

from shipcli.cli.console.prompts import read_block, take_key
from shipcli.cli.console.stderr import escape_line, warn, write
from shipcli.cli.current_run import get_run
from shipcli.models.basics.errors import Invalid

SHOWN = {
    "person_name": "person", "company_name": "company", "address_line1": "street", "address_line2": "",
    "city": "city", "state_code": "state", "postal_code": "postal code", "country_code": "country",
    "phone_number": "phone", "email": "e-mail",
}  # fmt: skip


def paste_address(given: Mapping[str, str], home: str | None) -> dict[str, str]:
    """The fields of a pasted address; flags replace what was read.

    Errors: Invalid if it contains no address, or its country is unknown; Declined.
    """
    from shipcli.features.parts.postal_block import read_postal_block

    block = read_postal_block(read_block("paste the address, then an empty line:"), home)
    found = {**block.fields, **given}
    if not found.get("city"):
        raise Invalid("recipient", "No line with a city and its postal code was found in it.")
    for name, title in SHOWN.items():
        if found.get(name):
            write(escape_line(f"  {title:<12} {found[name]}"))
    if block.unread:
        warn(f"not understood: {' / '.join(block.unread)}")
    if not found.get("country_code"):
        raise Invalid(
            "recipient.country_code", "It names no country: add a line with it, or say --to-country."
        )
    if get_run().interactive and not get_run().options.yes:
        take_key("Enter = this is the address, q = no")
    return found
