"""Where people find what a connection asks for."""

from __future__ import annotations

import pytest

from shipcli.carrier import registry
from shipcli.carrier.fields import OTHERWISE, explain_credential


@pytest.mark.parametrize("slug", registry.list_slugs())
def test_every_credential_has_a_sentence_of_its_kind_or_of_its_carrier(slug: str) -> None:
    kind = registry.get(slug)
    assert set(kind.credential_help) <= set(kind.connection_fields())
    for field in kind.connection_fields():
        said = explain_credential(kind, field)
        assert said.endswith(".")
        assert len(said) <= 120
        assert said != OTHERWISE.format(kind.name), field


@pytest.mark.parametrize(
    "slug", ["ups", "usps", "usps_international", "fedex", "dhl_express", "canadapost", "royalmail"]
)
def test_a_larger_carrier_says_of_every_required_field_where_it_is(slug: str) -> None:
    kind = registry.get(slug)
    required = {name for name, row in kind.connection_fields().items() if row["required"]}
    assert required <= set(kind.credential_help)
