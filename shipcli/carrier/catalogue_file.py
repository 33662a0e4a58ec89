"""The data file of a carrier, `catalogue.json`: its tables, which are read when they are needed.

    CATALOGUE = load_catalogue(__file__)      # catalogue.json beside the module, or one folder up

A row names what `Service`, `Option`, `CatalogueRow` and `Preset` have, in JSON; what is left out has its
default. `tables` holds whatever else maps words to words.

    {
    "api": {"state": "alive"},
    "credentials": {"api_key": "acme.example, your profile, API: the key."},
    "addresses": {"phone": {"form": "e164"}, "territories": "state"},
    "label_formats": ["PDF", "ZPL"],
    "services": [
      {"slug": "acme_ground", "code": "GND", "origins": ["US"]}
    ],
    "options": [
      {"slug": "acme_insurance", "code": "INS", "type": "float", "aliases": ["insurance"]}
    ],
    "limits": [{"source": "Acme, size guide 2026", "weight": [30, "KG"], "po_box": false}],
    "refused_options": {"dangerous_good": "Acme carries no dangerous goods"},
    "packaging": [{"slug": "acme_box", "code": "BX", "aliases": ["medium_box"]}],
    "presets": [{"slug": "acme_box", "width": 10, "height": 10, "length": 20, "dimension_unit": "CM"}],
    "statuses": {"default": "in_transit", "codes": {"DONE": "delivered"}},
    "tables": {"surcharges": {"FUE": "Fuel"}}
    }
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from functools import cache, cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

from shipcli.carrier.address_form import AddressForm
from shipcli.carrier.api_state import ApiState
from shipcli.carrier.catalogue import OptionTable, RowTable, ServiceTable, StatusMap
from shipcli.carrier.catalogue_rows import TYPE_NAMES, CatalogueRow, DoneBefore, Option, Preset, Service
from shipcli.carrier.limits import ServiceLimits, read_limit
from shipcli.models import json as plain_json

if TYPE_CHECKING:
    from shipcli.carrier.service_level import ServiceLevel
    from shipcli.carrier.simulation.bookings import Surcharge
    from shipcli.carrier.simulation.price_list import Tariff
    from shipcli.carrier.simulation.rules import Rules

NAME = "catalogue.json"
TYPES = {name: kind for kind, name in TYPE_NAMES.items()}
R = TypeVar("R", bound=CatalogueRow)


@cache
def load_catalogue(module_file: str) -> Catalogue:
    """Return the catalogue beside a module, or in the folder above it (for the modules of `sandbox/`)."""
    folder = Path(module_file).parent
    return Catalogue(folder / NAME if (folder / NAME).is_file() else folder.parent / NAME)


class Catalogue:
    """The tables of one carrier; the file is read once, each table is made when it is first asked for."""

    def __init__(self, path: Path) -> None:
        self._path = path

    @cached_property
    def _data(self) -> dict[str, Any]:
        data: dict[str, Any] = plain_json.loads(self._path.read_bytes())
        return data

    @cached_property
    def api(self) -> ApiState:
        """What is known of the carrier's API."""
        return ApiState(**self._section("api"))

    @cached_property
    def credential_help(self) -> Mapping[str, str]:
        """Where people find the credentials of a connection, by field."""
        return self._section("credentials")

    @cached_property
    def addresses(self) -> AddressForm:
        """How the carrier wants addresses."""
        return AddressForm.read(self._section("addresses"))

    @cached_property
    def label_formats(self) -> tuple[str, ...]:
        """The formats in which its labels come."""
        return tuple(self._data.get("label_formats", ()))

    @cached_property
    def services(self) -> ServiceTable:
        return ServiceTable([_make_row(Service, row) for row in self.to_dict("services")])

    @cached_property
    def options(self) -> OptionTable:
        return self.option_table("options")

    @cached_property
    def refused_options(self) -> Mapping[str, str]:
        """The options that matter and can be neither priced nor ordered, with the reason."""
        return self._section("refused_options")

    @cached_property
    def refused_alone(self) -> Mapping[str, str]:
        """The options that are refused unless another one says of which kind (`kind_of`), with the reason."""
        refused: Mapping[str, str] = self._data.get("refused_alone", {})
        return refused

    @cached_property
    def limits(self) -> ServiceLimits:
        """What its services do not take."""
        return ServiceLimits([read_limit(row) for row in self.to_dict("limits")], self.services)

    @cached_property
    def customs_options(self) -> OptionTable:
        """What a customs declaration may say in its own options."""
        return self.option_table("customs_options")

    def option_table(self, section: str) -> OptionTable:
        """Return the options of a section, such as those of pickups, which labels do not have."""
        return OptionTable([_make_row(Option, row) for row in self.to_dict(section)])

    @cached_property
    def also_reads(self) -> frozenset[str]:
        """The options that flows read beside their table."""
        return frozenset(self._data.get("also_reads", ()))

    @cached_property
    def done_before(self) -> Sequence[DoneBefore]:
        """How the carrier says that it did a thing already."""
        return [DoneBefore(**row) for row in self.to_dict("done_before")]

    @cached_property
    def packaging(self) -> RowTable[CatalogueRow]:
        return RowTable([_make_row(CatalogueRow, row) for row in self.to_dict("packaging")])

    @cached_property
    def presets(self) -> RowTable[Preset]:
        return RowTable([_make_row(Preset, row) for row in self.to_dict("presets")])

    @cached_property
    def statuses(self) -> StatusMap:
        return StatusMap(**self._section("statuses"))

    @cached_property
    def service_levels(self) -> Sequence[ServiceLevel]:
        from shipcli.carrier.service_level import read_levels

        return read_levels(self.to_dict("service_levels"))

    @cached_property
    def tariffs(self) -> Sequence[Tariff]:
        """The price list of the carrier's simulator."""
        from shipcli.carrier.simulation.price_list import read_tariff

        return [read_tariff(row) for row in self.to_dict("tariffs")]

    @cached_property
    def surcharges(self) -> Mapping[str, Surcharge]:
        """What the simulator charges for extras, by our word for them."""
        from shipcli.carrier.simulation.bookings import Surcharge

        return {name: Surcharge(**row) for name, row in self._section("surcharges").items()}

    def rules(self, *names: str) -> Rules:
        """Return the rules of the carrier's simulator, from one or several lists of rows."""
        from shipcli.carrier.simulation.rules import Rules

        rows = [row for name in names for row in self._data["rules"][name]]
        return Rules(*[[self._fill(text) for text in row] for row in rows])

    def _fill(self, text: str) -> str:
        """Return the text with `@services`, `@packaging` and `@table` replaced by their codes.

        They occur in lists of choices; an "@" elsewhere is an attribute of XML.
        """
        return re.sub(r"(?:(?<=of )|(?<=[=|]))@(\w+)", lambda match: "|".join(self._codes(match[1])), text)

    def _codes(self, name: str) -> list[str]:
        if name == "services":
            return [row.wire_code for row in self.services if row.wire_code]
        if name == "packaging":
            return [row.code for row in self.packaging]
        return list(self.table(name))

    def table(self, name: str) -> Mapping[str, Any]:
        """Return one of the carrier's own tables.

        Errors: KeyError.
        """
        table: Mapping[str, Any] = self._data["tables"][name]
        return table

    def choose(self, table: str, *words: str | None, usual: str) -> Any:
        """Return the row of the first word that the table has, else that of the usual one."""
        rows = self.table(table)
        return rows[next((word for word in words if word and word in rows), usual)]

    @cached_property
    def refusals(self) -> Mapping[str, tuple[Any, ...]]:
        """The refusals of the simulator (code, text, status) by situation."""
        return {situation: tuple(row) for situation, row in self._section("refusals").items()}

    def paths(self, part: str) -> Mapping[str, str | list[str]]:
        """Return the paths of a part of a booking in the requests that the simulator reads."""
        return dict(self._data["bookings"][part])

    def fill(self, answer: str, **values: Any) -> dict[str, Any]:
        """Return an answer of the carrier's simulator, its template filled in.

        Errors: KeyError for an unknown answer, or for a field without a value.
        """
        from shipcli.carrier.simulation.mappings import fill

        return dict(fill(self._data["answers"][answer], values))

    def to_dict(self, section: str) -> list[dict[str, Any]]:
        """Return the rows of a section as they are written."""
        return list(self._data.get(section, ()))

    def _section(self, name: str) -> dict[str, Any]:
        return dict(self._data.get(name, {}))


def _make_row(kind: type[R], row: Mapping[str, Any]) -> R:
    """Return a row of a table; lists become tuples, the name of an option's type becomes the type.

    Errors: TypeError for an unknown member; KeyError for an unknown type.
    """
    plain: dict[str, Any] = {
        name: tuple(value) if isinstance(value, list) else value for name, value in row.items()
    }
    if "type" in plain:
        plain["type"] = TYPES[plain["type"]]
    return kind(**plain)


def take_from_catalogue(default: Any) -> Any:
    """Return a class attribute that is read from the class's catalogue, unless the class states it itself."""
    return _CatalogueAttribute(default)


class _CatalogueAttribute:
    def __init__(self, default: Any) -> None:
        self._default = default

    def __set_name__(self, owner: type, name: str) -> None:
        self._name = name

    def __get__(self, instance: object, owner: Any) -> Any:
        catalogue = owner.catalogue
        return getattr(catalogue, self._name) if catalogue else self._default
