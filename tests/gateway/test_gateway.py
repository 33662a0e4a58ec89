"""Operations are found by their use-case."""

from __future__ import annotations

from collections import Counter

from shipcli.operations.table import OPERATIONS, UNPUBLISHED


def test_no_two_operations_share_a_use_case() -> None:
    shared = Counter(row.use for row in (*OPERATIONS, *UNPUBLISHED))
    assert [use.__name__ for use, count in shared.items() if count > 1] == []
