"""Which column of a file has which field: its default heading in any case, another usual one, with a unit."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import cache

from shipcli.models.basics.text import fold_text
from shipcli.models.data_template import JOINED, FieldSource, RowRules
from shipcli.readers.headers import ALSO, READ
from shipcli.readers.measures import UNIT_FIELDS, split_heading


@cache
def list_names(resource_type: str) -> Mapping[str, tuple[str, ...]]:
    """The headings of every field, folded; the default one first."""
    also = ALSO.get(resource_type, {})
    return {
        name: tuple(map(fold_text, (header, *also.get(name, ()))))
        for name, header in READ[resource_type].items()
    }


def find_headers(headers: Sequence[str], resource_type: str) -> dict[str, str]:
    """Field to column for the fields that a file has, by its headings; each column fills one field."""
    fields = READ[resource_type]
    columns = {name: header for name, header in fields.items() if header in headers}
    taken = set(columns.values())
    for name, names in list_names(resource_type).items():
        rest = [header for header in headers if header and header not in taken]
        if name not in columns and (header := _find_header(name, names, rest)):
            columns[name] = header
            taken.add(header)
    return columns


def _find_header(field: str, names: Iterable[str], headers: Sequence[str]) -> str | None:
    folded: dict[str, str] = {}
    for header in headers:
        folded.setdefault(fold_text(header), header)
        if field in UNIT_FIELDS:
            folded.setdefault(fold_text(split_heading(field, header)[0]), header)
    return next((folded[name] for name in names if name in folded), None)


class Headings:
    """The column names of a file, by which mappings find them in any case."""

    def __init__(self, headers: Sequence[str]) -> None:
        self._headers = [header for header in headers if header]
        self._folded = {fold_text(header): header for header in reversed(self._headers)}

    def resolve(self, word: str) -> str:
        """The column, or several with ` + ` between them, that a mapping means; else its own word."""
        if word in self._headers:
            return word
        if word.endswith("*"):
            return JOINED.join(name for name in self._headers if name.startswith(word[:-1])) or word
        if JOINED in word:
            return JOINED.join(map(self.resolve, word.split(JOINED)))
        return self._folded.get(fold_text(word), word)

    def resolve_source(self, source: FieldSource) -> FieldSource:
        """The same source with the file's own names."""
        return source.model_copy(update={"header": [self.resolve(word) for word in source.words]})

    def resolve_rules(self, rules: RowRules) -> RowRules:
        """The same rules with the file's own names."""
        lists = ("own", "skip_when_filled", "skip_when_empty")
        return rules.model_copy(
            update={
                "inherit_by": rules.inherit_by and self.resolve(rules.inherit_by),
                "skip_values": {self.resolve(name): words for name, words in rules.skip_values.items()},
                **{name: [self.resolve(word) for word in getattr(rules, name)] for name in lists},
            }
        )
