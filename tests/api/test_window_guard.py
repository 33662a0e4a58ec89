"""Who is let in at the page at `/` without a key, who may press its buttons, who has to wait."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from starlette.testclient import TestClient

from shipcli.api.app import build
from shipcli.bootstrap import open_app
from shipcli.features.core.app import App
from shipcli.features.identity.api_keys import create_key
from shipcli.features.sandbox.clock import show_clock
from shipcli.features.sandbox.faults import add_rule
from shipcli.models.sandbox_faults import FaultRuleData
from tests.homes import copy_sandbox

HTML = {"accept": "text/html"}
HERE, ELSEWHERE = "127.0.0.1", "192.0.2.9"
TOKEN = re.compile(r'name="token" value="([0-9a-f]+)"')


@contextmanager
def visit(home: Path, host: str, peer: str, **flags: str) -> Iterator[tuple[App, TestClient]]:
    """A sandbox with these settings, and a browser that calls it by this name from this address."""
    app = open_app(copy_sandbox(home), sandbox=True, environ={}, flags=flags)
    with TestClient(build(app), base_url=f"http://{host}", client=(peer, 50123)) as http:
        yield app, http
    app.close()


@pytest.mark.parametrize("allowed", ["*", "shop.example"])
def test_a_page_under_another_name_asks_for_a_key_on_this_machine_too(tmp_path: Path, allowed: str) -> None:
    """Such a name may be a trick (DNS rebinding), or that of a proxy here which passes on anybody."""
    with visit(tmp_path / "home", "shop.example", HERE, allowed_hosts=allowed) as (app, http):
        page = http.get("/", headers=HTML)
        assert ("API key" in page.text, TOKEN.search(page.text)) == (True, None)
        http.post("/_window/sign-in", data={"key": create_key(app).key})
        assert TOKEN.search(http.get("/", headers=HTML).text)


@pytest.mark.parametrize("host", ["127.0.0.1:5002", "localhost:5002"])
def test_a_page_under_a_name_of_this_machine_asks_for_no_key(tmp_path: Path, host: str) -> None:
    with visit(tmp_path / "home", host, HERE, allowed_hosts="*") as (_, http):
        assert TOKEN.search(http.get("/", headers=HTML).text)


def test_a_key_that_may_only_read_has_no_buttons(tmp_path: Path) -> None:
    with visit(tmp_path / "home", "localhost", ELSEWHERE) as (app, http):
        add_rule(app, FaultRuleData(match="GET /nowhere", status=503))
        http.post("/_window/sign-in", data={"key": create_key(app, scope="read").key})
        for view in ("requests", "inbox", "mails", "trackers", "labels", "ledger", "faults"):
            page = http.get(f"/?view={view}", headers=HTML).text
            assert re.findall(r"<button[^>]*>([^<]*)</button>", page) == ["Sign out"]
        assert re.search(r"<time [^>]*>", page)
        token = TOKEN.search(page)
        form = {"token": token[1] if token else "", "action": "freeze"}
        assert http.post("/_window/act", data=form).status_code == 403
        assert show_clock(app).state == "real"


def test_who_guesses_keys_has_to_wait_and_a_right_one_still_opens(tmp_path: Path) -> None:
    with visit(tmp_path / "home", "localhost", ELSEWHERE, refusal_limit="3") as (app, http):
        replies = [http.post("/_window/sign-in", data={"key": f"guess-{number}"}) for number in range(5)]
        assert [reply.status_code for reply in replies] == [401, 401, 401, 429, 429]
        assert int(replies[-1].headers["retry-after"]) > 0
        right = {"key": create_key(app).key}
        assert http.post("/_window/sign-in", data=right, follow_redirects=False).status_code == 303


@pytest.mark.parametrize(
    ("accept", "kind"),
    [
        ("text/html;q=0.001, */*", "application/json"),
        ("text/html;q=0.2, application/*;q=0.5", "application/json"),
        ("text/html;q=0.2, application/*;q=0.1, */*", "text/html"),
        ("text/html;q=0, */*", "application/json"),
        ("text/html, */*;q=0.8", "text/html"),
        ("text/html, */*", "text/html"),
    ],
)
def test_ranges_of_types_count_for_json(tmp_path: Path, accept: str, kind: str) -> None:
    with visit(tmp_path / "home", "localhost", HERE) as (_, http):
        answer = http.get("/", headers={"accept": accept})
        assert answer.headers["content-type"].partition(";")[0] == kind


def test_a_key_is_counted_alike_in_a_header_and_in_the_cookie_of_the_page(tmp_path: Path) -> None:
    with visit(tmp_path / "home", "localhost", ELSEWHERE, rate_limit="6") as (app, http):
        key = create_key(app).key
        http.post("/_window/sign-in", data={"key": key}, follow_redirects=False)
        token = {"authorization": f"Token {key}"}
        statuses = [http.get("/", headers=HTML).status_code for _ in range(4)]
        statuses += [http.get("/v1/addresses", headers=token).status_code for _ in range(3)]
        assert statuses == [200] * 6 + [429]
        assert http.get("/", headers=HTML).status_code == 429


def test_who_guesses_keys_in_the_cookie_has_to_wait_and_it_is_dropped(
    tmp_path: Path,
) -> None:
    with visit(tmp_path / "home", "localhost", ELSEWHERE, refusal_limit="3") as (app, http):
        guesses = [{**HTML, "cookie": f"shipcli_window=key_{number}"} for number in range(5)]
        answers = [http.get("/", headers=guess) for guess in guesses]
        assert [answer.status_code for answer in answers] == [200, 200, 200, 429, 429]
        assert "Max-Age=0" in answers[0].headers["set-cookie"]
        good = {**HTML, "cookie": f"shipcli_window={create_key(app).key}"}
        assert TOKEN.search(http.get("/", headers=good).text)


def test_the_address_of_administration_leads_to_the_page(tmp_path: Path) -> None:
    with visit(tmp_path / "home", "localhost", ELSEWHERE) as (_, http):
        assert http.get(str(http.get("/").json()["ADMIN"]), headers=HTML).url.path == "/"
