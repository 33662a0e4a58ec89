"""The options of a customs declaration: the words of every carrier, and which a carrier is sent."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from shipcli.carrier.catalogue import OptionTable
from shipcli.carrier.catalogue_rows import Option

if TYPE_CHECKING:
    from shipcli.carrier.base import Carrier

# Words of every carrier; where a carrier has a row of that name it is sent.
UNIFIED_CUSTOMS = OptionTable(
    [
        Option(slug="aes", code="", type=str),
        Option(slug="certificate_number", code="", type=str),
        Option(slug="eel_pfc", code="", type=str),
        Option(slug="eori_number", code="", type=str),
        Option(slug="hmrc", code="", type=str),
        Option(slug="invoice_number", code="", type=str),
        Option(slug="ioss", code="", type=str),
        Option(slug="license_number", code="", type=str),
        Option(slug="nip_number", code="", type=str),
        Option(slug="vat_registration_number", code="", type=str),
        Option(slug="voec", code="", type=str),
    ]
)


def list_customs_names(kind: type[Carrier[Any, Any]]) -> list[str]:
    """Return all names of options of a declaration that a carrier is sent."""
    table = kind.catalogue.customs_options if kind.catalogue else OptionTable()
    return [name for row in table for name in (row.slug, *row.aliases)]


def list_unified_names() -> list[str]:
    """Return the words that any declaration may say."""
    return UNIFIED_CUSTOMS.slugs()
