"""The parts that ready-made data templates are written with."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

Headers = str | Sequence[str]
UPPER = ("upper",)


def make_source(header: Headers, *transforms: str, join: str | None = None) -> dict[str, Any]:
    """Where a field comes from, in short."""
    headers = header if isinstance(header, str) else list(header)
    source: dict[str, Any] = {"header": headers, "transforms": list(transforms), "join": join}
    return {key: value for key, value in source.items() if value}


def make_address(side: str, headers: Mapping[str, Headers]) -> dict[str, Any]:
    """The fields of an address, without the apostrophes of spreadsheets; the reader fits in what is long."""
    return {
        f"{side}_{part}": make_source(header, "strip_apostrophe", *(UPPER if part == "postal_code" else ()))
        for part, header in headers.items()
    }
