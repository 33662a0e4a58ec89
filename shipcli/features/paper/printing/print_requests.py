"""What is printed: a paper as somebody wants it, and the job it becomes."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from shipcli.features.paper.printing import printers


@dataclass(frozen=True)
class Paper:
    """What somebody wants printed; `copy_rule` is empty, FIRST or AGAIN; without `to` the rules choose.

    Only a document has a `title` of its own: others are called by their number. Its `content` is stored
    nowhere else, and kept while its job waits.
    """

    kind: str
    object_id: str
    to: str | None = None
    format: str | None = None
    reason: str | None = None
    copy_rule: str = ""
    title: str = ""
    content: bytes | None = field(default=None, repr=False, compare=False)


@dataclass(frozen=True)
class PrintJob:
    """A job as it is stored; `copy` counts how often this paper was printed, this time included."""

    number: int
    kind: str
    object_id: str
    title: str
    printer: str
    format: str
    state: str
    copy: int
    reason: str | None
    error: str | None
    bench: str | None
    created_at: Any
    sent_at: Any
    ended_at: Any

    @classmethod
    def of(cls, row: Mapping[str, Any]) -> PrintJob:
        return cls(**{name: row[name] for name in cls.__dataclass_fields__})

    @property
    def paper(self) -> str:
        """The name of what is printed."""
        title = self.title or self.object_id
        return title if self.kind == printers.DOCUMENT else f"{self.kind} of {title}"

    def to_dict(self) -> dict[str, Any]:
        """Return the job as it is shown."""
        return {**self.__dict__, "format": self.format or None}
