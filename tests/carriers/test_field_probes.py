"""The field of a value that a carrier refuses is found with few tries."""

from __future__ import annotations

from typing import Any

from shipcli.carriers.canpar import Canpar
from shipcli.carriers.teleship import Teleship

from shipcli.carrier import Flow
from shipcli.carrier.field_samples import list_fields
from shipcli.models import Commodity, Quote, RateRequest
from tests.carriers.bench import Bench, lane


class CountedCanpar(Canpar):
    """Counts how often the request of a price is written, to be sent or to be compared."""

    written = 0

    def rate(self, request: RateRequest) -> Flow[list[Quote]]:
        CountedCanpar.written += 1
        return super().rate(request)


def test_the_field_of_a_missing_value_is_found_by_trying_many_others_together() -> None:
    bench = Bench(CountedCanpar, lane(Canpar))
    usual: dict[str, Any] = bench.shipment()
    sender = usual["shipper"].model_copy(update={"city": None})
    request = RateRequest.model_validate({**usual, "shipper": sender})
    outcome = bench.ask("rate", request)
    assert {one.message for one in outcome.messages} == {"shipper.city: required by Canpar"}
    probes = len(outcome.messages)
    assert probes
    assert CountedCanpar.written < probes * len(list(list_fields(request))) / 2


class CountedTeleship(Teleship):
    """Counts how often the requests of prices are written, one a parcel."""

    written = 0

    def rate(self, request: RateRequest) -> Flow[list[Quote]]:
        CountedTeleship.written += 1
        return super().rate(request)


def test_nobody_waits_for_a_field_when_dozens_of_parcels_are_refused() -> None:
    bench = Bench(CountedTeleship, lane(Teleship))
    usual: dict[str, Any] = bench.shipment()
    goods = Commodity(title="Mug", weight=0.3, weight_unit="KG", quantity=1)
    parcel = usual["parcels"][0].model_copy(update={"items": [goods]})
    outcome = bench.ask("rate", RateRequest.model_validate({**usual, "parcels": [parcel] * 84}))
    texts = [one.message for one in outcome.messages]
    assert texts[0] == "parcels[0].items[0].value_amount: required by Teleship"
    assert len(texts) == 84
    assert CountedTeleship.written < 84
