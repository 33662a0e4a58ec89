"""What every carrier promises of the terms of trade: they follow who pays the duties."""

from __future__ import annotations

from collections.abc import Mapping
from urllib.parse import unquote

import pytest

from shipcli.carrier.customs_names import list_customs_names
from shipcli.carrier.duties import check_terms, choose_payer, read_terms
from shipcli.models import Customs, Duty, Invalid
from tests.carriers.bench import AnyCarrier, Bench, said
from tests.carriers.errands import ERRANDS, lane_across_customs, run_errand
from tests.carriers.promises import needs
from tests.carriers.tap import Tap


def order_abroad(bench: Bench, duty: Duty | None, incoterm: str | None) -> str:
    """What goes out for a purchase abroad with these duties and terms."""
    request = ERRANDS["ship"](bench)
    if request.customs is None:
        return ""
    customs = request.customs.model_copy(update={"duty": duty, "incoterm": incoterm})
    tap = Tap(bench)
    run_errand(bench, "ship", request.model_copy(update={"customs": customs}))
    return "\n".join(f"{url} {body.decode(errors='replace')}" for _, url, body in tap.wires())


@needs("ship", network=True)
def test_the_sender_pays_no_duties_unless_the_sender_is_named(carrier_class: AnyCarrier) -> None:
    where = lane_across_customs(carrier_class)
    for duty in (None, Duty(paid_by="recipient")):
        bench = Bench(carrier_class, where or ("US", "US"))
        text = order_abroad(bench, duty, None) if where else ""
        bench.close()
        assert "DDP" not in text


@needs("ship", network=True)
def test_who_pays_the_duties_is_told_or_said_not_to_be(carrier_class: AnyCarrier) -> None:
    where = lane_across_customs(carrier_class)
    if where is None:
        return
    orders = []
    for payer in ("recipient", "sender"):
        bench = Bench(carrier_class, where)
        orders.append(order_abroad(bench, Duty(paid_by=payer), None))
        bench.close()
    assert (orders[0] != orders[1]) == carrier_class.tells_payer


@needs("ship", network=True)
def test_numbers_for_customs_are_sent_as_they_are(carrier_class: AnyCarrier) -> None:
    where = lane_across_customs(carrier_class)
    table = carrier_class.catalogue.customs_options if carrier_class.catalogue else ()
    for row in table if where else ():
        number = row.example or "5A7N9"
        if row.type is str:
            assert number in order_with(carrier_class, where, options={row.slug: number}), row.slug


@needs("ship", network=True)
@pytest.mark.parametrize(
    ("name", "written", "number"),
    [("aes", "AES X20250305123456", "X20250305123456"), ("eel_pfc", "NOEEI 30.37(a)", "30.37(a)")],
)
def test_the_filing_of_an_export_goes_out_as_people_write_it(
    carrier_class: AnyCarrier, name: str, written: str, number: str
) -> None:
    where = lane_across_customs(carrier_class)
    if where and name in list_customs_names(carrier_class):
        assert number in unquote(order_with(carrier_class, where, options={name: written}))


@needs("ship", network=True)
def test_the_filing_of_an_export_goes_out_beside_other_numbers(carrier_class: AnyCarrier) -> None:
    where = lane_across_customs(carrier_class)
    if where and {"aes", "ioss"} <= set(list_customs_names(carrier_class)):
        numbers = {"aes": "X20250305123456", "ioss": "IM2760000742"}
        text = order_with(carrier_class, where, options=numbers)
        assert all(text.count(number) == 1 for number in numbers.values())


@needs("ship", network=True)
def test_the_tax_number_of_a_recipient_is_told_or_said_not_to_be(carrier_class: AnyCarrier) -> None:
    where = lane_across_customs(carrier_class)
    if where:
        sent = "98765432100" in order_with(carrier_class, where, tax_number="98765432100")
        assert sent == carrier_class.tells_tax_number


def order_with(
    carrier_class: AnyCarrier,
    where: tuple[str, str],
    *,
    options: Mapping[str, str] | None = None,
    tax_number: str | None = None,
) -> str:
    """What goes out for a purchase abroad with these options of the declaration."""
    bench = Bench(carrier_class, where)
    request = ERRANDS["ship"](bench)
    customs = request.customs.model_copy(update={"options": options or {}})
    recipient = request.recipient.model_copy(update={"federal_tax_id": tax_number})
    tap = Tap(bench)
    run_errand(bench, "ship", request.model_copy(update={"customs": customs, "recipient": recipient}))
    bench.close()
    return "\n".join(f"{url} {body.decode(errors='replace')}" for _, url, body in tap.wires())


@needs("ship", network=True)
def test_no_caller_of_a_carrier_gets_past_a_contradiction(carrier_class: AnyCarrier) -> None:
    where = lane_across_customs(carrier_class)
    for verb in ("rate", "ship") if where else ():
        if not carrier_class.can(verb):
            continue
        bench = Bench(carrier_class, where or ("US", "US"))
        request, tap = ERRANDS[verb](bench), Tap(bench)
        customs = request.customs and request.customs.model_copy(
            update={"incoterm": "DDP", "duty": Duty(paid_by="recipient")}
        )
        outcome = run_errand(bench, verb, request.model_copy(update={"customs": customs}))
        bench.close()
        assert customs is None or "customs.incoterm" in said(outcome)
        assert customs is None or not tap.sent


@pytest.mark.parametrize(("incoterm", "payer"), [("DDP", "recipient"), ("DAP", "sender"), ("EXW", "sender")])
def test_terms_and_payer_that_contradict_each_other_are_refused(incoterm: str, payer: str) -> None:
    with pytest.raises(Invalid, match=r"customs\.incoterm"):
        check_terms(Customs(incoterm=incoterm, duty=Duty(paid_by=payer)))


@pytest.mark.parametrize(
    ("incoterm", "payer", "pays", "terms"),
    [
        (None, None, "recipient", "DAP"),
        (None, "sender", "sender", "DDP"),
        (None, "recipient", "recipient", "DAP"),
        ("DDP", None, "sender", "DDP"),
        ("FCA", None, "recipient", "FCA"),
        ("DDP", "third_party", "third_party", "DDP"),
        ("DAP", "third_party", "third_party", "DAP"),
    ],
)
def test_terms_follow_the_payer(incoterm: str | None, payer: str | None, pays: str, terms: str) -> None:
    customs = Customs(incoterm=incoterm, duty=Duty(paid_by=payer))
    check_terms(customs)
    assert (choose_payer(customs), read_terms(customs)) == (pays, terms)
