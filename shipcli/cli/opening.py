"""Start a run, and open its store: an older one is brought to the version of this program."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from shipcli.cli import current_run
from shipcli.cli.console.stderr import note
from shipcli.cli.session import Run

if TYPE_CHECKING:
    from shipcli.cli.global_options import Options
    from shipcli.features.core.app import App


def start(options: Options) -> Run:
    """Start a new run and make it the current one."""
    run = Run(options, open_store)
    current_run.begin(run)
    return run


def open_store(run: Run) -> App:
    """Open the store of a run; an older one is migrated if the user agrees or gave `--yes`.

    Errors: StoreError and its kinds; Invalid for a wrong setting.
    """
    from shipcli.cli.console.log_output import prepare_logging
    from shipcli.store.errors import StoreOutdated

    prepare_logging(run.options)
    try:
        return run.open_app()
    except StoreOutdated:
        from shipcli.cli.console.prompts import agree

        if not agree("bring the store to the version of this program (a backup is kept)"):
            raise
        migrate(run)
        return run.open_app()


def migrate(run: Run) -> Any:
    """Upgrade the store of a run to the newest version."""
    from shipcli.clocks import real_clock
    from shipcli.store.store import Store

    done = Store.migrate(run.store_path, clock=real_clock)
    if done.backup:
        note(f"migrated the store from version {done.before} to {done.after}; backup: {done.backup}")
    return done
