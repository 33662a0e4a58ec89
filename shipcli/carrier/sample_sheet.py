"""The rate sheet of a sandbox: a carrier's service levels at the prices of its simulator.

A carrier without prices of its own has levels that cost nothing until their owner says what they cost:

    sample_account = {..., "services": sample_sheet(CATALOGUE)}
"""

from __future__ import annotations

from collections.abc import Mapping
from decimal import Decimal
from typing import Any

from shipcli.carrier.catalogue_file import Catalogue
from shipcli.carrier.simulation.price_list import Tariff, is_among, price
from shipcli.carrier.wire.json_paths import Json
from shipcli.models.basics.reference import list_countries

BRACKETS_KG = tuple(Decimal(one) for one in (1, 2, 5, 10, 20))
AT_HOME, ABROAD = 1, 12  # zones of the price list


def make_sample_sheet(catalogue: Catalogue, section: str = "service_levels") -> list[Json]:
    """The levels that the simulator sells, each with a price for every bracket of weights.

    `section` is where the catalogue has them, for a sandbox that sells more than the carrier begins with.
    """
    tariffs = {row.code: row for row in catalogue.tariffs}
    pairs = [(row, catalogue.services.wire_code(row["service_code"])) for row in catalogue.plain(section)]
    return [{**row, "zones": write_zones(row, tariffs[code])} for row, code in pairs if code in tariffs]


def write_zones(level: Mapping[str, Any], tariff: Tariff) -> list[Json]:
    """One price for each bracket up to the heaviest parcel, which is the last."""
    heaviest = min(Decimal(str(level.get("max_weight") or tariff.max_kg)), tariff.max_kg)
    brackets = [*(one for one in BRACKETS_KG if one < heaviest), heaviest]
    number = AT_HOME if level.get("domicile") else ABROAD
    offers = [(one, price(tariff, number, one)) for one in brackets]
    places = (
        [code for code in list_countries() if is_among(code, tariff.destinations)]
        if tariff.destinations
        else []
    )
    where = {"country_codes": places} if places else {}
    return [
        {"max_weight": one, "rate": offer.total, "transit_days": offer.days, **where} for one, offer in offers
    ]
