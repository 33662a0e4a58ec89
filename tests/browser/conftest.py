"""A sandbox server, a receiver of webhooks, headless Chromium; without a browser the tests are skipped."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any, NamedTuple

import pytest
from pytest_httpserver import HTTPServer

from tests.api.conftest import body
from tests.api.running import Running
from tests.processes import PATIENCE_S

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
PHONE, DESK = {"width": 390, "height": 844}, {"width": 1280, "height": 800}


class Sandbox(NamedTuple):
    """A running sandbox, and what receives its webhooks."""

    server: Running
    receiver: HTTPServer

    @property
    def url(self) -> str:
        return str(self.server.said["url"])

    @property
    def key(self) -> str:
        return str(self.server.said["api_key"])

    def sell(self, **changes: Any) -> dict[str, Any]:
        """A label of UPS."""
        wanted = body(carrier_ids=["ups"], service="ups_ground", **changes)
        status, made = self.server.ask("POST", "/v1/shipments", wanted)
        assert status == 201, made
        return dict(made)


@pytest.fixture(scope="session")
def chromium() -> Iterator[Browser]:
    """Headless Chromium."""
    driver = pytest.importorskip("playwright.sync_api", reason="needs the extra `browser`")
    if CHROMIUM is None:
        pytest.skip("needs Chromium")
    driver.expect.set_options(timeout=PATIENCE_S * 1000)
    with driver.sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
        yield browser
        browser.close()


@pytest.fixture(scope="session")
def sandbox(make_httpserver: HTTPServer) -> Iterator[Sandbox]:
    """A sandbox with a webhook."""
    make_httpserver.expect_request("/hook").respond_with_data("taken")
    with Running("sandbox", "up", "--port", "0", "--json", "--carriers", "ups,fedex") as server:
        hook = {"url": make_httpserver.url_for("/hook"), "enabled_events": ["all"]}
        status, made = server.ask("POST", "/v1/webhooks", hook)
        assert status == 201, made
        yield Sandbox(server, make_httpserver)


@pytest.fixture
def page(chromium: Browser) -> Iterator[Page]:
    """A tab of a desk's width, which must neither say an error nor load anything from elsewhere."""
    yield from open_tab(chromium, DESK)


@pytest.fixture
def phone(chromium: Browser) -> Iterator[Page]:
    """The same, as wide as a phone."""
    yield from open_tab(chromium, PHONE)


def open_tab(chromium: Browser, size: Any) -> Iterator[Page]:
    context = chromium.new_context(viewport=size)
    context.set_default_timeout(PATIENCE_S * 1000)
    tab, errors, hosts = context.new_page(), [], set()
    tab.on("console", lambda message: errors.append(message.text) if message.type == "error" else None)
    tab.on("pageerror", lambda error: errors.append(str(error)))
    tab.on("request", lambda request: hosts.add(request.url.split("/")[2]))
    yield tab
    context.close()
    assert errors == []
    assert len(hosts) <= 1
