"""The service levels of a rate sheet: services, and the zones and weight brackets with a price."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from decimal import Decimal
from functools import cached_property, lru_cache
from operator import not_
from typing import Annotated, Any, Self

from pydantic import BeforeValidator, Field

from shipcli.models import json
from shipcli.models.base import ListOrNull, Model, Money, Number, Object, OmittedIfNone, WholeNumber


def _read_codes(value: Any) -> list[str]:
    return [str(word).strip().upper() for word in value or ()]


Codes = Annotated[list[str], BeforeValidator(_read_codes), Field(exclude_if=not_)]
Names = Annotated[ListOrNull[str], Field(exclude_if=not_)]


class Zone(Model):
    """One price: where it holds, and for which weights.

    Shapes: without `country_codes`, `postal_codes` and `cities` it holds everywhere. A postal code is given
            in full, by its beginning (`75*`), or as a range of equally long ends (`1000-1999`). Postal codes
            and cities together mean either.
    Units:  weights in the unit of the service, both ends inside; `rate` in its currency.
    """

    label: OmittedIfNone[str] = None
    rate: Money
    min_weight: OmittedIfNone[Number] = None
    max_weight: OmittedIfNone[Number] = None
    transit_days: OmittedIfNone[WholeNumber] = None
    country_codes: Codes = []
    postal_codes: Codes = []
    cities: Names = []

    def holds(self, weight: Decimal) -> bool:
        return is_within(weight, self.min_weight, self.max_weight)


class ServiceLevel(Model):
    """A service of a rate sheet with its limits and zones.

    Shapes: `domicile` and `international` say where it goes; one that is silent is the other's opposite, two
            silent ones mean everywhere. `carrier_service_code` is the carrier's own code where it differs.
            `border_above`: a weight at which one bracket ends and another begins is priced by the latter.
            `charge` names the line that the price is told as.
    Units:  kilograms and centimetres where no unit is given.
    """

    service_name: str
    service_code: str
    carrier_service_code: OmittedIfNone[str] = None
    currency: str
    active: bool = True
    domicile: OmittedIfNone[bool] = None
    international: OmittedIfNone[bool] = None
    transit_days: OmittedIfNone[WholeNumber] = None
    min_weight: OmittedIfNone[Number] = None
    max_weight: OmittedIfNone[Number] = None
    weight_unit: OmittedIfNone[str] = None
    max_length: OmittedIfNone[Number] = None
    max_width: OmittedIfNone[Number] = None
    max_height: OmittedIfNone[Number] = None
    dimension_unit: OmittedIfNone[str] = None
    border_above: OmittedIfNone[bool] = None
    charge: OmittedIfNone[str] = None
    metadata: Object = {}
    zones: ListOrNull[Zone] = []

    @property
    def weighed_in(self) -> str:
        return self.weight_unit or "KG"

    @property
    def measured_in(self) -> str:
        return self.dimension_unit or "CM"

    @property
    def limits(self) -> tuple[Decimal | None, Decimal | None, Decimal | None]:
        """The longest length, width and height."""
        return self.max_length, self.max_width, self.max_height

    def zones_to(self, country: str) -> Sequence[Zone]:
        """Return the zones of a country: the most specific places first, there the lowest brackets first.

        With `border_above` the highest brackets come first.
        """
        return self._ranked.get(country) or self._ranked[None]

    @cached_property
    def _ranked(self) -> dict[str | None, tuple[Zone, ...]]:
        """The zones by country; None is every country that no zone names."""
        zones = sorted(self.zones, key=_rank_from_top if self.border_above else _rank)
        countries = {None, *(code for zone in zones for code in zone.country_codes)}
        return {
            country: tuple(zone for zone in zones if not zone.country_codes or country in zone.country_codes)
            for country in countries
        }

    def model_copy(self, *, update: Mapping[str, Any] | None = None, deep: bool = False) -> Self:
        """Return a copy without the ranking, as it may have other zones."""
        copied = super().model_copy(update=update, deep=deep)
        copied.__dict__.pop("_ranked", None)
        return copied

    def serves(self, domestic: bool) -> bool:
        """Whether the service goes inside (or outside) the country of the sender."""
        direct, opposite = self.domicile, self.international
        if not domestic:
            direct, opposite = opposite, direct
        return not opposite if direct is None else direct


def _rank(zone: Zone) -> tuple[int, Decimal]:
    exact = 0 if zone.postal_codes or zone.cities else 1 if zone.country_codes else 2
    return exact, Decimal("Infinity") if zone.max_weight is None else zone.max_weight


def _rank_from_top(zone: Zone) -> tuple[int, Decimal, Decimal]:
    exact, most = _rank(zone)
    return exact, -(zone.min_weight or Decimal(0)), most


def is_within(value: Decimal, least: Decimal | None, most: Decimal | None) -> bool:
    return (least is None or value >= least) and (most is None or value <= most)


def read_levels(rows: Iterable[Mapping[str, Any]]) -> tuple[ServiceLevel, ...]:
    """Return service levels from plain dicts, as a carrier states them."""
    return tuple(ServiceLevel.model_validate(row) for row in rows)


@lru_cache(maxsize=64)
def _parse_levels(text: bytes) -> tuple[ServiceLevel, ...]:
    return read_levels(json.loads(text))


def _read_own_levels(value: Any) -> Any:
    """Return the levels of a sheet, cached, as a connection is opened for every request.

    What can't be read is passed on to pydantic, which names the fields.
    """
    try:
        return list(_parse_levels(json.dump_bytes(value or [])))
    except (ValueError, TypeError):
        return value


# The field `services` of credentials: levels that stand in place of the carrier's own (`Carrier.levels`).
# Its default is those, as plain rows: the field's description shows them.
OwnLevels = Annotated[list[ServiceLevel], BeforeValidator(_read_own_levels), Field(validate_default=True)]


def override_levels(
    levels: Sequence[ServiceLevel], overrides: Sequence[ServiceLevel]
) -> tuple[ServiceLevel, ...]:
    """Return a carrier's levels, those of a connection in place of the carrier's own."""
    codes = {level.service_code for level in overrides}
    return (*(level for level in levels if level.service_code not in codes), *overrides)
