"""Links to files that open without credentials: signed paths, for servers that other machines reach.

On this machine nothing is signed: there the ids, which nobody can guess, are protection enough. Elsewhere a
file is sent to whoever has credentials, or the `token` that the link in an answer carries. Answers to callers
without credentials carry none. A token is good for one path, and as long as the store's master key: links are
kept beside orders for years and name what never changes, so an end to them would break more than it saves.
Stored documents and events hold plain paths; the token is added to an answer when it is sent.
"""

from __future__ import annotations

import base64
import hmac
import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from shipcli.api.request import HttpExchange
    from shipcli.api.responses import HttpAnswer
    from shipcli.security.vault import Vault

PURPOSE = "links to files"
TOKEN = "token"
# Inside a text the quotes are escaped, so that only members of objects fit.
_LINK = re.compile(
    rb'(_url"\s*:\s*")'
    rb"(/v1/(?:shipments|manifests|trackers)/[A-Za-z0-9_]+/"
    rb'(?:(?:label|invoice|manifest)\.[a-z]{3}|delivery_image|signature_image))(?=")'
)


class Links:
    """The signatures of one store."""

    def __init__(self, vault: Vault) -> None:
        self._key = vault.derive_key(PURPOSE)

    def token(self, path: str) -> str:
        """The signature of a path."""
        digest = hmac.digest(self._key, path.encode(), "sha256")
        return base64.urlsafe_b64encode(digest).rstrip(b"=").decode()

    def opens(self, request: HttpExchange) -> bool:
        """Whether a request carries the signature of its own path."""
        given = request.values(TOKEN)[-1:]
        return bool(given) and hmac.compare_digest(given[0].encode(), self.token(request.path).encode())

    def sign(self, answer: HttpAnswer) -> HttpAnswer:
        """The answer with every link to a file signed."""
        if b'_url"' not in answer.body:
            return answer
        return answer._replace(body=_LINK.sub(self._with_token, answer.body))

    def _with_token(self, found: re.Match[bytes]) -> bytes:
        return b"%b%b?%b=%b" % (found[1], found[2], TOKEN.encode(), self.token(found[2].decode()).encode())
