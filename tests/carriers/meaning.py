"""What a body, a query or a result means, so that two spellings of one thing compare equal.

JSON is its values, XML its local names, attributes, texts and positions, a form its fields; whatever is
empty or null in JSON is not there. A meaning is flat: a path (`/Root/Child.0/#text`) to each leaf.
"""

from __future__ import annotations

import base64
import binascii
import re
import xml.etree.ElementTree as ET
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from decimal import Decimal
from email.parser import BytesParser
from typing import Any
from urllib.parse import parse_qsl

from shipcli.models import json as plain_json

Leaves = dict[str, Any]

CLOSE = Decimal("0.000001")
MOST_SHOWN = 160
PLACE = re.compile(r"[.]?[0-9]+$")  # of a list's member or a repeated element
FORM = re.compile(r"[\w.\-\[\]]+=\S*\Z")
# A leading zero belongs to a code, not to a number; decimals of XML may end in a bare point.
NUMBER = re.compile(r"-?(?:0|[1-9]\d{0,14})(?:\.\d*)?\Z")
PREFIXED_TAG = re.compile(r"<(/?)(?:[\w.\-]+:)?([\w.\-]+)[^<>]*?(/?)>")
DOCUMENTS: Mapping[bytes, str] = {
    b"%PDF": "pdf", b"\x89PNG": "png", b"GIF8": "gif", b"\xff\xd8\xff": "jpg", b"II*\x00": "tif"
}  # fmt: skip


# -- bodies ----------------------------------------------------------------------------------------


def body_leaves(content: bytes, content_type: str = "") -> Leaves:
    """The meaning of a body as it travels."""
    if content_type.lower().startswith("multipart/") and "boundary" in content_type:
        return leaves(_parts(content, content_type))
    text = _text(content)
    if content_type.lower().startswith("application/x-www-form-urlencoded") or FORM.match(text.strip()):
        return leaves(pairs(text.strip()))
    return leaves(text)


def leaves(value: Any, path: str = "") -> Leaves:
    """Path to leaf; a text that holds JSON or XML is read on, null and empty values are not there."""
    if isinstance(value, str):
        read = _inside(value)
        return {path: read} if isinstance(read, str) and read else leaves(read, path) if read else {}
    if isinstance(value, Mapping):
        return _joined(value.items(), path)
    if isinstance(value, Sequence):
        return _joined(enumerate(value), path)
    return {} if value is None else {path: value}


def _joined(items: Iterable[tuple[Any, Any]], path: str) -> Leaves:
    found: Leaves = {}
    for key, item in items:
        found |= leaves(item, f"{path}/{key}")
    return found


def pairs(text: str) -> dict[str, Any]:
    """The fields of a form or a query; a repeated field is a list."""
    fields: dict[str, list[str]] = {}
    for key, value in parse_qsl(text, keep_blank_values=True):
        fields.setdefault(key, []).append(value)
    return {key: values[0] if len(values) == 1 else values for key, values in fields.items()}


def _inside(text: str) -> Any:
    """JSON and XML as nested data, any other text stripped."""
    bare = text.strip()
    if bare[:1] in ("{", "["):
        try:
            return plain_json.loads(bare)
        except ValueError:
            return bare
    tree = xml_tree(bare) if bare[:1] == "<" else None
    return bare if tree is None else tree


def _text(content: bytes) -> str:
    try:
        return content.decode("utf-8")
    except UnicodeDecodeError:
        return content.decode("latin-1")


def _parts(content: bytes, content_type: str) -> dict[str, str]:
    message = BytesParser().parsebytes(f"Content-Type: {content_type}\r\n\r\n".encode() + content)
    if not message.is_multipart():
        return {"#unreadable": _text(content)}
    return {
        str(part.get_param("name", "", header="content-disposition")): part_text(
            part.get_payload(decode=True)
        )
        for part in message.walk()
        if not part.is_multipart()
    }


def part_text(payload: Any) -> str:
    """A part as text; bytes that are no text as base64, which is how the recordings write them."""
    content = payload if isinstance(payload, bytes) else b""
    try:
        return content.decode("utf-8")
    except UnicodeDecodeError:
        return base64.b64encode(content).decode()


# -- XML -------------------------------------------------------------------------------------------


def xml_tree(text: str) -> dict[str, Any] | None:
    """Nested dicts by local name and position; None when it is no markup at all.

    Shapes: {"Root": {"@attribute": "a", "#text": "t", "Child.0": {...}}}; nothing inside is {"#empty": True}.
    """
    root = _root(text)
    if root is None:
        bare = PREFIXED_TAG.sub(r"<\1\2\3>", re.sub(r"<\?.*?\?>", "", text, flags=re.DOTALL))
        root = _root(bare)
    return None if root is None else {_local(root.tag): _node(root)}


def _root(text: str) -> ET.Element | None:
    try:
        return ET.fromstring(text.encode() if "encoding=" in text[:80] else text)
    except (ET.ParseError, ValueError, LookupError):
        return None


def _node(node: ET.Element) -> dict[str, Any]:
    found: dict[str, Any] = dict(
        _attribute(key, value) for key, value in node.attrib.items() if _local(key) != "schemaLocation"
    )
    words = " ".join((node.text or "").split())
    if words:
        found["#text"] = words
    seen: Counter[str] = Counter()
    for child in node:
        name = _local(child.tag)
        found[f"{name}.{seen[name]}"] = _node(child)
        seen[name] += 1
    return found or {"#empty": True}


def _attribute(key: str, value: str) -> tuple[str, str]:
    typed = _local(key) == "type" and "}" in key  # xsi:type="prefix:Name"
    return "@" + _local(key), value.rpartition(":")[2] if typed else value


def _local(name: str) -> str:
    return name.rpartition("}")[2].rpartition(":")[2]


# -- equality --------------------------------------------------------------------------------------


def same(left: Any, right: Any, tolerance: Decimal = CLOSE) -> bool:
    """Whether two leaves mean the same: 10 and "10.0" do, true and "True" do, true and 1 do not."""
    if isinstance(left, bool) or isinstance(right, bool):
        return {type(left), type(right)} <= {bool, str} and str(left).lower() == str(right).lower()
    first, second = _number(left), _number(right)
    if first is not None and second is not None:
        return abs(first - second) <= tolerance
    if isinstance(left, str) and isinstance(right, str):
        return left.split() == right.split()
    return bool(left == right)


def _number(value: Any) -> Decimal | None:
    if isinstance(value, str):
        return Decimal(value.strip()) if NUMBER.match(value.strip()) else None
    if isinstance(value, int | Decimal):
        return Decimal(value)
    return Decimal(repr(value)) if isinstance(value, float) else None


def differences(
    expected: Leaves, actual: Leaves, where: str, hidden: Sequence[str] = (), unordered: Sequence[str] = ()
) -> list[str]:
    """A line for each leaf that differs; hidden paths, and what lies under them, are left out.

    The list at an unordered path is compared by its members: only their order is free.
    """
    lines = [line for root in unordered for line in _member_differences(expected, actual, where, root)]
    for path in sorted({*expected, *actual}):
        full = f"{where}{path}"
        if any(full == one or full.startswith(one + "/") for one in (*hidden, *unordered)):
            continue
        if path not in actual:
            lines.append(f"{full}: missing, expected {short(expected[path])}")
        elif path not in expected:
            lines.append(f"{full}: not expected, got {short(actual[path])}")
        elif not same(expected[path], actual[path]):
            lines.append(f"{full}: expected {short(expected[path])}, got {short(actual[path])}")
    return lines


def _member_differences(expected: Leaves, actual: Leaves, where: str, root: str) -> list[str]:
    """Members of the list at a path that only one side has."""
    left, right = (Counter(_members(side, where, root)) for side in (expected, actual))
    return [
        *(f"{root}: missing {short(one)}" for one in (left - right).elements()),
        *(f"{root}: not expected {short(one)}" for one in (right - left).elements()),
    ]


def _members(found: Leaves, where: str, root: str) -> list[str]:
    """Each member of a list as one text: its leaves without its place in the list, numbers by value."""
    groups: dict[str, dict[str, str]] = {}
    for path, value in found.items():
        full = f"{where}{path}"
        if full.startswith(f"{root}/"):
            place, _, rest = full.removeprefix(f"{root}/").partition("/")
            groups.setdefault(place, {})[f"{PLACE.sub('', place)}/{rest}"] = _comparable(value)
    return [plain_json.dumps(group, sort=True) for group in groups.values()]


def _comparable(value: Any) -> str:
    number = None if isinstance(value, bool) else _number(value)
    return f"{number:.6f}" if number is not None else " ".join(str(value).split())


def short(value: Any) -> str:
    text = plain_json.dumps(value)
    return text if len(text) <= MOST_SHOWN else text[: MOST_SHOWN - 3] + "..."


# -- documents -------------------------------------------------------------------------------------


def document_kind(text: str) -> str | None:
    """pdf, png, gif, jpg, tif, zpl or other; a text that is no base64 stands for itself; None when empty."""
    if not text:
        return None
    try:
        content = base64.b64decode(re.sub(r"\s", "", text), validate=True)
    except (binascii.Error, ValueError):
        return "text:" + text[:80]
    if b"^XA" in content[:400]:
        return "zpl"
    return next((kind for mark, kind in DOCUMENTS.items() if content.startswith(mark)), "other")
