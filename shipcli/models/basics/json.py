"""JSON text in and out, with every number exact."""

from __future__ import annotations

import json
from codecs import BOM_UTF8
from collections import Counter
from collections.abc import Mapping
from decimal import Decimal
from typing import Any, NoReturn

import orjson

_LONGEST_PLAIN = 40
_SURROGATES = ("\\ud", "\\uD")


def loads(text: str | bytes) -> Any:
    """The value of a JSON text; fractions become Decimal.

    Errors: ValueError for text that is not JSON, for NaN and Infinity, and for half characters.
    """
    return _decode(text, _DECODER)


def load_strict(text: str | bytes) -> Any:
    """The same for text written by people, who never mean only one of two values under one key.

    Errors: as `loads`; ValueError naming a key that occurs twice in an object.
    """
    return _decode(text, _STRICT)


def _decode(text: str | bytes, decoder: json.JSONDecoder) -> Any:
    decoded = text if isinstance(text, str) else text.decode("utf-8-sig" if text[:3] == BOM_UTF8 else "utf-8")
    try:
        value = decoder.decode(decoded)
    except RecursionError:
        raise ValueError("the JSON text is nested too deeply") from None
    if any(mark in decoded for mark in _SURROGATES):
        _refuse_half_characters(value)
    return value


def peek(text: bytes) -> Any:
    """The value of a JSON text, read fast: fractions become floats, so it is not to be stored.

    Errors: ValueError for text that is not JSON.
    """
    try:
        return orjson.loads(text)
    except ValueError:  # it is stricter about what is no text, and about depth
        return loads(text)


def dumps(value: Any, *, indent: bool = False, sort: bool = False) -> str:
    """The JSON text of a value; a Decimal is written as its shortest exact number."""
    return dump_bytes(value, indent=indent, sort=sort).decode()


def dump_bytes(value: Any, *, indent: bool = False, sort: bool = False) -> bytes:
    """The same text as UTF-8 bytes.

    Errors: TypeError for bytes, sets and other values that have no JSON form.
    """
    option = (orjson.OPT_INDENT_2 if indent else 0) | (orjson.OPT_SORT_KEYS if sort else 0)
    try:
        return orjson.dumps(value, _make_plain, option)
    except TypeError:
        # Integers beyond 64 bits and keys that are a kind of str pass only after a walk; others fail again.
        return orjson.dumps(_fit_limits(value), _make_plain, option)


def embed_text(text: bytes | str) -> Any:
    """JSON text that stands inside a value and is written as it is."""
    return orjson.Fragment(text)


def write_number(value: Decimal) -> str:
    """The shortest exact JSON number for a Decimal: 4.50 gives 4.5, 1E+2 gives 100."""
    if not value.is_finite():
        raise ValueError("a JSON number must be finite")
    if abs(value.adjusted()) > _LONGEST_PLAIN:
        return str(value) if value else "0"
    text = format(value, "f")
    if "." in text:
        text = text.rstrip("0").rstrip(".")
    return "0" if text == "-0" else text


def _make_plain(value: Any) -> Any:
    if isinstance(value, Decimal):
        return orjson.Fragment(write_number(value))
    for method in ("model_dump", "to_dict"):
        if hasattr(value, method):
            return getattr(value, method)()
    if isinstance(value, Mapping):
        return dict(value)
    raise TypeError(f"{type(value).__name__} has no JSON form")


def _fit_limits(value: Any) -> Any:
    if isinstance(value, int) and not isinstance(value, bool):
        return value if -(2**63) <= value < 2**64 else orjson.Fragment(str(value))
    if isinstance(value, Mapping):
        return {_check_key(key): _fit_limits(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [_fit_limits(item) for item in value]
    if hasattr(value, "model_dump"):
        return _fit_limits(value.model_dump())
    return _fit_limits(value.to_dict()) if hasattr(value, "to_dict") else value


def _check_key(key: Any) -> str:
    if not isinstance(key, str):
        raise TypeError(f"a JSON key must be text, not {type(key).__name__}")
    return str.__str__(key)


def _refuse_constant(name: str) -> NoReturn:
    raise ValueError(f"{name} is not a JSON number")


def _refuse_repeated_keys(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    members = dict(pairs)
    if len(members) < len(pairs):
        counts = Counter(name for name, _ in pairs)
        twice = next(name for name, count in counts.items() if count > 1)
        raise ValueError(f"the key {twice[:100]!r} stands twice in one object")
    return members


_DECODER = json.JSONDecoder(parse_float=Decimal, parse_constant=_refuse_constant)
_STRICT = json.JSONDecoder(
    parse_float=Decimal, parse_constant=_refuse_constant, object_pairs_hook=_refuse_repeated_keys
)


def _refuse_half_characters(value: Any) -> None:
    try:
        dump_bytes(value)
    except TypeError:
        raise ValueError("the JSON text holds half a character (a lone surrogate)") from None
