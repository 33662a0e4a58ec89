"""What cases of DPD can't say: what a log-in tells, which faults leave a purchase open, its units."""

from __future__ import annotations

from dataclasses import replace
from decimal import Decimal

import pytest
from shipcli.carriers.dpd import Dpd
from shipcli.carriers.dpd.parts import measure, read_token, weigh

from shipcli.carrier import Reply, Request, Token
from shipcli.carrier.wire.soap import make_soap_fault
from shipcli.carrier.wire.xml import parse
from shipcli.models import Parcel
from tests.carriers.bench import MONDAY, Bench
from tests.carriers.tap import Tap

KNOWN = {"faults": {"faultCode": "COMMON_7", "message": "zipCode unknown"}}
BROKEN = {"exception": {"message": "NullPointerException"}}


def orders(tap: Tap) -> list[Request]:
    return [one for one in tap.sent if one.path.endswith("ShipmentService/V3_3")]


def test_an_order_is_sent_from_the_depot_that_the_log_in_told() -> None:
    bench = Bench(Dpd, ("BE", "BE"))
    tap = Tap(bench)
    assert bench.buy().result
    bench.close()
    assert [one.text for order in orders(tap) for one in order.xml.iter("sendingDepot")] == ["0530"]


def test_a_stale_token_is_renewed_and_the_label_bought_once() -> None:
    bench = Bench(Dpd, ("BE", "BE"))
    bench.tokens.put("car_bench", "access", Token("dpd-sandbox-1"))
    tap = Tap(bench)
    assert bench.buy().result
    bench.close()
    assert len(orders(tap)) == 2
    assert len(list(bench.ledger.everything("label"))) == 1


@pytest.mark.parametrize(("detail", "unknown"), [(KNOWN, False), (BROKEN, True)])
def test_a_fault_with_a_code_of_dpd_is_a_plain_no(detail: dict[str, dict[str, str]], unknown: bool) -> None:
    bench = Bench(Dpd, ("BE", "BE"))
    tap = Tap(bench)
    fault = make_soap_fault("Server", "Fault occured", detail=detail)
    tap.instead = lambda request: fault if request in orders(tap) else None
    outcome = bench.buy()
    bench.close()
    assert (outcome.failed, outcome.unknown) == (True, unknown)


def test_what_is_said_beside_the_numbers_of_parcels_is_no_refusal() -> None:
    def warn(request: Request, reply: Reply) -> Reply:
        fault = b"<faults><faultCode>W1</faultCode><message>long street</message></faults>"
        return replace(
            reply, content=reply.content.replace(b"</shipmentResponses>", fault + b"</shipmentResponses>")
        )

    bench = Bench(Dpd, ("BE", "BE"))
    tap = Tap(bench)
    tap.after = warn
    outcome = bench.buy()
    bench.close()
    assert outcome.result
    assert [one.message for one in outcome.messages] == ["long street"]


def test_a_token_ends_half_an_hour_early_by_the_clock_of_the_server() -> None:
    answer = parse(
        "<a><return><authToken>t</authToken><authTokenExpires>2025-03-05T03:00:00.06</authTokenExpires></return></a>"
    )
    expires = read_token(answer).expires_at
    assert expires
    assert f"{expires.astimezone(MONDAY.tzinfo):%d %H:%M}" == "05 01:30"


def test_weights_go_in_steps_of_ten_grams_and_sides_as_one_number() -> None:
    assert [weigh(Decimal(text)) for text in ("3", "1.234", "0.001")] == [300, 124, 1]
    box = Parcel(length=Decimal("30"), width=Decimal("9.5"), height=Decimal("100"), dimension_unit="CM")
    assert measure(box) == "030010100"
