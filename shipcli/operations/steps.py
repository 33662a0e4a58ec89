"""The steps of purchases and imports that this server offers to `shipcli` on other machines."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from shipcli.features.core.app import App


def list_steps(app: App) -> dict[str, Any]:
    """Tell that the steps are offered; another server of this API has no such path."""
    return {"steps": True}
