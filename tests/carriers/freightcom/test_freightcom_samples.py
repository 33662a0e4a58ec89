"""The documents that Freightcom shows beside its schemas are read without loss.

Those of an order and of answers break its own schemas: parts in another order, parts that are left out.
"""

from __future__ import annotations

from pathlib import Path

import pytest
from lxml import etree
from shipcli.carriers.freightcom import wire

from shipcli.carrier.simulation.published_documents import list_schema_errors
from shipcli.carrier.wire.xml import parse
from tests.carriers.schemas import schemas_of
from tests.shared import find_shared

SOUND = ("quote_request", "shipment_cancel_request")


def read_sample(name: str) -> bytes:
    path: Path = find_shared("carriers") / "freightcom" / "wire" / f"sample_{name}.xml"
    return path.read_bytes()


@pytest.mark.parametrize("name", SOUND)
def test_a_sample_is_as_the_schemas_say(name: str) -> None:
    document = etree.fromstring(read_sample(name))
    assert list_schema_errors(schemas_of("freightcom"), document) == []


def test_the_prices_of_the_sample_are_read() -> None:
    quotes = wire.read_quotes(parse(read_sample("quote_reply")))
    assert [str(quote.total_charge) for quote in quotes] == ["28.65", "52.52", "177.00"]


def test_the_shipment_of_the_sample_is_read() -> None:
    label = wire.read_shipment(parse(read_sample("shipping_reply").replace(b"[base-64 encoded String]", b"")))
    assert label.shipment_identifier == "181004"
    assert label.tracking_number == "052800410000484"
    assert (label.meta or {})["tracking_numbers"] == ["052800410000484", "052800410000491"]
    assert label.selected_rate
    assert str(label.selected_rate.total_charge) == "31.82"
