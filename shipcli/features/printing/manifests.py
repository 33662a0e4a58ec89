"""Forms of stored manifests on paper."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from shipcli.features.core.dates import midnight
from shipcli.features.printing.jobs import TABLE, Paper
from shipcli.features.printing.labels import print_all
from shipcli.features.printing.service import MANIFEST
from shipcli.features.printing.states import CANCELLED, PRINTED
from shipcli.store.query import since

if TYPE_CHECKING:
    from shipcli.features.core.app import App


def waiting_for_paper(app: App) -> list[str]:
    """The manifests of today whose form is on no paper, or may not be, oldest first.

    A run that was interrupted after it closed the day leaves such forms.
    """
    documents = app.store.each("manifest", [since(midnight(app.now()))], app.test_mode)
    made = [str(document["id"]) for document in documents]
    return [one for one in reversed(made) if not _is_settled(app, one)]


def _is_settled(app: App, manifest_id: str) -> bool:
    where = {"object_id": manifest_id, "kind": MANIFEST, "test_mode": app.test_mode}
    return any(row["state"] in (PRINTED, CANCELLED) for row in app.store.select(TABLE, where))


def print_forms(
    app: App, manifest_ids: Sequence[str], *, to: str | None = None, format: str | None = None
) -> str:
    """Print the forms, a job each; the printer they went to. They are pages: a label's format is not theirs.

    Errors: NotFound; Invalid; PrinterError, and their jobs wait.
    """
    jobs = list(print_all(app, [Paper(MANIFEST, one, to, format) for one in manifest_ids]))
    return jobs[-1].printer if jobs else ""
