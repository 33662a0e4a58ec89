"""Answers that rarely change, sent once: compressed if the client takes that, not at all if it has them.

Only texts that are the same for many callers and hold no secret are compressed: how well a text with a
secret compresses would tell of it. Their tag is weak, as it is the same for every encoding.
"""

from __future__ import annotations

import gzip
from functools import lru_cache
from hashlib import blake2b
from typing import TYPE_CHECKING

from shipcli.api.responses import HttpResponse

if TYPE_CHECKING:
    from shipcli.api.request import HttpRequest

PATHS = ("/v1/references", "/v1/carriers", "/shipping-openapi")
ASSETS = "/openapi/"
SMALLEST = 1024
LEVEL = 6
KEPT = 12  # compressed texts: those of the pages, and the reference maps of some callers


def make_compact(request: HttpRequest, response: HttpResponse) -> HttpResponse:
    """The answer as its client wants it; others than those of shared texts stay as they are."""
    if response.status != 200 or not _is_shared(request):
        return response
    tag = _make_tag(response.body)
    extra = ((b"etag", tag), (b"vary", b"accept-encoding, accept"))
    if _names_tag(request.headers.get(b"if-none-match", b""), tag):
        kept = tuple(header for header in response.headers if header[0] != b"content-type")
        return HttpResponse(304, b"", (*kept, *extra))
    if len(response.body) > SMALLEST and takes_gzip(request.headers.get(b"accept-encoding", b"")):
        packed = _compress(response.body)
        return HttpResponse(200, packed, (*response.headers, *extra, (b"content-encoding", b"gzip")))
    return response.with_headers(*extra)


def _is_shared(request: HttpRequest) -> bool:
    return request.method in ("GET", "HEAD") and (request.path in PATHS or request.path.startswith(ASSETS))


def takes_gzip(accepted: bytes) -> bool:
    """Whether a client takes gzip; `gzip;q=0` says that it does not."""
    for part in accepted.lower().split(b","):
        name, _, weight = part.partition(b";")
        if name.strip() in (b"gzip", b"*"):
            return weight.replace(b" ", b"") not in (b"q=0", b"q=0.0", b"q=0.00", b"q=0.000")
    return False


def _names_tag(tags: bytes, tag: bytes) -> bool:
    """Whether the client has this one; whether a tag is weak does not matter here."""
    bare = {part.strip().removeprefix(b"W/") for part in tags.split(b",")}
    return b"*" in bare or tag.removeprefix(b"W/") in bare


@lru_cache(maxsize=KEPT)
def _make_tag(body: bytes) -> bytes:
    return b'W/"%s"' % blake2b(body, digest_size=12).hexdigest().encode()


@lru_cache(maxsize=KEPT)
def _compress(body: bytes) -> bytes:
    return gzip.compress(body, LEVEL, mtime=0)
