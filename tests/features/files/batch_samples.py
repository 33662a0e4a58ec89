"""Files for batches, and how a batch went."""

from __future__ import annotations

import csv
import io
from collections.abc import Mapping, Sequence

from shipcli.features.core.app import App
from shipcli.features.files.batches import service as batches
from shipcli.models import BatchOperation, ImportData


def done(app: App, batch: BatchOperation) -> BatchOperation:
    """The batch at its end."""
    assert batches.run_here(app, batch.id)
    return batches.get_batch(app, batch.id)


def statuses(batch: BatchOperation) -> list[str]:
    return [one.status for one in batch.resources]


def events(app: App, prefix: str = "batch_") -> list[str]:
    """The names of events, oldest first."""
    names = [event["type"] for event in app.store.each("event")][::-1]
    return [name for name in names if name.startswith(prefix)]


def csv_of(rows: Sequence[Mapping[str, str]]) -> bytes:
    text = io.StringIO()
    writer = csv.DictWriter(text, list(dict.fromkeys(key for row in rows for key in row)))
    writer.writeheader()
    writer.writerows(rows)
    return text.getvalue().encode()


def load(
    app: App, resource_type: str, rows: Sequence[Mapping[str, str]] | bytes, template: str | None = None
) -> BatchOperation:
    data = ImportData.model_validate({"resource_type": resource_type, "data_template": template})
    content = rows if isinstance(rows, bytes) else csv_of(rows)
    return batches.import_data(app, data, "rows.csv", content)


def shipment_row(reference: str, **cells: str) -> dict[str, str]:
    return {
        "Shipper name": "Dock Two", "Shipper address 1": "2600 Benjamin Franklin Pkwy",
        "Shipper city": "Philadelphia", "Shipper state": "PA", "Shipper postal code": "19130",
        "Shipper country": "US", "Recipient name": "Ana", "Recipient address 1": "1625 N Central Ave",
        "Recipient city": "Phoenix", "Recipient state": "AZ", "Recipient postal code": "85004",
        "Recipient country": "US", "Parcel weight": "2", "Carrier": "generic", "Service": "",
        "Reference": reference, "Tracking number": "", "Status": "", **cells,
    }  # fmt: skip
