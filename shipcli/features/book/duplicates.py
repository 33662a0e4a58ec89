"""Addresses that are stored more than once: pairs of one that stays and one that can go."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from shipcli.features.book.same_place import PlaceKey, make_place_key, split_words
from shipcli.models.basics.text import fold_text
from shipcli.models.parts.address import PostalAddress

Document = Mapping[str, Any]
# What the key of a place compares already, in whatever spelling; and flags, which have no unknown value.
IN_KEY = frozenset({"person_name", "street_number", "address_line1", "address_line2", "country_code"})
FLAGS = frozenset({"residential", "validate_location"})
COMPARED = tuple(name for name in PostalAddress.model_fields if name not in IN_KEY | FLAGS)
IN_USE = "a data template names it"


@dataclass(frozen=True)
class Pair:
    """An address that stays, and one that says the same.

    Shapes: `changes` is what only the other says; `reasons` say why a person must choose.
    """

    kept: Document
    other: Document
    changes: Mapping[str, Any]
    reasons: tuple[str, ...] = ()

    def to_dict(self) -> dict[str, Any]:
        """The address that can go, with the one that stays."""
        return {**self.other, "same_as": self.kept["id"], "unmerged": "; ".join(self.reasons)}


def pair_duplicates(
    newest_first: Iterable[Document], preferred: Sequence[str] = (), in_use: Collection[str] = ()
) -> Iterator[Pair]:
    """The pairs among stored addresses: the first of the preferred ids stays, else the oldest."""
    groups: dict[PlaceKey, list[Document]] = {}
    for address in newest_first:
        groups.setdefault(make_place_key(address), []).append(address)
    ranks = {address_id: rank for rank, address_id in reversed([*enumerate(preferred)])}
    for group in groups.values():
        oldest_first = group[::-1]
        oldest_first.sort(key=lambda address: ranks.get(str(address["id"]), len(preferred)))
        yield from _pair_group(oldest_first, in_use)


def _pair_group(group: Sequence[Document], in_use: Collection[str]) -> Iterator[Pair]:
    """Each address of one place with the first that stays and does not contradict it; merges add up."""
    staying = [dict(group[0])]
    for other in group[1:]:
        kept = next((address for address in staying if not list_differences(address, other)), staying[0])
        reasons = [f"{name} differs" for name in list_differences(kept, other)]
        reasons += [IN_USE] if other["id"] in in_use else []
        changes = _list_changes(kept, other)
        yield Pair(dict(kept), other, changes, tuple(reasons))
        if reasons:
            staying.append(dict(other))
        else:
            kept.update(changes)


def _list_changes(kept: Document, other: Document) -> dict[str, Any]:
    """What only the other address says."""
    names = (*COMPARED, "residential")
    return {name: other[name] for name in names if other.get(name) and not kept.get(name)}


def list_differences(kept: Document, other: Document) -> list[str]:
    """The fields in which both addresses say something, and not the same."""
    return [name for name in COMPARED if _differs(name, kept.get(name) or "", other.get(name) or "")]


def _differs(name: str, kept: str, other: str) -> bool:
    if not kept or not other:
        return False
    if name == "email":
        return kept.casefold() != other.casefold()
    if name == "postal_code":  # the last four digits of the United States may be missing
        return fold_text(kept)[:5] != fold_text(other)[:5]
    return sorted(split_words(kept)) != sorted(split_words(other))
