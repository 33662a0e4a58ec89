"""The demo: shipcli's main job done on a sample file, in a temporary sandbox."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass, replace
from decimal import Decimal
from importlib.resources import files
from typing import TYPE_CHECKING, Any

from shipcli.features.book.addresses import create_address
from shipcli.features.book.parcels import create_parcel
from shipcli.features.files.engine import ImportPlan, import_file
from shipcli.features.files.row_sales import RowResult
from shipcli.features.files.shipment_store import make_shipment_rows
from shipcli.features.orders.service import create_order
from shipcli.features.paper import labels
from shipcli.features.shipments import service as shipments
from shipcli.features.trackers import service as trackers
from shipcli.models import Shipment
from shipcli.readers.tables import DataFile

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from shipcli.features.core.app import App
    from shipcli.models.base import Model

SAMPLE, OBJECTS = "demo_shipments.csv", "demo_objects.json"
VOID = "VOID"


@dataclass(frozen=True)
class DemoPage:
    """One label page and the shipment it belongs to. Only a shipment's first page has the price."""

    row: int
    reference: str | None
    shipment_id: str
    status: str
    carrier: str | None
    service: str | None
    total_charge: Decimal | None
    currency: str | None
    tracking_number: str | None
    page: int

    def to_dict(self) -> dict[str, Any]:
        return asdict(self)


SUMMARY = tuple(DemoPage.__dataclass_fields__)


@dataclass(frozen=True)
class Demo:
    """What the demonstration did."""

    pages: tuple[DemoPage, ...]
    failed: tuple[RowResult, ...]
    labels: bytes
    rated: int  # how many prices were compared
    tracked: str
    tracked_status: str
    voided: str


def read_sample() -> DataFile:
    """Return the sample file that ships with the package."""
    return DataFile(SAMPLE, files("shipcli.features.sandbox").joinpath("data", SAMPLE).read_bytes())


def list_sample_objects() -> Iterator[tuple[Callable[[App, Any], Any], Any]]:
    """Yield sample objects other than shipments: for each the use case that stores it, and its body."""
    from shipcli.models import AddressData, OrderData, ParcelData, json

    makers: dict[str, tuple[Callable[[App, Any], Any], type[Model]]] = {
        "addresses": (create_address, AddressData),
        "parcels": (create_parcel, ParcelData),
        "orders": (create_order, OrderData),
    }
    samples = json.loads(files("shipcli.features.sandbox").joinpath("data", OBJECTS).read_bytes())
    for name, (create, model) in makers.items():
        for body in samples[name]:
            yield create, model.model_validate(body)


def run_demo(app: App) -> Demo:
    """Import the sample, rate with every carrier, buy the cheapest, track one, void one."""
    rows = make_shipment_rows(app, read_sample(), ImportPlan(buy="cheapest"))
    result = import_file(rows)
    bought = rows.shipments.list_labelled(result.rows)
    pages = list_pages(app, result.rows, bought)
    tracked = next(shipment for shipment in bought if shipment.tracker_id)
    (tracker,) = trackers.refresh(app, [trackers.get_tracker(app, str(tracked.tracker_id))])
    voided = shipments.cancel_shipment(app, bought[-1].id)
    pages = [replace(page, status=voided.status) if page.shipment_id == voided.id else page for page in pages]
    return Demo(
        tuple(pages),
        tuple(row for row in result.rows if row.status != "purchased"),
        merge_all_labels(app, bought, [page.page - 1 for page in pages if page.shipment_id == voided.id]),
        sum(len(shipment.rates) for shipment in bought),
        str(tracker.tracking_number),
        tracker.status,
        str(voided.tracking_number),
    )


def merge_all_labels(app: App, bought: Sequence[Shipment], void: Sequence[int]) -> bytes:
    """Return all labels in file order; voided ones are stamped across the page."""
    from shipcli.drawing import stamp

    return stamp(labels.merge_labels(app, bought), VOID, void)


def list_pages(app: App, rows: Sequence[RowResult], bought: Sequence[Shipment]) -> list[DemoPage]:
    """Return one entry per label page: a shipment with several parcels has several."""
    from shipcli.drawing import count_pages

    by_id = {row.shipment_id: row for row in rows}
    pages: list[DemoPage] = []
    for shipment in bought:
        row = by_id[shipment.id]
        count = count_pages(labels.get_label(app, shipment).content)
        numbers = [parcel.reference_number for parcel in shipment.parcels]
        for index in range(count):
            pages.append(
                DemoPage(
                    row.row, row.reference, shipment.id, row.status, row.carrier, row.service,
                    row.total_charge if index == 0 else Decimal(0), row.currency,
                    numbers[index] if index < len(numbers) else shipment.tracking_number, len(pages) + 1,
                )
            )  # fmt: skip
    return pages
