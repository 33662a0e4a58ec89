"""The options that choose orders at the bench: by article, paid method, country and age."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Annotated, Any

import typer

from shipcli.features.orders.filters import BENCH_HELP

Several = list[str] | None


@dataclass(frozen=True)
class OrderSelection:
    """Which of the unfulfilled orders are meant."""

    sku: Annotated[Several, typer.Option("--sku", metavar="SKU", help=BENCH_HELP["sku"])] = None
    method: Annotated[Several, typer.Option("--method", metavar="METHOD", help=BENCH_HELP["method"])] = None
    country: Annotated[Several, typer.Option("--country", metavar="CODE", help=BENCH_HELP["country"])] = None
    age: Annotated[str | None, typer.Option("--age", metavar="AGE", help=BENCH_HELP["age"])] = None
    single_item: Annotated[bool, typer.Option("--single-item", help=BENCH_HELP["single_item"])] = False

    def list_filters(self) -> dict[str, Any]:
        """The filters by name, those that were used."""
        return {name: value for name, value in asdict(self).items() if value}
