"""The page of a parcel: for whoever has its link, in the shop's colours, without name and street."""

from __future__ import annotations

import re
from collections.abc import Iterator
from html.parser import HTMLParser
from pathlib import Path

import pytest
from starlette.testclient import TestClient

from shipcli.api.app import build
from shipcli.api.pages.tracking import NIGHT, PAPER
from shipcli.bootstrap import open_app
from shipcli.features.connections.service import add_connection
from shipcli.features.core.app import App
from shipcli.features.customers.colours import BLACK, WHITE, compute_contrast, read_colour
from shipcli.features.customers.links import get_link, make_token
from shipcli.features.customers.look import change_look
from shipcli.features.shipments.voids import cancel_shipment
from shipcli.models import ConnectionData, Shipment
from tests.api.conftest import BASE
from tests.features.customers.parcels import VAN, report, sell, watch

SECRETS = ("Ana", "Ruiz", "1625 N Central", "ana@example.org", "85004")


class Page(HTMLParser):
    """The tags and words of a page."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.tags: list[str] = []
        self.links: list[str] = []
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)
        self.links += [value or "" for name, value in attrs if name in ("href", "src")]


@pytest.fixture
def shop(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[App]:
    monkeypatch.setenv("PYTHON_KEYRING_BACKEND", "keyring.backends.fail.Keyring")
    opened = open_app(tmp_path / "live", test_mode=False, environ={})
    add_connection(opened, ConnectionData.model_validate(VAN))
    change_look(opened, {"name": "Corner <Shop>", "color": "#fd0", "url": BASE})
    yield opened
    opened.close()


@pytest.fixture
def http(shop: App) -> Iterator[TestClient]:
    with TestClient(build(shop), base_url=BASE) as client:
        yield client


def see(http: TestClient, app: App, sold: Shipment) -> str:
    answer = http.get(get_link(app, sold.id).url)
    assert answer.status_code == 200, answer.text
    return answer.text


def test_a_customer_follows_a_parcel_without_a_key(shop: App, http: TestClient) -> None:
    sold = sell(shop)
    assert "The carrier waits for your parcel" in see(http, shop, sold)
    scan = {"date": "2026-11-27", "time": "08:10", "description": "Signed for by RUIZ at 1625 n central  ave",
            "location": "Phoenix, AZ"}  # fmt: skip
    report(shop, watch(shop, sold), "out_for_delivery", scan, estimated_delivery="2026-11-28")
    page = see(http, shop, sold)
    for text in ("Your parcel is out for delivery", "2026-11-27 08:10", "Phoenix, AZ", "2026-11-28",
                 "Phoenix, US", str(sold.tracking_number), "Corner &lt;Shop&gt;",
                 "Signed for by … at …"):  # fmt: skip
        assert text in page
    assert [secret for secret in SECRETS if secret.lower() in page.lower()] == []
    parsed = Page(page)
    assert page.count('class="reached"') == 3
    assert not {"script", "link", "form", "iframe"} & set(parsed.tags)


def test_the_page_is_for_no_search_engine_and_loads_nothing(shop: App, http: TestClient) -> None:
    answer = http.get(get_link(shop, sell(shop).id).url)
    policy = answer.headers["content-security-policy"]
    assert policy.startswith("default-src 'none'; style-src 'sha256-")
    assert "script-src" not in policy
    assert "unsafe" not in policy
    assert answer.headers["x-robots-tag"].startswith("noindex")
    assert answer.headers["referrer-policy"] == "no-referrer"
    assert answer.headers["cache-control"] == "private, max-age=60"
    assert "style=" not in answer.text


def test_no_other_token_opens_a_parcel(shop: App, http: TestClient) -> None:
    sold, other = sell(shop), sell(shop)
    token = make_token(shop, str(sold.tracking_number))
    payload, _, signature = token.partition(".")
    foreign = make_token(shop, str(other.tracking_number)).partition(".")[2]
    of_test = make_token(shop.in_mode(True), str(sold.tracking_number))
    wrong = [str(sold.tracking_number), sold.id, payload, f"{payload}.", f"{payload}.{foreign}",
             f"{payload}.{signature[:-1]}", f"{payload}.{signature}x", f".{signature}", "é.é", "%00.x",
             "a" * 5000, of_test, make_token(shop, "1Z999AA10123456784")]  # fmt: skip
    answers = [http.get(f"/track/{each}") for each in wrong]
    assert {answer.status_code for answer in answers} == {404}
    assert len({answer.text for answer in answers}) == 1
    assert http.get(f"/track/{token}").status_code == 200


def test_what_a_carrier_says_is_text_and_its_link_one_of_the_web(shop: App, http: TestClient) -> None:
    sold = sell(shop)
    scan = {"date": "2026-11-27", "description": "<script>alert(1)</script>", "location": "<img src=x>"}
    report(shop, watch(shop, sold), "in_transit", scan, info={"carrier_tracking_link": "javascript:alert(1)"})
    page = Page(see(http, shop, sold))
    assert not {"script", "img"} & set(page.tags)
    assert [link for link in page.links if not link.startswith("http")] == []


@pytest.mark.parametrize("color", ["#fd0", "#0a7", "#ffffff", "#000000", "#808080", "#1f4e79", "#ff0000"])
def test_every_colour_of_a_shop_is_readable(shop: App, http: TestClient, color: str) -> None:
    change_look(shop, {"color": color})
    page = see(http, shop, sell(shop))
    names = {name: read_colour(value) for name, value in re.findall(r"--([a-z-]+): (#[0-9a-f]{6})", page)[:3]}
    (_, dark) = re.findall(r"--accent: (#[0-9a-f]{6})", page)
    assert names["ink-on-shop"] in (BLACK, WHITE)
    assert compute_contrast(names["shop"], names["ink-on-shop"]) >= 4.5
    assert compute_contrast(names["accent"], PAPER) >= 4.5
    assert compute_contrast(read_colour(dark), NIGHT) >= 4.5


def test_a_voided_label_says_so(shop: App, http: TestClient) -> None:
    sold = sell(shop)
    cancel_shipment(shop, sold.id)
    assert "This label was cancelled" in see(http, shop, sold)


def test_visitors_are_counted_like_others(tmp_path: Path) -> None:
    app = open_app(tmp_path / "busy", environ={"SHIPCLI_RATE_LIMIT": "2"})
    try:
        with TestClient(build(app), base_url=BASE) as http:
            assert [http.get("/track/x.y").status_code for _ in range(4)] == [404, 404, 429, 429]
    finally:
        app.close()
