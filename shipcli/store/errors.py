"""The errors of a store, each with a message that names the file and says what to do."""

from __future__ import annotations

from shipcli.models.basics.errors import ShipcliError


class StoreError(ShipcliError):
    """The store could not do what was asked."""

    code = "store"
    status = 500

    def __init__(self, message: str) -> None:
        super().__init__(message)


class StoreFull(StoreError):
    """The disk has no room for what was to be saved."""

    code = "store_full"
    status = 507


class StoreBusy(StoreError):
    """The store can't be used at the moment: try again."""

    code = "store_busy"
    status = 503


class CommitUnknown(StoreError):
    """The connection broke while a transaction was being saved: read again what it wrote, never repeat it."""

    code = "commit_unknown"
    status = 503

    def __init__(self, place: str) -> None:
        super().__init__(
            f"the connection to the store {place} broke while something was being saved: it is not known "
            "whether it was; look before you repeat it"
        )


class Duplicate(StoreError):
    """A row with this key exists already."""

    code = "duplicate"


class DamagedRow(StoreError):
    """What a row of the store holds can't be read."""

    code = "damaged_row"

    def __init__(self, kind: str, id: str) -> None:
        super().__init__(f"The {kind} {id} can't be read: its row in the store is damaged")
        self.hint = "shipcli db check"


class StoreTooNew(StoreError):
    """The store was made or migrated by a newer program."""

    code = "store_too_new"


class StoreOutdated(StoreError):
    """The store needs `shipcli db migrate` before this program may use it."""

    code = "store_outdated"
