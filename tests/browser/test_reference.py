"""The reference: each operation can be tried as the page offers it; the page can be read and used by all."""

from __future__ import annotations

import json
import os
import re
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

import pytest
from playwright.sync_api import expect

from shipcli.operations.table import DESCRIBED
from tests.api.running import Running, answers, free_port
from tests.browser.conftest import DESK, PHONE
from tests.browser.layout_faults import list_faults
from tests.processes import PROGRAM, wait_for

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Locator, Page


@pytest.fixture(scope="module")
def fresh() -> Iterator[Running]:
    """A sandbox as it starts by default."""
    with Running("sandbox", "up", "--port", "0", "--json") as server:
        yield server


def open_reference(page: Page, server: Running, anchor: str = "") -> None:
    page.goto(f"{server.said['url']}/openapi/{anchor}")


def open_operation(page: Page, anchor: str) -> Locator:
    """The form of an operation, which its address opens."""
    page.evaluate("anchor => { location.hash = anchor }", anchor)
    return page.locator(f"[id='{anchor}'] form")


def try_it(page: Page, anchor: str) -> str:
    """Send what the form of an operation holds; its answer, after the name of the operation."""
    form = open_operation(page, anchor)
    form.get_by_role("button", name="Send").click()
    form.locator(".answer .status").wait_for()
    return f"{anchor}: {form.locator('.answer').inner_text()}"


def list_anchors(page: Page, *methods: str) -> list[str]:
    forms = page.locator("form.try").evaluate_all(
        "forms => forms.map((form) => [form.dataset.method, form.parentElement.id])"
    )
    return [anchor for method, anchor in forms if method in methods]


def test_everything_that_changes_something_can_be_tried_as_it_stands(page: Page, fresh: Running) -> None:
    open_reference(page, fresh)
    posts = list_anchors(page, "POST")
    assert len(posts) == len([row for row in DESCRIBED if row.method == "POST"])
    said = [try_it(page, anchor) for anchor in (*posts, *list_anchors(page, "PUT", "PATCH"))]
    said += [try_it(page, anchor) for anchor in list_anchors(page, "DELETE")]  # what others name goes last
    assert [text for text in said if ": 20" not in text] == []


def test_the_line_for_curl_does_what_the_form_does(page: Page, fresh: Running) -> None:
    open_reference(page, fresh)
    for anchor, expected in (("post-v1-proxy-rates", "rates"), ("post-v1-batches-data-import", "resources")):
        form = open_operation(page, anchor)
        form.get_by_role("button", name="Copy as curl").click()
        line = form.locator(".answer pre").inner_text()
        assert str(fresh.said["api_key"]) not in line
        environ = {**os.environ, "SHIPCLI_API_KEY": str(fresh.said["api_key"])}
        made = subprocess.run(["bash", "-c", line], capture_output=True, env=environ, timeout=60, check=True)
        assert expected in json.loads(made.stdout)


def test_what_is_typed_is_what_is_sent(page: Page, fresh: Running) -> None:
    open_reference(page, fresh, "#post-v1-addresses")
    form = page.locator("[id='post-v1-addresses'] form")
    form.get_by_label("Body").fill('{"city": "Oslo", "country_code": "NO"}')
    assert '"city": "Oslo"' in try_it(page, "post-v1-addresses")
    form.get_by_role("button", name="Reset").click()
    expect(form.get_by_label("Body")).to_have_value(re.compile("Ana Ruiz"))


def test_an_operation_is_found_and_sent_by_keyboard(page: Page, fresh: Running) -> None:
    open_reference(page, fresh)
    page.keyboard.press("/")
    page.keyboard.type("store address")
    expect(page.get_by_role("status").filter(has_text="operation")).to_have_text("1 operation")
    for _ in range(2):  # past the name of the group
        page.keyboard.press("Tab")
    page.keyboard.press("Enter")
    opened = page.locator("details.operation[open]")
    expect(opened).to_have_count(1)
    button = opened.get_by_role("button", name="Send")
    button.focus()
    page.keyboard.press("Enter")
    expect(opened.locator(".answer .status")).to_have_text("201 Created")
    page.get_by_label("Search").press("Escape")
    assert page.locator("details.operation:visible").count() > 80


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("size", [PHONE, DESK], ids=["phone", "desk"])
def test_the_reference_does_not_break(
    chromium: Browser, fresh: Running, tmp_path: Path, size: Any, scheme: Literal["light", "dark"]
) -> None:
    context = chromium.new_context(viewport=size, color_scheme=scheme)
    page = context.new_page()
    open_reference(page, fresh)
    faults = list_faults(page)
    for anchor in ("post-v1-shipments", "get-v1-shipments", "post-v1-batches-data-import"):
        try_it(page, anchor)
    for anchor in ("guide-test-values", "model-Shipment", "error-424"):
        page.evaluate("anchor => { location.hash = anchor }", anchor)
    page.locator("[id='post-v1-shipments'] details summary").first.click()
    faults += list_faults(page)
    assert len(page.screenshot(path=tmp_path / "reference.png")) > 5_000
    context.close()
    assert faults == []


def test_all_that_links_and_labels_name_is_there(page: Page, fresh: Running) -> None:
    open_reference(page, fresh)
    faults = page.evaluate(
        """() => {
          const ids = [...document.querySelectorAll("[id]")].map((each) => each.id);
          const twice = ids.filter((id, at) => ids.indexOf(id) !== at);
          const targets = [...document.querySelectorAll("a[href^='#']")].map((each) => each.hash.slice(1));
          const lost = targets.filter((id) => !ids.includes(id));
          const fields = [...document.querySelectorAll("input, textarea, select")];
          const unnamed = fields.filter((each) => !each.labels.length).map((each) => each.outerHTML);
          return [...twice, ...lost, ...unnamed];
        }"""
    )
    assert faults == []


def test_a_server_asks_for_a_key_and_answers_it(page: Page, tmp_path: Path) -> None:
    home, port = ["--home", str(tmp_path)], free_port()
    made = subprocess.run([*PROGRAM, *home, "keys", "create", "--json"], capture_output=True, check=True)
    server = subprocess.Popen(
        [*PROGRAM, *home, "server", "start", "--port", str(port)], stderr=subprocess.DEVNULL
    )
    try:
        wait_for(lambda: answers(port))
        page.goto(f"http://127.0.0.1:{port}/openapi/")
        page.get_by_label("API key").fill(json.loads(made.stdout)["key"])
        assert "201 Created" in try_it(page, "post-v1-addresses")
        page.reload()
        assert '"count": 1' in try_it(page, "get-v1-addresses")
    finally:
        server.kill()
        server.wait()
