"""Webhooks from subscription to delivery, on a real receiver that behaves as badly as receivers do."""

from __future__ import annotations

import re
import threading
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from pydantic import ValidationError
from standardwebhooks import Webhook as Verifier

from shipcli.bootstrap import open_app
from shipcli.events import emit
from shipcli.events.outbox import PAUSES_S, QUEUE
from shipcli.events.sender import OutgoingMessage, SendResult, read_retry_after
from shipcli.features.core.app import App
from shipcli.features.webhooks import delivery
from shipcli.features.webhooks import service as webhooks
from shipcli.features.webhooks.delivery import Deliveries
from shipcli.models import Invalid, NotFound, Webhook, WebhookData, WebhookPatch, WebhookTestData, json
from shipcli.models.basics.enums import EVENT_NAMES
from shipcli.store.errors import CommitUnknown, StoreBusy, StoreError
from shipcli.store.jobs import QueuedJob
from shipcli.worker import Worker
from tests.processes import PATIENCE_S, wait_for
from tests.worker.receiver import Receiver, receiving

NOWHERE = "http://no-such-host.invalid/hooks"


class Clock:
    def __init__(self) -> None:
        self.now = datetime(2026, 3, 1, 12, tzinfo=UTC)

    def __call__(self) -> datetime:
        return self.now

    def advance(self, **span: float) -> None:
        self.now += timedelta(**span)


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def app(tmp_path: Path, clock: Clock) -> Iterator[App]:
    opened = open_app(tmp_path / "home", sandbox=True, environ={}, clock=clock)
    opened.sender.timeout_s = 2
    yield opened
    opened.close()


@pytest.fixture(scope="module")
def shared_receiver() -> Iterator[Receiver]:
    with receiving() as one:
        yield one


@pytest.fixture
def receiver(shared_receiver: Receiver) -> Receiver:
    shared_receiver.received.clear()
    shared_receiver.retry_after = ""
    return shared_receiver


def subscribe(app: App, url: str, *names: str, **more: Any) -> Webhook:
    data = {"url": url, "enabled_events": list(names) or ["all"], **more}
    return webhooks.create_webhook(app, WebhookData.model_validate(data))


def happen(app: App, count: int = 1, name: str = "tracker_updated") -> list[str]:
    with app.store.transaction() as tx:
        return [emit(tx, app, name, {"id": f"trk_{number}"}) for number in range(count)]


def deliver(app: App) -> None:
    Worker(app, queues=["webhooks"], periodic=[]).run_once()


def streak(app: App, webhook: Webhook) -> int:
    return int(app.store.select("webhooks", {"id": webhook.id})[0]["streak"])


# -- subscriptions -----------------------------------------------------------------------------


def test_a_new_webhook_has_a_secret_and_is_enabled(app: App) -> None:
    made = subscribe(app, "https://example.com/hooks", "tracker_updated")
    assert re.fullmatch(r"whsec_[0-9a-f]{32}", made.secret)
    assert made.id.startswith("weh_")
    assert (made.disabled, made.last_event_at, made.test_mode) == (False, None, True)
    assert webhooks.get_webhook(app, made.id) == made
    assert webhooks.list_webhooks(app) == (1, [made])


@pytest.mark.sqlite_only("reads its file")
def test_the_secret_does_not_stand_in_the_store(app: App) -> None:
    made = subscribe(app, "https://example.com/")
    assert made.secret not in str(app.store.raw("webhook", made.id))
    assert made.secret.encode() not in Path(app.store.place).read_bytes()


def test_every_event_name_is_accepted(app: App) -> None:
    assert subscribe(app, "https://example.com/", *EVENT_NAMES).enabled_events == list(EVENT_NAMES)


@pytest.mark.parametrize(
    "wrong",
    [
        {"url": "ftp://example.com/"}, {"url": "example.com"}, {"url": "http://"}, {"url": "http://a b/"},
        {"enabled_events": ["tracker"]}, {"enabled_events": None}, {"url": None},
    ],
)  # fmt: skip
def test_a_wrong_address_or_event_is_refused(wrong: dict[str, Any]) -> None:
    body = {"url": "http://example.com/", "enabled_events": ["all"], **wrong}
    with pytest.raises(ValidationError):
        WebhookData.model_validate(body)


def test_a_change_keeps_what_was_not_given(app: App) -> None:
    made = subscribe(app, "https://example.com/", "tracker_updated", description="shop")
    patch = WebhookPatch.model_validate({"url": "https://example.org/"})
    changed = webhooks.update_webhook(app, made.id, patch)
    assert changed == made.model_copy(update={"url": "https://example.org/"})


def test_a_deleted_webhook_is_gone_with_what_waited_for_it(app: App) -> None:
    made = subscribe(app, NOWHERE)
    happen(app, 3)
    done = webhooks.delete_webhook(app, made.id)
    assert done.model_dump() == {"operation": "Remove webhook", "success": True}
    assert app.jobs.find() == []
    with pytest.raises(NotFound):
        webhooks.get_webhook(app, made.id)


def test_the_other_mode_does_not_see_a_webhook(app: App) -> None:
    made = subscribe(app, "https://example.com/")
    with pytest.raises(NotFound):
        webhooks.get_webhook(app.in_mode(False), made.id)


# -- trials ------------------------------------------------------------------------------------


def tried(app: App, url: str) -> dict[str, Any]:
    made = subscribe(app, url)
    data = WebhookTestData(payload={"a": 1})
    return webhooks.test_webhook(app, made.id, data).model_dump()


def test_a_trial_sends_the_body_as_given_and_signed(app: App, receiver: Receiver) -> None:
    made = subscribe(app, receiver.url())
    done = webhooks.test_webhook(app, made.id, WebhookTestData(payload={"a": 1}))
    assert done.model_dump() == {"operation": "Test Webhook", "success": True}
    (got,) = receiver.received
    assert json.loads(got.body) == {"payload": {"a": 1}}
    assert Verifier(made.secret).verify(got.body, got.headers) == {"payload": {"a": 1}}


@pytest.mark.parametrize("path", ["/500", "/404", "/302", "/close", "/hang"])
def test_a_trial_that_is_not_taken_is_no_success(app: App, receiver: Receiver, path: str) -> None:
    assert tried(app, receiver.url(path))["success"] is False


def test_a_trial_of_an_unreachable_target_is_no_success(app: App) -> None:
    assert tried(app, NOWHERE)["success"] is False


# -- deliveries --------------------------------------------------------------------------------


def test_a_delivery_is_a_signed_post_of_the_event(app: App, receiver: Receiver, clock: Clock) -> None:
    made = subscribe(app, receiver.url())
    (id,) = happen(app)
    deliver(app)
    (got,) = receiver.received
    body = Verifier(made.secret).verify(got.body, got.headers)
    assert (body["id"], body["event"], got.id) == (id, "tracker_updated", id)
    assert (got.headers["x-event-id"], got.headers["content-type"]) == (made.secret, "application/json")
    assert app.jobs.find() == []
    assert datetime.fromisoformat(str(webhooks.get_webhook(app, made.id).last_event_at)) == clock.now


def test_each_delivery_is_logged(app: App, receiver: Receiver) -> None:
    made = subscribe(app, receiver.url("/404"))
    (id,) = happen(app)
    deliver(app)
    (row,) = webhooks.list_deliveries(app, made.id)
    assert (row["event_id"], row["status"], row["ok"], row["attempt"]) == (id, 404, False, 1)
    assert (row["response"], row["error"]) == ("said", None)
    assert row["latency_ms"] >= 0


def test_the_mode_of_the_worker_does_not_matter(app: App, receiver: Receiver) -> None:
    subscribe(app, receiver.url("/test"))
    subscribe(app.in_mode(False), receiver.url("/live"))
    happen(app)
    happen(app.in_mode(False))
    deliver(app)
    assert [json.loads(one.body)["test_mode"] for one in receiver.at("/test")] == [True]
    assert [json.loads(one.body)["test_mode"] for one in receiver.at("/live")] == [False]


@pytest.mark.parametrize("path", ["/500", "/503", "/408", "/425", "/429", "/close", "/hang"])
def test_a_passing_failure_is_retried_with_growing_pauses_for_three_days_with_the_same_id(
    app: App, receiver: Receiver, clock: Clock, path: str
) -> None:
    hangs = path == "/hang"
    if hangs:
        app.sender.timeout_s = 0.3  # nobody waits for the usual one nineteen times
    made = subscribe(app, receiver.url(path))
    (id,) = happen(app)
    began, pauses = clock.now, []
    while waiting := app.jobs.find(state="ready"):
        pauses.append((waiting[0].run_at - clock.now).total_seconds())
        clock.now = waiting[0].run_at
        assert streak(app, made) == 0
        deliver(app)
    assert pauses[:5] == [0, 5, 20, 80, 320]
    assert sorted(pauses) == pauses
    assert tuple(pauses[1:]) == PAUSES_S
    assert max(pauses) <= timedelta(hours=6).total_seconds()
    assert timedelta(days=3) <= clock.now - began < timedelta(days=3, hours=6)
    came = receiver.ids(path)
    assert set(came) == {id}
    assert hangs or came[id] == len(pauses)  # what gave up so soon may not have been read
    assert streak(app, made) == 1
    assert [job.state for job in app.jobs.find()] == ["failed"]


@pytest.mark.parametrize("said", ["7200", "Sun, 01 Mar 2026 14:00:00 GMT"])
def test_a_target_that_asks_to_be_left_alone_is(
    app: App, receiver: Receiver, clock: Clock, said: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(time, "time", lambda: clock.now.timestamp())
    receiver.retry_after = said
    subscribe(app, receiver.url("/429"))
    happen(app)
    deliver(app)
    (job,) = app.jobs.find()
    assert job.run_at - clock.now == timedelta(hours=2)


@pytest.mark.parametrize(
    ("text", "seconds"), [("", 0), ("soon", 0), ("-5", 0), ("5", 5), ("99999999999", 86400)]
)
def test_a_wish_to_be_left_alone_has_bounds(text: str, seconds: float) -> None:
    assert read_retry_after(text) == seconds


def test_retries_after_an_unresolvable_name_reach_a_corrected_address(
    app: App, receiver: Receiver, clock: Clock
) -> None:
    made = subscribe(app, NOWHERE)
    (id,) = happen(app)
    deliver(app)
    webhooks.update_webhook(app, made.id, WebhookPatch.model_validate({"url": receiver.url()}))
    clock.advance(seconds=60)
    deliver(app)
    assert receiver.ids() == {id: 1}
    assert streak(app, made) == 0


def test_a_refusal_is_not_retried(app: App, receiver: Receiver, clock: Clock) -> None:
    made = subscribe(app, receiver.url("/404"))
    happen(app)
    deliver(app)
    clock.advance(hours=1)
    deliver(app)
    assert len(receiver.at("/404")) == 1
    assert streak(app, made) == 1


@pytest.mark.parametrize("path", ["/301", "/302", "/307", "/400", "/401", "/404", "/410", "/422"])
def test_an_answer_that_is_no_success_and_will_not_become_one_is_given_up_at_once(
    app: App, receiver: Receiver, clock: Clock, path: str
) -> None:
    made = subscribe(app, receiver.url(path))
    happen(app)
    deliver(app)
    clock.advance(days=4)
    deliver(app)
    assert [one.path for one in receiver.received] == [path]
    assert streak(app, made) == 1
    assert webhooks.get_webhook(app, made.id).last_event_at is None


def test_more_than_five_events_given_up_in_a_row_disable(app: App, receiver: Receiver) -> None:
    made = subscribe(app, receiver.url("/404"))
    for number in range(6):
        assert webhooks.get_webhook(app, made.id).disabled is False, number
        happen(app)
        deliver(app)
    assert webhooks.get_webhook(app, made.id).disabled is True
    happen(app)
    deliver(app)
    assert len(receiver.at("/404")) == 6


def test_a_success_ends_the_streak(app: App, receiver: Receiver) -> None:
    made = subscribe(app, receiver.url("/404"))
    for path in ("/404", "/404", "/ok", "/404"):
        webhooks.update_webhook(app, made.id, WebhookPatch.model_validate({"url": receiver.url(path)}))
        happen(app)
        deliver(app)
    assert streak(app, made) == 1


def test_enabling_again_forgets_the_failures(app: App, receiver: Receiver) -> None:
    made = subscribe(app, receiver.url("/404"))
    for _ in range(6):
        happen(app)
        deliver(app)
    patch = WebhookPatch.model_validate({"disabled": False, "url": receiver.url()})
    assert webhooks.update_webhook(app, made.id, patch).disabled is False
    assert streak(app, made) == 0
    happen(app)
    deliver(app)
    assert len(receiver.at("/ok")) == 1


def test_what_waits_for_a_disabled_webhook_is_delivered_when_it_is_enabled_again(
    app: App, receiver: Receiver
) -> None:
    made = subscribe(app, receiver.url("/500"))
    (waiting,) = happen(app)
    deliver(app)
    webhooks.update_webhook(app, made.id, WebhookPatch.model_validate({"url": receiver.url("/404")}))
    for _ in range(6):
        happen(app)
        deliver(app)
    assert webhooks.get_webhook(app, made.id).disabled is True
    deliver(app)
    assert [(job.state, job.args["event_id"]) for job in app.jobs.find(state="ready")] == [("ready", waiting)]
    patch = WebhookPatch.model_validate({"disabled": False, "url": receiver.url()})
    webhooks.update_webhook(app, made.id, patch)
    deliver(app)
    assert receiver.ids() == {waiting: 1}


def test_what_waits_for_a_webhook_that_a_person_disabled_stays(app: App, receiver: Receiver) -> None:
    made = subscribe(app, receiver.url())
    ids = happen(app, 3)
    for disabled in (True, False):
        webhooks.update_webhook(app, made.id, WebhookPatch.model_validate({"disabled": disabled}))
        deliver(app)
        assert set(receiver.ids()) == (set() if disabled else set(ids))


def test_the_secret_is_not_sent_where_a_setting_says_so(tmp_path: Path, receiver: Receiver) -> None:
    quiet = {"SHIPCLI_WEBHOOK_SECRET_HEADER": "no"}
    with closing(open_app(tmp_path / "home", sandbox=True, environ=quiet)) as app:
        made = subscribe(app, receiver.url())
        happen(app)
        deliver(app)
        (sent,) = receiver.received
    assert made.secret not in str(sent.headers)
    assert Verifier(made.secret).verify(sent.body, sent.headers)["type"] == "tracker_updated"


def test_a_packed_answer_is_not_unpacked(app: App, receiver: Receiver) -> None:
    made = subscribe(app, receiver.url("/gzip"))
    found = webhooks.try_webhook(app, made.id, WebhookTestData(payload={}))
    assert found.success
    assert "unpacked" not in str(found.response)


def test_more_targets_than_connections_are_kept_for_are_all_reached_again(
    app: App, receiver: Receiver
) -> None:
    app.sender.timeout_s = PATIENCE_S  # ninety at once take a busy machine a while
    urls = [receiver.url().replace("//", f"//shop{number}@") for number in range(90)]
    for _ in range(2):
        posts = [app.sender.post(OutgoingMessage(url, "whsec_QQ==", "evt_1", b"{}")) for url in urls]
        under_way = [app.sender.submit(post) for post in posts]
        assert all(one.result().ok for one in under_way)


def test_bad_targets_delay_and_repeat_nothing_for_a_good_one(app: App, receiver: Receiver) -> None:
    app.sender.timeout_s = PATIENCE_S  # the targets that hang do so for as long as this test may last
    for path in ("/hang", "/drip", "/500", "/close"):
        subscribe(app, receiver.url(path))
    subscribe(app, NOWHERE)
    subscribe(app, receiver.url())
    ids = happen(app, 40)
    worker = Worker(app, queues=["webhooks"], periodic=[])
    try:
        wait_for(lambda: worker.tick() >= 0 and len(receiver.at("/ok")) >= 40, PATIENCE_S / 2)
    finally:
        worker._deliveries.stop(0)
    assert receiver.ids() == dict.fromkeys(ids, 1)


def test_an_answer_without_end_is_cut_off(app: App, receiver: Receiver) -> None:
    subscribe(app, receiver.url("/drip"))
    happen(app)
    deliver(app)
    assert [row["error"] for row in webhooks.list_deliveries(app)] == ["no answer in time"]


def test_a_target_has_ten_seconds_to_answer(tmp_path: Path) -> None:
    usual = open_app(tmp_path / "usual", sandbox=True, environ={})
    assert usual.sender.timeout_s == 10
    usual.close()


def test_what_was_not_delivered_is_delivered_after_a_restart(
    app: App, receiver: Receiver, tmp_path: Path, clock: Clock
) -> None:
    subscribe(app, receiver.url())
    ids = happen(app, 3)
    app.close()
    again = open_app(tmp_path / "home", sandbox=True, environ={}, clock=clock)
    deliver(again)
    again.close()
    assert receiver.ids() == dict.fromkeys(ids, 1)


# -- again -------------------------------------------------------------------------------------


def test_missed_events_are_replayed_and_taken_ones_are_not(
    app: App, receiver: Receiver, clock: Clock
) -> None:
    made = subscribe(app, receiver.url(), "tracker_updated")
    taken = happen(app)
    deliver(app)
    clock.advance(minutes=1)
    webhooks.update_webhook(app, made.id, WebhookPatch.model_validate({"disabled": True}))
    missed = happen(app, 2)
    happen(app, 1, "order_created")
    with pytest.raises(Invalid):
        webhooks.replay(app, made.id)
    webhooks.update_webhook(app, made.id, WebhookPatch.model_validate({"disabled": False}))
    assert webhooks.replay(app, made.id) == missed
    deliver(app)
    assert receiver.ids() == dict.fromkeys(taken + missed, 1)


def test_a_named_event_is_delivered_again_under_its_id(app: App, receiver: Receiver) -> None:
    made = subscribe(app, receiver.url())
    (id,) = happen(app)
    deliver(app)
    assert webhooks.replay(app, made.id, [id]) == [id]
    assert webhooks.replay(app, made.id, [id]) == []
    deliver(app)
    assert receiver.ids() == {id: 2}


def test_a_target_elsewhere_fails_in_a_sandbox_without_a_connection(app: App) -> None:
    from shipcli.events.sender import OutgoingMessage

    sent = app.sender.send(OutgoingMessage("http://192.0.2.1/x", "whsec_" + "0" * 32, "evt_1", b"{}"))
    assert (sent.status, sent.error) == (None, "a sandbox sends to this machine only")


# -- in whose order ----------------------------------------------------------------------------


def test_a_target_that_failed_is_tried_with_one_event_at_a_time(app: App, receiver: Receiver) -> None:
    worker = Worker(app, queues=["webhooks"], periodic=[])
    subscribe(app, receiver.url("/500"))
    happen(app)
    try:
        wait_for(lambda: worker.tick() >= 0 and webhooks.list_deliveries(app))
        happen(app, 5)
        worker.tick()
        assert len(app.jobs.find(state="running")) == 1
    finally:
        worker._deliveries.stop(0)


def test_an_older_event_that_arrives_late_moves_no_replay_back(
    app: App, receiver: Receiver, clock: Clock
) -> None:
    made = subscribe(app, receiver.url("/500"))
    happen(app)
    deliver(app)
    webhooks.update_webhook(app, made.id, WebhookPatch.model_validate({"url": receiver.url()}))
    clock.advance(seconds=10)
    happen(app)
    newest = clock.now
    deliver(app)
    clock.advance(hours=1)
    deliver(app)
    assert len(receiver.at("/ok")) == 2
    assert datetime.fromisoformat(str(webhooks.get_webhook(app, made.id).last_event_at)) == newest


def send_next(app: App, sending: Deliveries, queue: str, ended: threading.Event) -> QueuedJob:
    """Have one waiting message sent; what came of it is not written down yet."""
    ended.clear()
    (job,) = app.jobs.claim({queue: 1})
    sending.start(job)
    assert ended.wait(10)
    return job


def sent_one(app: App, sending: Deliveries, queue: str, ended: threading.Event) -> None:
    """Have one waiting message sent, and what came of it written down."""
    send_next(app, sending, queue, ended)
    assert sending.settle() == 1


def test_what_was_sent_while_the_store_was_away_is_recorded_later_and_not_sent_again(
    app: App, receiver: Receiver, monkeypatch: pytest.MonkeyPatch
) -> None:
    made, ended = subscribe(app, receiver.url()), threading.Event()
    sending, queue = Deliveries(app, ended.set), f"{QUEUE}{made.id}"
    happen(app)
    job = send_next(app, sending, queue, ended)
    with monkeypatch.context() as away:
        away.setattr(app.store, "transaction", refuse)
        with pytest.raises(StoreBusy):
            sending.settle()
    assert [each.id for each in sending.list_held()] == [job.id]
    assert sending.settle() == 1
    assert (len(receiver.received), app.jobs.find(), sending.list_held()) == (1, [], [])
    assert [row["ok"] for row in app.store.select("deliveries")] == [True]


def test_what_was_recorded_without_our_knowing_is_not_recorded_again(
    app: App, receiver: Receiver, monkeypatch: pytest.MonkeyPatch
) -> None:
    made, ended = subscribe(app, receiver.url()), threading.Event()
    sending, queue = Deliveries(app, ended.set), f"{QUEUE}{made.id}"
    happen(app)
    send_next(app, sending, queue, ended)
    begin = app.store.transaction

    @contextmanager
    def lose_answer(*words: Any, **options: Any) -> Iterator[Any]:
        with begin(*words, **options) as tx:
            yield tx
        raise CommitUnknown("here")

    with monkeypatch.context() as cut:
        cut.setattr(app.store, "transaction", lose_answer)
        with pytest.raises(CommitUnknown):
            sending.settle()
    sending.settle()
    assert [row["ok"] for row in app.store.select("deliveries")] == [True]
    assert (app.jobs.find(), sending.list_held()) == ([], [])


def refuse(*words: Any, **options: Any) -> Any:
    raise StoreBusy("the store is away")


def test_a_target_that_takes_events_again_is_sent_many_at_once_again(
    app: App, receiver: Receiver, clock: Clock
) -> None:
    made, ended = subscribe(app, receiver.url("/500")), threading.Event()
    sending, queue = Deliveries(app, ended.set), f"{QUEUE}{made.id}"
    many = sending.room(queue)
    happen(app)
    sent_one(app, sending, queue, ended)
    assert sending.room(queue) == 1
    webhooks.update_webhook(app, made.id, WebhookPatch.model_validate({"url": receiver.url()}))
    clock.advance(minutes=1)
    sent_one(app, sending, queue, ended)
    assert (sending.room(queue), sending.list_held()) == (many, [])


def test_an_event_of_a_webhook_that_is_disabled_since_it_was_claimed_waits(
    app: App, receiver: Receiver
) -> None:
    made = subscribe(app, receiver.url())
    happen(app)
    (job,) = app.jobs.claim({f"{QUEUE}{made.id}": 1})
    webhooks.update_webhook(app, made.id, WebhookPatch.model_validate({"disabled": True}))
    Deliveries(app, lambda: None).start(job)
    assert ([one.state for one in app.jobs.find()], receiver.received) == (["ready"], [])


def test_a_worker_has_room_for_no_more_than_its_limits(
    app: App, receiver: Receiver, monkeypatch: pytest.MonkeyPatch
) -> None:
    made, ended = subscribe(app, receiver.url()), threading.Event()
    sending, queue = Deliveries(app, ended.set), f"{QUEUE}{made.id}"
    monkeypatch.setattr(delivery, "MOST_CLAIMED_IN_ALL", 3)
    monkeypatch.setattr(delivery, "MOST_CLAIMED", 2)
    happen(app, 2)
    rooms = [sending.room(queue)]
    for job in app.jobs.claim({queue: 2}):
        sending.start(job)
        rooms.append(sending.room(queue))
    other = f"{QUEUE}{subscribe(app, receiver.url('/other')).id}"
    assert (rooms, sending.room(other)) == ([2, 1, 0], 1)
    sending.stop(10)


def test_a_delivery_that_can_not_begin_takes_no_room_from_the_next(
    app: App, receiver: Receiver, monkeypatch: pytest.MonkeyPatch
) -> None:
    made = subscribe(app, receiver.url())
    sending, queue = Deliveries(app, lambda: None), f"{QUEUE}{made.id}"
    happen(app)
    (job,), room = app.jobs.claim({queue: 1}), sending.room(queue)

    def locked(*_: object) -> str:
        raise StoreError("the store is locked")

    monkeypatch.setattr(delivery, "read_secret", locked)
    with pytest.raises(StoreError):
        sending.start(job)
    assert sending.room(queue) == room


@pytest.mark.parametrize("gone", ["webhook", "event"])
def test_a_delivery_that_has_nobody_to_go_to_or_nothing_to_say_is_done(
    app: App, receiver: Receiver, gone: str
) -> None:
    made = subscribe(app, receiver.url())
    (event_id,) = happen(app)
    (job,) = app.jobs.claim({f"{QUEUE}{made.id}": 1})
    with app.store.transaction() as tx:
        tx.delete(gone, {"webhook": made.id, "event": event_id}[gone])
    sending = Deliveries(app, lambda: None)
    sending.start(job)
    assert sending.settle() == 1
    assert (app.jobs.find(), receiver.received) == ([], [])


def test_a_delivery_that_breaks_here_is_told_as_a_failure_and_tried_again(
    app: App, receiver: Receiver, monkeypatch: pytest.MonkeyPatch
) -> None:
    made, ended = subscribe(app, receiver.url()), threading.Event()
    sending = Deliveries(app, ended.set)

    async def broken(message: OutgoingMessage) -> SendResult:
        raise ZeroDivisionError("no luck")

    monkeypatch.setattr(app.sender, "post", broken)
    happen(app)
    sent_one(app, sending, f"{QUEUE}{made.id}", ended)
    (row,) = app.store.select("deliveries")
    assert (row["ok"], row["status"], row["latency_ms"], row["response"]) == (False, None, 0, "")
    assert row["error"] == "ZeroDivisionError: no luck"
    assert [job.state for job in app.jobs.find()] == ["ready"]
