"""What only a store in PostgreSQL has, such as connections that die; and that queue and ledger work there."""

from __future__ import annotations

import re
import subprocess
import sys
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest

from shipcli.models.basics.store_url import add_schema
from shipcli.store.errors import Duplicate, StoreBusy, StoreError, StoreTooNew
from shipcli.store.jobs import Jobs
from shipcli.store.ledger import LedgerFile
from shipcli.store.query import contains, equal, text
from shipcli.store.store import Store
from tests.cluster import run_server
from tests.engines.wire import run_older_server

DATABASE = "postgres"
Connect = Callable[..., Store]


@pytest.fixture
def place(server: str, request: pytest.FixtureRequest) -> str:
    """The URL of a schema of its own."""
    return add_schema(server, f"t{abs(hash(request.node.name)) % 10**12}")


def test_documents_rows_and_counts_come_back(store: Store, shipment: Any) -> None:
    document = shipment(reference="ÄB-1", metadata={"shop": "eu"})
    with store.transaction() as tx:
        assert tx.put("shipment", document)
        assert not tx.put("shipment", document | {"status": "purchased"})
    for where in ([text("STRASSE")], [equal("status", "purchased")], [contains("reference", "äb")]):
        assert store.page("shipment", where, test_mode=True).count == 1, where
    assert store.get("shipment", "shp_\0") is None
    assert store.check() == []


def test_a_taken_key_leaves_the_transaction_as_it_was(store: Store) -> None:
    with store.transaction() as tx:
        tx.insert("jobs", {"id": "job_1", "held_key": "one"})
        with pytest.raises(Duplicate):
            tx.insert("jobs", {"id": "job_2", "held_key": "one"})
        tx.insert("jobs", {"id": "job_3", "held_key": "two"})
    assert store.count_rows("jobs") == 2


def test_numbers_are_given_once_to_many_connections(store: Store) -> None:
    def take(_: int) -> int:
        with store.transaction() as tx:
            held = tx.select("counters", {"name": "labels"})
            number = held[0]["value"] + 1 if held else 1
            tx.upsert("counters", {"name": "labels", "value": number})
        return int(number)

    with ThreadPoolExecutor(8) as pool:
        assert sorted(pool.map(take, range(80))) == list(range(1, 81))


def test_a_number_that_may_be_skipped_is_given_while_another_transaction_is_open(
    store: Store, place: str, clock: Any
) -> None:
    def take(fails: bool = False) -> int:
        with store.transaction(locks=()) as tx:
            number = tx.next_number("parcels", may_skip=True)
            assert not fails, "after it was given"
        return number

    with ThreadPoolExecutor(2) as pool, store.transaction(locks=()) as tx:
        first = tx.next_number("parcels", may_skip=True)
        assert [first, pool.submit(take).result(), pool.submit(take).result()] == [1, 2, 3]
    with pytest.raises(AssertionError, match="after it was given"):
        take(fails=True)
    with store.pool._connections.lend_beside() as connection:  # type: ignore[attr-defined]
        number = connection.info.backend_pid
    assert store._session().rows("select pg_terminate_backend(?)", (number,)) == [(True,)]
    assert take() == 5, "on another connection"
    with Store.open(place, clock=clock) as other, other.transaction(locks=()) as tx:
        assert tx.next_number("parcels", may_skip=True) == 6
    assert store.select("counters", {"name": "parcels"})[0]["value"] == 6


def test_a_job_is_claimed_once(store: Store, clock: Any) -> None:
    jobs = Jobs(store, clock, lambda: "here", lambda name: True)
    with store.transaction() as tx:
        for number in range(40):
            jobs.enqueue(tx, "mail", "send", {"number": number})
    with ThreadPoolExecutor(4) as pool:
        claims = [job.id for some in pool.map(lambda _: jobs.claim({"mail": 5}), range(12)) for job in some]
    assert len(claims) == len(set(claims)) == 40
    assert jobs.claim({"mail": 5}) == []


def test_texts_without_an_index_are_named_and_indexed_by_a_migration(
    store: Store, place: str, clock: Any
) -> None:
    def list_slow() -> list[str]:
        return [risk.text for risk in store.find_risks(clock()) if "row by row" in risk.text]

    assert list_slow() == []
    store.pool.session().run("drop index orders_text_trigrams")
    (named,) = list_slow()
    assert "in orders:" in named
    assert Store.migrate(place, clock=clock).backup is None
    assert list_slow() == []


def test_a_ledger_is_a_schema_beside_it(place: str) -> None:
    ledger = LedgerFile(add_schema(place, "ledger"))
    ledger.put("ups", "label", "1Z", {"number": "1Z", "state": "sold"})
    ledger.put("ups", "label", "1Z", {"number": "1Z", "state": "void"})
    assert ledger.find("ups", "label", number="1Z") == [{"number": "1Z", "state": "void"}]
    assert [ledger.next_number("ups") for _ in range(3)] == [1, 2, 3]
    ledger.close()


def test_a_connection_that_died_is_replaced(store: Store, place: str, clock: Any) -> None:
    with Store.open(place, clock=clock) as other:
        assert other.count("shipment") == 0
        for use in (lambda: other.count("shipment"), lambda: _write(other)):
            ((number,),) = other._session().rows("select pg_backend_pid()")
            assert store._session().rows("select pg_terminate_backend(?)", (number,)) == [(True,)]
            use()
        assert other.count_rows("store_facts") == 1


def _write(store: Store) -> None:
    with store.transaction() as tx:
        tx.upsert("store_facts", {"name": "a", "value": 1})


def test_a_store_of_a_newer_program_is_refused(store: Store, place: str, clock: Any) -> None:
    store._session().run("insert into shipcli_steps values ('9999_later', '')")
    with pytest.raises(StoreTooNew, match="install the newer program"):
        Store.open(place, clock=clock)
    with pytest.raises(StoreTooNew), store.transaction():
        pass


def test_the_index_of_version_2_is_replaced(store: Store, place: str, clock: Any) -> None:
    index = "shipments_test_mode_rate_provider_created_at_seq_carrier_name"
    session = store._session()
    session.run("delete from shipcli_steps where name = '0003_portable_index'")
    session.run(f"drop index {index}")
    session.run(f"create index {index} on shipments (seq) where rate_provider is distinct from service")
    with Store.open(place, clock=clock):
        ((made,),) = session.rows("select pg_get_indexdef(?::regclass)", (index,))
    assert "DISTINCT" not in made
    assert "COALESCE(carrier_name" in made


@pytest.mark.parametrize(
    "url", ["postgresql://shipcli:s3cret@/none?host={}", "postgresql://a:s3cret@:x/none?host={}"]
)
def test_no_error_says_the_password(server: str, clock: Any, url: str) -> None:
    with pytest.raises(StoreError) as caught:
        Store.open(url.format(server.rpartition("=")[2]), clock=clock)
    chain: BaseException | None = caught.value
    while chain is not None:
        assert "s3cret" not in f"{chain} {chain!r}"
        chain = chain.__cause__


@pytest.mark.parametrize(
    ("url", "said"),
    [
        ("postgresql://nobody_here@/postgres", "does not know the user"),
        ("postgresql://shipcli@/nowhere", "has no such database"),
        ("postgresql://shipcli@/postgres?port=x", "no number"),
    ],
)
def test_what_waiting_does_not_mend_is_no_server_that_is_away(
    server: str, clock: Any, url: str, said: str
) -> None:
    socket = f"host={server.rpartition('=')[2]}"
    with pytest.raises(StoreError, match=said) as caught:
        Store.open(f"{url}{'&' if '?' in url else '?'}{socket}", clock=clock)
    assert not isinstance(caught.value, StoreBusy)


def test_a_server_of_an_older_version_is_refused(server: str, clock: Any) -> None:
    older = run_older_server(Path(server.rpartition("=")[2]))
    refused = pytest.raises(StoreError, match="is on PostgreSQL 12, 15 or newer is needed")
    with older as folder, refused:
        Store.open(f"postgresql://shipcli@/postgres?host={folder}", clock=clock)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("names", "said"), [("gone", r"0 of 1 standbys follow \(gone\)"), ("any 2 (a, b, c)", "0 of 2")]
)
def test_a_standby_that_all_wait_for_is_missed(clock: Any, names: str, said: str) -> None:
    with run_server(f"synchronous_standby_names={names}") as cluster:
        url = f"postgresql://shipcli@/postgres?host={cluster.folder}"
        Store.open(f"{url}&options=-csynchronous_commit%3Dlocal", clock=clock).close()
        with Store.open(url, clock=clock) as store:
            risks = [risk for risk in store.find_risks(clock()) if "written waits" in risk.text]
    assert [risk.is_loss for risk in risks] == [True]
    assert re.search(said, risks[0].text)


def test_a_store_behind_a_pooler_needs_the_search_path_of_its_user(place: str, clock: Any) -> None:
    with pytest.raises(StoreError, match="tables are looked for in public; .* set search_path = shipcli_t"):
        Store.open(f"{place}&pooler=yes", clock=clock)
    with Store.open(place, clock=clock) as store:
        assert store.count("shipment") == 0, "nothing was made by the first"
    with pytest.raises(StoreError, match="tables are looked for in public"):
        Store.open(f"{place}&pooler=yes", clock=clock)


def test_a_store_in_a_file_imports_nothing_of_it(tmp_path: Path) -> None:
    code = (
        "import sys; from shipcli.bootstrap import open_app; from pathlib import Path; "
        f"open_app(Path({str(tmp_path)!r}), environ={{}}).close(); "
        "sys.exit(any(name.startswith(('psycopg', 'shipcli.store.postgres')) for name in sys.modules))"
    )
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0
