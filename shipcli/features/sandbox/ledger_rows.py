"""What the simulated carriers of a sandbox sold."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from shipcli.features.core.app import App


def list_ledger_rows(app: App) -> list[dict[str, Any]]:
    """The labels the simulated carriers sold, oldest first, with when each was bought and voided."""
    return [_make_row(slug, number, label) for slug, _, number, label in app.ledger.everything("label")]


def _make_row(slug: str, number: str, label: dict[str, Any]) -> dict[str, Any]:
    return {
        "slug": slug,
        "number": number,
        "reference": label.get("reference"),
        "service": label.get("service"),
        "total": label.get("total"),
        "currency": label.get("currency"),
        "bought": label["bought_at"],
        "voided": label["voided_at"],
        "manifested": label["manifested_at"],
    }
