"""What of an exchange may be stored: no secret, no label bytes, no more than a page or two."""

from __future__ import annotations

import base64
import json
import re
import string
from collections.abc import Iterable, Mapping
from functools import lru_cache
from html import escape
from typing import Any
from urllib.parse import quote, quote_plus

MASK = "***"
LONGEST_BODY = 65536  # characters stored of a body
SHORT, LONGEST_WORD = 8, 15  # characters of secrets that may be words of a message as well

SECRET_HEADERS = re.compile(r"auth|token|secret|api-?key|password|cookie", re.IGNORECASE)
# Members of JSON, and fields of forms and queries.
SECRET_MEMBERS = re.compile(
    r'("[a-z_]*(?:token|secret|password|passwd|apikey|api_key)"\s*:\s*)"[^"]*(?:"|\Z)', re.IGNORECASE
)
SECRET_FIELDS = re.compile(
    r"\b((?:client_secret|password|access_token|refresh_token|api_key)=)[^&\s]+", re.IGNORECASE
)
BASE64 = string.ascii_letters + string.digits + "+/=\r\n\\"
BASE64_RUN = re.compile(f"[{re.escape(BASE64)}]+")
SHORTEST_FILE = 400  # characters of base64
ZPL_START, ZPL_END = "^XA", "^XZ"


class Mask:
    """Hides the secrets of one connection, however they are spelt on the wire, and its account numbers.

    An account number is hidden where it stands alone: tracking numbers may contain it.
    """

    def __init__(self, secrets: Iterable[str], accounts: Iterable[str] = ()) -> None:
        spellings = {form for secret in secrets if len(secret) >= 3 for form in _list_spellings(secret)}
        self._secrets = sorted(spellings, key=len, reverse=True)  # the longer may contain the shorter
        self._in_messages = [secret for secret in self._secrets if not _may_be_a_word(secret)]
        accounts = [account for account in accounts if len(account) >= 3]
        numbers = "|".join(_match_alone(re.escape(account)) for account in accounts)
        self._accounts = re.compile(numbers) if numbers else None
        self._longest = max(map(len, [*spellings, *accounts]), default=0)

    def text(self, value: str) -> str:
        """Return a URL or a text without secrets and account numbers."""
        value = _hide(self._secrets, value)
        if self._accounts:
            value = self._accounts.sub(MASK, value)
        value = SECRET_MEMBERS.sub(rf'\1"{MASK}"', value)
        return SECRET_FIELDS.sub(rf"\1{MASK}", value)

    def message(self, value: Any) -> Any:
        """Return the text or the details of a message without secrets; account numbers stay readable."""
        match value:
            case str():
                return _hide(self._in_messages, value)
            case list():
                return [self.message(item) for item in value]
            case dict():
                return {name: self.message(item) for name, item in value.items()}
        return value

    def headers(self, headers: Mapping[str, str]) -> dict[str, str]:
        return {k: MASK if SECRET_HEADERS.search(k) else self.text(v) for k, v in headers.items()}

    def body(self, content: bytes) -> str:
        """Return the body as text: documents replaced by their size, secrets masked, long texts cut."""
        try:
            text = content.decode("utf-8")
        except UnicodeDecodeError:
            return f"[{len(content)} bytes]"
        if content.startswith(b"%PDF"):
            return f"[PDF of {len(content)} bytes]"
        return self._shorten(_shorten_files(_shorten_zpl(text)))

    def _shorten(self, text: str) -> str:
        """Return the masked start of a text: no more is masked than is stored.

        A secret that this cuts in half stands at the end: as much as the longest secret has is dropped.
        """
        most = LONGEST_BODY + self._longest
        if len(text) <= most:
            return self.text(text)[:LONGEST_BODY]
        masked = self.text(text[:most])
        return masked[: len(masked) - self._longest][:LONGEST_BODY]


@lru_cache(maxsize=64)
def make_mask(secrets: tuple[str, ...], accounts: tuple[str, ...] = ()) -> Mask:
    """Return the mask of these secrets and account numbers; it is cached, as connections are used again."""
    return Mask(secrets, accounts)


def _shorten_zpl(text: str) -> str:
    """Return the text with labels in ZPL replaced by their size."""
    parts, copied = [], 0
    while (start := text.find(ZPL_START, copied)) >= 0 and (end := text.find(ZPL_END, start)) >= 0:
        end += len(ZPL_END)
        parts += [text[copied:start], f"[ZPL of {end - start} characters]"]
        copied = end
    return "".join([*parts, text[copied:]])


def _shorten_files(text: str) -> str:
    """Return the text with long runs of base64 replaced by their size.

    Such a run has a character at some multiple of its least length, so it is looked for only there.
    """
    parts, copied, at = [], 0, SHORTEST_FILE - 1
    while at < len(text):
        if run := BASE64_RUN.match(text, at):
            before = text[max(copied, at - SHORTEST_FILE) : at]
            start = at - len(before) + len(before.rstrip(BASE64))
            at = run.end()
            if at - start >= SHORTEST_FILE:
                parts += [text[copied:start], f"[base64 of {at - start} characters]"]
                copied = at
        at += SHORTEST_FILE
    return "".join([*parts, text[copied:]])


def _hide(secrets: Iterable[str], text: str) -> str:
    for secret in secrets:
        text = text.replace(secret, MASK)
    return text


def _may_be_a_word(secret: str) -> bool:
    """Whether a message may use a secret as a plain word, such as `password` of a test account."""
    return len(secret) < SHORT or (secret.isalpha() and len(secret) <= LONGEST_WORD)


def _match_alone(number: str) -> str:
    """Return a pattern of a number with no letter or digit beside it.

    What stands before it is checked last: texts are searched for the number itself, which is quick.
    """
    return rf"{number}(?<![^\W_]{number})(?![^\W_])"


def _list_spellings(secret: str) -> set[str]:
    """Return the secret as text, base64, XML and JSON have it, and each of these in a form or a query."""
    text = escape(secret, quote=False)
    quoted = text.replace('"', "&quot;")
    in_xml = {text, quoted, quoted.replace("'", "&apos;")}
    in_json = {json.dumps(secret)[1:-1], json.dumps(secret, ensure_ascii=False)[1:-1]}
    spellings = {secret, base64.b64encode(secret.encode()).decode()} | in_xml | in_json
    encoded = {
        form
        for spelling in spellings
        for form in (quote(spelling), quote(spelling, safe=""), quote_plus(spelling))
    }
    return spellings | encoded
