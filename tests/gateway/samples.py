"""Both ways of a line, and servers that answer it."""

from __future__ import annotations

import csv
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

from shipcli.features.core.app import App

SHIPMENTS = ["Shipper name", "Shipper address 1", "Shipper city", "Shipper state", "Shipper postal code",
             "Shipper country", "Recipient name", "Recipient address 1", "Recipient city", "Recipient state",
             "Recipient postal code", "Recipient country", "Parcel weight", "Parcel weight unit", "Service",
             "Carrier", "Reference"]  # fmt: skip


HERE = ["Dock Two", "2600 Benjamin Franklin Pkwy", "Philadelphia", "PA", "19130", "US"]


THERE = ["Ana Ruiz", "1625 N Central Ave", "Phoenix", "AZ", "85004", "US"]


def table(path: Path, headers: list[str], rows: list[list[Any]]) -> str:
    with path.open("w", newline="", encoding="utf-8") as file:
        csv.writer(file).writerows([headers, *rows])
    return str(path)


def bought(app: App, reference: str) -> list[dict[str, Any]]:
    found = app.store.each("shipment", test_mode=True)
    return [one for one in found if one["reference"] == reference and one["tracking_number"]]


@contextmanager
def answering(status: int, content: bytes, **headers: str) -> Iterator[str]:
    """A server that gives everybody the same answer."""

    class Same(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            self.send_response_only(status)
            for name, value in {"content-length": str(len(content)), **headers}.items():
                self.send_header(name.replace("_", "-"), value)
            self.end_headers()
            self.wfile.write(content)

    server = ThreadingHTTPServer(("127.0.0.1", 0), Same)
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_address[1]}"
    finally:
        server.shutdown()
        thread.join()
        server.server_close()
