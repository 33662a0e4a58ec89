"""Nothing acknowledged is lost when servers, processes and connections end; all goes on by itself."""

from __future__ import annotations

import pytest

from tests.cluster import MISSING, find_programs

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(find_programs() is None, reason=MISSING),
    pytest.mark.sqlite_only("starts servers of its own"),
]


@pytest.mark.parametrize("kind", ["postgres", "cut", "worker"])
def test_nothing_acknowledged_is_lost(kind: str) -> None:
    from tests.engines.crashes import measure_crashes

    figures = measure_crashes(kind, times=3)
    assert figures.pop("acknowledged") > 0
    assert figures == {"lost": 0, "twice": 0, "wrong in db check": 0}


def test_a_promoted_standby_has_all_that_was_acknowledged() -> None:
    programs = find_programs()
    if programs is None or not (programs / "pg_basebackup").exists():
        pytest.skip("no pg_basebackup")
    from tests.engines.crashes import measure_promotion

    figures = measure_promotion()
    assert figures.pop("acknowledged") > 0
    assert figures == {"lost": 0, "twice": 0, "wrong in db check": 0}
