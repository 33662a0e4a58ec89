"""Lists of a million shipments beside the same lists of a thousand: CPU of a page, its count included.

Some of the million are written through the store; the others are copies of their rows with other ids,
moments and numbers, because a million documents would take ten minutes to write.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, MutableMapping
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any
from urllib.parse import urlencode

import pytest

from shipcli.api.http.request import HttpRequest
from shipcli.api.invoke import OperationCall, carry_out
from shipcli.api.limits import BodyLimits
from shipcli.api.principal import Principal
from shipcli.bootstrap import ProcessApp
from shipcli.config import load
from shipcli.features.core.app import App
from shipcli.models import json
from shipcli.operations.table import OPERATIONS
from shipcli.store.schema import find_kind
from shipcli.store.store import Store
from tests.benchmarks.yardstick import against, cost, middle
from tests.factories import PARCEL, RECIPIENT, SHIPPER

pytestmark = [pytest.mark.slow, pytest.mark.benchmark]

LIST = next(row for row in OPERATIONS if (row.method, row.path) == ("GET", "/v1/shipments"))
WRITTEN, COPIES, FEW = 20_000, 49, 1_000
# The newest page, as a multiple of the same page of a thousand; any filtered page in milliseconds.
MOST_NEWEST, MOST_MS = 1.5, 40.0
# The page after 10,000 others, as a multiple of the newest of a thousand: SQLite steps over as many
# entries of an index: 0.45 ms for one status, four times that to merge two.
MOST_FAR = {"": 6.0, "draft": 6.0, "delivered,purchased": 12.0}
SLACK = 1.5  # times the target at which a measurement fails
STATUSES = ["delivered"] * 9 + ["purchased"] * 6 + ["draft", "cancelled", "in_transit", "shipped", "transit"]
CARRIERS = ["fedex", "ups", "usps", "dhl_express", "generic", "canadapost", "purolator"]
SYLLABLES = (
    "ba", "ce", "di", "fo", "gu", "ha", "ke", "li", "mo", "nu",
    "pa", "qu", "ri", "so", "tu", "va", "we", "xi", "yo", "zu",
)  # fmt: skip
YEAR = 2000

# What a copy changes of the columns: moments move by a year, ids and numbers take the copy's number.
CHANGED = {
    "seq": "seq + :step",
    "id": "'shp_' || :mark || substr(id, 9)",
    "tracking_number": "tracking_number || :mark",
    "reference": "reference || :mark",
    "created_at": ":year || substr(created_at, 5)",
    "updated_at": ":year || substr(updated_at, 5)",
}
TEXTS = ("address", "id", "tracking_number", "reference")


class Clock:
    """A clock that moves on with every document."""

    def __init__(self) -> None:
        self.now = datetime(YEAR, 1, 1, tzinfo=UTC)

    def __call__(self) -> datetime:
        return self.now


def word(number: int) -> str:
    """A name like no other within ten thousand."""
    return "".join(SYLLABLES[number // 20**place % 20] for place in range(4)).title()


def document(number: int, at: datetime) -> dict[str, Any]:
    """A shipment as one of many: statuses, carriers and metadata come in uneven shares."""
    carrier, status = CARRIERS[number % len(CARRIERS)], STATUSES[number % len(STATUSES)]
    mixed = number * 2_654_435_761 % 10**10
    place = {
        "person_name": f"{word(mixed)} {word(mixed // 97)}",
        "address_line1": f"{number} {word(mixed // 7)}",
    }
    recipient = {**RECIPIENT, **place, "city": word(mixed // 13), "postal_code": f"{mixed % 100_000:05}"}
    metadata = {"order": f"M-{number}"} | ({"team": f"t{number % 50}"} if number % 80 == 0 else {})
    return {
        "id": f"shp_{number:032x}", "object_type": "shipment", "status": status, "carrier_name": carrier,
        "carrier_id": carrier, "service": f"{carrier}_ground", "tracking_number": f"1Z{mixed:010}",
        "shipper": SHIPPER, "recipient": recipient, "parcels": [PARCEL], "reference": f"SO-{number:07}",
        "selected_rate": {"service": f"{carrier}_ground"}, "metadata": metadata,
        "options": {"shipment_date": f"2000-{1 + number % 12:02}-{1 + number % 28:02}"},
        "meta": {"rate_provider": carrier}, "test_mode": True, "created_at": at.isoformat(),
    }  # fmt: skip


def write(store: Store, clock: Clock, count: int) -> None:
    with store.transaction() as tx:
        for number in range(count):
            clock.now += timedelta(minutes=20)
            tx.put("shipment", document(number, clock.now), test_mode=True)


def copy(store: Store, number: int) -> None:
    """Write the rows of the documents that were written once more, as later ones."""
    later = datetime(YEAR + number, 1, 1) - datetime(YEAR, 1, 1)
    values = {
        "step": number * WRITTEN, "mark": f"{number:04}", "year": str(YEAR + number), "last": WRITTEN,
        "later": later // timedelta(microseconds=1),
    }  # fmt: skip
    names, changed = ", ".join(TEXTS), ", ".join(f"{name} || :mark" for name in TEXTS)
    columns = ", ".join(CHANGED.get(name, name) for name in find_kind("shipment").table.types)
    entry = (
        "kind, scope, key, test_mode, at + :later, seq + :step, "
        "case key when 'order' then value || :mark else value end"
    )
    statements = (
        f"insert into shipments select {columns} from shipments where seq <= :last",
        "insert into shipments_json select seq + :step, json from shipments_json where seq <= :last",
        f"insert into shipments_text ({names}, rowid) "
        f"select {changed}, rowid + :step from shipments_text where rowid <= :last",
        f"insert into entries select {entry} from entries where kind = 'shipment' and seq <= :last",
    )
    with store._pool.transaction() as session:
        for statement in statements:
            session.connection.execute(statement, values)


def multiplied(store: Store) -> None:
    for number in range(1, COPIES + 1):
        copy(store, number)
    with store._pool.transaction() as session:
        for table in ("totals", "tallies"):
            session.run(f"update {table} set n = n * ? where kind = 'shipment'", (COPIES + 1,))


@pytest.fixture(scope="module")
def apps(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[App, App]]:
    """One with a thousand shipments and one with a million; their files are removed afterwards."""
    folder, settings = tmp_path_factory.mktemp("million"), load(Path("nowhere"), {})
    small, large = Clock(), Clock()
    with (
        Store.open(folder / "few.db", clock=small) as few,
        Store.open(folder / "many.db", clock=large) as many,
    ):
        write(few, small, FEW)
        write(many, large, WRITTEN)
        multiplied(many)
        yield ProcessApp(folder, settings, few), ProcessApp(folder, settings, many)
    for path in folder.iterdir():
        path.unlink()


def ask(app: App, given: Mapping[str, Any]) -> bytes:
    """The answer of the API, made as the server makes it, without its way over HTTP."""
    scope = {
        "method": "GET", "path": "/v1/shipments", "headers": [], "query_string": urlencode(given).encode(),
        "server": ("127.0.0.1", 5002),
    }  # fmt: skip
    limits = BodyLimits.read(app.config)
    answer = carry_out(
        OperationCall(LIST, (), HttpRequest(scope, _nothing), Principal("key", test_mode=True), app, limits)
    )
    assert answer.status == 200, answer.body
    return answer.body


async def _nothing() -> MutableMapping[str, Any]:
    raise AssertionError("a list has no body")


def cpu_ms(app: App, given: Mapping[str, Any], count: int = 20) -> float:
    return 1000 * middle([cost(lambda: ask(app, given), count) for _ in range(5)])


@pytest.mark.parametrize("given", [{}, {"status": "draft"}, {"status": "delivered,purchased"}], ids=str)
def test_a_page_of_a_million_costs_little_more_than_one_of_a_thousand(
    apps: tuple[App, App], capsys: pytest.CaptureFixture[str], given: dict[str, str]
) -> None:
    few, many = apps
    far = {**given, "offset": "10000"}

    def ratio(work: Callable[[], Any], count: int = 20) -> tuple[float, float]:
        return against(work, lambda: ask(few, given), count=count, rounds=15)

    newest, distant = ratio(lambda: ask(many, given)), ratio(lambda: ask(many, far))
    with capsys.disabled():
        said = zip(("newest", "far"), (newest, distant), strict=True)
        print(
            f"\n{given}: ",
            "; ".join(f"{name} {1000 * took:.3f} ms, {times:.2f} x" for name, (took, times) in said),
            end="",
        )
    assert newest[1] <= MOST_NEWEST * SLACK
    assert distant[1] <= MOST_FAR[given.get("status", "")] * SLACK


@pytest.mark.parametrize(
    "given",
    [
        {"id": f"shp_{'0007'}{7:028x}"},
        {"tracking_number": f"1Z{4711 * 2_654_435_761 % 10**10:010}0042"},
        {"reference": "SO-00047110042"},
        {"keyword": word(4711 * 2_654_435_761 % 10**10).lower()},
        {"address": f"4711 {word(4711 * 2_654_435_761 % 10**10 // 7)}"},
        {"metadata_value": "M-47110042"},
        {"metadata_key": "team"},
        {"metadata_key": "order"},
        {"option_key": "shipment_date"},
        {"meta_key": "rate_provider"},
        {"meta_value": "ups"},
        {"carrier_name": "ups"},
        {"carrier_name": "ups,fedex"},
        {"has_tracker": "true"},
        {"has_tracker": "false"},
        {"has_manifest": "false", "offset": "10000"},
        {"option_key": "shipment_date", "offset": "10000"},
        {"carrier_name": "ups", "offset": "10000"},
        {"option_value": "2000-03-03"},
        {"created_after": f"{YEAR + COPIES}-01-01"},
        {"status": "draft", "created_after": f"{YEAR + COPIES}-01-01"},
    ],
    ids=str,
)
def test_a_filtered_page_of_a_million_costs_forty_milliseconds_at_most(
    apps: tuple[App, App], capsys: pytest.CaptureFixture[str], given: dict[str, str]
) -> None:
    _, many = apps
    found = json.loads(ask(many, given))["count"]
    took = cpu_ms(many, given, count=1)
    with capsys.disabled():
        print(f"\n{given}: {found} found, {took:.1f} ms", end="")
    assert took <= MOST_MS * SLACK
