"""`shipcli db`: the care of the store."""

from __future__ import annotations

import re
from contextlib import closing
from datetime import datetime, timedelta
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from shipcli.cli import opening
from shipcli.cli.console.formats import split_names
from shipcli.cli.console.output import is_form_named, show, show_list, show_sheet, show_text, show_word
from shipcli.cli.console.prompts import would
from shipcli.cli.console.stderr import note, warn
from shipcli.cli.current_run import get_run
from shipcli.cli.flows import store_copies
from shipcli.cli.flows.for_each import is_agreed
from shipcli.cli.usage_errors import Usage
from shipcli.cli.verbs import Verbs
from shipcli.clocks import real_clock
from shipcli.features.core import app as core_app
from shipcli.security import master_key
from shipcli.store import places, ports
from shipcli.store import schema as store_schema
from shipcli.store.sqlite import backups, damage, migrations
from shipcli.store.sqlite import session as sqlite

if TYPE_CHECKING:
    from contextlib import AbstractContextManager

    from shipcli.store.inspection import Inspection
    from shipcli.store.sqlite.session import SqliteSession

verb = Verbs()
AGEING = ("traces", "logs", "idempotency", "tokens", "import_rows", "named")
SPANS = {"h": "hours", "d": "days", "w": "weeks"}
_SPAN = re.compile(r"(\d{1,5})([hdw])")


@verb
def path() -> None:
    """Print where the store is.

    Examples:
    shipcli db path
    shipcli db path --json
    """
    store_path = str(get_run().store_place)
    show_word(store_path, {"path": store_path})


def _look_inside() -> AbstractContextManager[Inspection]:
    address = get_run().store_address
    return places.choose_engine(address).open_inspection(address)


@verb
def info() -> None:
    """Show the size, version and contents of the store.

    Examples:
    shipcli db info
    shipcli db info --json
    """
    show(get_run().app.store.info())


@verb
def tables() -> None:
    """List the tables of the store.

    Examples:
    shipcli db tables
    shipcli db tables --csv
    """
    with _look_inside() as store:
        show_list(store.list_tables(), ("table", "rows"))


@verb
def schema(table: Annotated[str, typer.Argument(metavar="[TABLE]", help="Only this table.")] = "") -> None:
    """Print the SQL that creates the tables of the store.

    Examples:
    shipcli db schema
    shipcli db schema shipments
    """
    with _look_inside() as store:
        rows = store.read_schema(table)
    if is_form_named():
        show_list(rows, ("table", "sql"))
    else:
        show_text("".join(f"{row['sql']};\n" for row in rows))


@verb
def query(
    sql: Annotated[str, typer.Argument(metavar="SQL", help="A statement that only reads.")],
    values: Annotated[
        list[str] | None,
        typer.Argument(metavar="[VALUE]...", help="Values for its question marks, in order."),
    ] = None,
) -> None:
    """Show the rows of an SQL statement that only reads.

    Examples:
    shipcli db query "select count(*) as labels from shipments"
    shipcli db query "select id from shipments where status = ?" draft
    """
    with _look_inside() as store:
        show_list(store.run_query(sql, values or ()), ())


@verb
def export(
    table: Annotated[str, typer.Argument(metavar="TABLE", help="Name of a table: shipcli db tables.")],
) -> None:
    """Write all rows of a table, by default as CSV.

    Examples:
    shipcli db export shipments -o shipments-table.csv
    shipcli db export shipments --json -o shipments-table.json
    """
    with _look_inside() as store:
        columns, rows = store.read_table(table)
        show_sheet(rows, columns)


@verb
def backup(
    file: Annotated[
        Path, typer.Argument(metavar="FILE", help="File to write; an older backup becomes FILE.1.")
    ],
) -> None:
    """Back up the store, unless it is damaged.

    Examples:
    shipcli db backup backup.db
    shipcli db backup backup.db --dry-run
    """
    if str(file) == "-":
        raise Usage("a backup is a file of its own; name one")
    if file.exists() and not places.choose_engine(get_run().store_place).is_backup(file):
        raise Usage(f"{file} exists and is no backup of a store; name another file")
    if not would(f"write a backup to {file}"):
        get_run().app.store.backup(file)
        note(f"wrote {file}")


@verb
def restore(file: Annotated[Path, typer.Argument(metavar="FILE", help="Backup file.")]) -> None:
    """Replace the store with a backup.

    The present store is saved as another backup beside it.

    Examples:
    shipcli db restore backup.db
    shipcli db restore backup.db --dry-run
    """
    if not sqlite.is_file_of_ours(file):
        raise Usage(f"{file} is not a backup of a store")
    target = get_run().store_path
    if not is_agreed(f"put {file} in place of {target}"):
        return
    _put_in_place(file, target)
    note(f"restored {target} from {file}")
    _warn_of_other_key()


def _warn_of_other_key() -> None:
    """A backup holds no key: what is sealed in that of another home opens with the key of that home."""
    with closing(sqlite.SqliteSession(get_run().store_path)) as session:
        if session.version() != store_schema.VERSION:
            return  # `shipcli db migrate` comes first
    app = get_run().app
    try:
        if core_app.read_fact(app.store, ports.MASTER_KEY):
            app.vault.seal("restore", b"")  # fetches the key and compares its fingerprint
    except master_key.MasterKeyError as error:
        warn(error.message)


def _put_in_place(file: Path, target: Path) -> None:
    """Copy page by page into the live file, in one transaction, so that other processes see old or new."""
    if target.exists() and target.samefile(file):
        raise Usage(f"{file} is the store itself")
    sqlite.make_private(target)
    with closing(sqlite.SqliteSession(file)) as source, closing(sqlite.SqliteSession(target)) as store:
        _refuse_unfit(source, file)
        if not store.is_empty():
            backup = _find_free_name(target)
            store.copy_to(backup)
            note(f"what was there is kept in {backup}")
        store.copy_from(source)


def _find_free_name(target: Path) -> Path:
    """A name nobody has yet: an earlier backup, perhaps the one being restored, is never written over."""
    start = f"{target.name}.before-restore-{real_clock().astimezone():%Y%m%dT%H%M%S}"
    endings = ("", *(f"-{number}" for number in range(2, 1000)))
    names = (target.with_name(f"{start}{ending}.backup") for ending in endings)
    return next(name for name in names if not name.exists())


def _refuse_unfit(source: SqliteSession, file: Path) -> None:
    if source.version() > store_schema.VERSION:
        raise Usage(migrations.describe_newer_store(file, source.version(), store_schema.VERSION))
    damages = damage.find_damage(source)
    if damages:
        raise Usage(f"{file} is damaged: {damages[0]}", more=damages[1:])


@verb
def copy(
    to: Annotated[
        str,
        typer.Option("--to", metavar="PLACE", help="A URL of PostgreSQL, or a file that does not exist yet."),
    ],
) -> None:
    """Copy the store to PostgreSQL or to a file, and compare both.

    Stop servers and workers before. An interrupted copy goes on when the line is repeated; nothing is seen at
    the other place before all is there. The ledger of simulated carriers is copied too.

    Examples:
    shipcli db copy --to copy.db
    shipcli db copy --to postgresql://shipcli@db.example/shipping --dry-run
    """
    target = store_copies.read_target(get_run(), to)
    if is_agreed(f"copy {get_run().store_place} to {target.place}"):
        show_list(store_copies.copy(get_run(), target), ("table", "rows", "digest"))
        note(f"{target.place} holds the same now; to use it: {target.way_in}")


@verb
def migrate() -> None:
    """Upgrade an older store to the version of this program.

    Examples:
    shipcli db migrate
    shipcli db migrate --dry-run
    """
    if would(f"bring {get_run().store_place} to the version of this program"):
        return
    done = opening.migrate(get_run())
    show({"before": done.before, "after": done.after, "backup": str(done.backup) if done.backup else None})


@verb
def check() -> None:
    """Check the store for damage, and find the backup to restore.

    Examples:
    shipcli db check
    shipcli db check --json
    """
    place = get_run().store_place
    damages = damage.find_damage_in(place) if isinstance(place, Path) and place.exists() else []
    problems = damages or get_run().app.store.check()
    show_list([{"problem": problem} for problem in problems], ("problem",))
    if problems:
        if isinstance(place, Path):
            _name_backup(place)
        raise typer.Exit(1)
    note("the store is sound")


def _name_backup(path: Path) -> None:
    sound = next((backup for backup in backups.find_backups(path) if damage.is_sound(backup)), None)
    if sound is None:
        note("no sound backup is known of; put one in place of the store: shipcli db restore FILE")
    else:
        made = datetime.fromtimestamp(sound.stat().st_mtime)
        note(f"the newest sound backup is of {made:%Y-%m-%d %H:%M}: shipcli db restore {sound}")


@verb
def prune(
    older_than: Annotated[
        str,
        typer.Option("--older-than", metavar="AGE", help="Age from which they are removed: 180d, 26w, 12h."),
    ],
    what: Annotated[
        str, typer.Option("--what", metavar="A,B", help=f"One or more of {', '.join(AGEING)}.")
    ] = "traces,logs",
) -> None:
    """Remove old traces and logs.

    Examples:
    shipcli db prune --older-than 180d
    shipcli db prune --older-than 4w --what traces,logs --dry-run
    """
    tables = split_names(what)
    wrong = [name for name in tables if name not in AGEING]
    if wrong:
        raise Usage(f"{wrong[0]} can't be pruned, only {', '.join(AGEING)}")
    app = get_run().app
    before = app.now() - read_age(older_than)
    if is_agreed(f"remove {', '.join(tables)} from before {before.astimezone():%Y-%m-%d %H:%M}"):
        removed = app.store.prune(before, tables)
        rows = [{"what": name, "removed": number} for name, number in removed.items()]
        show_list(rows, ("what", "removed"))


def read_age(text: str) -> timedelta:
    """`180d`, `26w`, `12h`.

    Errors: Usage.
    """
    match = _SPAN.fullmatch(text.strip().lower())
    if match is None:
        raise Usage(f"{text!r} is not an age such as 180d, 26w or 12h")
    return timedelta(**{SPANS[match[2]]: int(match[1])})
