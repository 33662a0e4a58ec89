"""Guess which columns of a file hold which fields, by the words of their names."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Mapping, Sequence

from shipcli.models.data_template import JOINED
from shipcli.readers.columns import find_headers
from shipcli.readers.headers import READ

Words = Mapping[str, frozenset[str]]  # of columns, by their headings
_WORD = re.compile(r"[A-Z]?[a-z]+|[A-Z]+|\d+")
_UNITS = ("kg", "kgs", "lb", "lbs", "oz", "g", "gram", "grams", "cm", "in", "inch", "inches")
NOISE = frozenset({
    "code", "line", "number", "no", "nr", "of", "the", "de", "kod", "codigo", "codice", "e", "electronico",
    *_UNITS,
})  # fmt: skip
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
    "precio": "price", "cp": "postal", "courriel": "email", "correo": "email", "poblacion": "city",
    "localidad": "city", "rue": "address", "calle": "address", "domicilio": "address",
    "nome": "name", "indirizzo": "address", "cap": "postal", "citta": "city", "paese": "country",
    "azienda": "company", "ditta": "company", "quantita": "quantity", "prezzo": "price",
    "naam": "name", "straat": "address", "adres": "address", "plaats": "city", "woonplaats": "city",
    "bedrijf": "company", "bedrijfsnaam": "company", "telefoon": "phone", "aantal": "quantity",
    "navn": "name", "namn": "name", "gatuadress": "address", "postnummer": "postal", "postnr": "postal",
    "by": "city", "poststed": "city", "telefonnummer": "phone", "foretag": "company", "adress": "address",
    "ulica": "address", "miasto": "city", "kraj": "country", "pocztowy": "postal", "firmy": "company",
    "morada": "address", "localidade": "city", "cidade": "city", "nazwa": "company",
    "mobil": "phone", "handy": "phone", "telefonnr": "phone", "mobiltelefon": "phone",
}  # fmt: skip
FIRST = frozenset({
    "first", "given", "forename", "vorname", "prenom", "voornaam", "fornavn", "fornamn", "imie", "jmeno",
})  # fmt: skip
MIDDLE = frozenset({"middle", "additional", "tussenvoegsel"})
LAST = frozenset({
    "last", "family", "surname", "nachname", "achternaam", "apellido", "apellidos", "apelido", "cognome",
    "efternavn", "etternavn", "efternamn", "nazwisko", "prijmeni",
})  # fmt: skip
# A house number in a column of its own, and what is added to it.
HOUSE = frozenset({
    "house", "housenumber", "hausnr", "hausnummer", "hausnummernzusatz", "hausnummerzusatz", "huisnummer",
    "huisnr", "toevoeging", "civico", "husnummer", "husnr",
})  # fmt: skip
_STREET_NUMBER = re.compile(r"street[ _-]?(?:number|num|nr|no)\b\.?", re.IGNORECASE)
_STREET_NAME = re.compile(r"street[ _-]?name", re.IGNORECASE)
SIDES = frozenset({"recipient", "shipper", "billing"})
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
    columns = _guess_single_columns(headers, resource_type)
    return columns | _join_columns(headers, resource_type, columns)


def _guess_single_columns(headers: Sequence[str], resource_type: str) -> dict[str, str]:
    fields = {_split_words(header): name for name, header in reversed(list(READ[resource_type].items()))}
    fields = {_split_words(header): name for header, name in ALSO.get(resource_type, {}).items()} | fields
    columns: dict[str, str] = {}
    defaults = set(READ[resource_type].values())
    for header in sorted(headers, key=lambda header: header not in defaults):
        name = _find_field(_split_words(header), fields, USUAL.get(resource_type, ()))
        if name:
            columns.setdefault(name, header)
    return columns


def guess_every_column(headers: Sequence[str], resource_type: str) -> dict[str, str]:
    """Field to header: the usual headings first, then what the words of the other ones tell."""
    usual = find_headers(headers, resource_type)
    taken = set(usual.values())
    rest = [header for header in headers if header not in taken]
    guesses = _guess_single_columns(rest, resource_type) | usual
    return guesses | _join_columns(headers, resource_type, guesses)


def _join_columns(headers: Sequence[str], resource_type: str, columns: Mapping[str, str]) -> dict[str, str]:
    """Names and streets that stand in several columns."""
    words = {header: _split_words(header) for header in headers if header not in columns.values()}
    return _join_names(words, resource_type, columns) | _join_streets(headers, words, resource_type, columns)


def _join_names(words: Words, resource_type: str, columns: Mapping[str, str]) -> dict[str, str]:
    """A name in two columns or three as one; beside a first name `Name` is the last, and the other way."""
    field = NAMES.get(resource_type, "")
    ours = [name for name in words if not words[name] & SIDES - {"recipient"}]
    first, middle, last = (
        next((name for name in ours if kind & words[name]), None) for kind in (FIRST, MIDDLE, LAST)
    )
    whole = columns.get(field)
    if whole and _split_words(whole) == {"name"} and (first or last) and not (first and last):
        first, last, whole = first or whole, last or whole, None
    names = filter(None, (first, middle, last))
    return {field: JOINED.join(names)} if field and not whole and first and last else {}


def _join_streets(
    headers: Sequence[str], words: Words, resource_type: str, columns: Mapping[str, str]
) -> dict[str, str]:
    """A street and a house number in columns of their own as one line, in the order of the columns."""
    joined: dict[str, str] = {}
    for name, header in READ[resource_type].items():
        if name.endswith("_address1") and name in columns:
            side = _find_side(_split_words(header), resource_type)
            numbers = {
                other
                for other, said in words.items()
                if said & HOUSE and _find_side(said, resource_type) == side
            }
            parts = [other for other in headers if other == columns[name] or other in numbers]
            joined |= {name: JOINED.join(parts)} if numbers else {}
    return joined


def _find_side(words: frozenset[str], resource_type: str) -> frozenset[str]:
    """Whose address a column is about: that of the usual side if it says none."""
    return words & SIDES or SIDES.intersection(USUAL.get(resource_type, ()))


def _find_field(
    words: frozenset[str], fields: Mapping[frozenset[str], str], usual: Sequence[str]
) -> str | None:
    sides = [frozenset({word}) for word in usual]
    tries = [
        words,
        *(words | side for side in sides),
        *(words | side | {"1"} for side in (*sides, frozenset[str]())),
    ]
    return next((fields[attempt] for attempt in tries if words and attempt in fields), None)


def _split_words(header: str) -> frozenset[str]:
    named = _STREET_NAME.sub("street", _STREET_NUMBER.sub("house", header))
    plain = unicodedata.normalize("NFKD", named.replace("ß", "ss"))
    letters = "".join(letter for letter in plain if not unicodedata.combining(letter))
    words = [word.lower() for word in _WORD.findall(letters)]
    return frozenset(SAME.get(word, word) for word in words if word not in NOISE)
