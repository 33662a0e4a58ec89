"""How work grows with the length of a text, and texts that make a regular expression work hard."""

from __future__ import annotations

import re
import re._constants as op  # type: ignore[import-untyped]
import re._parser as parser  # type: ignore[import-untyped]
import time
from collections.abc import Callable, Iterable, Iterator
from itertools import islice
from typing import Any

LENGTHS = (20, 28, 40, *(40 * 2**power for power in range(1, 10)))  # work may double per letter
FLOOR_S = 0.01  # of CPU time: work below that says nothing
MOST = 2.5  # times the work for twice the length
PROBES = " a0A,.-_@\"'<>&=:;/(){}[]\n\t\0xZ9é+#^|~*%?!$\\"  # one is in nearly every set of characters
REPEATS = (op.MAX_REPEAT, op.MIN_REPEAT, op.POSSESSIVE_REPEAT)
WRAPPERS = {op.SUBPATTERN: 3, op.ATOMIC_GROUP: 0}  # where the pattern inside stands among the arguments


def measure(work: Callable[[Any], object], text: Any, runs: int = 1) -> float:
    """The CPU time of the quickest of some runs."""
    costs = []
    for _ in range(runs):
        begin = time.process_time()
        work(text)
        costs.append(time.process_time() - begin)
    return min(costs)


def grows_too_fast(work: Callable[[Any], object], make: Callable[[int], Any]) -> bool:
    """Whether a text twice as long takes more than 2.5 times the work, where the work is worth measuring.

    Measured anew before it is said: other processes on the machine cost CPU time as well.
    """
    for length in LENGTHS:
        if measure(work, make(length)) > FLOOR_S:
            return all(_takes_too_long(work, make, length) for _ in range(3))
    return False


def _takes_too_long(work: Callable[[Any], object], make: Callable[[int], Any], length: int) -> bool:
    half, whole = (measure(work, make(part), runs=5) for part in (length // 2, length))
    return whole > FLOOR_S / 2 and whole > MOST * half


def list_texts(pattern: re.Pattern[Any]) -> list[tuple[str, str, str]]:
    """Beginnings, what is repeated, and endings that a pattern may search again and again."""
    tree = parser.parse(pattern.pattern, pattern.flags & ~re.DEBUG)
    parts = dict.fromkeys(islice(_list_parts(tree, ""), 30))
    texts: dict[tuple[str, str], None] = {}
    for before, pump in parts:
        texts |= dict.fromkeys([(before, pump), ("", pump), ("", before + pump), ("", before)])
    texts |= dict.fromkeys(("", one) for one in (" ", "a", "0", "\n", ", ", "a "))
    return [(before, pump, after) for before, pump in texts if pump for after in ("", "\x01!a")]


def _list_parts(tree: Iterable[Any], before: str) -> Iterator[tuple[str, str]]:
    """What stands before every repetition in a pattern, and what it repeats."""
    for code, arguments in tree:
        if code in REPEATS:
            yield from ((before, text) for text in _list_samples(arguments[2]))
            yield from _list_parts(arguments[2], before)
        elif code in WRAPPERS:
            yield from _list_parts(arguments[WRAPPERS[code]] if code is op.SUBPATTERN else arguments, before)
        elif code is op.BRANCH:
            for branch in arguments[1]:
                yield from _list_parts(branch, before)
        before += next(iter(_list_samples([(code, arguments)])), "")
        yield before, before


def _list_samples(tree: Iterable[Any]) -> list[str]:
    """A few texts that a pattern matches, each with another character where several fit."""
    texts = [""]
    for code, arguments in tree:
        pieces = _list_pieces(code, arguments)
        texts = [text + piece for text in texts for piece in pieces][:4] if pieces else texts
    return texts


def _list_pieces(code: Any, arguments: Any) -> list[str]:
    if code is op.LITERAL:
        return [chr(arguments)]
    if code is op.NOT_LITERAL:
        return [probe for probe in PROBES if ord(probe) != arguments][:4]
    if code is op.ANY:
        return list(PROBES[:4])
    if code is op.IN:
        return _list_members(arguments)
    if code is op.BRANCH:
        return [text for branch in arguments[1] for text in _list_samples(branch)[:1]]
    if code in WRAPPERS:
        return _list_samples(arguments[3] if code is op.SUBPATTERN else arguments)
    if code in REPEATS:
        return [text * max(arguments[0], 1) for text in _list_samples(arguments[2])]
    return []


def _list_members(members: Any) -> list[str]:
    """Characters of a set: those of the probes that are in it, and its first by number."""
    first = [chr(value if code is op.LITERAL else value[0]) for code, value in members
             if code in (op.LITERAL, op.RANGE)]  # fmt: skip
    is_negated = members[0][0] is op.NEGATE
    probes = [one for one in PROBES if any(_holds(member, one) for member in members) != is_negated]
    return [*probes[:3], *probes[-1:], *([] if is_negated else first[:1])]


def _holds(member: Any, character: str) -> bool:
    code, value = member
    if code is op.LITERAL:
        return bool(value == ord(character))
    if code is op.RANGE:
        return bool(value[0] <= ord(character) <= value[1])
    if code is op.CATEGORY:
        return bool(re.match(CATEGORIES[value], character))
    return False


CATEGORIES = {
    op.CATEGORY_DIGIT: r"\d", op.CATEGORY_NOT_DIGIT: r"\D", op.CATEGORY_SPACE: r"\s",
    op.CATEGORY_NOT_SPACE: r"\S", op.CATEGORY_WORD: r"\w", op.CATEGORY_NOT_WORD: r"\W",
}  # fmt: skip
