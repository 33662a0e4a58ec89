"""Recorded answers with one value damaged at a time: removed, null, or of another type."""

from __future__ import annotations

import copy
import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any, TypeVar

from lxml import etree

from shipcli.models import json as plain_json
from tests.carriers.recordings import Case

T = TypeVar("T")
REMOVED = object()
WRONG_TEXT, WRONG_NUMBER = "n/a", 7


@dataclass(frozen=True)
class Damage:
    """A case with one value of its answers damaged; `place` names the value and what became of it."""

    case: Case
    place: str


def list_damages(case: Case) -> Iterator[Damage]:
    """Every damage to every value of the answers."""
    answers = list(case.data.get("carrier_response") or ())
    for at, answer in enumerate(answers):
        for place, body in _damage_text(answer.get("body") or ""):
            changed = [*answers[:at], {**answer, "body": body}, *answers[at + 1 :]]
            yield Damage(replace(case, data={**case.data, "carrier_response": changed}), f"{at}:{place}")


def _damage_text(text: str) -> Iterator[tuple[str, str]]:
    if text.lstrip().startswith(("{", "[")):
        yield from _damage_json(plain_json.loads(text))
        return
    try:
        root = etree.fromstring(text.encode())
    except etree.XMLSyntaxError:
        return
    yield from _damage_xml(root)


def _damage_json(body: Any) -> Iterator[tuple[str, str]]:
    for path in _pick(
        list(_list_leaves(body, ())), lambda path: [one for one in path if isinstance(one, str)]
    ):
        value = _follow(body, path)
        wrong = WRONG_NUMBER if isinstance(value, str) else WRONG_TEXT
        for word, new in (("removed", REMOVED), ("null", None), ("wrong", wrong)):
            yield f"{'/'.join(map(str, path))} {word}", plain_json.dumps(_replace(body, path, new))


def _replace(value: Any, path: tuple[Any, ...], new: Any) -> Any:
    """The value with another one at that path; what lies beside the path is shared, not copied."""
    changed, name = copy.copy(value), path[0]
    if path[1:]:
        changed[name] = _replace(value[name], path[1:], new)
    elif new is REMOVED:
        del changed[name]
    else:
        changed[name] = new
    return changed


def _pick(leaves: Sequence[T], shape: Callable[[T], Any]) -> list[T]:
    """The first leaf of each shape: the others are read by the same lines."""
    return list({str(shape(leaf)): leaf for leaf in reversed(leaves)}.values())[::-1]


def _list_leaves(value: Any, path: tuple[Any, ...]) -> Iterator[tuple[Any, ...]]:
    members = (
        value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    )
    if not isinstance(value, dict | list) and path:
        yield path
    for name, member in members:
        yield from _list_leaves(member, (*path, name))


def _follow(value: Any, path: tuple[Any, ...]) -> Any:
    for name in path:
        value = value[name]
    return value


def _damage_xml(root: etree._Element) -> Iterator[tuple[str, str]]:
    tree = root.getroottree()
    leaves = [node for node in root.iter(etree.Element) if not len(node) and (node.text or "").strip()]
    leaves = _pick(leaves, lambda node: re.sub(r"\[\d+\]", "", tree.getpath(node)))
    for node in leaves:
        text, holder = node.text, node.getparent()
        place = "/".join(etree.QName(one).localname for one in (*reversed([*node.iterancestors()]), node))
        for word, new in (("null", None), ("wrong", WRONG_TEXT)):
            node.text = new
            yield f"{place} {word}", etree.tostring(root, encoding="unicode")
        node.text = text
        if holder is not None:
            at = holder.index(node)
            holder.remove(node)
            yield f"{place} removed", etree.tostring(root, encoding="unicode")
            holder.insert(at, node)
