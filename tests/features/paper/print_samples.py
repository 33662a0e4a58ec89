"""A printer that listens, and the print jobs of an app."""

from __future__ import annotations

import socket
import threading
from typing import Any

import pypdfium2
import zxingcpp
from PIL import Image

from shipcli.drawing import convert
from shipcli.features.core.app import App
from shipcli.features.paper.printing import print_jobs as print_jobs
from shipcli.features.paper.printing.print_requests import Paper, PrintJob
from shipcli.features.shipments import service as shipments
from shipcli.models import ShipcliError, Shipment, ShipmentPurchaseData
from tests.factories import draft
from tests.processes import PATIENCE_S


class Listener:
    """A network printer: what it was sent."""

    def __init__(self) -> None:
        self.socket = socket.create_server(("127.0.0.1", 0))
        self.port = self.socket.getsockname()[1]
        self.jobs: list[bytes] = []
        self.printed = threading.Semaphore(0)
        self.thread = threading.Thread(target=self.serve, daemon=True)
        self.thread.start()

    def serve(self) -> None:
        while True:
            try:
                connection, _ = self.socket.accept()
            except OSError:
                return
            with connection:
                self.take(connection)

    def take(self, connection: socket.socket) -> None:
        """A job that comes in."""
        self.jobs.append(connection.makefile("rb").read())
        self.printed.release()

    def close(self) -> None:
        self.socket.shutdown(socket.SHUT_RDWR)
        self.socket.close()
        self.thread.join(PATIENCE_S)


def bought(app: App, carrier: str = "ups", **changes: Any) -> Shipment:
    made = shipments.create_shipment(app, draft(carrier_ids=[carrier], **changes))
    wanted = ShipmentPurchaseData(selected_rate_id=made.rates[0].id)
    return shipments.purchase_shipment(app, made.id, wanted)


def entered(app: App, shipment: Shipment, copy_rule: str = "") -> PrintJob:
    (found,) = print_jobs.enqueue(app, [Paper("label", shipment.id, copy_rule=copy_rule)])
    if isinstance(found, ShipcliError):
        raise found
    return found


def printed(app: App, shipment: Shipment, copy_rule: str = "") -> PrintJob:
    return print_jobs.send(app, entered(app, shipment, copy_rule))


def codes(image: Image.Image) -> set[str]:
    return {one.text.replace(" ", "") for one in zxingcpp.read_barcodes(image)}


def seen(content: bytes, dpi: int = 203) -> Image.Image:
    """What a printer of this resolution would put on paper."""
    pdf = content if content.startswith(b"%PDF") else convert(content, "PDF", dpi=dpi, size_in=None)
    document = pypdfium2.PdfDocument(pdf)
    image = document[0].render(scale=300 / 72).to_pil()
    document.close()
    return image
