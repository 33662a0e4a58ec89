"""What may be wrong with a server of PostgreSQL: damage, and settings with which a purchase may be lost."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from datetime import datetime

from shipcli.store.ports import Risk
from shipcli.store.postgres.definitions import name_text_index
from shipcli.store.postgres.session import PostgresSession
from shipcli.store.schema import KINDS

_MOST_SKEW_S = 5.0
_SETTINGS = (
    "fsync",
    "full_page_writes",
    "synchronous_commit",
    "synchronous_standby_names",
)
# Without the right to see more, rows of others have no state.
_STANDBYS = (
    "select count(*), count(*) filter (where sync_state in ('sync', 'quorum')), "
    "count(*) filter (where state is null) from pg_stat_replication where coalesce(state, '') <> 'backup'"
)
_COUNTED = re.compile(r"\s*(?:(?:any|first)\s*)?(\d+)\s*\(", re.IGNORECASE)


def find_damage(session: PostgresSession, schema: str) -> list[str]:
    """Indexes that are not whole, and pages whose check sums were wrong."""
    indexes = session.rows(
        "select c.relname from pg_index i join pg_class c on c.oid = i.indexrelid "
        "join pg_namespace n on n.oid = c.relnamespace where n.nspname = ? and not i.indisvalid order by 1",
        (schema,),
    )
    failures = session.rows(
        "select coalesce(checksum_failures, 0) from pg_stat_database where datname = current_database()"
    )[0][0]
    pages = [f"{failures} pages of the database had wrong check sums"] if failures else []
    return [*(f"the index {name} is not whole; run `reindex index {name}`" for (name,) in indexes), *pages]


def find_risks(session: PostgresSession, schema: str, now: datetime) -> list[Risk]:
    """What may lose a purchase that was acknowledged, and what this program does not expect."""
    settings = _read_settings(session)
    lossy, unexpected = _list_lossy(session, settings), _list_unexpected(session, now)
    return [*lossy, *unexpected, *_list_slow(session, schema)]


def _list_slow(session: PostgresSession, schema: str) -> Iterator[Risk]:
    rows = session.rows("select indexname from pg_indexes where schemaname = ?", (schema,))
    indexed = {name for (name,) in rows}
    missing = [kind.plural for kind in KINDS.values() if kind.text and name_text_index(kind) not in indexed]
    if missing:
        text = (
            f"parts of texts are searched row by row in {', '.join(missing)}: they have no index of trigrams"
        )
        yield Risk(text, "add the extension pg_trgm to the database, then run `shipcli db migrate`")


def _list_lossy(session: PostgresSession, settings: Mapping[str, str]) -> Iterator[Risk]:
    for name in ("fsync", "full_page_writes"):
        if settings[name] == "off":
            text = f"{name} is off: a power failure may damage the store or lose purchases"
            yield Risk(text, f"alter system set {name} = on", is_loss=True)
    synchronous = bool(settings["synchronous_standby_names"].strip())
    commit = settings["synchronous_commit"]
    if commit == "off" or (commit == "local" and synchronous):
        text = f"synchronous_commit is {commit}: a crash may lose purchases that were acknowledged"
        yield Risk(text, "alter system set synchronous_commit = on", is_loss=True)
    standbys, waited_for, hidden = session.rows(_STANDBYS)[0]
    needed = _count_needed(settings["synchronous_standby_names"])
    if commit not in ("off", "local") and not hidden and waited_for < needed:
        names = settings["synchronous_standby_names"]
        text = f"whatever is written waits: {waited_for} of {needed} standbys follow ({names})"
        hint = "start the standby; without one: alter system set synchronous_standby_names = ''"
        yield Risk(text, f"{hint}; select pg_reload_conf()", is_loss=True)
    if standbys and not synchronous:
        text = "replication is asynchronous: a standby that is promoted may lack the last purchases"
        yield Risk(text, "set synchronous_standby_names on the server")


def _count_needed(names: str) -> int:
    """How many standbys a commit waits for: `any 2 (a, b, c)`, or one of those that are named."""
    counted = _COUNTED.match(names)
    return int(counted[1]) if counted else int(bool(names.strip()))


def _list_unexpected(session: PostgresSession, now: datetime) -> Iterator[Risk]:
    there = float(session.rows("select extract(epoch from clock_timestamp())::float8")[0][0])
    skew = there - now.timestamp()
    if abs(skew) > _MOST_SKEW_S:
        way = "ahead of" if skew > 0 else "behind"
        text = f"the clock of the server is {abs(skew):.0f} s {way} that of this machine"
        yield Risk(text, "let both machines follow a time server")


def _read_settings(session: PostgresSession) -> dict[str, str]:
    marks = ", ".join("?" * len(_SETTINGS))
    return dict(session.rows(f"select name, setting from pg_settings where name in ({marks})", _SETTINGS))
