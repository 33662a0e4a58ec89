"""A long file as a batch: stored when it arrives, read by the job, its rows stored a few at a time.

While the file is there its rows are still being written down and none is worked on: a reading that was cut
short begins anew. The file goes in the transaction that ends the reading. Then either all rows are there, or
the batch has failed and tells of the wrong ones.
"""

from __future__ import annotations

import zlib
from collections.abc import Iterator, Sequence
from itertools import islice
from typing import TYPE_CHECKING

from shipcli.features.files.batches import items as batch_items
from shipcli.features.files.batches.file_batches import NO_ROWS, read_rows
from shipcli.features.files.batches.items import FAILED, KIND, Item
from shipcli.features.files.batches.work import write
from shipcli.features.files.import_notes import list_messages
from shipcli.models import Conflict, Invalid, Message, NotFound, ShipcliError, json
from shipcli.models.data_template import DataTemplate
from shipcli.readers.mapping import MappedFile
from shipcli.readers.tables import DataFile

if TYPE_CHECKING:
    from shipcli.features.core.app import App
    from shipcli.features.files.batches.work import BatchRun

CHUNK = 100  # rows that are written together


def pack_file(table: MappedFile, content: bytes) -> bytes:
    """A file with its data template as it is now, packed for storage."""
    template = table.template.model_dump() if table.template else None
    head = {"name": table.name, "resource_type": table.resource_type, "template": template}
    return json.dump_bytes(head) + b"\n" + zlib.compress(content, 1)


def unpack_file(packed: bytes) -> MappedFile:
    """The table of a stored file."""
    head, _, content = packed.partition(b"\n")
    about = json.loads(head)
    template = DataTemplate.model_validate(about["template"]) if about["template"] else None
    file = DataFile(about["name"], zlib.decompress(content))
    return MappedFile(file, about["resource_type"], template, is_exact=True)


def read_file(work: BatchRun) -> bool:
    """Store the rows of a batch's file, if it has one; False if it was halted before the end."""
    packed = batch_items.find_file(work.app.store, work.batch_id)
    if packed is None:
        return True
    with work.app.store.transaction(locks=[f"batch/{work.batch_id}"]) as tx:
        batch_items.clear(tx, work.batch_id)
    table = unpack_file(packed)
    rows = _read_items(work.app, table, work.batch_id)
    del packed
    is_good, notes = True, []
    while some := list(islice(rows, CHUNK)):
        if work.halt.is_set() or not _write_down(work, some):
            return False
        is_good = is_good and all(item.state != FAILED for _, item in some)
        notes += [cell for _, item in some for cell in item.notes]
    _end(work, list_messages(table, notes), is_good=is_good)
    return True


def _write_down(work: BatchRun, some: list[tuple[int, Item]]) -> bool:
    """Store some rows; False if another process has reached the end of the file in the meantime."""
    with work.app.store.transaction(locks=[f"batch/{work.batch_id}"]) as tx:
        is_kept = batch_items.has_file(tx, work.batch_id)
        if is_kept:
            batch_items.put(tx, work.batch_id, some)
    return is_kept


def _end(work: BatchRun, messages: Sequence[Message] | None, *, is_good: bool) -> None:
    """Delete the file and keep what is to be said of it; a batch with wrong rows ends with these."""
    with work.app.store.transaction(locks=[f"batch/{work.batch_id}"]) as tx:
        document = tx.get(KIND, work.batch_id)
        if not batch_items.forget_file(tx, work.batch_id) or document is None:
            return
        if messages:
            document["messages"] = [message.model_dump() for message in messages]
            tx.put(KIND, document, test_mode=work.app.test_mode)
        if is_good:
            return
        batch_items.keep_failed(tx, work.batch_id)
        work.done(tx)
        write(work.app, tx, document, FAILED)


def _read_items(app: App, table: MappedFile, batch_id: str) -> Iterator[tuple[int, Item]]:
    """Every row, wrong ones as failed; an error that ends the file early comes after the last row.

    Errors: those of the store and of this machine, which are temporary and not the file's fault.
    """
    last = -1
    try:
        for position, item in read_rows(app, table, table.resource_type, batch_id):
            last = max(last, position)
            yield position, item if isinstance(item, Item) else _fail(item)
        if last < 0:
            raise Invalid(table.name, NO_ROWS)
    except (Invalid, NotFound, Conflict) as error:
        yield last + 1, _fail(error)


def _fail(error: ShipcliError) -> Item:
    return Item(state=FAILED, errors=error.body())
