"""How the pages look: nothing sticks out, overlaps, is cut off or too pale, at any width, by day and night.

Fonts differ from machine to machine, so a picture is not compared dot by dot, but by its boxes and colours.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

import pytest

from tests.browser.conftest import DESK, PHONE
from tests.browser.layout_faults import list_faults

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

    from tests.browser.conftest import Sandbox

# ruff: noqa: E501 - scripts for the browser
VIEWS = ("requests", "inbox", "mails", "trackers", "labels", "ledger", "faults")


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("size", [PHONE, DESK], ids=["phone", "desk"])
def test_no_page_breaks(
    chromium: Browser, sandbox: Sandbox, tmp_path: Path, size: Any, scheme: Literal["light", "dark"]
) -> None:
    long = {"person_name": "Wilhelmina Theodora van der Westhuizen-Oosterhout"}
    sandbox.sell(
        recipient={**sandbox.sell()["recipient"], **long}, reference="A-very-long-reference-of-35-letters"
    )
    sandbox.server.ask("POST", "/_sandbox/faults", {"match": "GET /nowhere/at/all", "status": 503})
    context = chromium.new_context(viewport=size, color_scheme=scheme)
    page = context.new_page()
    faults = []
    for view in VIEWS:
        page.goto(f"{sandbox.url}/?view={view}")
        faults += [f"{view}: {fault}" for fault in list_faults(page)]
        assert len(page.screenshot(path=tmp_path / f"{view}.png", full_page=True)) > 5_000
    page.goto(sandbox.url)
    asked = page.get_by_role("link", name="POST /v1/shipments").first
    address = str(asked.get_attribute("href"))
    asked.click()
    page.wait_for_url(lambda url: url.endswith(address))
    for summary in page.locator("summary").all():
        summary.click()
    faults += [f"detail: {fault}" for fault in list_faults(page)]
    page.goto(find_link(sandbox))
    faults += [f"tracking: {fault}" for fault in list_faults(page)]
    page.screenshot(path=tmp_path / "tracking.png", full_page=True)
    page.evaluate(
        "document.body.insertAdjacentHTML('afterbegin', `<header><p>${'W'.repeat(60)}</p></header>`)"
    )
    faults += [f"the longest name of a shop: {fault}" for fault in list_faults(page)]
    context.close()
    assert faults == []


def find_link(sandbox: Sandbox) -> str:
    """The tracking page of a parcel that was delivered."""
    number = sandbox.sell()["tracking_number"]
    sandbox.server.ask("POST", f"/_sandbox/trackers/{number}/move", {"to": "delivered"})
    return str(sandbox.server.ask("GET", f"/v1/trackers/{number}/link")[1]["url"])


def test_a_customer_follows_a_parcel_on_a_phone(phone: Page, sandbox: Sandbox) -> None:
    phone.goto(find_link(sandbox))
    assert phone.get_by_role("heading", level=1).inner_text() == "Your parcel was delivered"
    assert phone.locator("[aria-current=step]").inner_text() == "Delivered"
    assert phone.evaluate("getComputedStyle(document.body).margin") == "0px", "the policy allows its style"


@pytest.mark.parametrize("view", VIEWS)
def test_every_control_has_a_name_and_every_page_its_landmarks(
    page: Page, sandbox: Sandbox, view: str
) -> None:
    sandbox.sell()
    page.goto(f"{sandbox.url}/?view={view}")
    for landmark in ("banner", "navigation", "main"):
        assert page.get_by_role(landmark).count() == 1  # type: ignore[arg-type]
    assert page.locator("h1").count() == 1
    unnamed = page.evaluate(
        """() => [...document.querySelectorAll("button, input:not([type=hidden]), select, a, img")]
          .filter((one) => !(one.ariaLabel || one.innerText || one.alt || one.labels?.length || one.querySelector("[alt]")))
          .map((one) => one.outerHTML)"""
    )
    assert unnamed == []
