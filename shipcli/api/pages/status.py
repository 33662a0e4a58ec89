"""Pages beside operations and files: the health check, the OpenAPI document."""

from __future__ import annotations

from functools import cache, partial
from typing import TYPE_CHECKING

from shipcli.api.dispatcher import ServedPage, Target
from shipcli.api.http import responses
from shipcli.features.admin.worker_status import read_heartbeat
from shipcli.models import json
from shipcli.operations.document import JSON, YAML, make_openapi_document
from shipcli.store.errors import StoreFull

if TYPE_CHECKING:
    from collections.abc import Iterator

    from shipcli.api.http.request import HttpRequest
    from shipcli.api.http.responses import HttpResponse
    from shipcli.features.core.app import App

JSON_TYPES = (JSON, f"{YAML}+json")


def list_pages(app: App) -> Iterator[tuple[str, str, Target]]:
    """Yield every page."""
    yield "GET", "/status/", ServedPage(partial(_report_status, app))
    yield "GET", "/shipping-openapi", ServedPage(_send_document)


def _report_status(app: App, request: HttpRequest, values: tuple[str, ...]) -> HttpResponse:
    """Report whether the parts work; if the store does not, the whole server counts as failing.

    A worker may also run in another process, or be started by cron, so having none is not an error.
    """
    parts = {"server": "working", "worker": read_heartbeat(app)}
    try:
        app.store.check_room()
    except StoreFull:
        return responses.write_result({"database": "cannot write: the disk is full", **parts}, responses.FULL)
    return responses.write_result({"database": "working", **parts})


def _send_document(request: HttpRequest, values: tuple[str, ...]) -> HttpResponse:
    accepted = request.headers.get(b"accept", b"").decode("latin-1")
    if any(kind in accepted for kind in JSON_TYPES):
        return responses.write_file(write_json(), JSON_TYPES[0])
    return responses.write_file(write_yaml(), YAML)


@cache
def write_json() -> bytes:
    """The served document as JSON."""
    return json.dump_bytes(make_openapi_document())


@cache
def write_yaml() -> bytes:
    """The same as YAML."""
    import yaml

    writer = getattr(yaml, "CSafeDumper", yaml.SafeDumper)
    text: str = yaml.dump(
        make_openapi_document(), Dumper=_make_plain_dumper(writer), sort_keys=False, allow_unicode=True
    )
    return text.encode()


def _make_plain_dumper(writer: type) -> type:
    """A dumper that repeats duplicate values: readers of such documents do not like YAML aliases."""
    return type("Plain", (writer,), {"ignore_aliases": lambda self, value: True})
