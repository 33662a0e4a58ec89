"""Tokens of carriers: one login for all processes, sealed, renewed once."""

from __future__ import annotations

import asyncio
import threading
from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest

from shipcli.bootstrap import open_app
from shipcli.carrier.wire.calls import Token
from shipcli.features.connections.token_store import StoreCounters, StoreTokens
from shipcli.features.core.app import App
from shipcli.features.shipments import service as shipments
from shipcli.models import ShipcliError
from shipcli.store.errors import StoreError
from shipcli.store.store import Store
from tests.factories import draft
from tests.features.conftest import Clock
from tests.refusals import refusing_rows

HELD_S, LONGEST_S = 2.0, 5.0


def logins(app: App) -> int:
    return sum(1 for row in app.store.select("traces") if "oauth" in row["request"]["url"])


def test_a_token_is_shared_by_all_apps_of_a_home(tmp_path: Path) -> None:
    apps = [open_app(tmp_path / "home", sandbox=True, environ={}) for _ in range(2)]
    for app in apps:
        shipments.create_shipment(app, draft(carrier_ids=["ups"]))
    assert logins(apps[0]) == 1
    for app in apps:
        app.close()


def test_numbers_are_given_once_by_all_apps_of_a_home(tmp_path: Path) -> None:
    given = []
    for _ in range(2):
        app = open_app(tmp_path / "home", sandbox=True, environ={})
        with ThreadPoolExecutor(4) as pool:
            given += pool.map(lambda _, app=app: StoreCounters(app).reserve("tge/sscc", 3, 100), range(8))
        app.close()
    assert sorted(number for one in given for number in one) == list(range(101, 149))


def test_numbers_used_elsewhere_are_left_out(app: App) -> None:
    counters = StoreCounters(app)
    assert [counters.reserve("tge/sscc", 2, above) for above in (0, 70, 7)] == [[1, 2], [71, 72], [73, 74]]


def test_what_a_login_tells_beside_its_token_is_kept_with_it(app: App) -> None:
    told = Token("tok-123456", app.now() + timedelta(hours=1), {"depot": "0998"})
    StoreTokens(app).put("car_1", "access", told)
    kept = StoreTokens(app).get("car_1", "access")
    assert kept
    assert kept.extra == {"depot": "0998"}
    assert b"0998" not in app.store.select("tokens")[0]["sealed"]


def test_a_token_is_sealed_in_the_store(app: App) -> None:
    StoreTokens(app).put("car_1", "access", Token("tok-123456", app.now() + timedelta(hours=1)))
    (row,) = app.store.select("tokens")
    assert b"tok-123456" not in row["sealed"]
    assert StoreTokens(app).get("car_1", "access") == Token("tok-123456", row["expires_at"])


def test_an_expired_token_is_renewed(timed: App, clock: Clock) -> None:
    shipments.create_shipment(timed, draft(carrier_ids=["ups"]))
    clock.advance(days=1)
    shipments.create_shipment(timed, draft(carrier_ids=["ups"]))
    assert logins(timed) == 2


def test_a_token_that_another_process_renewed_is_used(app: App) -> None:
    ours, theirs = StoreTokens(app), StoreTokens(app)
    ours.put("car_1", "access", Token("old"))
    assert theirs.get("car_1", "access") == Token("old")
    ours.put("car_1", "access", Token("new"))
    assert theirs.get("car_1", "access") == Token("new")


def test_a_token_that_was_removed_is_not_used(app: App) -> None:
    tokens = StoreTokens(app)
    tokens.put("car_1", "access", Token("old"))
    with app.store.transaction() as tx:
        tx.remove("tokens", {"connection_id": "car_1"})
    assert tokens.get("car_1", "access") is None


def test_the_tokens_of_many_connections_are_found_at_once(app: App) -> None:
    tokens = StoreTokens(app)
    kept = [("car_1", "access"), ("car_1", "payment"), ("car_2", "access"), ("car_3", "access")]
    for connection, name in kept:
        tokens.put(connection, name, Token(f"{connection}-{name}"))
    with app.store.transaction() as tx:  # it goes with changed credentials
        tx.update("tokens", {"connection_id": "car_2"}, {"sealed": None})
    assert StoreTokens(app).get_all({"car_1", "car_2", "car_9"}) == {
        "car_1": {"access": Token("car_1-access"), "payment": Token("car_1-payment")}
    }


def test_a_token_that_can_not_be_opened_keeps_no_other_from_being_found(app: App) -> None:
    tokens = StoreTokens(app)
    tokens.put("car_1", "access", Token("good"))
    tokens.put("car_2", "access", Token("bad"))
    with app.store.transaction() as tx:
        tx.update("tokens", {"connection_id": "car_2"}, {"sealed": b"of another store"})
    assert StoreTokens(app).get_all({"car_1", "car_2"}) == {"car_1": {"access": Token("good")}}
    with pytest.raises(ShipcliError):
        StoreTokens(app).get("car_2", "access")


def test_one_process_renews_and_the_other_waits(app: App) -> None:
    first, second = StoreTokens(app), StoreTokens(app)

    async def race() -> tuple[bool, Token | None]:
        assert await first.renew("car_1", "access")
        waiting = asyncio.create_task(second.renew("car_1", "access"))
        await asyncio.sleep(0.1)
        assert not waiting.done()
        first.put("car_1", "access", Token("fresh"))
        await first.end_renewal("car_1", "access")
        return await waiting, second.get("car_1", "access")

    assert asyncio.run(race()) == (False, Token("fresh"))


@pytest.mark.parametrize("written", ["insert", "delete"])
def test_a_renewal_that_finds_no_room_in_the_store_does_not_stop_the_next(app: App, written: str) -> None:
    tokens = StoreTokens(app)

    async def renew() -> None:
        assert await tokens.renew("car_1", "access")
        await tokens.end_renewal("car_1", "access")

    async def renew_twice() -> None:
        with refusing_rows(app.store, written, "locks"), pytest.raises(StoreError):
            await renew()
        with app.store.transaction() as tx:  # the claim ends by itself
            tx.remove("locks", {"name": "token/car_1/access"})
        await asyncio.wait_for(renew(), LONGEST_S)

    asyncio.run(renew_twice())


def test_the_claim_of_a_dead_process_is_taken_over(app: App) -> None:
    with app.store.transaction() as tx:
        tx.upsert("locks", {"name": "token/car_1/access", "owner": "nowhere@/0/", "until": 0.0})
    assert asyncio.run(StoreTokens(app).renew("car_1", "access"))


def test_many_threads_log_in_once(tmp_path: Path) -> None:
    app = open_app(tmp_path / "home", sandbox=True, environ={})
    failures: list[Any] = []

    def work() -> None:
        try:
            shipments.create_shipment(app, draft(carrier_ids=["ups"]))
        except Exception as error:  # noqa: BLE001 - a thread's failure belongs to the test
            failures.append(error)

    threads = [threading.Thread(target=work) for _ in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert failures == []
    assert logins(app) == 1
    app.close()


def test_a_token_of_another_store_can_not_be_opened(app: App, tmp_path: Path) -> None:
    from shipcli.security.master_key import MasterKeyError

    StoreTokens(app).put("car_1", "access", Token("tok"))
    sealed = app.store.select("tokens")[0]["sealed"]
    other = open_app(tmp_path / "other", sandbox=True, environ={})
    with other.store.transaction() as tx:
        tx.upsert(
            "tokens", {"connection_id": "car_1", "name": "access", "sealed": sealed, "expires_at": None}
        )
    with pytest.raises(MasterKeyError):
        StoreTokens(other).get("car_1", "access")
    other.close()


def test_carriers_are_answered_while_another_process_holds_the_lock_of_the_store(tmp_path: Path) -> None:
    """A token that can't be written yet keeps its own flow waiting, and no other."""
    app = open_app(tmp_path / "home", sandbox=True, environ={})
    loop = app.driver.loop()
    longest = 0.0

    async def beat() -> None:
        nonlocal longest
        last = loop.time()
        while True:
            await asyncio.sleep(0.01)
            longest, last = max(longest, loop.time() - last), loop.time()

    beating = asyncio.run_coroutine_threadsafe(beat(), loop)
    asking = threading.Thread(target=shipments.create_shipment, args=(app, draft(carrier_ids=["ups"])))
    with Store.open(app.store.place, clock=app.clock) as other, other.transaction():
        asking.start()
        asking.join(timeout=HELD_S)
        assert asking.is_alive()  # its token waits for the lock
    asking.join()
    beating.cancel()
    assert logins(app) == 1
    app.close()
    assert longest < HELD_S / 2
