"""Forms as they are sent; fields that are not in the body may be in the query."""

from __future__ import annotations

import hashlib
from typing import Any
from urllib.parse import parse_qsl

from shipcli.api.request import HttpRequest
from shipcli.carrier.wire.multipart import split
from shipcli.models.basics.errors import ShipcliError
from shipcli.operations.form import TYPES, Form, FormField

MULTIPART, ENCODED = TYPES
END = b"--"  # after the last boundary: without it the body was truncated, and so is its file


def read_form(request: HttpRequest, content: bytes) -> Form:
    """Read the fields of a request.

    Errors: ShipcliError 415 for another type, 400 for a body that does not match its type.
    """
    in_query = {name: FormField(value.encode()) for name, value in request.query}
    return in_query | (_read_body(request, content) if content else {})


def _read_body(request: HttpRequest, content: bytes) -> dict[str, FormField]:
    media = request.media_type()
    if media == ENCODED:
        pairs = parse_qsl(content.decode("utf-8", "replace"), keep_blank_values=True)
        return {name: FormField(value.encode()) for name, value in pairs}
    if media != MULTIPART:
        text = f"Unsupported media type {media!r} in request: send `Content-Type: {MULTIPART}`"
        raise ShipcliError(text, code="unsupported_media_type", status=415)
    header = request.headers[b"content-type"].decode("latin-1")
    try:
        parts = split(content, header)
        if not content.rstrip().endswith(END):
            raise ValueError("the body ends before its last boundary")
    except ValueError as error:
        raise ShipcliError(f"Multipart form parse error - {error}", code="parse_error", status=400) from None
    return {
        part.name: FormField(part.content if isinstance(part.content, bytes) else part.content.encode(),
                         part.filename or "")
        for part in parts
    }  # fmt: skip


def digest_fields(form: Form) -> dict[str, Any]:
    """A digest of each field, the same for the same fields whatever boundary separates them."""
    return {name: [field.filename, hashlib.sha256(field.content).hexdigest()] for name, field in form.items()}
