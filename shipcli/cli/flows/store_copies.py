"""`shipcli db copy`: where a copy goes, and what is asked before."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from shipcli import bootstrap
from shipcli.cli.usage_errors import Usage
from shipcli.features.admin import worker_status
from shipcli.features.core.app import read_fact
from shipcli.models.basics.store_url import add_schema, has_password, is_store_url
from shipcli.store import copies, places
from shipcli.store.ports import MASTER_KEY, PATIENCE_S
from shipcli.store.transfer import TableContent

if TYPE_CHECKING:
    from shipcli.cli.session import Run


@dataclass(frozen=True, slots=True)
class CopyTarget:
    """Where a copy of the store and its ledger goes; `way_in` is what people do to use it."""

    place: Path | str
    ledger: Path | str
    way_in: str


def read_target(run: Run, to: str) -> CopyTarget:
    """The places of a copy: as `SHIPCLI_STORE` would have them, or files.

    Errors: Usage for a URL with a password.
    """
    if not is_store_url(to):
        file = Path(to)
        way_in = f"unset SHIPCLI_STORE, and name the file {bootstrap.STORE_FILE} in a home of its own"
        return CopyTarget(file, bootstrap.choose_ledger_place(file, sandbox=run.sandbox), way_in)
    if has_password(to):
        raise Usage("others can read the words of a command: give the password in PGPASSWORD or ~/.pgpass")
    place = add_schema(to, bootstrap.write_sandbox_ending(run.data_folder)) if run.sandbox else to
    ledger = bootstrap.choose_ledger_place(place, sandbox=run.sandbox)
    return CopyTarget(place, ledger, f"export SHIPCLI_STORE='{to}'")


def copy(run: Run, target: CopyTarget) -> list[dict[str, Any]]:
    """Copy the store and its ledger; what each table holds.

    Errors: Usage while a worker runs; MasterKeyError if the key of this machine is not that of the store.
    """
    app = run.app
    if any(row["state"] == worker_status.WORKING for row in worker_status.list_workers(app)):
        raise Usage("a worker runs: stop it, and the servers, before the store is copied")
    if read_fact(app.store, MASTER_KEY):
        app.vault.seal("copy", b"")  # fetches the key and compares its fingerprint
    contents = [*_copy_ledger(run, target), *copies.copy_store(app.store.pool, target.place, app.clock)]
    return [{"table": each.table, "rows": each.rows, "digest": each.digest} for each in contents]


def _copy_ledger(run: Run, target: CopyTarget) -> list[TableContent]:
    source = bootstrap.choose_ledger_place(run.store_address, sandbox=run.sandbox)
    engine = places.choose_engine(source)
    if not engine.has_tables(source):
        return []
    pool = engine.open_ledger_pool(source, PATIENCE_S)
    try:
        return copies.copy_ledger(pool, target.ledger)
    finally:
        pool.close()
