"""Guess which columns of a file hold which fields, by the words of their names."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Mapping, Sequence

from shipcli.models.data_template import JOINED
from shipcli.readers.columns import find_headers
from shipcli.readers.headers import READ

_WORD = re.compile(r"[A-Z]?[a-z]+|[A-Z]+|\d+")
_UNITS = ("kg", "kgs", "lb", "lbs", "oz", "g", "gram", "grams", "cm", "in", "inch", "inches")
NOISE = frozenset({"code", "line", "number", "no", "of", "the", "de", *_UNITS})
SAME: Mapping[str, str] = {
    "zip": "postal", "zipcode": "postal", "postcode": "postal", "street": "address", "province": "state",
    "region": "state", "telephone": "phone", "tel": "phone", "mobile": "phone", "mail": "email",
    "to": "recipient", "ship": "recipient", "shipping": "recipient", "delivery": "recipient",
    "customer": "recipient", "from": "shipper", "sender": "shipper", "qty": "quantity", "pieces": "piece",
    "ref": "reference", "st": "state", "county": "state",
    "plz": "postal", "postleitzahl": "postal", "ort": "city", "stadt": "city", "land": "country",
    "gewicht": "weight", "strasse": "address", "firma": "company", "bundesland": "state",
    "telefon": "phone", "anzahl": "quantity", "menge": "quantity", "preis": "price", "artikel": "title",
    "empfaenger": "recipient", "empfanger": "recipient", "absender": "shipper", "bestellnummer": "order",
    "ville": "city", "pays": "country", "adresse": "address", "poids": "weight", "societe": "company",
    "postale": "postal", "nom": "name", "destinataire": "recipient", "quantite": "quantity", "prix": "price",
    "nombre": "name", "ciudad": "city", "pais": "country", "peso": "weight", "direccion": "address",
    "provincia": "state", "telefono": "phone", "empresa": "company", "cantidad": "quantity",
    "precio": "price",
}  # fmt: skip
FIRST = frozenset({"first", "given", "forename", "vorname", "prenom"})
LAST = frozenset({"last", "family", "surname", "nachname"})
NAMES: Mapping[str, str] = {
    "shipments": "recipient_name",
    "orders": "shipping_to_name",
    "addresses": "address_name",
}
# What a name that says no side or thing is about.
USUAL: Mapping[str, Sequence[str]] = {
    "shipments": ("recipient", "parcel"),
    "orders": ("recipient", "item", "order"),
    "addresses": ("address",),
}
ALSO: Mapping[str, Mapping[str, str]] = {
    "shipments": {"Order": "reference", "Order ID": "reference", "Customer": "recipient_name"},
    "orders": {"Customer": "shipping_to_name"},
}


def guess_columns(headers: Sequence[str], resource_type: str) -> dict[str, str]:
    """Field to header for every column whose name tells its content.

    If several match one field the default header wins, else the first.
    """
    fields = {_split_words(header): name for name, header in reversed(list(READ[resource_type].items()))}
    fields = {_split_words(header): name for header, name in ALSO.get(resource_type, {}).items()} | fields
    columns: dict[str, str] = {}
    defaults = set(READ[resource_type].values())
    for header in sorted(headers, key=lambda header: header not in defaults):
        name = _find_field(_split_words(header), fields, USUAL.get(resource_type, ()))
        if name:
            columns.setdefault(name, header)
    return columns | _join_names(headers, resource_type, columns)


def guess_every_column(headers: Sequence[str], resource_type: str) -> dict[str, str]:
    """Field to header: the usual headings first, then what the words of the other ones tell."""
    usual = find_headers(headers, resource_type)
    taken = set(usual.values())
    guesses = guess_columns([header for header in headers if header not in taken], resource_type) | usual
    return guesses | _join_names(headers, resource_type, guesses)


def _join_names(headers: Sequence[str], resource_type: str, columns: Mapping[str, str]) -> dict[str, str]:
    """A name in two columns, the first and the last, as one; beside a first name, `Name` is the last."""
    field = NAMES.get(resource_type, "")
    words = {header: _split_words(header) for header in headers if header not in columns.values()}
    first = next((header for header in words if FIRST & words[header]), None)
    last = next((header for header in words if LAST & words[header]), None)
    whole = columns.get(field)
    if not last and whole and _split_words(whole) == {"name"}:
        last, whole = whole, None
    return {field: f"{first}{JOINED}{last}"} if field and not whole and first and last else {}


def _find_field(
    words: frozenset[str], fields: Mapping[frozenset[str], str], usual: Sequence[str]
) -> str | None:
    tries = [words, *(words | {word} for word in usual), *(words | {word, "1"} for word in usual)]
    return next((fields[attempt] for attempt in tries if words and attempt in fields), None)


def _split_words(header: str) -> frozenset[str]:
    plain = unicodedata.normalize("NFKD", header.replace("ß", "ss"))
    letters = "".join(letter for letter in plain if not unicodedata.combining(letter))
    words = [word.lower() for word in _WORD.findall(letters)]
    return frozenset(SAME.get(word, word) for word in words if word not in NOISE)
