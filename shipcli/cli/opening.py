"""Start a run, and open its store: an older one is brought to the version of this program."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from shipcli.cli import current_run
from shipcli.cli.command_table import shows_what_happens
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
    say_which_store(run)
    try:
        return run.open_app()
    except StoreOutdated:
        from shipcli.cli.console.prompts import agree

        if not agree("bring the store to the version of this program (a backup is kept)"):
            raise
        migrate(run)
        return run.open_app()


def say_which_store(run: Run) -> None:
    """Say in one line which store a command shows, where another one could be meant: an empty list must not
    look as if nothing had happened.
    """
    is_tool = shows_what_happens(run.path) and run.path[-1] != "up"
    if run.running and (is_tool or run.store_home != run.home):
        note(f"this is the sandbox {run.running.name} at {run.running.url}")
    elif not is_tool:
        return
    elif run.sandbox:
        note(f"no sandbox runs; this is the kept one, {run.data_folder}")
    elif running := run.list_running():
        note(f"this is the store {run.store_place}; for the sandbox at {running[0].url} add --sandbox")


def migrate(run: Run) -> Any:
    """Upgrade the store of a run to the newest version."""
    from shipcli.clocks import real_clock
    from shipcli.store.store import Store

    done = Store.migrate(run.store_address, clock=real_clock)
    if done.backup:
        note(f"migrated the store from version {done.before} to {done.after}; backup: {done.backup}")
    return done
