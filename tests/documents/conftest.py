"""One rendering process for all tests of a module: it forgets everything between documents."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from shipcli.documents.rendering import Limits, Renderer


@pytest.fixture(scope="module")
def renderer() -> Iterator[Renderer]:
    made = Renderer(Limits(cpu_s=2, wall_s=10))
    yield made
    made.close()
