"""What breaks on a page: what sticks out, overlaps, is cut off or too pale."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from playwright.sync_api import Page

LEAST_CONTRAST = 4.5  # WCAG 2.2, AA
# ruff: noqa: E501 - scripts for the browser
FAULTS = """
() => {
  const shown = [...document.querySelectorAll("body *")].filter(
    (one) => one.checkVisibility() && !one.closest("caption, thead, .skip, pre, option"));
  const name = (one) => one.tagName + "." + one.className + " " + (one.innerText || "").slice(0, 40);
  const inside = (one) => one.closest(".scroll");
  const faults = [];
  const root = document.documentElement;
  if (root.scrollWidth > root.clientWidth) faults.push("the page is wider than the screen");
  for (const one of shown) {
    const box = one.getBoundingClientRect();
    if (!inside(one) && box.width && (box.right > root.clientWidth + 1 || box.left < -1)) faults.push("sticks out: " + name(one));
    if (one.scrollWidth > one.clientWidth + 1 && getComputedStyle(one).overflowX === "hidden") faults.push("cut off: " + name(one));
  }
  const touched = shown.filter((one) => one.matches("button, input, select, a, h1, h2, h3, label, time, .tag"));
  for (const [at, one] of touched.entries()) for (const other of touched.slice(at + 1)) {
    if (one.contains(other) || other.contains(one)) continue;
    const [a, b] = [one.getBoundingClientRect(), other.getBoundingClientRect()];
    const wide = Math.min(a.right, b.right) - Math.max(a.left, b.left);
    const high = Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top);
    if (wide > 2 && high > 4) faults.push("overlaps: " + name(one) + " and " + name(other));
  }
  return faults;
}
"""
COLOURS = """
() => {
  const ground = (one) => {
    for (let each = one; each; each = each.parentElement) {
      const colour = getComputedStyle(each).backgroundColor;
      if (colour !== "rgba(0, 0, 0, 0)") return colour;
    }
    return "rgb(255, 255, 255)";
  };
  return [...document.querySelectorAll("body *")]
    .filter((one) => one.checkVisibility() && [...one.childNodes].some((node) => node.nodeType === 3 && node.data.trim()))
    .map((one) => [one.tagName + "." + one.className, getComputedStyle(one).color, ground(one)]);
}
"""


def list_faults(page: Page) -> list[str]:
    pale = [
        f"too pale: {name} {ink} on {ground}"
        for name, ink, ground in page.evaluate(COLOURS)
        if measure_contrast(ink, ground) < LEAST_CONTRAST
    ]
    return [*page.evaluate(FAULTS), *dict.fromkeys(pale)]


def measure_contrast(ink: str, ground: str) -> float:
    """The contrast of two colours, as the Web Content Accessibility Guidelines reckon it."""
    dark, light = sorted(map(measure_light, (ink, ground)))
    return (light + 0.05) / (dark + 0.05)


def measure_light(colour: str) -> float:
    parts = [float(part) / 255 for part in colour.partition("(")[2].rstrip(")").split(",")[:3]]
    red, green, blue = (
        part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts
    )
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue
