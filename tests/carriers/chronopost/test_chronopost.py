"""Chronopost: what neither cases nor the contract show."""

from __future__ import annotations

import pytest
from shipcli.carriers.chronopost import Chronopost

from shipcli.carrier import Reply
from shipcli.carrier.wire.soap import make_soap_reply
from shipcli.carrier.wire.xml import element
from tests.carriers.bench import Bench
from tests.carriers.tap import Tap


@pytest.mark.parametrize(("code", "doubtful"), [("1", True), ("33", False)])
def test_an_error_of_their_system_leaves_a_purchase_in_doubt(code: str, doubtful: bool) -> None:
    bench = Bench(Chronopost, ("FR", "FR"))
    request = bench.request()
    told = {"return": {"errorCode": code, "errorMessage": "System Error"}}
    answer: Reply = make_soap_reply(element("shippingMultiParcelV5Response", told))
    Tap(bench, after=lambda asked, reply: answer)
    outcome = bench.ask("ship", request)
    bench.close()
    assert (outcome.failed, outcome.unknown) == (True, doubtful)
