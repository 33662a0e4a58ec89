"""From a row of a trackers file to the body that adds the tracker."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from shipcli.models import TrackingData
from shipcli.readers.cells import (
    CellError,
    CellErrors,
    check_values,
    clean_tracking_number,
    describe_unknown_word,
    list_cell_errors,
    read_json_object,
)
from shipcli.readers.tables import Row

REQUIRED = ("tracking_number", "tracking_carrier")
OWN_OPTIONS = ("account_number", "reference")


@dataclass(frozen=True, slots=True)
class TrackerRow:
    """A row as read: a body, or its wrong cells."""

    row: Row
    key: str
    data: TrackingData | None
    wrong: tuple[CellError, ...] = ()


@dataclass
class TrackerReader:
    """Reads rows by a mapping of fields to headers.

    Shapes: `carriers` are the names a Carrier cell may hold, each with the carrier it stands for.
    """

    columns: Mapping[str, str]
    carriers: Mapping[str, str] = field(default_factory=dict)

    def read(self, row: Row) -> TrackerRow:
        """The body of a row, or all its wrong cells."""
        cells = row.select(self.columns)
        wrong: CellErrors = []
        check_values(cells, wrong)
        number, carrier = clean_tracking_number(cells["tracking_number"]), cells["tracking_carrier"]
        wrong += [(name, "is required") for name in REQUIRED if not cells[name]]
        if carrier and carrier not in self.carriers:
            wrong.append(
                ("tracking_carrier", describe_unknown_word("carrier that tracks", carrier, self.carriers))
            )
        options = read_json_object("options", cells, wrong)
        found = list_cell_errors(row.number, wrong, self.columns)
        if found:
            return TrackerRow(row, number, None, found)
        own = {name: str(options[name]) for name in OWN_OPTIONS if options.get(name)}
        body = {"tracking_number": number, "carrier_name": self.carriers[carrier], **own}
        return TrackerRow(row, number, TrackingData.model_validate(body))
