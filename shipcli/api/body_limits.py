"""Limits on what one request body may hold. A body within the size limit can still have enough parts to keep
the server busy for seconds, or be nested too deeply for the code that reads it.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from shipcli.config import Config
from shipcli.models.basics.errors import Invalid

DEEPEST = 64
GOODS = ("commodities", "items", "line_items")


@dataclass(frozen=True, slots=True)
class BodyLimits:
    """The most that a body may hold: keys of one object, parcels and commodities of one shipment or order."""

    keys: int
    parcels: int
    commodities: int

    @classmethod
    def read(cls, config: Config) -> BodyLimits:
        """Read the limits from the settings."""
        return cls(config["key_limit"], config["parcel_limit"], config["commodity_limit"])

    def check(self, body: dict[str, Any]) -> None:
        """Errors: Invalid naming the field that holds too much."""
        self._count_goods(body, "", 1)

    def _count_goods(self, value: dict[str, Any] | list[Any], path: str, depth: int) -> int:
        """Check a part of the body, and count the commodities it holds."""
        if depth > DEEPEST:
            raise Invalid(path.partition(".")[0], f"must not be nested deeper than {DEEPEST} levels")
        if isinstance(value, list):
            parts = (self._count_goods(part, f"{path}[{index}]", depth + 1)
                     for index, part in enumerate(value) if isinstance(part, dict | list))  # fmt: skip
            return sum(parts)
        if len(value) > self.keys:
            raise Invalid(path, f"must have at most {self.keys} keys, not {len(value)}")
        goods = 0
        for name, part in value.items():
            if isinstance(part, dict | list):
                inner = f"{path}.{name}" if path else name
                goods += self._count_goods(part, inner, depth + 1)
                if isinstance(part, list):
                    goods += self._check_list(name, part, inner)
        if goods > self.commodities and ("parcels" in value or any(name in value for name in GOODS)):
            raise Invalid(path, f"must hold at most {self.commodities} commodities, not {goods}")
        return goods

    def _check_list(self, name: str, part: list[Any], path: str) -> int:
        """Check the length of a list of parcels, and count the commodities in one of goods."""
        if name == "parcels" and len(part) > self.parcels:
            raise Invalid(path, f"must hold at most {self.parcels} parcels, not {len(part)}")
        return len(part) if name in GOODS else 0
