"""The thread of the quick writes: each request hears of its own end, whatever becomes of the others."""

from __future__ import annotations

import asyncio
import base64
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from starlette.testclient import TestClient

from shipcli.api.app import build
from shipcli.api.http.responses import HttpResponse, write_result
from shipcli.api.write_queue import WriteQueue
from shipcli.bootstrap import open_app
from shipcli.features.book.addresses import create_address
from shipcli.features.core.app import App
from shipcli.models import AddressData
from shipcli.security.master_key import VARIABLE
from shipcli.store.errors import StoreError
from tests.api.conftest import BASE, client_of
from tests.factories import RECIPIENT
from tests.processes import PATIENCE_S


def together(app: App, *work: Callable[[], HttpResponse]) -> list[Any]:
    """What came of pieces of work that wait at the same time."""

    async def run() -> list[Any]:
        writer = WriteQueue(app)
        waiting = [writer.do(one) for one in work]
        try:
            return await asyncio.wait_for(asyncio.gather(*waiting, return_exceptions=True), PATIENCE_S)
        finally:
            writer.close()

    return asyncio.run(run())


def stored(app: App) -> HttpResponse:
    return write_result(create_address(app, AddressData.model_validate(RECIPIENT)), 201)


def test_writes_that_wait_together_all_rest(app: App) -> None:
    before = app.store.count("address")
    done = together(app, *(lambda: stored(app) for _ in range(40)))
    assert [one.status for one in done] == [201] * 40
    assert app.store.count("address") == before + 40


def test_a_mistake_is_told_and_the_thread_goes_on(app: App) -> None:
    def mistaken() -> HttpResponse:
        raise ZeroDivisionError

    before = app.store.count("address")
    (first,) = together(app, mistaken)
    assert isinstance(first, ZeroDivisionError)
    assert [one.status for one in together(app, lambda: stored(app))] == [201]
    assert app.store.count("address") == before + 1


@pytest.mark.sqlite_only("fills the disk of its file")
def test_what_could_not_be_kept_is_not_acknowledged(app: App, monkeypatch: pytest.MonkeyPatch) -> None:
    """The disk is full when the group ends: nobody is told of a success, and nothing is there."""
    from shipcli.store.sqlite.session import SqliteSession

    before, commit = app.store.count("address"), SqliteSession.run

    def full(session: SqliteSession, sql: str, *rest: Any) -> Any:
        if sql.strip().lower().startswith("commit"):
            raise StoreError("the disk is full")
        return commit(session, sql, *rest)

    monkeypatch.setattr(SqliteSession, "run", full)
    done = together(app, lambda: stored(app), lambda: stored(app))
    monkeypatch.undo()
    assert all(isinstance(one, StoreError) for one in done)
    assert app.store.count("address") == before
    assert [one.status for one in together(app, lambda: stored(app))] == [201]


def test_the_first_secret_of_a_store_is_kept_by_a_commit_of_its_own(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """To make the master key within the others' commit would wait for whoever makes it at the same time."""
    live = open_app(tmp_path / "home", environ={VARIABLE: base64.b64encode(bytes(32)).decode()})
    make, within = live.vault._key, list[bool]()
    monkeypatch.setattr(live.vault, "_key", lambda: within.append(live.store._pool.session().busy) or make())
    with TestClient(build(live), base_url=BASE) as http:
        wanted = {"url": "http://127.0.0.1/hooks", "enabled_events": ["all"]}
        assert client_of(live, http).post("/v1/webhooks", wanted, Idempotency_Key="k1").status == 201
    live.close()
    assert within == [False]
