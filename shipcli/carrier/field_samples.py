"""The fields of a request, and another good value for each: to see what of a call a field is written to."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from decimal import Decimal
from typing import Any, get_args

from pydantic import BaseModel

from shipcli.models import Model

Steps = tuple[int | str, ...]
# Two good values of a field; the first that it does not have is taken.
TEXTS: Mapping[str, tuple[str, str]] = {
    "person_name": ("Quinn Zephyr", "Ada Quill"),
    "company_name": ("Quill Works", "Zephyr Works"),
    "street_number": ("17", "18"),
    "address_line1": ("17 Quay Street", "18 Quill Street"),
    "address_line2": ("Unit 17", "Unit 18"),
    "city": ("Quincy", "Zurich"),
    "postal_code": ("10115", "20095"),
    "state_code": ("QZ", "ZQ"),
    "country_code": ("US", "CA"),
    "phone_number": ("+1 212-736-3171", "+1 212-736-3182"),
    "email": ("quinn@example.org", "ada@example.org"),
    "federal_tax_id": ("171717171", "181818181"),
    "state_tax_id": ("171717171", "181818181"),
    "currency": ("USD", "CAD"),
    "value_currency": ("USD", "CAD"),
    "origin_country": ("US", "CA"),
    "hs_code": ("621490", "610910"),
    "ready_time": ("13:30", "14:00"),
    "closing_time": ("16:30", "17:15"),
    "weight_unit": ("KG", "LB"),
    "dimension_unit": ("CM", "IN"),
    "content_type": ("merchandise", "gift"),
    "incoterm": ("DDU", "DDP"),
}
LOCAL: Mapping[tuple[str, str], tuple[str, str]] = {
    ("postal_code", "CA"): ("V6B1A1", "H2Y1C6"),
    ("postal_code", "GB"): ("EC1A 1BB", "SW1A 1AA"),
    ("postal_code", "AU"): ("3000", "4000"),
    ("postal_code", "NZ"): ("1010", "8011"),
    ("postal_code", "PL"): ("30-001", "80-001"),
    ("postal_code", "NL"): ("1012 AB", "3011 AB"),
    ("postal_code", "BE"): ("2000", "9000"),
    ("state_code", "US"): ("OR", "TX"),
    ("state_code", "CA"): ("BC", "ON"),
    ("state_code", "AU"): ("VIC", "QLD"),
    ("phone_number", "GB"): ("+44 20 7946 0171", "+44 20 7946 0182"),
    ("phone_number", "DE"): ("+49 30 22732171", "+49 30 22732182"),
    ("phone_number", "FR"): ("+33 1 42 68 53 71", "+33 1 42 68 53 82"),
    ("phone_number", "AU"): ("+61 2 9250 7171", "+61 2 9250 7182"),
    ("phone_number", "NZ"): ("+64 4 381 7071", "+64 4 381 7082"),
    ("phone_number", "PL"): ("+48 22 656 7671", "+48 22 656 7682"),
    ("phone_number", "BE"): ("+32 2 279 2271", "+32 2 279 2282"),
}
DAYS = ("2031-03-05", "2031-03-06")
OTHERWISE = ("Quill 17", "Zephyr 18")
NUMBERS = (Decimal(3), Decimal(2))
APART = frozenset(
    {"id", "object_type", "metadata", "meta", "rate_meta", "validation", "shipment_identifiers"}
)


def list_fields(model: BaseModel, path: Steps = ()) -> Iterator[tuple[Steps, Any, BaseModel]]:
    """Yield the place, the value and the owner of every field of a request that holds no others."""
    for name in type(model).model_fields:
        if name in APART:
            continue
        yield from _list_fields_of(getattr(model, name), (*path, name), model)


def _list_fields_of(value: Any, path: Steps, owner: BaseModel) -> Iterator[tuple[Steps, Any, BaseModel]]:
    if isinstance(value, BaseModel):
        yield from list_fields(value, path)
    elif isinstance(value, list | tuple):
        for at, member in enumerate(value):
            yield from _list_fields_of(member, (*path, at), owner)
    elif isinstance(value, Mapping):
        for name, member in value.items():
            yield from _list_fields_of(member, (*path, name), owner)
    else:
        yield path, value, owner


def choose_samples(path: Steps, value: Any, owner: BaseModel) -> Iterator[Any]:
    """Yield other good values of a field; none of one that would hold other fields."""
    name = str(path[-1])
    if value is None and _holds_model(name, owner):
        return
    if isinstance(value, bool) or name in ("residential", "is_document"):
        yield not value
    elif isinstance(value, int):
        yield from (int(number) for number in NUMBERS if number != value)
    elif isinstance(value, Decimal | float) or _holds_number(name, owner):
        yield from (number for number in NUMBERS if number != value)
    else:
        country = getattr(owner, "country_code", None)
        samples = DAYS if name.endswith("_date") else TEXTS.get(name, OTHERWISE)
        yield from (text for text in LOCAL.get((name, str(country)), samples) if text != value)


def _holds_number(name: str, owner: BaseModel) -> bool:
    field = type(owner).model_fields.get(name)
    return field is not None and "Decimal" in str(field.annotation)


def _holds_model(name: str, owner: BaseModel) -> bool:
    field = type(owner).model_fields.get(name)
    kinds = (field.annotation, *get_args(field.annotation)) if field else ()
    return any(isinstance(kind, type) and issubclass(kind, BaseModel) for kind in kinds)


def replace_field(value: Any, path: Steps, other: Any) -> Any:
    """Return a request with another value at a place."""
    if not path:
        return other
    step, *rest = path
    if isinstance(value, Model):
        changed = replace_field(getattr(value, str(step)), tuple(rest), other)
        return value.model_copy(update={str(step): changed})
    if isinstance(value, Mapping):
        return {**value, step: replace_field(value[step], tuple(rest), other)}
    members = list(value)
    members[int(step)] = replace_field(members[int(step)], tuple(rest), other)
    return members
