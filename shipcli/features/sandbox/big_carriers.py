"""Which carriers a new sandbox has connections of: the big ones of its country, or those named."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from shipcli.carrier import registry
from shipcli.models.basics.errors import Invalid
from shipcli.models.basics.text import find_nearest

ALL, NONE = "all", "none"
WORLD = ("ups", "fedex", "dhl_express")
AT_HOME: Mapping[str, Sequence[str]] = {
    "US": ("usps",),
    "CA": ("canadapost", "purolator"),
    "GB": ("sapient",),
    "DE": ("dhl_parcel_de",),
    "FR": ("colissimo", "chronopost"),
    "BE": ("bpost", "dpd"),
    "NL": ("dpd",),
    "PL": ("dhl_poland",),
    "AU": ("australiapost",),
    "AM": ("hay_post",),
}


def list_big_carriers(country: str) -> list[str]:
    """The carriers most shops of a country have an account with."""
    return [*AT_HOME.get(country, ()), *WORLD]


def read_carriers(text: str) -> list[str]:
    """The carriers that a list names; `all` and `none` are such lists.

    Errors: Invalid naming the nearest carrier.
    """
    every = list(registry.list_slugs())
    if text in (ALL, NONE):
        return every if text == ALL else []
    names = list(dict.fromkeys(text.replace(",", " ").split()))
    for name in names:
        if name not in every:
            near = find_nearest(name, every)
            raise Invalid(
                "carriers", f"there is no carrier {name!r}{f'; did you mean {near}?' if near else ''}"
            )
    return names
