"""Rate sheets of the sandbox: what the simulator of a carrier sells, at its prices."""

from __future__ import annotations

from collections.abc import Mapping
from decimal import Decimal
from typing import Any

from shipcli.carrier.catalogue_file import Catalogue
from shipcli.carrier.limits import is_among
from shipcli.carrier.simulation.price_list import Tariff, price
from shipcli.carrier.wire.json_paths import Json
from shipcli.models.basics.reference import list_countries

BRACKETS_KG = tuple(Decimal(bracket) for bracket in (1, 2, 5, 10, 20))  # of sample sheets
AT_HOME, ABROAD = 1, 12  # zones of the price list


def make_sample_sheet(catalogue: Catalogue, section: str = "service_levels") -> list[Json]:
    """Return the levels that the simulator sells, with prices for a connection of the sandbox:

        sample_account = {..., "services": make_sample_sheet(CATALOGUE)}

    A carrier without prices of its own has levels that cost nothing until their owner says what they cost.
    `section` is where the catalogue has them, for a sandbox that sells more than the carrier begins with.
    """
    tariffs = {row.code: row for row in catalogue.tariffs}
    pairs = [(row, catalogue.services.wire_code(row["service_code"])) for row in catalogue.to_dict(section)]
    return [{**row, "zones": _write_zones(row, tariffs[code])} for row, code in pairs if code in tariffs]


def _write_zones(level: Mapping[str, Any], tariff: Tariff) -> list[Json]:
    """Return a price for each bracket up to the heaviest parcel, which is the last."""
    heaviest = min(Decimal(str(level.get("max_weight") or tariff.max_kg)), tariff.max_kg)
    number = AT_HOME if level.get("domicile") else ABROAD
    zones = []
    for bracket in (*(bracket for bracket in BRACKETS_KG if bracket < heaviest), heaviest):
        offer = price(tariff, number, bracket)
        zones.append({"max_weight": bracket, "rate": offer.total, "transit_days": offer.days})
    if not tariff.destinations:
        return zones
    countries = [code for code in list_countries() if is_among(code, tariff.destinations)]
    return [{**zone, "country_codes": countries} for zone in zones]
