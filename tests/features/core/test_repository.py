"""Whoever must follow a write is told of it in its transaction, and of a mere note nobody."""

from __future__ import annotations

from typing import Any

import pytest

from shipcli.features.core.app import App
from shipcli.features.core.repository import save
from shipcli.features.core.saved_document import Cause, SavedDocument
from shipcli.models import OutcomeUnknown
from shipcli.store.transaction import Transaction


@pytest.fixture
def told(app: App, monkeypatch: pytest.MonkeyPatch) -> list[SavedDocument]:
    """What followers are told from now on."""
    found: list[SavedDocument] = []

    def follow(_: App, tx: Transaction, saved: SavedDocument) -> None:
        assert tx.get(saved.kind, saved.document["id"], app.test_mode) == saved.document
        found.append(saved)

    monkeypatch.setitem(app.shared, "followers", [follow])
    return found


def stored(app: App) -> dict[str, Any]:
    return {"id": app.new_id("trk_"), "tracking_number": "1", "test_mode": app.test_mode}


@pytest.mark.parametrize("cause", ["content", "outcome", "tracked"])
def test_followers_are_told_what_was_written_and_why(
    app: App, told: list[SavedDocument], cause: Cause
) -> None:
    document, error = stored(app), OutcomeUnknown([])
    with app.store.transaction() as tx:
        save(app, tx, "tracker", document, cause)
        save(app, tx, "tracker", {**document, "status": "delivered"}, cause, error=error)
    assert [(one.kind, one.cause, one.is_new, one.error) for one in told] == [
        ("tracker", cause, True, None), ("tracker", cause, False, error),
    ]  # fmt: skip


def test_what_is_noted_is_nobodys_business(app: App, told: list[SavedDocument]) -> None:
    document = stored(app)
    with app.store.transaction() as tx:
        save(app, tx, "tracker", document, "noted")
        save(app, tx, "tracker", {**document, "meta": {"pickup_id": "1"}}, "noted")
    assert told == []
