"""Keys, carriers and the webhook secret that a sandbox starts with."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from shipcli.bootstrap import open_app
from shipcli.carrier import registry
from shipcli.features.connections.service import list_connections
from shipcli.features.core.app import App
from shipcli.features.identity.api_keys import find_key, list_keys
from shipcli.features.sandbox.access import AccessRequest, create_access
from shipcli.features.sandbox.big_carriers import AT_HOME, list_big_carriers
from shipcli.features.webhooks.service import create_webhook, make_secret
from shipcli.models import Invalid, WebhookData


@pytest.fixture
def app(tmp_path: Path) -> Iterator[App]:
    opened = open_app(tmp_path, sandbox=True, environ={}, carriers="none")
    yield opened
    opened.close()


def test_chosen_keys_are_good_for_their_modes(app: App) -> None:
    access = create_access(app, AccessRequest("key_test", "key_live"))
    assert (access["api_key"], access["live_api_key"]) == ("key_test", "key_live")
    modes = {text: key.test_mode for text in ("key_test", "key_live") if (key := find_key(app, text))}
    assert modes == {"key_test": True, "key_live": False}


@pytest.mark.parametrize(
    "request_", [("key_test", "key_test"), ("short",), ("with a space",), ("key_\u00e9\u00e9\u00e9\u00e9",)]
)
def test_a_key_that_can_not_be_told_apart_or_sent_is_refused(app: App, request_: tuple[str, ...]) -> None:
    with pytest.raises(Invalid):
        create_access(app, AccessRequest(*request_))


def test_a_kept_sandbox_keeps_its_access_and_makes_no_more_keys(app: App) -> None:
    first = create_access(app, kept=True)
    assert create_access(app, kept=True) == first
    assert len(list_keys(app)) == 2
    changed = create_access(app, AccessRequest("key_test"), kept=True)
    assert changed == first | {"api_key": "key_test"}
    with pytest.raises(Invalid, match="other mode"):
        create_access(app, AccessRequest(live_api_key="key_test"), kept=True)


def test_all_webhooks_have_the_secret_that_was_chosen(app: App) -> None:
    create_access(app, AccessRequest(webhook_secret="whsec_test"))
    made = create_webhook(app, WebhookData(url="http://127.0.0.1:3000/hooks", enabled_events=["all"]))
    assert made.secret == make_secret(app) == "whsec_test"


@pytest.mark.parametrize("secret", ["test", "whsec_", "whsec_not base64", "whsec_sandbox", "whsec_my-secret"])
def test_a_secret_that_receivers_read_differently_is_refused(app: App, secret: str) -> None:
    with pytest.raises(Invalid):
        create_access(app, AccessRequest(webhook_secret=secret))


@pytest.mark.parametrize(
    ("carriers", "expected"),
    [
        (None, {"usps", "ups", "fedex", "dhl_express"}),
        ("none", set()),
        ("ups,fedex", {"ups", "fedex"}),
        ("all", set(registry.list_slugs())),
    ],
)
def test_a_new_sandbox_has_connections_of_the_carriers_asked_for(
    tmp_path: Path, carriers: str | None, expected: set[str]
) -> None:
    app = open_app(tmp_path, sandbox=True, environ={}, carriers=carriers)
    for mode in (True, False):
        count, rows = list_connections(app.in_mode(mode), {}, 100, 0)
        assert (count, {row.carrier_name for row in rows}) == (len(expected), expected)
    app.close()


def test_an_unknown_carrier_is_told_with_the_nearest(tmp_path: Path) -> None:
    with pytest.raises(Invalid, match="did you mean fedex"):
        open_app(tmp_path, sandbox=True, environ={}, carriers="ups,fedx")


@pytest.mark.parametrize("country", [*AT_HOME, "JP"])
def test_big_carriers_are_carriers_that_sell_labels(country: str) -> None:
    facts = [registry.get_facts(slug) for slug in list_big_carriers(country)]
    assert all({"rating", "shipping"} <= set(row.capabilities) for row in facts)
    assert len({row.slug for row in facts}) == len(facts)
