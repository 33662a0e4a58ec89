"""From a value that a carrier refuses back to the field of ours that it was made of.

The flow is started again for a request with one other field, given the answers it got before, and its call
is compared with the one that was refused: what differs was made of that field. Nothing is sent.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from operator import itemgetter
from typing import Any, NamedTuple

from pydantic import BaseModel

from shipcli.carrier.base import Carrier, CarrierError
from shipcli.carrier.field_samples import Steps, choose_samples, list_fields, replace_field
from shipcli.carrier.preparation.flows import start_checked_flow
from shipcli.carrier.wire.calls import UNREADABLE, Call, Flow, Step
from shipcli.carrier.wire.rows import collect_unread
from shipcli.models import Message, ShipcliError
from shipcli.models import json as plain_json
from shipcli.models.basics.problems import describe, join_steps, make_details_tree

CODE = "validation"
Place = tuple[int | str, ...]
MOST_VALUES = 100_000  # of calls that are written to explain what a flow was refused
FEW = 2  # fields that are tried one by one
# Fields that are tried one by one as well: others must agree with them, or are left out by them.
BOUND = frozenset({"country_code", "currency", "value_currency", "incoterm", "is_document", "paid_by"})
Candidate = tuple[Steps, Any, BaseModel]  # a field, its value and its owner


class _TooMuch(Exception):
    """It would take longer than people wait: the carrier's own words must do."""


class ProbeBudget:
    """How many values of calls may still be written to explain what one flow was refused."""

    def __init__(self, values: int = MOST_VALUES) -> None:
        self._left = values

    def spend(self, values: int) -> None:
        """Errors: _TooMuch."""
        if self._left < values:
            raise _TooMuch
        self._left -= values


class Answer(NamedTuple):
    """What a flow was given for a step: a value, or an error that was thrown into it."""

    value: Any = None
    error: CarrierError | None = None

    def resume(self, flow: Flow[Any]) -> Step:
        """Give it to a flow."""
        return flow.throw(self.error) if self.error else flow.send(self.value)


@dataclass(frozen=True)
class FieldProbe:
    """A call that was refused: of which flow, the answers to earlier steps, its own step."""

    carrier: Carrier[Any, Any]
    verb: str
    request: Any
    answers: Sequence[Answer]
    step: Step
    call: Call
    budget: ProbeBudget

    def find_fields(self, path: str, value: str | None) -> list[str]:
        """Return the fields that a value of the call was made of; none if nothing in the request changes it.

        These are the one that is the value, else all that stand in it, else the one that changes the least
        of the call.
        """
        names = tuple(path.replace("@", "").split("/"))
        whole: list[Candidate] = []
        parts: list[Candidate] = []
        others: list[Candidate] = []
        for candidate in list_fields(self.request):
            part = measure_part(candidate[1], value)
            is_whole = value is not None and part == len(value.strip())
            (others if not part else whole if is_whole else parts).append(candidate)
        try:
            found = self._find_first(whole, names, value) or self._list_origins(parts, names, value)
            return found or self._find_least(others, names, value)
        except _TooMuch:
            return []

    def _find_first(self, fields: Sequence[Candidate], names: Sequence[str], value: str | None) -> list[str]:
        """Return the first of these fields that the value was made of; none if it was of none."""
        for field, current, owner in fields:
            if self._count_changes(field, current, owner, names, value):
                return [join_steps(field)]
        return []

    def _find_least(self, fields: Sequence[Candidate], names: Sequence[str], value: str | None) -> list[str]:
        """Return the field that changes the least of the call, the first by name of several; none if none."""
        least: tuple[int, str] | None = None
        named = sorted(((join_steps(one[0]), one) for one in fields), key=itemgetter(0))
        for name, (field, current, owner) in self._narrow(named, names, value):
            count = self._count_changes(field, current, owner, names, value)
            if count and (least is None or count < least[0]):
                least = (count, name)
            if count == 1:  # nothing changes less
                break
        return [least[1]] if least else []

    def _narrow(
        self, named: Sequence[tuple[str, Candidate]], names: Sequence[str], value: str | None
    ) -> Iterator[tuple[str, Candidate]]:
        """Yield the fields that may be in a place: none of several that together change nothing in it."""
        free = [one for _, one in named if one[0][-1] not in BOUND]
        if len(free) > 1 and self._leaves_alone(free, names, value):
            yield from (pair for pair in named if pair[1][0][-1] in BOUND)
            return
        if len(named) <= FEW:
            yield from named
            return
        middle = len(named) // 2
        yield from self._narrow(named[:middle], names, value)
        yield from self._narrow(named[middle:], names, value)

    def _leaves_alone(self, fields: Sequence[Candidate], names: Sequence[str], value: str | None) -> bool:
        """Whether other values of all these fields make a call that has the same at a place."""
        samples = [
            (field, choices)
            for field, current, owner in fields
            if (choices := list(choose_samples(field, current, owner)))
        ]
        for at in (0, -1):
            request = self.request
            for field, choices in samples:
                request = replace_field(request, field, choices[at])
            other = self._write_call(request)
            if other is None or has_place(self._list_changes(other), names, value):
                return False
        return True

    def _list_origins(
        self, fields: Sequence[Candidate], names: Sequence[str], value: str | None
    ) -> list[str]:
        """Return the fields that stand in the value."""
        return [
            join_steps(field)
            for field, current, owner in fields
            if self._count_changes(field, current, owner, names, value)
        ]

    def _count_changes(
        self, field: Steps, current: Any, owner: BaseModel, names: Sequence[str], value: str | None
    ) -> int:
        """Return how many places of the call a field is written to, 0 if the value is in none of them."""
        for sample in choose_samples(field, current, owner):
            other = self._write_call(replace_field(self.request, field, sample))
            changes = {} if other is None else self._list_changes(other)
            if has_place(changes, names, value):
                return len(changes)
        return 0

    def _list_changes(self, other: Mapping[Place, str]) -> dict[Place, str | None]:
        """Return the places of the call that another one has changed, with what is there."""
        places = self._leaves.keys() | other.keys()
        return {
            place: self._leaves.get(place) for place in places if self._leaves.get(place) != other.get(place)
        }

    @cached_property
    def _leaves(self) -> Mapping[Place, str]:
        return dict(list_leaves(self.call))

    def _write_call(self, request: Any) -> Mapping[Place, str] | None:
        """Return the values of the call that would have been made for another request; None if none would.

        Errors: _TooMuch.
        """
        calls = len(self.step) if isinstance(self.step, list) else 1
        self.budget.spend(calls * len(self._leaves))
        flow = start_checked_flow(self.carrier, self.verb, request)
        try:
            with collect_unread():
                step = flow.send(None)
                for answer in self.answers:
                    step = answer.resume(flow)
            return dict(list_leaves(self._pick(step)))
        except (StopIteration, CarrierError, ShipcliError, *UNREADABLE):
            return None
        finally:
            flow.close()

    def _pick(self, step: Step) -> Call:
        """Return the call of a step in the place of the one that was refused.

        Errors: TypeError, LookupError when there is none.
        """
        if isinstance(self.step, list) and isinstance(step, list):
            step = step[next(at for at, call in enumerate(self.step) if call is self.call)]
        if not isinstance(step, Call):
            raise TypeError
        return step


def explain_refused_value(probe: FieldProbe, about: Mapping[str, Any]) -> list[Message]:
    """Return the message that names the field of a refused value; none if no field is its origin."""
    if probe.request is None:
        return []
    reason = str(about["reason"]).format(carrier=probe.carrier.name)
    problems = [(field, reason) for field in probe.find_fields(about["path"], about["value"])]
    if not problems:
        return []
    return [Message(code=CODE, message=describe(problems), details=make_details_tree(problems))]


def measure_part(current: Any, value: str | None) -> int:
    """Return how many characters of a value are those of a field."""
    text = str("" if current is None else current).strip().lower()
    return len(text) if value and text in value.lower() else 0


def has_place(changes: Mapping[Place, str | None], names: Sequence[str], value: str | None) -> bool:
    """Whether that of a value is among changed places."""
    return any(leads_to(place, names) and is_place_of(was, value) for place, was in changes.items())


def is_place_of(was: str | None, value: str | None) -> bool:
    """Whether a place of a call, empty if it had nothing, may be that of a value."""
    return value is None or (was or "").strip() in ("", value.strip())


def leads_to(place: Place, names: Sequence[str]) -> bool:
    """Whether the names of a path follow each other in a place."""
    steps = tuple(step for step in place if isinstance(step, str))
    return any(steps[at : at + len(names)] == tuple(names) for at in range(len(steps) - len(names) + 1))


def list_leaves(call: Call) -> Iterator[tuple[Place, str]]:
    """Yield the values of a call with their places: of its path, query, form and body."""
    yield from _list_values(call.path, ("path",))
    for part in (call.query, call.form, call.json, call.xml):
        yield from _list_values(part, ())


def _list_values(value: Any, place: Place) -> Iterator[tuple[Place, str]]:
    """Yield the values below a place; a text that is a document is read."""
    if isinstance(value, Mapping):
        for name, member in value.items():
            yield from _list_values(member, (*place, str(name).replace("@", "")))
    elif isinstance(value, list | tuple):
        for at, member in enumerate(value):
            yield from _list_values(member, (*place, at))
    elif isinstance(value, str) and value[:1] in ("{", "["):
        yield from _list_values(_read_json(value), place)
    elif hasattr(value, "tag") or (isinstance(value, str) and value[:1] == "<"):
        yield from _list_xml(value, place)
    elif value is not None and value != "":
        yield place, value if isinstance(value, str) else plain_json.dumps(value).strip('"')


def _read_json(text: str) -> Any:
    try:
        return plain_json.loads(text)
    except ValueError:
        return [text[1:]]


def _list_xml(value: Any, place: Place) -> Iterator[tuple[Place, str]]:
    """Yield the values of a document, its root as the first name."""
    # Only carriers that speak XML load the library for it.
    from shipcli.carrier.wire.xml import parse, render

    root = parse(render(value) if not isinstance(value, bytes) else value)
    counts: dict[Place, int] = {}
    stack = [(root, (*place, str(root.tag)))]
    while stack:
        node, here = stack.pop()
        text = (node.text or "").strip()
        yield from _list_values(text, here) if text else ()
        yield from (((*here, str(name)), str(text)) for name, text in node.attrib.items())
        for child in node:
            base = (*here, str(child.tag))
            counts[base] = counts.get(base, -1) + 1
            stack.append((child, (*base, counts[base])))
