"""The texts of mails: ready-made ones, and the shop's own in their place; words in braces are filled in."""

from __future__ import annotations

import html
import re
from collections.abc import Callable, Mapping
from functools import cache
from importlib import resources
from typing import TYPE_CHECKING

from shipcli.features.core.app import read_fact
from shipcli.models import Invalid
from shipcli.models.basics.problems import describe_unknown
from shipcli.models.basics.text import find_nearest
from shipcli.models.customers import MAIL_EVENTS, MailTemplate

if TYPE_CHECKING:
    from shipcli.features.core.app import App
    from shipcli.store.queries import Reader

FACT = "mail_templates"
LONGEST = 100_000
PLACEHOLDERS: Mapping[str, str] = {
    "shop_name": "how the shop is called",
    "customer_name": "the name on the parcel",
    "order_number": "the order, or the reference of the shipment",
    "tracking_number": "the number of the parcel",
    "tracking_link": "the page of the parcel, else the carrier's own",
    "carrier": "the carrier",
    "service": "the service of the carrier",
    "estimated_delivery": "the day on which the parcel is expected, such as 2026-11-30",
    "city": "the city that it goes to",
    "news": "what the carrier said last",
    "color": "the colour of the shop",
    "ink": "black or white, whichever is readable on that colour",
}
# A word in braces; rules of a style sheet have a colon inside and are none.
_PLACE = re.compile(r"\{([^{}\n:;]{1,60})\}")
# A known word whose braces are not one pair around it alone; `color` is a word of style sheets too.
_WORD = rf"(?:{'|'.join(PLACEHOLDERS)})\b"
_DOUBLED = re.compile(rf"\{{\{{\s*{_WORD}\s*\}}\}}")
_TORN = re.compile(rf"\{{\s*(?!color\s*:){_WORD}[^\s{{}}]*|\b(?!color\b){_WORD}\s*\}}")


def read_template(reader: Reader, event: str) -> MailTemplate:
    """The shop's own text for an event, else the ready-made one.

    Errors: Invalid for an unknown event.
    """
    check_event(event)
    own = (read_fact(reader, FACT) or {}).get(event)
    return MailTemplate.model_validate(own) if own else read_ready_made(event)


def check_event(event: str) -> None:
    """Errors: Invalid for an unknown event, with the nearest one."""
    if event not in MAIL_EVENTS:
        raise Invalid("event", describe_unknown(event, MAIL_EVENTS))


@cache
def read_ready_made(event: str) -> MailTemplate:
    """The ready-made text for an event: a subject and paragraphs, and the same in HTML."""
    folder = resources.files("shipcli.features.customers") / "data"
    subject, _, text = (folder / f"{event}.txt").read_text("utf-8").partition("\n\n")
    frame = (folder / "mail.html").read_text("utf-8")
    lines = [line for line in text.strip().split("\n") if line and "{tracking_link}" not in line]
    paragraphs = "\n".join(f"<p>{html.escape(line, quote=False)}</p>" for line in lines)
    return MailTemplate(subject=subject, text=text, html=frame.replace("<!-- text -->", paragraphs))


def change_template(app: App, event: str, changes: Mapping[str, str]) -> MailTemplate:
    """Put the shop's own words in the place of the ready-made ones; what is left out stays.

    Errors: Invalid naming the part and the placeholder that is not known.
    """
    with app.store.transaction() as tx:
        changed = plan_template(tx, event, changes)
        own = {**(read_fact(tx, FACT) or {}), event: changed.model_dump()}
        tx.upsert("store_facts", {"name": FACT, "value": own})
    return changed


def plan_template(reader: Reader, event: str, changes: Mapping[str, str]) -> MailTemplate:
    """What a mail would say.

    Errors: as `change_template`.
    """
    changed = read_template(reader, event).model_copy(update=dict(changes))
    check_template(changed)
    return changed


def restore_template(app: App, event: str) -> MailTemplate:
    """Go back to the ready-made text of an event."""
    check_event(event)
    with app.store.transaction() as tx:
        own = read_fact(tx, FACT) or {}
        tx.upsert("store_facts", {"name": FACT, "value": {k: v for k, v in own.items() if k != event}})
    return read_ready_made(event)


def check_template(template: MailTemplate) -> None:
    """Errors: Invalid for a part that is empty, too long, or has a placeholder that is not known."""
    for part, text in template.model_dump().items():
        if not text.strip():
            raise Invalid(part, "is empty")
        if len(text) > LONGEST:
            raise Invalid(part, f"has {len(text):,} characters; there is room for {LONGEST:,}")
        for name in list_places(text):
            if name not in PLACEHOLDERS:
                near = find_nearest(name, list(PLACEHOLDERS))
                hint = f"did you mean {{{near}}}?" if near else f"there are {', '.join(PLACEHOLDERS)}"
                raise Invalid(part, f"{{{name}}} is not known; {hint}")
        if torn := _find_torn(text):
            raise Invalid(part, f"{torn!r} is not filled in: a word stands alone in one pair of braces")


def _find_torn(text: str) -> str | None:
    """A word whose braces are doubled, or lack their other half."""
    match = _DOUBLED.search(text) or _TORN.search(_PLACE.sub("", text))
    return match[0] if match else None


def list_places(text: str) -> list[str]:
    """The words in braces."""
    words = (word.strip() for word in _PLACE.findall(text))
    return [word for word in words if word[:1].isalpha() or word.startswith("_")]


def fill(text: str, values: Mapping[str, str], write: Callable[[str], str] = str) -> str:
    """The text with its placeholders filled in; a line with placeholders that are all empty is left out."""
    return "\n".join(_fill_line(line, values, write) for line in text.split("\n") if _is_said(line, values))


def _is_said(line: str, values: Mapping[str, str]) -> bool:
    names = [name for name in list_places(line) if name in PLACEHOLDERS]
    return not names or any(values.get(name) for name in names)


def _fill_line(line: str, values: Mapping[str, str], write: Callable[[str], str]) -> str:
    def fill_place(match: re.Match[str]) -> str:
        name = match[1].strip()
        return write(values[name]) if name in values else match[0]

    return _PLACE.sub(fill_place, line)
