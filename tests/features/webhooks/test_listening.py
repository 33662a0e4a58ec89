"""Listeners: every event once, in order, over restarts."""

from __future__ import annotations

import pytest

from shipcli.events import emit
from shipcli.features.core.app import App
from shipcli.features.webhooks.listener import AT_ONCE, Listener
from shipcli.models import Invalid


def happen(app: App, *names: str) -> list[str]:
    with app.store.transaction() as tx:
        return [emit(tx, app, name, {"id": "trk_1"}) for name in names or ["tracker_updated"]]


def met(listener: Listener) -> list[str]:
    events, last = listener.read_pending()
    if last:
        listener.mark_passed(last)
    return [str(event["id"]) for _, event in events]


def listener(app: App, *patterns: str, name: str = "test", start: bool = False) -> Listener:
    made = Listener(app, name, patterns)
    made.begin(from_start=start)
    return made


def test_a_new_listener_begins_now(app: App) -> None:
    happen(app)
    made = listener(app)
    news = happen(app)
    assert met(made) == news


def test_a_listener_may_begin_with_the_first_event(app: App) -> None:
    ids = happen(app, "tracker_updated", "tracker_created")
    assert met(listener(app, start=True)) == ids


def test_what_happened_while_nobody_listened_is_met_after_a_restart(app: App) -> None:
    met(listener(app))
    ids = happen(app)
    assert met(listener(app)) == ids
    assert met(listener(app)) == []


def test_an_event_that_was_not_passed_is_met_again(app: App) -> None:
    made = listener(app)
    ids = happen(app, "tracker_updated", "tracker_updated")
    for place, event in made.read_pending()[0]:
        if event["id"] == ids[1]:
            break
        made.mark_passed(place)
    assert met(listener(app)) == ids[1:]


def test_patterns_choose_names(app: App) -> None:
    made = listener(app, "shipment_*", "tracker_created")
    ids = happen(app, "shipment_purchased", "tracker_updated", "tracker_created")
    assert met(made) == [ids[0], ids[2]]
    assert met(made) == []


def test_a_pattern_that_fits_nothing_is_refused(app: App) -> None:
    with pytest.raises(Invalid, match="tracker_updated"):
        Listener(app, "test", ["tracker_update"])


def test_listeners_and_modes_do_not_meet(app: App) -> None:
    first, second = listener(app, name="one"), listener(app.in_mode(False), name="one")
    ids = happen(app)
    assert (met(first), met(second)) == (ids, [])


def test_many_events_are_met_in_their_order(app: App) -> None:
    made = listener(app)
    ids = happen(app, *["tracker_updated"] * (AT_ONCE + 20))
    assert met(made) + met(made) == ids


def test_the_secret_of_a_listener_lasts(app: App) -> None:
    assert listener(app).secret == listener(app).secret != listener(app, name="other").secret
