"""The tables of a catalogue: the services, options and statuses of a carrier, found by our word or its own.

`/v1/references`, validation of options, wire codes and the command line all read these rows.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, Generic, TypeVar

from shipcli.carrier.catalogue_rows import CatalogueRow, ChosenOption, Option, Service
from shipcli.carrier.wire.rounding import read_amount
from shipcli.models.basics.reference import list_eu_countries

R = TypeVar("R", bound="CatalogueRow")


class RowTable(Generic[R]):
    """Rows in order, found by slug, alias or code."""

    def __init__(self, rows: Sequence[R] = ()) -> None:
        self.rows = tuple(rows)

    def __iter__(self) -> Iterator[R]:
        return iter(self.rows)

    def __len__(self) -> int:
        return len(self.rows)

    def __contains__(self, slug: object) -> bool:
        return slug in self._by_slug

    @cached_property
    def _by_slug(self) -> dict[str, R]:
        aliases = {alias: row for row in self.rows for alias in row.aliases}
        return aliases | {row.slug: row for row in self.rows}

    @cached_property
    def _by_code(self) -> dict[str, R]:
        return {row.code: row for row in reversed(self.rows)}

    def get(self, slug: str | None) -> R | None:
        """Return the row of a slug or alias."""
        return self._by_slug.get(slug) if slug else None

    def of_code(self, code: str | None) -> R | None:
        """Return the first row with a carrier code."""
        return self._by_code.get(code) if code else None

    def code(self, slug: str) -> str:
        """Return the carrier's code of a slug; an unknown slug stands for itself."""
        row = self._by_slug.get(slug)
        return row.code if row else slug

    def slug(self, code: str) -> str:
        """Return the slug of a carrier's code; an unknown code stands for itself."""
        row = self._by_code.get(code)
        return row.slug if row else code

    def slugs(self) -> list[str]:
        return [row.slug for row in self.rows]

    def codes(self) -> dict[str, str | None]:
        """Return slugs with their codes, as `/v1/references` shows them; None where there is no code."""
        return {row.slug: row.code or None for row in self.rows}


class ServiceTable(RowTable[Service]):
    """Service levels, found by slug, or by what comes over the wire."""

    @cached_property
    def _by_wire(self) -> dict[tuple[str, str | None], list[Service]]:
        groups: dict[tuple[str, str | None], list[Service]] = {}
        for row in self.rows:
            for key in {(row.wire_code, row.carrier), (row.wire_code, None)}:
                groups.setdefault(key, []).append(row)
        return groups

    def find_wire(
        self, code: str, *, carrier: str | None = None, origin: str | None = None
    ) -> Service | None:
        """Return the service of a wire code: of a carrier behind a hub, for a shipper's country.

        A row that names the origin is preferred to one for the union, that to one for anywhere.
        """
        rows = self._by_wire.get((code, carrier), ())
        ranked = [(rank, row) for row in rows if (rank := _rank(row.origins, origin)) is not None]
        return min(ranked, key=lambda pair: pair[0])[1] if ranked else None

    def wire_code(self, slug: str) -> str:
        """Return the code that is sent for a slug; an unknown slug stands for itself."""
        row = self.get(slug)
        return row.wire_code if row else slug

    def find_slug(self, code: str, **key: Any) -> str:
        """Return the slug of a wire code (see `find_wire`); an unknown code stands for itself."""
        row = self.find_wire(code, **key)
        return row.slug if row else code

    def codes(self) -> dict[str, str | None]:
        return {row.slug: None if row.unnamed else row.code for row in self.rows if row.listed}

    @cached_property
    def returning(self) -> tuple[str, ...]:
        """The services by which customers send goods back, where not all of them are."""
        return tuple(row.slug for row in self.rows if row.returns in ("only", "also"))

    def brings_back(self, slug: str | None) -> bool:
        """Whether customers send goods back by a service."""
        row = self.get(slug) or self.of_code(slug)
        return not self.returning or bool(row and row.returns)

    def is_outward(self, slug: str | None) -> bool:
        """Whether goods are sent to customers by a service."""
        row = self.get(slug) or self.of_code(slug)
        return row is None or row.returns not in ("only", "back")

    def names(self) -> dict[str, str]:
        return {slug: slug.replace("_", " ").upper() for slug in self.codes()}

    def list_chosen(self, slugs: Iterable[str]) -> list[Service]:
        """Return the rows of those slugs that are this carrier's, in their order."""
        return [row for slug in slugs if (row := self.get(slug))]


def _rank(origins: tuple[str, ...], origin: str | None) -> int | None:
    """Return how well a service's origins fit a country, 0 best, or None if they do not."""
    if origin in origins:
        return 0
    if "EU" in origins and origin in list_eu_countries():
        return 1
    if "*" in origins:
        return 2
    return None if origins else 3


class OptionTable(RowTable[Option]):
    """Options, and which of a request's options this carrier takes."""

    def list_chosen(self, options: Mapping[str, Any]) -> list[ChosenOption]:
        """Return the options the carrier takes, in catalogue order, values in their type.

        A null or empty value, false, and an amount of 0 choose nothing: spreadsheets have columns full of
        zeros. The slug goes before its aliases.
        """
        places = sorted({place for name in options for place in self._places.get(name, ())})
        choices = [self._choose(self.rows[place], options) for place in places]
        return [choice for choice in choices if choice is not None]

    @cached_property
    def _places(self) -> dict[str, list[int]]:
        """Where in the table the rows of a name are; several may share an alias."""
        places: dict[str, list[int]] = {}
        for place, row in enumerate(self.rows):
            for name in (row.slug, *row.aliases):
                places.setdefault(name, []).append(place)
        return places

    def _choose(self, row: Option, options: Mapping[str, Any]) -> ChosenOption | None:
        for name in (row.slug, *row.aliases):
            value = options.get(name)
            if value is None or value == "":
                continue
            typed = row.read(value)
            is_zero = row.is_money and read_amount(typed) == 0
            return None if typed is False or is_zero else ChosenOption(row, typed)
        return None

    def value(self, slug: str, options: Mapping[str, Any], default: Any = None) -> Any:
        """Return one option's value by slug or alias, typed; the default when not chosen."""
        row = self.get(slug)
        chosen = self._choose(row, options) if row else None
        return chosen.value if chosen else default


@dataclass(frozen=True)
class StatusMap:
    """A carrier's tracking codes and the unified status each stands for."""

    codes: Mapping[str, str] = field(default_factory=dict)
    default: str = "in_transit"

    def read(self, code: str | None) -> str:
        return self.codes.get(code or "", self.default)

    def code(self, status: str) -> str:
        """Return the first code of a status, which simulators send."""
        return self._by_status.get(status) or self._by_status.get(self.default) or status

    @cached_property
    def _by_status(self) -> dict[str, str]:
        return {status: code for code, status in reversed([*self.codes.items()])}
