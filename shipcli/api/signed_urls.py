"""Links to files that open without credentials: signed paths, for servers that other machines reach.

On this machine nothing is signed: there the unguessable ids are protection enough. Elsewhere a file is sent
to callers with credentials, or with the `token` that links in responses carry. Responses to callers without
credentials carry none. A token is valid for one path, and for as long as the store's master key: links are
kept with orders for years and point to files that never change, so expiring them would do more harm than
good. Stored documents and events hold plain paths; the token is added when a response is sent.
"""

from __future__ import annotations

import base64
import hmac
import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from shipcli.api.http.request import HttpRequest
    from shipcli.api.http.responses import HttpResponse
    from shipcli.security.vault import Vault

PURPOSE = "links to files"
TOKEN = "token"
# Quotes inside strings are escaped, so that this matches only members of objects.
_LINK = re.compile(
    rb'(_url"\s*:\s*")'
    rb"(/v1/(?:shipments|manifests|trackers)/[A-Za-z0-9_]+/"
    rb'(?:(?:label|invoice|manifest)\.[a-z]{3}|delivery_image|signature_image))(?=")'
)


class SignedUrls:
    """Signs and checks links for one store."""

    def __init__(self, vault: Vault) -> None:
        self._key = vault.derive_key(PURPOSE)

    def token(self, path: str) -> str:
        """The signature of a path."""
        digest = hmac.digest(self._key, path.encode(), "sha256")
        return base64.urlsafe_b64encode(digest).rstrip(b"=").decode()

    def opens(self, request: HttpRequest) -> bool:
        """Whether a request carries the signature of its own path."""
        token = request.values(TOKEN)[-1:]
        return bool(token) and hmac.compare_digest(token[0].encode(), self.token(request.path).encode())

    def sign(self, response: HttpResponse) -> HttpResponse:
        """The answer with every link to a file signed."""
        if b'_url"' not in response.body:
            return response
        return response._replace(body=_LINK.sub(self._with_token, response.body))

    def _with_token(self, match: re.Match[bytes]) -> bytes:
        return b"%b%b?%b=%b" % (match[1], match[2], TOKEN.encode(), self.token(match[2].decode()).encode())
