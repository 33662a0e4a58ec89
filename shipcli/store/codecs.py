"""How values are stored in columns, and how text is normalised for searching."""

from __future__ import annotations

import hashlib
import unicodedata
import zlib
from collections.abc import Callable, Iterable
from datetime import UTC, datetime, timedelta
from decimal import Decimal
from typing import Any

from shipcli.models.basics.json import dumps, loads, write_number

# A JSON text as its column holds it: text, or deflated.
Stored = str | bytes

# Longer pair values are stored as a start and a digest: equality stays exact and the index small.
_LONGEST_PAIR = 200
_PAIR_START = 120
# Longer JSON texts are stored deflated: documents from the size of a page, values of a row sooner, as some
# tables hold many rows for one object.
_LONGEST_DOCUMENT = 4096
_LONGEST_VALUE = 512
_EFFORT = 3  # of 9: the next levels take half as much time again for a tenth less
_EPOCH, _MICROSECOND = datetime(1970, 1, 1, tzinfo=UTC), timedelta(microseconds=1)


def write_moment(value: datetime | str) -> str:
    """A moment as fixed-width UTC text, so that text order is time order.

    Errors: ValueError if the text is not an ISO date and time, or a datetime has no time zone.
    """
    moment = datetime.fromisoformat(value) if isinstance(value, str) else value
    if moment.tzinfo is None:
        if isinstance(value, datetime):
            raise ValueError(f"the moment {value} has no time zone")
        moment = moment.replace(tzinfo=UTC)
    return moment.astimezone(UTC).isoformat(timespec="microseconds")[:-6] + "Z"


def count_microseconds(value: str) -> int:
    """A stored moment as microseconds since 1970: the same order in fewer bytes."""
    return (datetime.fromisoformat(value) - _EPOCH) // _MICROSECOND


def read_moment(value: str) -> datetime:
    """The aware datetime of a stored moment."""
    return datetime.fromisoformat(value)


def fold(text: str) -> str:
    """Normalise text for searching: case-folded, composed, without characters that a column cannot store."""
    return unicodedata.normalize("NFC", clean_text(text).casefold())


def clean_text(text: str) -> str:
    """Text without NUL and lone surrogates, which no database column accepts."""
    if text.isascii():
        return text.replace("\0", "")
    return text.encode("utf-8", "replace").decode("utf-8").replace("\0", "")


def escape_wildcards(text: str) -> str:
    """Escape text for LIKE with backslashes, so that every character stands for itself."""
    return text.replace("\\", "\\\\").replace("%", "\\%").replace("_", "\\_")


def fold_lines(values: Iterable[Any]) -> str:
    """Join fields into one searched text; the line breaks keep a match from spanning two fields.

    Of a list every text counts, each once.
    """
    lists = (value if isinstance(value, list) else (value,) for value in values)
    texts = [str(value) for several in lists for value in several if value is not None and value != ""]
    return fold("\n".join(dict.fromkeys(texts)))


def write_search_value(value: Any) -> str:
    """The text by which a metadata, option or meta value is compared."""
    text = _write_text(value)
    if len(text) <= _LONGEST_PAIR:
        return text
    return text[:_PAIR_START] + "#" + hashlib.sha256(text.encode()).hexdigest()


def _write_text(value: Any) -> str:
    if isinstance(value, str):
        return clean_text(value)
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, Decimal) and value.is_finite():
        return write_number(value)
    return clean_text(dumps(value))


class LongText(str):
    """A JSON text so long that an engine that does not deflate by itself stores it deflated."""

    __slots__ = ()


def pack(text: str, longest: int = _LONGEST_DOCUMENT) -> str:
    """A JSON text as engines store it; one that is longer is marked."""
    return text if len(text) <= longest else LongText(text)


def pack_value(text: str) -> str:
    """A JSON text of a row as engines store it."""
    return pack(text, _LONGEST_VALUE)


def deflate(text: LongText) -> bytes:
    """The bytes of a long text."""
    return zlib.compress(text.encode(), _EFFORT)


def unpack(stored: Stored) -> str:
    """The JSON text that was stored; empty if it is damaged."""
    if isinstance(stored, str):
        return stored
    try:
        return zlib.decompress(stored).decode()
    except (zlib.error, UnicodeDecodeError, TypeError):
        return ""


def _keep_value(value: Any) -> Any:
    return value


_ENCODERS: dict[str, Callable[[Any], Any]] = {
    "text": lambda value: clean_text(str(value)),
    "flag": lambda value: int(bool(value)),
    "time": write_moment,
    "json": lambda value: pack_value(dumps(value)),
}
_DECODERS: dict[str, Callable[[Any], Any]] = {
    "flag": bool,
    "time": read_moment,
    "json": lambda stored: loads(unpack(stored)),
}


def encode(type_name: str, value: Any) -> Any:
    """Encode a value as its column stores it; None stands for an empty column."""
    return value if value is None else find_encoder(type_name)(value)


def find_encoder(type_name: str) -> Callable[[Any], Any]:
    """The function that encodes a value other than None for a column of this type."""
    return _ENCODERS.get(type_name, _keep_value)


def find_decoder(type_name: str) -> Callable[[Any], Any]:
    """The function that decodes a stored value: flags to bool, times to aware datetimes, JSON to Python."""
    return _DECODERS.get(type_name, _keep_value)
