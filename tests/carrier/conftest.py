"""What all tests of the carrier kit share."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.carriers.bench import close_drivers


@pytest.fixture(autouse=True)
def _no_driver_stays_open() -> Iterator[None]:
    yield
    close_drivers()
