"""Answers sent once: compressed if the client takes that, not at all if it has them already.

Texts that are the same for many callers may be kept by any cache. Objects and lists of them may be kept by
the client alone, which asks each time whether they changed. Answers with secrets (`no-store`) are left alone.
A tag is made from the body, so that it costs no query; it is weak, as it is the same for every encoding.
"""

from __future__ import annotations

import gzip
from functools import lru_cache
from hashlib import blake2b
from typing import TYPE_CHECKING

from shipcli.api.http.responses import JSON_TYPE, HttpResponse

if TYPE_CHECKING:
    from shipcli.api.http.request import HttpRequest
    from shipcli.api.http.responses import Header

PATHS = ("/v1/references", "/v1/carriers", "/shipping-openapi")
ASSETS = "/openapi/"
SMALLEST = 1024
LARGE = 32768  # so much takes a while: nothing for the event loop
LEVEL, QUICK_LEVEL = 6, 1
KEPT = 12  # compressed texts: those of the pages, and the reference maps of some callers
SHARED: tuple[Header, ...] = ((b"vary", b"accept-encoding, accept"),)
PRIVATE: tuple[Header, ...] = (
    (b"cache-control", b"private, no-cache"),
    (b"vary", b"accept-encoding, authorization, x-test-mode"),
)


def is_compactable(request: HttpRequest, response: HttpResponse) -> bool:
    """Whether an answer gets a tag: a shared text, or what an operation read of the store."""
    if response.status != 200 or request.method not in ("GET", "HEAD"):
        return False
    if _is_shared(request):
        return True
    return request.reads_objects and JSON_TYPE in response.headers and not _has_caching(response)


def make_compact(request: HttpRequest, response: HttpResponse) -> HttpResponse:
    """The answer as its client wants it; others than those that get a tag stay as they are."""
    if not is_compactable(request, response):
        return response
    shared = _is_shared(request)
    tag = _make_kept_tag(response.body) if shared else _make_tag(response.body)
    extra = ((b"etag", tag), *(SHARED if shared else PRIVATE))
    if _names_tag(request.headers.get(b"if-none-match", b""), tag):
        kept = tuple(header for header in response.headers if header[0] != b"content-type")
        return HttpResponse(304, b"", (*kept, *extra))
    if len(response.body) > SMALLEST and _may_compress(request, shared=shared):
        packed = _compress(response.body) if shared else gzip.compress(response.body, QUICK_LEVEL, mtime=0)
        return HttpResponse(200, packed, (*response.headers, *extra, (b"content-encoding", b"gzip")))
    return response.with_headers(*extra)


def _is_shared(request: HttpRequest) -> bool:
    return request.path in PATHS or request.path.startswith(ASSETS)


def _has_caching(response: HttpResponse) -> bool:
    return any(name == b"cache-control" for name, _ in response.headers)


def _may_compress(request: HttpRequest, *, shared: bool) -> bool:
    """Whether the client takes gzip. Browsers add Basic credentials by themselves: how well an answer is
    compressed would tell a page of another site, which chooses the query, what else is in it.
    """
    is_basic = request.headers.get(b"authorization", b"").lower().startswith(b"basic ")
    return (shared or not is_basic) and takes_gzip(request.headers.get(b"accept-encoding", b""))


def takes_gzip(accepted: bytes) -> bool:
    """Whether a client takes gzip; `gzip;q=0` says that it does not."""
    for part in accepted.lower().split(b","):
        name, _, weight = part.partition(b";")
        if name.strip() in (b"gzip", b"*"):
            return weight.replace(b" ", b"") not in (b"q=0", b"q=0.0", b"q=0.00", b"q=0.000")
    return False


def _names_tag(tags: bytes, tag: bytes) -> bool:
    """Whether the client has this one; whether a tag is weak does not matter here."""
    if not tags:
        return False
    bare = {part.strip().removeprefix(b"W/") for part in tags.split(b",")}
    return b"*" in bare or tag.removeprefix(b"W/") in bare


def _make_tag(body: bytes) -> bytes:
    return b'W/"%s"' % blake2b(body, digest_size=12).hexdigest().encode()


_make_kept_tag = lru_cache(maxsize=KEPT)(_make_tag)


@lru_cache(maxsize=KEPT)
def _compress(body: bytes) -> bytes:
    return gzip.compress(body, LEVEL, mtime=0)
