"""What a recording does not keep: secrets, files, and who people are.

Secrets and files are masked as in the request log. Names, addresses, mails and telephone numbers are
replaced, the same by the same all through a recording; the key of these replacements is nowhere kept.
"""

from __future__ import annotations

import hashlib
import hmac
import re
import secrets
from collections.abc import Iterator, Mapping
from typing import Any

from shipcli.carrier.simulation.scenarios import find_address_scenario
from shipcli.features.admin.request_log import FILES, MASK, SECRETS_OF_QUERIES, hide_signatures, mask_value

PERSONAL = frozenset({
    "person_name", "company_name", "email", "phone_number", "address_line1", "address_line2", "street_number",
    "suite", "federal_tax_id", "state_tax_id", "tax_id", "signatory", "signature_name", "signed_by",
    "recipient_name", "first_name", "last_name", "full_name", "phone", "username", "customer_name", "signer",
    "contact_name",
})  # fmt: skip
PERSONAL_ENDS = ("_email", "_phone", "_phone_number", "_person_name")  # of names of options
_MAIL = re.compile(r"[^\s@<>]+@[^\s@<>]+\.[^\s@<>]+")  # in a field of any name
PERSONAL_QUERIES = frozenset({"keyword", "address", "email"})
KEPT_HEADERS = frozenset({
    "content-type", "x-test-mode", "x-sandbox-scenario", "x-sandbox-fault", "retry-after",
    "idempotent-replayed",
})  # fmt: skip
KEY = "idempotency-key"
SERVER = "{server}"  # stands for the address of the server in links
DIGITS_REPLACED = 7  # the last ones of a telephone number; those before say the country and the place
SHORTEST = 4  # of a text that is looked for within others
LETTERS = 6


class Redactor:
    """Replaces what must not be kept, in one recording."""

    def __init__(self, server: str) -> None:
        self._server, self._key = server, secrets.token_bytes(32)

    def hide_headers(self, headers: Mapping[str, str]) -> dict[str, str]:
        """The headers that matter to what is answered; a key is replaced."""
        kept = {name.lower(): value for name, value in headers.items()}
        shown = {name: value for name, value in kept.items() if name in KEPT_HEADERS}
        return shown | ({KEY: f"key-{self._digest(kept[KEY])}"} if KEY in kept else {})

    def hide_query(self, query: list[tuple[str, str]]) -> list[list[str]]:
        """A query without secrets and persons."""
        return [[name, self._hide_parameter(name, value)] for name, value in query]

    def _hide_parameter(self, name: str, value: str) -> str:
        if name in SECRETS_OF_QUERIES:
            return MASK
        return f"text-{self._digest(value)}" if name in PERSONAL_QUERIES else value

    def hide_bodies(self, *bodies: Any) -> list[Any]:
        """Bodies of one exchange; a person who is named within a message of it is replaced there as well."""
        masked = [hide_signatures(mask_value(body)) for body in bodies]
        replaced = {
            value: self.replace(name, value)
            for body in masked
            for name, value in list_personal(body)
            if len(value) >= SHORTEST
        }
        ordered = dict(sorted(replaced.items(), key=lambda pair: -len(pair[0])))
        return [self._hide(body, ordered) for body in masked]

    def _hide(self, value: Any, replaced: Mapping[str, str], name: str = "") -> Any:
        if isinstance(value, Mapping):
            return {key: self._hide(item, replaced, key) for key, item in value.items()}
        if isinstance(value, list):
            return [self._hide(item, replaced, name) for item in value]
        if not isinstance(value, str) or not value:
            return value
        if is_personal(name, value):
            return self.replace(name, value)
        for original, other in replaced.items():
            value = value.replace(original, other) if original in value else value
        return value.replace(self._server, SERVER)

    def replace(self, name: str, value: str) -> str:
        """What stands for a personal text: of the same form, so that it is accepted where the text was."""
        if find_address_scenario([value]):
            return value
        digest = self._digest(value)
        if is_mail(value) or name == "email":
            return f"{digest}@example.com"
        if "phone" in name:
            return self._replace_digits(value)
        if name.startswith("address_line"):
            return f"{int(digest[:2], 16) + 1} {self._spell(value)} Street"
        if any(letter.isdigit() for letter in value):
            return self._replace_digits(value)
        return f"Person {self._spell(value)}"

    def _replace_digits(self, value: str) -> str:
        """The same form with other digits at its end."""
        digits = hmac.new(self._key, value.encode(), hashlib.sha256).digest()
        others = iter(
            str(2 + digit % 8) for digit in digits[:DIGITS_REPLACED]
        )  # no part may begin with 0 or 1
        shown = [next(others, letter) if letter.isdigit() else letter for letter in reversed(value)]
        return "".join(reversed(shown))

    def _spell(self, value: str) -> str:
        """A word of letters."""
        digits = hmac.new(self._key, value.encode(), hashlib.sha256).digest()[:LETTERS]
        return "".join(chr(ord("a") + digit % 26) for digit in digits).capitalize()

    def _digest(self, value: str) -> str:
        return hmac.new(self._key, value.encode(), hashlib.sha256).hexdigest()[:12]


def list_personal(value: Any, name: str = "") -> Iterator[tuple[str, str]]:
    """The personal texts of a body, with the names of their fields."""
    if isinstance(value, Mapping):
        for key, item in value.items():
            yield from list_personal(item, key)
    elif isinstance(value, list):
        for item in value:
            yield from list_personal(item, name)
    elif isinstance(value, str) and value and is_personal(name, value):
        yield name, value


def is_personal(name: str, value: str) -> bool:
    """Whether the text of a field says who a person is."""
    return name in PERSONAL or name.endswith(PERSONAL_ENDS) or is_mail(value)


def is_mail(value: str) -> bool:
    """Whether a text is an e-mail address."""
    return "@" in value and _MAIL.fullmatch(value) is not None


def is_hidden(name: str) -> bool:
    """Whether a field of a recording does not hold what was sent."""
    return name in PERSONAL or name.endswith(PERSONAL_ENDS) or name in FILES or name in SECRETS_OF_QUERIES
