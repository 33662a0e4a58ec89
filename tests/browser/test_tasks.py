"""Ten errands that people have at the window, done as they do them."""

from __future__ import annotations

import json
import os
import subprocess
from pathlib import Path
from typing import TYPE_CHECKING

from playwright.sync_api import expect

from tests.api.running import Running, answers, free_port
from tests.processes import PROGRAM, wait_for

if TYPE_CHECKING:
    from playwright.sync_api import Page

    from tests.browser.conftest import Sandbox


def open_last_purchase(page: Page, sandbox: Sandbox) -> None:
    page.goto(sandbox.url)
    page.get_by_role("link", name="POST /v1/shipments").first.click()


def test_the_last_purchase_is_found_with_what_the_carrier_was_asked(page: Page, sandbox: Sandbox) -> None:
    made = sandbox.sell()
    open_last_purchase(page, sandbox)
    asked = page.get_by_role("article", name="ups, ship")
    asked.get_by_text("What was answered").click()
    expect(asked).to_contain_text(made["tracking_number"])


def test_the_curl_of_a_call_does_it_again(page: Page, sandbox: Sandbox) -> None:
    sandbox.sell()
    open_last_purchase(page, sandbox)
    line = page.locator("pre.curl").inner_text()
    environ = {**os.environ, "SHIPCLI_API_KEY": sandbox.key}
    again = subprocess.run(["sh", "-c", line], capture_output=True, env=environ, timeout=60, check=True)
    assert json.loads(again.stdout)["status"] == "purchased"


def test_a_webhook_is_sent_again_and_arrives(page: Page, sandbox: Sandbox) -> None:
    sandbox.sell()
    wait_for(lambda: sandbox.receiver.log)
    page.goto(f"{sandbox.url}/?view=inbox")
    before = len(sandbox.receiver.log)
    page.get_by_role("button", name="again").first.click()
    expect(page.get_by_role("status")).to_contain_text("1 webhook will be delivered again")
    wait_for(lambda: len(sandbox.receiver.log) > before)


def test_a_parcel_is_delivered_by_keyboard_alone(page: Page, sandbox: Sandbox) -> None:
    number = sandbox.sell()["tracking_number"]
    page.goto(sandbox.url)
    for name in ("Trackers", f"Move {number} to delivered"):
        for _ in range(60):
            page.keyboard.press("Tab")
            focused = page.evaluate("document.activeElement.ariaLabel || document.activeElement.innerText")
            if focused == name:
                break
        assert focused == name
        with page.expect_navigation():
            page.keyboard.press("Enter")
    row = page.get_by_role("row", name=number)
    expect(row).to_contain_text("delivered")


def test_the_first_tab_skips_to_the_content(page: Page, sandbox: Sandbox) -> None:
    page.goto(sandbox.url)
    page.keyboard.press("Tab")
    expect(page.get_by_role("link", name="Skip to the content")).to_be_focused()
    page.keyboard.press("Enter")
    expect(page.locator("#main")).to_be_focused()


def test_a_label_is_looked_at(page: Page, sandbox: Sandbox) -> None:
    number = sandbox.sell()["tracking_number"]
    page.goto(f"{sandbox.url}/?view=labels")
    picture = page.get_by_role("img", name=number)
    expect(picture).to_be_visible()
    picture.scroll_into_view_if_needed()
    page.wait_for_function(
        "element => element.complete && element.naturalWidth > 500", arg=picture.element_handle()
    )


def test_the_clock_is_advanced_and_time_is_set_free(page: Page) -> None:
    # A sandbox of its own: what others sold on a moved clock would be newer than what is sold after this.
    with Running("sandbox", "up", "--port", "0", "--json", "--carriers", "ups") as server:
        page.goto(str(server.said["url"]))
        page.get_by_label("Advance by").fill("3h")
        page.get_by_role("button", name="Advance").click()
        expect(page.get_by_role("status")).to_contain_text("The clock was moved by 3h")
        page.get_by_role("button", name="Freeze").click()
        expect(page.locator(".clock .tag")).to_have_text("frozen")
        page.get_by_role("button", name="Real time").click()
        expect(page.locator(".clock .tag")).to_have_text("real")


def test_a_fault_is_added_met_and_removed(page: Page, sandbox: Sandbox) -> None:
    page.goto(f"{sandbox.url}/?view=faults")
    page.get_by_label("Requests").fill("GET /v1/carriers")
    page.get_by_label("Times").fill("1")
    page.get_by_role("button", name="Add the fault").click()
    row = page.get_by_role("row", name="GET /v1/carriers")
    expect(row).to_contain_text("1")
    assert sandbox.server.ask("GET", "/v1/carriers")[0] == 503
    page.reload()
    expect(row).to_contain_text("1")
    row.get_by_role("button").click()
    expect(row).to_have_count(0)
    assert sandbox.server.ask("GET", "/v1/carriers")[0] == 200


def test_what_is_new_appears_by_itself(page: Page, sandbox: Sandbox) -> None:
    page.goto(f"{sandbox.url}/?view=ledger")
    number = sandbox.sell()["tracking_number"]
    expect(page.get_by_role("row", name=number)).to_be_visible(timeout=30_000)


def test_a_purchase_is_found_on_a_phone(phone: Page, sandbox: Sandbox) -> None:
    number = sandbox.sell()["tracking_number"]
    phone.goto(sandbox.url)
    phone.get_by_role("link", name="Trackers", exact=True).tap() if phone.evaluate(
        "navigator.maxTouchPoints"
    ) else (phone.get_by_role("link", name="Trackers", exact=True).click())
    expect(phone.get_by_text(number)).to_be_in_viewport()
    phone.get_by_role("button", name=f"Move {number} to its next scan").click()
    expect(phone.get_by_role("status")).to_contain_text("was moved")


def test_a_server_is_looked_at_with_a_key_and_has_nothing_to_press(page: Page, tmp_path: Path) -> None:
    home, port = ["--home", str(tmp_path)], free_port()
    key = subprocess.run([*PROGRAM, *home, "keys", "create", "--json"], capture_output=True, check=True)
    words = [*PROGRAM, *home, "server", "start", "--port", str(port)]
    server = subprocess.Popen(words, stderr=subprocess.DEVNULL)
    try:
        wait_for(lambda: answers(port))
        page.goto(f"http://127.0.0.1:{port}")
        page.get_by_label("API key").fill(json.loads(key.stdout)["key"])
        page.get_by_role("button", name="Sign in").click()
        expect(page.get_by_role("heading", name="Requests")).to_be_visible()
        for name in ("Webhooks", "Trackers", "Labels"):
            page.get_by_role("link", name=name).click()
            expect(page.get_by_role("heading", name=name)).to_be_visible()
            assert [button.inner_text() for button in page.get_by_role("button").all()] == ["Sign out"]
        page.get_by_role("button", name="Sign out").click()
        expect(page.get_by_label("API key")).to_be_visible()
    finally:
        server.kill()
        server.wait()
