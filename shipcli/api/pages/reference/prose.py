"""Texts of the document as HTML: paragraphs, lists, and words in backticks; chapters by their headings."""

from __future__ import annotations

import re
from html import escape
from typing import NamedTuple

_HEADING = re.compile(r"^## (.+)\n", re.MULTILINE)
_CODE = re.compile(r"`([^`]+)`")


class Chapter(NamedTuple):
    """A part of the guide."""

    anchor: str
    title: str
    html: str


def split_chapters(text: str) -> tuple[str, list[Chapter]]:
    """What stands before the first heading, and the chapters."""
    intro, *parts = _HEADING.split(text)
    chapters = [
        Chapter("guide-" + title.lower().replace(" ", "-"), title, render_prose(body))
        for title, body in zip(parts[::2], parts[1::2], strict=True)
    ]
    return render_prose(intro), chapters


def render_prose(text: str) -> str:
    """A text as HTML."""
    return "".join(map(_render_block, filter(None, text.strip().split("\n\n"))))


def _render_block(block: str) -> str:
    if block.startswith("- "):
        items = "".join(f"<li>{_render_line(item)}</li>" for item in block.removeprefix("- ").split("\n- "))
        return f"<ul>{items}</ul>"
    return f"<p>{_render_line(block)}</p>"


def _render_line(text: str) -> str:
    return _CODE.sub(r"<code>\1</code>", escape(" ".join(text.split()), quote=False))
