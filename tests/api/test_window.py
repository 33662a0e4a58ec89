"""The pages at `/`: who gets them, what they show, and who may press a button."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from httpx import Response
from starlette.testclient import TestClient

from shipcli.api.app import build
from shipcli.features.core.app import App
from shipcli.features.customers.settings import change_settings
from shipcli.features.identity.api_keys import create_key
from shipcli.features.sandbox.clock import show_clock
from shipcli.features.sandbox.faults import list_rules
from shipcli.worker import Worker
from tests.api.conftest import BASE, body
from tests.processes import wait_for

HTML = {"accept": "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8"}
VIEWS = ("requests", "inbox", "mails", "trackers", "labels", "ledger", "faults")


class Browser:
    """A browser without a screen: it keeps cookies, and sends forms as the pages have them."""

    def __init__(self, app: App, peer: str = "127.0.0.1") -> None:
        self.app = app
        self.http = TestClient(build(app), base_url=BASE, client=(peer, 50123))

    def see(self, path: str = "/") -> str:
        page = self.http.get(path, headers=HTML)
        assert page.status_code == 200, page.text
        return page.text

    def press(self, action: str, view: str = "requests", **fields: str) -> Response:
        token = re.search(r'name="token" value="([0-9a-f]+)"', self.see(f"/?view={view}"))
        assert token
        form = {"token": token[1], "view": view, "action": action, **fields}
        return self.http.post("/_window/act", data=form, headers=HTML, follow_redirects=True)


@pytest.fixture
def browser(fresh: tuple[App, object]) -> Iterator[Browser]:
    visitor = Browser(fresh[0])
    with visitor.http:
        yield visitor


def sell(browser: Browser, **changes: object) -> dict[str, str]:
    key = create_key(browser.app).key
    made = browser.http.post(
        "/v1/shipments",
        json=body(carrier_ids=["ups"], service="ups_ground", **changes),
        headers={"authorization": f"Token {key}"},
    )
    assert made.status_code == 201, made.text
    return dict(made.json())


def find_call(browser: Browser, name: str) -> str:
    """Where a call is shown; it is written to the log a moment after its answer."""
    link = re.compile(rf'href="(/\?view=requests&amp;id=[^"]+)">{name}<')
    wait_for(lambda: link.search(browser.see()))
    (path, *_) = link.findall(browser.see())
    return str(path).replace("&amp;", "&")


# -- who gets a page ---------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("accept", "kind"),
    [
        (HTML["accept"], "text/html"),
        ("text/html", "text/html"),
        ("text/html;q=0.9, application/json", "application/json"),
        ("application/json, text/plain, */*", "application/json"),
        ("*/*", "application/json"),
        ("text/html;q=0", "application/json"),
        ("text/html;q=high", "application/json"),
        ("", "application/json"),
    ],
)
def test_browsers_get_a_page_and_programs_the_instance(browser: Browser, accept: str, kind: str) -> None:
    answer = browser.http.get("/", headers={"accept": accept})
    assert answer.headers["content-type"].partition(";")[0] == kind
    assert "accept" in answer.headers["vary"]
    assert kind == "text/html" or "VERSION" in answer.json()


def test_other_machines_sign_in_to_a_sandbox_too(fresh: tuple[App, object]) -> None:
    stranger = Browser(fresh[0], peer="192.0.2.7")
    with stranger.http:
        assert 'type="password"' in stranger.see()
        assert stranger.http.get("/_window/labels/shp_1.png").status_code == 401


def test_a_server_shows_itself_to_a_key_and_has_no_buttons(tmp_path: Path, fresh: tuple[App, object]) -> None:
    server = Browser(replace(fresh[0], sandbox=False))
    with server.http:
        assert 'type="password"' in server.see()
        refused = server.http.post("/_window/sign-in", data={"key": "key_nobody"}, headers=HTML)
        assert refused.status_code == 401
        key = create_key(server.app).key
        entered = server.http.post(
            "/_window/sign-in", data={"key": key}, headers=HTML, follow_redirects=False
        )
        cookie = entered.headers["set-cookie"]
        assert "HttpOnly" in cookie
        assert "SameSite=Strict" in cookie
        for view in VIEWS:
            page = server.see(f"/?view={view}")
            assert "/_window/act" not in page
            assert key not in page
        pressed = server.http.post("/_window/act", data={"action": "freeze"}, headers=HTML)
        assert pressed.status_code == 403
        server.http.post("/_window/sign-out", headers=HTML)
        assert 'type="password"' in server.see()


# -- what it shows -----------------------------------------------------------------------------


def test_a_call_is_shown_with_the_exchanges_beneath_it_and_their_curls(browser: Browser) -> None:
    made = sell(browser)
    page = browser.see(find_call(browser, "POST /v1/shipments"))
    assert "curl -sS -X POST http://127.0.0.1:5002/v1/shipments" in page
    assert "ups · ship" in page
    assert "/api/shipments/" in page
    assert made["tracking_number"] in page


def test_names_of_customers_are_text_and_never_markup(browser: Browser) -> None:
    to = {**body()["recipient"], "person_name": "<script>alert(1)</script>"}
    sell(browser, recipient=to, reference="<img src=x>")
    for view in VIEWS:
        page = browser.see(f"/?view={view}&id=<script>alert(1)</script>")
        assert "<script>alert" not in page
        assert "<img src=x>" not in page


def test_no_secret_is_shown(browser: Browser) -> None:
    key = create_key(browser.app).key
    secret = browser.http.post(
        "/v1/connections",
        json={"carrier_name": "ups", "carrier_id": "mine",
              "credentials": {"client_id": "id-7", "client_secret": "s3cr3t-of-mine"}},
        headers={"authorization": f"Token {key}"},
    )  # fmt: skip
    assert secret.status_code == 201, secret.text
    page = browser.see(find_call(browser, "POST /v1/connections"))
    assert "s3cr3t-of-mine" not in page
    assert key not in page


def test_a_label_is_a_picture(browser: Browser) -> None:
    made = sell(browser)
    assert f"/_window/labels/{made['id']}.png" in browser.see("/?view=labels")
    picture = browser.http.get(f"/_window/labels/{made['id']}.png")
    assert picture.headers["content-type"] == "image/png"
    assert picture.content.startswith(b"\x89PNG")
    assert browser.http.get("/_window/labels/shp_nobody.png").status_code == 404


def test_the_ledger_is_shown(browser: Browser) -> None:
    assert sell(browser)["tracking_number"] in browser.see("/?view=ledger")


# -- what its buttons do -----------------------------------------------------------------------


def test_a_parcel_is_moved_by_its_button(browser: Browser) -> None:
    made = sell(browser)
    page = browser.see("/?view=trackers")
    assert re.search(r"in transit in \d+ h", page)
    tracker = re.search(r'name="object" value="(trk_[0-9a-f]+)"', page)
    assert tracker
    moved = browser.press("", "trackers", object=tracker[1], number=made["tracking_number"], to="delivered")
    assert "was moved" in moved.text
    assert '<span class="tag delivered">delivered</span>' in moved.text


def test_the_clock_is_moved_stopped_and_set_free(browser: Browser) -> None:
    assert "The clock stands" in browser.press("freeze").text
    assert show_clock(browser.app).state == "frozen"
    assert "was moved by 2d" in browser.press("advance", by="2d").text
    assert "2030-01-05 09:00:00" in browser.press("set", "faults", at="2030-01-05T09:00Z").text
    assert "is not a span" in browser.press("advance", by="soon").text
    assert "real time" in browser.press("real").text


def test_faults_are_added_seen_and_removed(browser: Browser) -> None:
    added = browser.press("fault", "faults", match="GET /v1/carriers", status="503", times="1")
    (rule,) = list_rules(browser.app)
    assert rule.id in added.text
    assert "/_window/act" in browser.see()
    assert "was removed" in browser.press("unfault", "faults", object=rule.id).text
    assert "were added" in browser.press("profile", "faults", name="flaky-5").text
    assert browser.press("fault", "faults", status="high").text.count("is no number") == 1
    for _ in range(30):  # whatever is injected, the page is there to take it away
        assert "Faults" in browser.see("/?view=faults")


def test_what_people_look_at_is_no_request_of_a_test(browser: Browser) -> None:
    browser.see()
    browser.press("freeze")
    assert "No request came yet" in browser.see()


@pytest.mark.parametrize(
    "headers",
    [{"origin": "https://elsewhere.example"}, {"sec-fetch-site": "cross-site"}, {"origin": "null"}],
)
def test_forms_of_other_sites_are_refused(browser: Browser, headers: dict[str, str]) -> None:
    token = re.search(r'name="token" value="([0-9a-f]+)"', browser.see())
    assert token
    form = {"token": token[1], "action": "freeze"}
    refused = browser.http.post("/_window/act", data=form, headers={**HTML, **headers})
    assert refused.status_code == 403
    assert show_clock(browser.app).state == "real"


def test_a_form_without_the_token_of_its_page_is_refused(browser: Browser) -> None:
    for token in ("", "0" * 64, "é"):
        form = {"token": token, "action": "freeze"}
        assert browser.http.post("/_window/act", data=form, headers=HTML).status_code == 403
    assert show_clock(browser.app).state == "real"


def test_a_name_that_points_here_by_another_host_is_refused(browser: Browser) -> None:
    assert browser.http.get("/", headers={**HTML, "host": "rebound.example"}).status_code in (400, 403, 421)


def test_pages_load_nothing_from_elsewhere(browser: Browser) -> None:
    sell(browser)
    for view in VIEWS:
        page = browser.http.get(f"/?view={view}", headers=HTML)
        assert "default-src 'none'" in page.headers["content-security-policy"]
        assert not re.search(r'(?:src|href)="(?:https?:)?//', page.text)
        assert "style=" not in page.text


def test_mails_that_a_sandbox_keeps_are_shown(browser: Browser) -> None:
    change_settings(browser.app, {"events": ["purchased"]})
    to = {**body()["recipient"], "email": "ana@example.org", "person_name": "<b>Ana</b>"}
    sold = sell(browser, recipient=to)
    worker = Worker(browser.app, periodic=())
    worker.run_due()
    worker.close()
    link = re.search(r'href="(/\?view=mails&amp;id=[^"]+)"', browser.see("/?view=mails"))
    assert link
    page = browser.see(link[1].replace("&amp;", "&"))
    for text in ("ana@example.org", "kept", sold["tracking_number"], "Hello &lt;b&gt;Ana&lt;/b&gt;"):
        assert text in page
    assert "<b>Ana" not in page


def test_a_call_shows_its_own_exchanges_even_while_the_clock_stands(browser: Browser) -> None:
    browser.press("freeze")
    made = sell(browser)
    key = create_key(browser.app).key
    token = {"authorization": f"Token {key}"}
    browser.http.post(f"/v1/shipments/{made['id']}/cancel", headers=token)
    bought = browser.see(find_call(browser, "POST /v1/shipments"))
    voided = browser.see(find_call(browser, f"POST /v1/shipments/{made['id']}/cancel"))
    verbs = re.compile(r"<h4>ups · (\w+)")
    assert "ship" in verbs.findall(bought)
    assert verbs.findall(voided) == ["void"]
    assert "void" not in verbs.findall(bought)
