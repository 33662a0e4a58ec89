"""Keys of purchases whose result nobody has seen yet."""

from __future__ import annotations

import os

from shipcli.bootstrap import open_app
from shipcli.features.core.app import App
from shipcli.features.shipments.unconfirmed import PurchaseKey, drop_keys, take_key

ASKED = {"shipment": {"reference": "SO-1"}}


def taken_by_a_process_that_died(app: App) -> str:
    """The value of a key that a child took."""
    reading, writing = os.pipe()
    child = os.fork()
    if child == 0:
        own = open_app(app.home.parent, sandbox=True, environ={})
        os.write(writing, take_key(own, ASKED).value.encode())
        os._exit(0)
    os.waitpid(child, 0)
    os.close(writing)
    with os.fdopen(reading) as said:
        return said.read()


def test_two_who_want_the_same_at_once_have_a_key_each(app: App) -> None:
    assert take_key(app, ASKED).value != take_key(app, ASKED).value


def test_the_key_of_a_dead_process_is_used_again_once(app: App) -> None:
    left = taken_by_a_process_that_died(app)
    assert take_key(app, {"shipment": {"reference": "SO-2"}}).value != left
    assert take_key(app.in_mode(False), ASKED).value != left
    assert take_key(app, ASKED).value == left
    assert take_key(app, ASKED).value != left, "it belongs to us now, and we live"


def test_a_key_that_was_dropped_is_not_found_again(app: App) -> None:
    left = taken_by_a_process_that_died(app)
    key: PurchaseKey = take_key(app, ASKED)
    assert key.value == left
    drop_keys(app, [key])
    assert take_key(app, ASKED).value != left
