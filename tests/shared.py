"""What may lie beside the checkout: the contract, the facts and recordings of the carriers, sample files.

A clone that stands alone has none of it. What needs it is skipped then, and says what it needs.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

import pytest

SHARED = Path(__file__).resolve().parents[2] / "shared"
NEEDED = "needs shared/"  # how every such reason begins: .ci/run selects these tests by it


def find_shared(path: str) -> Path:
    """Return the path of a file or folder there; where it is absent the test is skipped."""
    place = SHARED / path
    if not place.exists():
        pytest.skip(explain_absence(path))
    return place


def list_rows(path: str, read: Callable[[Path], Iterable[Any]]) -> list[Any]:
    """Return parameters that are read from there; where it is absent a single one, which is skipped."""
    place = SHARED / path
    if place.exists():
        return list(read(place))
    return [pytest.param(None, id="shared", marks=pytest.mark.skip(reason=explain_absence(path)))]


def explain_absence(path: str) -> str:
    return f"{NEEDED}{path} beside the checkout"
