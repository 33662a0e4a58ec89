"""Downloads: labels, invoices, manifests, images, exports."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING

from shipcli.api.dispatcher import ServedPage, Target
from shipcli.api.http import responses
from shipcli.api.http.responses import Header, HttpResponse
from shipcli.documents.rendering import BadTemplate
from shipcli.models import json
from shipcli.operations.files import (
    DOWNLOADS,
    EXPORTS,
    TEMPLATE,
    Download,
    Exported,
    SentFile,
    read_ids,
    render_template,
)

if TYPE_CHECKING:
    from collections.abc import Iterator

    from shipcli.api.http.request import HttpRequest
    from shipcli.features.core.app import App

FRAMED = (b"x-frame-options", b"ALLOWALL")
PREVIEWED = {"zpl": "pdf"}


def list_pages(app: App, *, guarded: bool) -> Iterator[tuple[str, str, Target]]:
    """Yield every download. If `guarded`, they need credentials or a signed link: for other machines, ids
    alone are not protection enough.
    """
    for row in DOWNLOADS:
        for path, form in row.paths():
            yield "GET", path, ServedPage(partial(_answer, app, row, form), guarded, row.linked)
    yield "GET", TEMPLATE, ServedPage(partial(_render, app), guarded)
    for export in EXPORTS:
        for path, form in export.paths():
            yield "GET", path, ServedPage(partial(_export, app, export, form), guarded=True)


def _answer(
    app: App, row: Download, form: str, request: HttpRequest, values: tuple[str, ...]
) -> HttpResponse:
    parameters = {name for name, _ in request.query}
    file_format = PREVIEWED.get(form, form) if "preview" in parameters else form
    ids = [read_ids(row.many, request.values(row.many))] if row.many else []
    file = row.use(replace(app, caller=request.owner), *values, *ids, file_format)
    return _send_file(file, as_attachment="download" in parameters)


def _render(app: App, request: HttpRequest, values: tuple[str, ...]) -> HttpResponse:
    """Render a template with the data in the query; if that fails, say at which line."""
    data = dict(request.query)
    try:
        file = render_template(replace(app, caller=request.owner), values[0], data)
    except BadTemplate as error:
        return HttpResponse(409, json.dump_bytes({"error": error.message, "line": error.line}))
    return _send_file(file, as_attachment="download" in data)


def _send_file(file: SentFile, *, as_attachment: bool) -> HttpResponse:
    """Send a file for display, also in a frame of another page, or for saving (`as_attachment`)."""
    return responses.write_file(
        file.content, file.media_type, FRAMED, *([_name_file(file)] if as_attachment else [])
    )


def _export(
    app: App, row: Exported, form: str, request: HttpRequest, values: tuple[str, ...]
) -> HttpResponse:
    """Export a table in the caller's mode."""
    assert request.caller is not None, "exports are guarded"
    file = row.use(app.in_mode(request.caller.test_mode), request.values_by_name, form)
    return responses.write_file(file.content, file.media_type, _name_file(file))


def _name_file(file: SentFile) -> Header:
    """The header that makes a browser save a file under its name."""
    return b"content-disposition", f'attachment; filename="{_clean_file_name(file.name)}"'.encode()


def _clean_file_name(name: str) -> str:
    """A file name that is safe in headers and in any file system."""
    return "".join(char if char.isascii() and (char.isalnum() or char in "._-") else "_" for char in name)
