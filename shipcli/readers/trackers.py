"""From a row of a trackers file to the body that adds the tracker."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from shipcli.carrier import registry
from shipcli.carrier.number_forms import list_mistyped, list_number_carriers
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

REQUIRED = ("tracking_number",)
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
        number = clean_tracking_number(cells["tracking_number"])
        carrier = cells.get("tracking_carrier") or self._find_carrier(number, wrong)
        wrong += [(name, "is required") for name in REQUIRED if not cells[name]]
        if carrier and carrier not in self.carriers:
            wrong.append(
                ("tracking_carrier", describe_unknown_word("carrier that tracks", carrier, self.carriers))
            )
        options = read_json_object("options", cells, wrong)
        cell_errors = list_cell_errors(row.number, wrong, self.columns)
        if cell_errors:
            return TrackerRow(row, number, None, cell_errors)
        carrier_options = {name: str(options[name]) for name in OWN_OPTIONS if options.get(name)}
        body = {"tracking_number": number, "carrier_name": self.carriers[carrier], **carrier_options}
        return TrackerRow(row, number, TrackingData.model_validate(body))

    def _find_carrier(self, number: str, wrong: CellErrors) -> str:
        """The carrier of a number without one: that of its form, if it is one that tracks here."""
        named = {slug: name for name, slug in self.carriers.items()}
        able = [slug for slug in list_number_carriers(number) if slug in named]
        possible = registry.drop_superseded(able)
        if len(possible) == 1:
            return named[possible[0]]
        if number:
            wrong.append(("tracking_carrier", explain_unknown_carrier(number, possible)))
        return ""


def explain_unknown_carrier(number: str, possible: Sequence[str]) -> str:
    """Why a number does not say its carrier."""
    if mistyped := list_mistyped(number):
        return f"is required: the number has the form of {' or '.join(mistyped)}, and a wrong check digit"
    form = f": the number has the form of {' or '.join(possible)}" if possible else ""
    return f"is required{form}"
