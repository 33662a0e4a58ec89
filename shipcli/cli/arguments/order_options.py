"""The options that choose orders at the bench: by article, paid method, country and age."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Annotated, Any

import typer

from shipcli.cli.console.stderr import note
from shipcli.cli.current_run import get_run
from shipcli.features.orders.filters import BENCH_HELP
from shipcli.models.basics.text import count_text
from shipcli.workflows.open_orders import count_partial, list_unfulfilled

Several = list[str] | None
Partial = Annotated[
    bool, typer.Option("--partial", help="With what is left of orders that were shipped in part.")
]


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


def list_open_orders(filters: Mapping[str, Any], *, partial: bool) -> list[str]:
    """The orders to ship, oldest first; how many that were shipped in part are left out is told.

    Errors: Invalid for a filter that cannot be read.
    """
    gateway = get_run().gateway
    left_out = 0 if partial else count_partial(gateway, filters)
    if left_out:
        note(f"left out: {count_text(left_out, 'order')} shipped in part; --partial takes their rest")
    return list_unfulfilled(gateway, filters, partial=partial)
