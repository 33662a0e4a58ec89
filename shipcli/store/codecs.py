"""The forms in which values rest in columns, and the forms in which text is searched."""

from __future__ import annotations

import hashlib
import re
import unicodedata
from collections.abc import Callable, Iterable
from datetime import UTC, datetime, timedelta
from decimal import Decimal
from typing import Any

from shipcli.models.basics.json import dumps, loads, number_text

# Longer pair values are kept as a start and a digest: equality stays exact and the index stays small.
_LONGEST_PAIR = 200
_PAIR_START = 120
_UTC = re.compile(r"\d{4}-\d\d-\d\d.\d\d:\d\d:\d\d\.\d{6}\+00:00", re.ASCII)
_EPOCH, _MICROSECOND = datetime(1970, 1, 1, tzinfo=UTC), timedelta(microseconds=1)


def instant(value: datetime | str) -> str:
    """A moment as UTC text of fixed width, so that text order is time order.

    Errors: ValueError when the text is no ISO moment or a datetime has no zone.
    """
    moment = datetime.fromisoformat(value) if isinstance(value, str) else value
    if isinstance(value, str) and _UTC.fullmatch(value):  # as we write it ourselves: nothing to work out
        return f"{value[:10]}T{value[11:26]}Z"
    if moment.tzinfo is None:
        if isinstance(value, datetime):
            raise ValueError(f"the moment {value} has no time zone")
        moment = moment.replace(tzinfo=UTC)
    utc = moment if moment.tzinfo is UTC else moment.astimezone(UTC)
    return utc.isoformat(timespec="microseconds")[:-6] + "Z"


def microseconds(value: str) -> int:
    """A stored moment as microseconds since 1970: the same order in fewer bytes."""
    return (datetime.fromisoformat(value) - _EPOCH) // _MICROSECOND


def moment(value: str) -> datetime:
    """The aware datetime of a stored moment."""
    return datetime.fromisoformat(value)


def fold(text: str) -> str:
    """The form in which text is searched: without case, composed, without characters a column cannot hold."""
    if text.isascii():
        return text.lower().replace("\0", "")
    return unicodedata.normalize("NFC", plain(text).casefold())


def plain(text: str) -> str:
    """Text without NUL and lone surrogates, which no database column takes."""
    if text.isascii():
        return text.replace("\0", "")
    return text.encode("utf-8", "replace").decode("utf-8").replace("\0", "")


def wildcard_free(text: str) -> str:
    """Text for LIKE in which every character stands for itself, with the backslash as escape."""
    return text.replace("\\", "\\\\").replace("%", "\\%").replace("_", "\\_")


def folded_lines(values: Iterable[Any]) -> str:
    """Several fields as one searched text; the line break keeps a search from running over two fields."""
    return fold("\n".join([str(value) for value in values if value is not None and value != ""]))


def text_form(value: Any) -> str:
    """The text by which a metadata, option or meta value is compared."""
    text = _text(value)
    if len(text) <= _LONGEST_PAIR:
        return text
    return text[:_PAIR_START] + "#" + hashlib.sha256(text.encode()).hexdigest()


def _text(value: Any) -> str:
    if isinstance(value, str):
        return plain(value)
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, Decimal) and value.is_finite():
        return number_text(value)
    return plain(dumps(value))


def _as_text(value: Any) -> str:
    text = value if isinstance(value, str) else str(value)
    return text if text.isascii() and "\0" not in text else plain(text)


def _as_it_is(value: Any) -> Any:
    return value


_ENCODERS: dict[str, Callable[[Any], Any]] = {
    "text": _as_text,
    "flag": lambda value: int(bool(value)),
    "time": instant,
    "json": dumps,
}
_DECODERS: dict[str, Callable[[Any], Any]] = {"flag": bool, "time": moment, "json": loads}


def encode(type_name: str, value: Any) -> Any:
    """A value as its column holds it; None is the empty column."""
    return value if value is None else encoder(type_name)(value)


def encoder(type_name: str) -> Callable[[Any], Any]:
    """What gives a value, other than None, the form in which a column of this type holds it."""
    return _ENCODERS.get(type_name, _as_it_is)


def decoder(type_name: str) -> Callable[[Any], Any]:
    """What makes a value of a column's content: flags are bool, times aware datetimes, JSON its Python
    form.
    """
    return _DECODERS.get(type_name, _as_it_is)
