"""Forms of stored manifests on paper."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from shipcli.services.print_jobs import Paper
from shipcli.services.printers import MANIFEST
from shipcli.services.printouts import print_all

if TYPE_CHECKING:
    from shipcli.services.app import App


def print_forms(
    app: App, manifest_ids: Sequence[str], *, to: str | None = None, format: str | None = None
) -> str:
    """Print the forms, a job each; the printer they went to. They are pages: a label's format is not theirs.

    Errors: NotFound; Invalid; PrinterError, and their jobs wait.
    """
    jobs = list(print_all(app, [Paper(MANIFEST, one, to, format) for one in manifest_ids]))
    return jobs[-1].printer if jobs else ""
