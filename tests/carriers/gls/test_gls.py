"""GLS: labels for the way back, beside that of a parcel and alone."""

from __future__ import annotations

import base64
from collections.abc import Iterator
from typing import Any

import pypdfium2
import pytest
from shipcli.carriers.gls import Gls

from shipcli.models import json as plain_json
from tests.carriers.bench import Bench, parcel, said
from tests.carriers.tap import Tap

SERVICE = "gls_parcel"
ALONE = {"ShopReturn": {"ServiceName": "service_shopreturn", "NumberOfLabels": 1}}
BESIDE = {"Service": {"ServiceName": "service_shopreturn"}}


@pytest.fixture
def bench() -> Iterator[Bench]:
    bench = Bench(Gls, ("DE", "DE"))
    yield bench
    bench.close()


def buy(bench: Bench, **options: Any) -> tuple[dict[str, Any], list[str]]:
    """The shipment that was ordered, and the texts of its labels."""
    tap = Tap(bench)
    outcome = bench.ask("ship", bench.request(parcel("1.5"), service=SERVICE, options=options))
    assert outcome.result, said(outcome)
    document = pypdfium2.PdfDocument(base64.b64decode(outcome.result.docs["label"]))
    texts = [" ".join(page.get_textpage().get_text_range().split()) for page in document]
    [order] = [sent.content for sent in tap.sent if b'"Shipment"' in sent.content]
    return plain_json.loads(order)["Shipment"], texts


def name_ends(bench: Bench, text: str) -> list[str]:
    """Who sends and who receives, as the label has them."""
    request = bench.request(parcel("1.5"), service=SERVICE)
    names = [str(request.shipper.address_line1), str(request.recipient.address_line1)]
    return sorted(names, key=text.index)


@pytest.mark.parametrize("option", ["gls_shop_return", "gls_return_enabled"])
def test_a_label_for_the_way_back_comes_beside_that_of_the_parcel(bench: Bench, option: str) -> None:
    order, texts = buy(bench, **{option: True})
    assert order["Service"] == [BESIDE]
    assert len(texts) == 2
    assert name_ends(bench, texts[0]) == name_ends(bench, texts[1])[::-1]


def test_a_return_is_the_label_for_the_way_back_alone(bench: Bench) -> None:
    request = bench.request(parcel("1.5"), service=SERVICE)
    order, texts = buy(bench, is_return=True, gls_shop_return=True)
    assert order["Service"] == [ALONE]
    assert order["Consignee"]["Address"]["City"] == request.shipper.city
    assert len(texts) == 1
    assert name_ends(bench, texts[0]) == [request.shipper.address_line1, request.recipient.address_line1]


def test_a_return_that_is_collected_needs_no_label_for_a_shop(bench: Bench) -> None:
    order, _ = buy(bench, is_return=True, gls_pick_and_return=True, shipping_date="2026-12-01")
    assert [name for service in order["Service"] for name in service] == ["PickAndReturn"]
