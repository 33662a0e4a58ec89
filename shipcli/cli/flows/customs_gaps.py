"""What many shipments lack, reported before money is spent: customs data, services for paid methods."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from shipcli.cli.console.stderr import note, warn
from shipcli.models.basics.text import count_text


def warn_of_unknown_methods(methods: Mapping[str, int]) -> None:
    """Name each method, of how many orders it is, and what to type."""
    for name, count in methods.items():
        warn(f"{count_text(count, 'order')} paid as {name}, a method that no service is chosen for")
    if methods:
        note(f'shipcli methods map "{next(iter(methods))}" SERVICE, or cheapest in the place of SERVICE')


MOST_NAMED = 5
SET_PRODUCT = "what an article is: shipcli products set SKU --hs-code 6912.00 --origin CN --value 12.50USD"
ADD_COLUMN = "what is in a parcel: a column Goods with Mug:2:12.50USD:6912.00:CN, or with SKU:2 of a product"


def warn_of_customs_gaps(what: str, gaps: Sequence[tuple[str, str]], hint: str) -> None:
    """Count and name those with gaps, and say what to do; `what` is one of them, such as `order`."""
    if not gaps:
        return
    named = "; ".join(f"{name} ({gap})" for name, gap in gaps[:MOST_NAMED])
    others = f"; and {len(gaps) - MOST_NAMED} more" if len(gaps) > MOST_NAMED else ""
    warn(f"customs may ask about the goods of {count_text(len(gaps), what)}: {named}{others}")
    note(hint)
