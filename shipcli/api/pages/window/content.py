"""What the pages of the window show: plain facts for their templates."""

from __future__ import annotations

import json as plain_text
import shlex
from collections.abc import Callable, Mapping, Sequence
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING, Any

from shipcli.features.admin import log_queries
from shipcli.features.admin.log_queries import LOGS, TRACES, format_curl
from shipcli.features.customers.outbox import list_mails
from shipcli.features.paper.label_requests import LABEL_MISSING
from shipcli.features.sandbox.clock import show_clock
from shipcli.features.sandbox.evidence import list_inbox
from shipcli.features.sandbox.faults import PROFILES, list_rules
from shipcli.features.sandbox.ledger_rows import list_ledger_rows
from shipcli.features.sandbox.milestones import list_scans
from shipcli.features.trackers.carrier_answers import find_account
from shipcli.models import NoConnection, Tracker, json

if TYPE_CHECKING:
    from shipcli.features.core.app import App

MOST, MOST_LABELS, MOST_EXCHANGES = 50, 24, 200
Row = dict[str, Any]
SLACK = timedelta(milliseconds=50)  # between the clocks of a call and of its exchanges
MAIL_FAMILIES = {"sent": "good", "kept": "good", "unclear": "refused", "failed": "failed"}
FAMILIES = {2: "good", 3: "good", 4: "refused", 5: "failed"}


def list_calls(app: App, base: str, chosen: str) -> Row:
    """The newest calls, and the one that is looked at with what the carriers were asked for it."""
    rows = [_describe_call(row) for row in log_queries.find(app, LOGS, limit=MOST)]
    shown = log_queries.get(app, LOGS, chosen) if chosen else None
    return {"rows": rows, "call": _describe_whole(app, shown, base) if shown else None}


def _describe_call(row: Row) -> Row:
    return {**row, "at": show_time(row["started_at"]), "family": FAMILIES.get(row["status"] // 100, "failed")}


def _describe_whole(app: App, row: Row, base: str) -> Row:
    exchanges = [_describe_exchange(trace) for trace in find_exchanges(app, row)]
    return {
        **_describe_call(row),
        "curl": format_curl(row, base),
        "request": show_body(row["request"]),
        "response": show_body(row["response"]),
        "exchanges": exchanges,
    }


def find_exchanges(app: App, call: Row) -> list[Row]:
    """What carriers were asked during a call, oldest first: what names the call, else what is in its time.

    Those that name none are of older versions; of these, all about the object of the call if none is in time.
    """
    object_id = call["object_id"]
    rows = log_queries.find(app, TRACES, object_id=object_id, limit=MOST_EXCHANGES)
    named = [row for row in rows if _find_call(row) == call["request_id"]]
    unnamed = [row for row in rows if not _find_call(row)]
    start = datetime.fromisoformat(call["started_at"])
    end = start + timedelta(milliseconds=call["duration_ms"])
    timely = [
        row for row in unnamed if start - SLACK <= datetime.fromisoformat(row["started_at"]) <= end + SLACK
    ]
    return list(reversed(named or timely or (unnamed if object_id else [])))


def _find_call(exchange: Row) -> str:
    return str((exchange["request"] or {}).get("request_id") or "")


def _describe_exchange(row: Row) -> Row:
    request, response = row["request"] or {}, row["response"] or {}
    return {
        **row,
        "family": FAMILIES.get((row["status"] or 0) // 100, "failed"),
        "method": request.get("method", ""),
        "url": request.get("url", ""),
        "sent": show_body(request.get("body")),
        "received": show_body(response.get("body")),
        "curl": format_exchange(request),
    }


def format_exchange(request: Mapping[str, Any]) -> str:
    """An exchange as a curl command; what is masked in the trace stays masked."""
    words = ["curl", "-sS", "-X", str(request.get("method", "GET")), shlex.quote(str(request.get("url", "")))]
    for name, value in (request.get("headers") or {}).items():
        words += ["-H", shlex.quote(f"{name}: {value}")]
    body = request.get("body")
    if body is not None:
        text = body if isinstance(body, str) else plain_text.dumps(body, ensure_ascii=False)
        words += ["--data-raw", shlex.quote(text)]
    return " ".join(words)


def show_body(body: Any) -> str:
    """A body as people read it; empty for none."""
    if body is None or isinstance(body, str):
        return body or ""
    return plain_text.dumps(body, indent=2, ensure_ascii=False, default=str)


def show_inbox(app: App, base: str, chosen: str) -> Row:
    """The newest webhooks that were sent, newest first."""
    rows = [_describe_delivery(row) for row in reversed(list_inbox(app, limit=str(MOST)))]
    return {"rows": rows, "delivery": next((row for row in rows if row["id"] == chosen), None)}


def _describe_delivery(row: Row) -> Row:
    return {**row, "at": show_time(row["at"]), "body": show_body(row["body"])}


def list_sent_mails(app: App, base: str, chosen: str) -> Row:
    """The newest mails to customers, and the one that is looked at."""
    rows = [_describe_mail(mail.model_dump()) for mail in list_mails(app, limit=MOST).mails]
    return {"rows": rows, "mail": next((row for row in rows if row["id"] == chosen), None)}


def _describe_mail(row: Row) -> Row:
    family = MAIL_FAMILIES.get(row["state"], "quiet")
    return {**row, "at": show_time(row["created_at"]), "family": family}


def list_parcels(app: App, base: str, chosen: str) -> Row:
    """The newest trackers, each with what happens next to it in a sandbox."""
    page = app.store.page("tracker", limit=MOST, test_mode=app.test_mode)
    return {"rows": [_describe_parcel(app, Tracker.model_validate_json(text)) for text in page.items]}


def _describe_parcel(app: App, tracker: Tracker) -> Row:
    newest = tracker.events[0] if tracker.events else None
    return {
        "id": tracker.id,
        "number": tracker.tracking_number,
        "carrier": tracker.carrier_name,
        "status": tracker.status,
        "event": newest.description if newest else "",
        "next": describe_milestone(app, tracker) if app.sandbox else None,
    }


def describe_milestone(app: App, tracker: Tracker) -> Row | None:
    """The next scan of a parcel of a sandbox; None if there will be none."""
    try:
        slug = find_account(app, tracker).slug
    except NoConnection:
        return None
    now = app.now()
    scan = next((scan for scan in list_scans(app, slug, tracker.model_dump()) if scan.at > now), None)
    return {"status": scan.status, "span": show_span(scan.at - now)} if scan else None


def list_labels(app: App, base: str, chosen: str) -> Row:
    """The newest shipments that have a label."""
    page = app.store.page("shipment", limit=MOST_LABELS * 2, test_mode=app.test_mode)
    bought = [row for row in map(json.loads, page.items) if row.get("label_url") and not lacks_label(row)]
    names = ("id", "tracking_number", "carrier_name", "service", "status", "reference")
    return {
        "rows": [
            {**{name: row.get(name) for name in names}, "to": _name_recipient(row)}
            for row in bought[:MOST_LABELS]
        ]
    }


def lacks_label(shipment: Mapping[str, Any]) -> bool:
    """Whether its label is at the carrier still: to look at it must not fetch it."""
    return bool((shipment.get("meta") or {}).get(LABEL_MISSING))


def _name_recipient(shipment: Mapping[str, Any]) -> str:
    to = shipment["recipient"]
    name = to.get("person_name") or to.get("company_name")
    return ", ".join(filter(None, (name, to.get("city"), to.get("country_code"))))


def list_sold(app: App, base: str, chosen: str) -> Row:
    """What the simulated carriers sold, newest first."""
    rows = list(reversed(list_ledger_rows(app)))
    kept = [row for row in rows if not row["voided"]]
    return {"rows": rows[:MOST_EXCHANGES], "count": len(rows), "kept": len(kept)}


def list_faults(app: App, base: str, chosen: str) -> Row:
    """The faults that are injected, and what can be."""
    rules = [rule.model_dump(exclude_defaults=True) for rule in list_rules(app)]
    facts = ("id", "seen", "injected")
    rows = [
        {
            "id": rule["id"],
            "seen": rule.get("seen", 0),
            "injected": rule.get("injected", 0),
            "text": ", ".join(f"{name} {value}" for name, value in rule.items() if name not in facts),
        }
        for rule in rules
    ]
    return {"rows": rows, "profiles": list(PROFILES)}


View = Callable[["App", str, str], Row]
VIEWS: Mapping[str, tuple[str, View]] = {
    "requests": ("Requests", list_calls),
    "inbox": ("Webhooks", show_inbox),
    "mails": ("Mails", list_sent_mails),
    "trackers": ("Trackers", list_parcels),
    "labels": ("Labels", list_labels),
    "ledger": ("Ledger", list_sold),
    "faults": ("Clock and faults", list_faults),
}
OF_SANDBOX = frozenset({"ledger", "faults"})


def list_views(app: App) -> Sequence[tuple[str, str]]:
    """The views of a server: their names and titles."""
    return [(name, title) for name, (title, _) in VIEWS.items() if app.sandbox or name not in OF_SANDBOX]


def describe_clock(app: App) -> Row | None:
    """What the clock of a sandbox shows; None for a server, which has the real time."""
    if not app.sandbox:
        return None
    state = show_clock(app)
    return {**state.model_dump(), "shown": show_time(state.now, seconds=True)}


# -- times -------------------------------------------------------------------------------------


def show_time(value: Any, *, seconds: bool = False) -> str:
    """An instant in UTC, to the minute or second."""
    instant = value if isinstance(value, datetime) else datetime.fromisoformat(str(value))
    return f"{instant.astimezone(UTC):{'%Y-%m-%d %H:%M:%S' if seconds else '%m-%d %H:%M:%S'}}"


def show_span(span: timedelta) -> str:
    """A span as people say it: `2 d 3 h`, `45 min`."""
    minutes = max(1, round(span.total_seconds() / 60))
    days, rest = divmod(minutes, 24 * 60)
    hours, minutes = divmod(rest, 60)
    parts = ((days, "d"), (hours, "h"), (0 if days else minutes, "min"))
    return " ".join(f"{count} {unit}" for count, unit in parts if count)
