"""What differs between a replayed flow and its recording: calls, results, messages."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from decimal import Decimal
from typing import Any
from urllib.parse import urlsplit

from tests.carriers.meaning import body_leaves, differences, document_kind, leaves, pairs, same, short
from tests.carriers.recordings import TOKEN_MEMBERS, Case, Recording, Sent, bare_url

CENT_OFF = Decimal("0.005")
CLIENT_HEADERS = frozenset(
    {"host", "user-agent", "accept-encoding", "connection", "content-length", "transfer-encoding"}
)
EVENT = ("date", "time", "code", "description", "location")
TRACKING = ("tracking_number", "delivered", "status", "estimated_delivery")
RATE = ("currency", "transit_days", "total_charge")
PICKUP = (
    "confirmation_number", "pickup_date", "ready_time", "closing_time",
    "pickup_charge/amount", "pickup_charge/currency",
)  # fmt: skip
UNRECORDED = ("label_type",)  # thirteen recorded carriers leave it open: null is not checked
FIELDS: Mapping[str, Sequence[str]] = {
    "cancel_shipment": ("success",),
    "pickup_cancel": ("success",),
    "pickup": PICKUP,
    "pickup_update": PICKUP,
    "manifest": (),
    "address_validation": (
        "success", "complete_address/postal_code", "complete_address/city", "complete_address/state_code",
        "complete_address/country_code", "complete_address/address_line1", "complete_address/address_line2",
    ),
    "shipment": (
        "tracking_number", "shipment_identifier", "label_type", "selected_rate/service",
        "selected_rate/total_charge", "selected_rate/currency", "selected_rate/transit_days",
    ),
}  # fmt: skip


# -- calls -----------------------------------------------------------------------------------------


def compare_calls(case: Case, recording: Recording) -> list[str]:
    """Differences between what was sent and what was recorded."""
    lines, calls = [], case.calls
    if not case.needed_calls <= len(recording.sent) <= len(calls):
        lines.append(f"http: {len(recording.sent)} call(s) sent, expected {len(calls)}")
    for sent in recording.sent:
        if sent.index is None:
            lines.append(f"http: unexpected {sent.request.method} {sent.request.url}")
        else:
            lines += _compare_call(case, calls[sent.index], sent, f"http/{sent.index}")
    return lines + [
        f"http/{index}: never sent: {calls[index]['method']} {calls[index]['url']}"
        for index in recording.unsent
        if index < case.needed_calls
    ]


def _compare_call(case: Case, call: Mapping[str, Any], sent: Sent, where: str) -> list[str]:
    request, hidden, lines = sent.request, case.hidden, []
    if call["method"].upper() != request.method.upper():
        lines.append(f"{where}/method: expected {call['method']}, got {request.method}")
    if f"{where}/url" not in hidden and bare_url(call["url"]) != bare_url(request.url):
        lines.append(f"{where}/url: expected {bare_url(call['url'])}, got {bare_url(request.url)}")
    left, right = (leaves(pairs(urlsplit(url).query)) for url in (call["url"], request.url))
    lines += differences(left, right, f"{where}/query", hidden, case.unordered(f"{where}/query/"))
    lines += _compare_headers(call, sent, where, hidden)
    return lines + _compare_body(case, call, sent, where)


def _compare_headers(call: Mapping[str, Any], sent: Sent, where: str, hidden: list[str]) -> list[str]:
    lines = []
    for key, value in (call.get("headers") or {}).items():
        name, got = key.lower(), sent.request.header(key)
        if name in CLIENT_HEADERS or value == "" or f"{where}/headers/{name}" in hidden:
            continue
        if name == "content-type":
            if call.get("body") and _media(value) != _media(got):
                lines.append(f"{where}/headers/{name}: expected {short(value)}, got {short(got)}")
        elif not got:
            lines.append(f"{where}/headers/{name}: missing, expected {short(value)}")
        elif not same(str(value).strip(), got.strip()):
            lines.append(f"{where}/headers/{name}: expected {short(value)}, got {short(got)}")
    return lines


def _media(content_type: str) -> str:
    return content_type.partition(";")[0].strip().lower()


def _compare_body(case: Case, call: Mapping[str, Any], sent: Sent, where: str) -> list[str]:
    body, content = call.get("body") or "", sent.request.content
    if bool(body) != bool(content):
        return [
            f"{where}/body: "
            + ("missing" if body else f"not expected, got {short(content.decode('latin-1'))}")
        ]
    expected = body_leaves(body.encode(), call.get("content_type") or "")
    actual = body_leaves(content, sent.request.header("content-type"))
    if call.get("malformed_xml"):  # its attributes can't be read
        expected, actual = _without_attributes(expected), _without_attributes(actual)
    return differences(expected, actual, f"{where}/body", case.hidden, case.unordered(f"{where}/body"))


def _without_attributes(found: Mapping[str, Any]) -> dict[str, Any]:
    return {path: value for path, value in found.items() if "/@" not in path}


# -- results ---------------------------------------------------------------------------------------


def compare_result(case: Case, result: Any) -> list[str]:
    """Differences between what the flow returned and what was parsed."""
    expected, actual = case.data.get("parsed"), plain(result)
    if case.operation == "authenticate":
        expected = plain(expected)  # a token that is null is none
    if not expected and not actual:
        return []
    if bool(expected) != bool(actual):
        return [f"parsed: expected {short(expected)}, got {short(actual)}"]
    lines = _compare_values(case, expected, actual)
    found = documents(actual)
    return lines + [
        f"parsed{path}: expected a document of kind {kind}, got {found.get(path)}"
        for path, kind in documents(expected).items()
        if found.get(path) != kind
    ]


def _compare_values(case: Case, expected: Any, actual: Any) -> list[str]:
    match case.operation:
        case "rates":
            return _compare_rates(expected, actual)
        case "tracking":
            return _compare_trackings(expected, actual, case.hidden)
        case "document_upload":
            return differences(_uploads(expected), _uploads(actual), "parsed/documents", case.hidden)
        case "authenticate":
            return _compare_tokens(expected, actual)
    names = FIELDS.get(case.operation)
    if names is None:
        found = case.unordered("parsed/")
        return differences(leaves(expected), leaves(actual), "parsed", case.hidden, found)
    return _compare_fields(expected, actual, names, "parsed", case.hidden)


def plain(value: Any) -> Any:
    """Models as plain data without nulls and empties."""
    if hasattr(value, "model_dump"):
        value = value.model_dump()
    elif hasattr(value, "value") and hasattr(value, "expires_at"):
        value = {"token": value.value}
    if isinstance(value, Mapping):
        return {key: plain(item) for key, item in value.items() if item is not None and item not in ("", [])}
    if isinstance(value, list | tuple):
        return [plain(item) for item in value]
    return value if isinstance(value, str | int | Decimal | float | None) else str(value)


def documents(value: Any) -> dict[str, str | None]:
    """The kind of every document of a result, by its path."""
    if not isinstance(value, Mapping):
        return {}
    return {
        f"/{group}/{key}": document_kind(item)
        for group in ("docs", "doc")
        for key, item in (value.get(group) or {}).items()
        if isinstance(item, str)
    }


def _member(item: Any, path: str) -> Any:
    for part in path.split("/"):
        item = item.get(part) if isinstance(item, Mapping) else None
    return item


def _compare_fields(
    expected: Any, actual: Any, names: Sequence[str], where: str, hidden: Sequence[str] = ()
) -> list[str]:
    lines = []
    for name in names:
        left, right = _member(expected, name), _member(actual, name)
        if name in UNRECORDED and left in (None, ""):
            continue
        if f"{where}/{name}" in hidden or (left in (None, "") and right in (None, "")):
            continue
        if not same(left, right, CENT_OFF):
            lines.append(f"{where}/{name}: expected {short(left)}, got {short(right)}")
    return lines


def _compare_rates(expected: Sequence[Any], actual: Sequence[Any]) -> list[str]:
    """Each rate must be a recorded row of its service that no other took; one for each service is enough."""
    lines = []
    for service in dict.fromkeys(rate.get("service") for rate in expected):
        rows = [(index, rate) for index, rate in enumerate(expected) if rate.get("service") == service]
        given = [rate for rate in actual if rate.get("service") == service]
        if not given:
            lines.append(f"parsed/{rows[0][0]}({service}): no rate of that service")
        if len(given) > len(rows):
            lines.append(f"parsed: {len(given)} rates of {service}, recorded {len(rows)}")
        for rate in given[: len(rows)]:
            found = [(_compare_rate(row, rate, index), index, row) for index, row in rows]
            nearest = min(found, key=lambda one: len(one[0]))
            rows.remove((nearest[1], nearest[2]))
            lines += nearest[0]
    recorded = {rate.get("service") for rate in expected}
    unknown = dict.fromkeys(rate.get("service") for rate in actual if rate.get("service") not in recorded)
    return lines + [f"parsed: rate not expected of service {service}" for service in unknown]


def _compare_rate(expected: Mapping[str, Any], actual: Mapping[str, Any], index: int) -> list[str]:
    where = f"parsed/{index}({expected.get('service')})"
    lines = _compare_fields(expected, actual, RATE, where)
    left, right = _charges(expected), _charges(actual)
    if left != right:
        lines.append(f"{where}/extra_charges: expected {short(left)}, got {short(right)}")
    return lines


def _charges(rate: Mapping[str, Any]) -> list[tuple[str, float, str]]:
    """The surcharges in an order of their own; amounts to the cent, as the recordings round them."""
    rows = rate.get("extra_charges") or []
    return sorted(
        (str(row.get("name")), round(float(row.get("amount") or 0), 2), str(row.get("currency")))
        for row in rows
    )


def _compare_trackings(expected: Sequence[Any], actual: Sequence[Any], hidden: Sequence[str]) -> list[str]:
    lines, left = [], list(actual)
    if len(expected) != len(actual):
        lines.append(f"parsed: {len(actual)} tracking(s), expected {len(expected)}")
    for index, tracking in enumerate(expected):
        where, number = f"parsed/{index}", tracking.get("tracking_number")
        found = next((one for one in left if one.get("tracking_number") == number), None)
        if found is None:
            lines.append(f"{where}: no tracking of {number}")
            continue
        left.remove(found)
        lines += _compare_fields(tracking, found, TRACKING, where, hidden)
        lines += _compare_events(tracking.get("events") or [], found.get("events") or [], where, hidden)
    return lines


def _compare_events(
    expected: Sequence[Any], actual: Sequence[Any], where: str, hidden: Sequence[str]
) -> list[str]:
    lines = []
    if len(expected) != len(actual):
        lines.append(f"{where}/events: {len(actual)} event(s), expected {len(expected)}")
    for order, (left, right) in enumerate(zip(expected, actual, strict=False)):
        lines += _compare_fields(left, right, EVENT, f"{where}/events/{order}", hidden)
    return lines


def _uploads(value: Any) -> dict[str, Any]:
    rows = value.get("documents") or []
    return leaves([{name: row.get(name) for name in ("doc_id", "file_name")} for row in rows])


def _compare_tokens(expected: Mapping[str, Any], actual: Any) -> list[str]:
    found = {str(value) for value in leaves(actual).values()}
    wanted = {str(expected[name]) for name in TOKEN_MEMBERS if name in expected}
    return [f"parsed: token {short(one)} was not returned" for one in sorted(wanted - found)]


# -- messages --------------------------------------------------------------------------------------


def compare_messages(case: Case, messages: Sequence[Any]) -> list[str]:
    """Differences of code and text; order does not matter."""
    expected = Counter(map(_said, case.data.get("messages") or []))
    actual = Counter(_said(plain(message)) for message in messages)
    return [
        *(f"messages: missing {short(one)}" for one in (expected - actual).elements()),
        *(f"messages: not expected {short(one)}" for one in (actual - expected).elements()),
    ]


def _said(message: Mapping[str, Any]) -> tuple[str, str]:
    code = message.get("code")
    return "" if code is None else str(code), " ".join(str(message.get("message") or "").split())
