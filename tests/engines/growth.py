"""What a store in PostgreSQL costs that has many shipments: they are copied from one, in its own tables."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import closing
from functools import partial

from shipcli.features.core.app import App
from shipcli.store.ports import Session
from shipcli.store.query import contains, equal, text
from shipcli.store.schema import KINDS
from tests.engines import work
from tests.engines.places import MeasuredPlace

SHIPMENT, FIRST, AT_ONCE = KINDS["shipment"], "shp_first", 100_000
STATUSES = ("purchased", "in_transit", "delivered", "draft")
QUEUE = "webhook/growth"
# Offsets of pages: near, and where a list is reached from its nearer end.
NEAR, FAR = 4000, 20_000
# Numbers that look drawn: each of nine digits comes once.
STEP, NINE_DIGITS = 387_420_489, 10**9
DRAWN = f"lpad((i::bigint * {STEP} % {NINE_DIGITS})::text, 9, '0')"
# What differs between the copies, as SQL on their number `i`.
NAMED = {
    "id": "'shp_' || lpad(i::text, 12, '0')", "reference": f"'PO-' || {DRAWN}",
    "tracking_number": f"'1Z999' || {DRAWN}",
    "status": f"(array{list(STATUSES)})[1 + i % {len(STATUSES)}]",
}  # fmt: skip
MOMENT = "(timestamp '2024-01-01' + i * interval '30 seconds')"
WRITTEN = f'to_char({MOMENT}, \'YYYY-MM-DD"T"HH24:MI:SS.US"Z"\')'
Work = Callable[[int], object]


def measure_growth(
    place: MeasuredPlace, steps: list[int], times: int
) -> Iterator[tuple[int, dict[str, float]]]:
    """Microseconds of the quickest of several times, by what is done; for each number of shipments."""
    with closing(work.open_measured(place.home, place.environ)) as app:
        first, held = _put_first(app), 1
        for step in steps:
            _fill(app.store.pool.session(), first, held, step)
            held = step
            yield step, {name: _measure(run, times) for name, run in _list_work(app, step).items()}


def _measure(run: Work, times: int) -> float:
    costs = []
    for number in range(times):
        began = time.perf_counter()
        run(number)
        costs.append(time.perf_counter() - began)
    return min(costs) * 1e6


def _list_work(app: App, held: int) -> dict[str, Work]:
    store = app.store
    middle = held // 2

    def put(_: int) -> None:
        with store.transaction(locks=()) as tx:
            tx.put("shipment", work.write_shipment(store.new_id("shp_")))

    def find(name: str, write: Callable[[int], str]) -> Work:
        return lambda number: store.page("shipment", [contains(name, write(middle + number))], test_mode=True)

    def list_from(offset: int) -> Work:
        return lambda _: store.page("shipment", [], 20, offset, test_mode=True)

    in_transit = [equal("status", "in_transit")]
    return {
        "new shipment": put,
        "page 1": list_from(0),
        f"page at {NEAR}": list_from(NEAR),
        f"page at {FAR}": list_from(FAR),
        "page in the middle": list_from(middle),
        "page 1 of a status": lambda _: store.page("shipment", in_transit, test_mode=True),
        f"page at {FAR} of a status": lambda _: store.page("shipment", in_transit, 20, FAR, test_mode=True),
        "whole tracking number": find("tracking_number", lambda number: f"1Z999{draw(number)}"),
        "part of a reference, one match": find("reference", draw),
        "part of a reference, 7 of 1000": find("reference", lambda number: draw(number)[:3]),
        "keyword that all have": lambda _: store.page("shipment", [text("ruiz")], test_mode=True),
        "start of an id": lambda number: store.find_prefix(["shipment"], f"{middle + number:012}"[:-1], True),
        "claim of 10 jobs": lambda _: app.jobs.claim({QUEUE: 10}),
    }


def draw(number: int) -> str:
    """The nine digits of a copy."""
    return f"{number * STEP % NINE_DIGITS:09}"


# -- filling ---------------------------------------------------------------------------------------


def _put_first(app: App) -> int:
    """Store the shipment that is copied, with rates as they are stored; its seq."""
    meta = {"carrier_connection_id": "car_1", "service_name": "A service by its name"}
    rate = {"carrier_name": "ups", "currency": "USD", "total_charge": 12.5, "meta": meta}
    changes = {
        "status": STATUSES[0], "rates": [{**rate, "id": f"rat_{n}", "service": f"ups_{n}"} for n in range(8)],
        **{name: f"({name})" for name in ("reference", "tracking_number")},
    }  # fmt: skip
    with app.store.transaction() as tx:
        tx.put("shipment", {**work.write_shipment(FIRST), **changes})
    return int(app.store.select("shipments", {"id": FIRST})[0]["seq"])


def _fill(session: Session, first: int, held: int, rows: int) -> None:
    """Copy it until there are so many, and as many jobs that wait."""
    for start in range(held, rows, AT_ONCE):
        numbers = f"generate_series({start}, {min(start + AT_ONCE, rows) - 1}) i"
        last = session.rows(f"select max(seq) from {SHIPMENT.plural}")[0][0]
        with session.transaction():
            _copy(session, first, numbers, f"{last + 1 - start} + i")
            _count(session, numbers)
            _add_jobs(session, numbers)
    for sql in session.dialect.continue_numbers(SHIPMENT.plural):
        session.rows(sql)
    for table in (SHIPMENT.plural, SHIPMENT.documents, SHIPMENT.words, "entries", "jobs"):
        session.run(f"vacuum analyze {table}")


def _copy(session: Session, first: int, numbers: str, seq: str) -> None:
    copy = partial(_copy_rows, session, first, numbers, seq)
    dates = {"created_at": WRITTEN, "updated_at": WRITTEN}
    copy(SHIPMENT.plural, tuple(SHIPMENT.table.types), {**NAMED, **dates})
    copy(SHIPMENT.documents, ("seq", "json"), {"json": _replace("json")})
    copy(
        SHIPMENT.words, ("seq", *SHIPMENT.text), {name: f"lower({_replace(name)})" for name in SHIPMENT.text}
    )
    names = ("kind", "scope", "key", "test_mode", "at", "seq", "value")
    copy("entries", names, {"at": f"extract(epoch from {MOMENT})::bigint * 1000000"})


def _copy_rows(
    session: Session,
    first: int,
    numbers: str,
    seq: str,
    table: str,
    names: Sequence[str],
    changed: Mapping[str, str],
) -> None:
    values = ", ".join({"seq": seq, **changed}.get(name, name) for name in names)
    source = f"from {table}, {numbers} where seq = {first}"
    session.run(f"insert into {table} ({', '.join(names)}) select {values} {source}")


def _replace(column: str) -> str:
    """The text of a column, with what the copies have instead."""
    before = {
        "id": FIRST,
        "reference": "(reference)",
        "tracking_number": "(tracking_number)",
        "status": STATUSES[0],
    }
    for name, value in before.items():
        column = f"replace({column}, '{value}', {NAMED[name]})"
    return column


def _count(session: Session, numbers: str) -> None:
    by_status = f"select {NAMED['status']} as status, count(*) as n from {numbers} group by 1"
    session.run("insert into totals (kind, test_mode, status, n, slot) select 'shipment', 1, status, n, 0 "
                f"from ({by_status}) c on conflict (kind, test_mode, status, slot) "
                "do update set n = totals.n + excluded.n")  # fmt: skip
    session.run(f"update tallies set n = n + (select count(*) from {numbers}) where kind = 'shipment'")


def _add_jobs(session: Session, numbers: str) -> None:
    row = {
        "id": "'job_' || i", "queue": f"'{QUEUE}'", "name": "'deliver'", "args": "'{}'", "state": "'ready'",
        "rank": "0", "attempts": "0", "losses": "0", "max_attempts": "5", "held_key": "'key/' || i",
        "again": "0", **dict.fromkeys(("run_at", "created_at", "put_off_at"), WRITTEN),
    }  # fmt: skip
    session.run(f"insert into jobs ({', '.join(row)}) select {', '.join(row.values())} from {numbers}")
