"""Missing customs data of many shipments, reported before money is spent."""

from __future__ import annotations

from collections.abc import Sequence

from shipcli.cli.console.stderr import note, warn
from shipcli.models.basics.text import count_text

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
