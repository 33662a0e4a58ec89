"""What every carrier promises, shown in its simulator. `pytest --carrier SLUG` runs it for one."""

from __future__ import annotations

import base64
from collections.abc import Mapping
from itertools import pairwise
from typing import Any

import pypdfium2
import pytest
from pydantic import ValidationError

from shipcli.carrier import CarrierConfig, registry
from shipcli.carrier.fields import list_hosts
from shipcli.carrier.wire.calls import read_origin
from shipcli.models import ShipmentRequest
from tests.carriers.bench import AnyCarrier, Bench, address, lane, parcel, said
from tests.carriers.papers import barcodes
from tests.carriers.promises import DELIVERED, FAILED, READERS_FAULT, UNDER_WAY, needs, refused, track, void
from tests.carriers.tap import Tap
from tests.memory_ledger import MemoryLedger

FORMATS = ("PDF", "ZPL", "PNG", "JPG", "TIFF", "SVG")


def test_no_carrier_is_broken() -> None:
    assert registry.list_broken() == {}


def test_every_carrier_has_a_simulator(carrier_class: AnyCarrier) -> None:
    assert registry.get_simulator(carrier_class.slug).slug == carrier_class.slug


def list_origins(bench: Bench) -> dict[str, bool]:
    """The origins that prices, a label and its tracking are asked at, and whether the class states them."""
    tap = Tap(bench)
    if bench.carrier_class.can("rate"):
        bench.quote()
    if bench.carrier_class.can("ship"):
        service = (bench.carrier_class.services.slugs() or [""])[0]
        bench.ask("ship", ShipmentRequest.model_validate(bench.shipment(service=service, label_type="PDF")))
    if bench.carrier_class.can("track"):
        track(bench, "1Z9999999999999999")
    return {read_origin(request.url): request.is_stated for request in tap.sent}


def test_a_setting_that_becomes_a_host_is_marked_as_one_and_the_host_is_checked(bench: Bench) -> None:
    """Every text of the credentials and the config is an address within: what asks there must say so."""
    kind = bench.carrier_class
    models = {kind.Credentials: kind.sample_account, kind.Config: {}}
    names = [(model, name) for model in models for name in model.model_fields]
    for model, name in names:
        if name in CarrierConfig.model_fields:
            continue  # those of all carriers are no hosts
        within = f"https://{name.lower().replace('_', '-')}.within.test"
        try:
            settings = model.model_validate({**models[model], name: within})
        except ValidationError:
            continue
        bench.credentials = {name: within} if model is kind.Credentials else {}
        bench.config = {name: within} if model is kind.Config else {}
        inside = {one: stated for one, stated in list_origins(bench).items() if ".within.test" in one}
        assert not inside or name in list_hosts(settings), f"{name} needs the type ServerUrl"
        assert not any(inside.values())


# -- prices ----------------------------------------------------------------------------------------


@needs("rate")
def test_quotes_name_services_of_the_catalogue_and_are_never_free(bench: Bench) -> None:
    outcome = bench.quote()
    assert outcome.result, said(outcome)
    own = {*bench.carrier_class.services.slugs(), *bench.carrier().list_offered()}
    for quote in outcome.result:
        assert quote.service in own
        assert quote.total_charge > 0
        assert len(quote.currency or "") == 3


def is_told_weights(bench: Bench) -> bool:
    """Whether the weight of a parcel makes a difference to what is asked; a rate sheet is asked nothing."""
    bench.quote()  # logs in
    tap, asked = Tap(bench), []
    for weight in ("1", "2"):
        tap.sent.clear()
        bench.quote(parcel(weight))
        asked.append(tap.wires())
    return not any(asked) or asked[0] != asked[1]


def has_weight_steps(bench: Bench) -> bool:
    """Whether a kilogram more costs more: a flat tariff is one price for all weights."""
    return any(tariff.per_kg for tariff in registry.get_simulator(bench.carrier_class.slug).tariffs)


@needs("rate")
def test_a_heavier_parcel_is_never_cheaper(bench: Bench) -> None:
    priced = [
        {quote.service: quote.total_charge for quote in bench.quote(parcel(weight)).result or []}
        for weight in ("0.5", "1.5", "5")
    ]
    for light, heavy in pairwise(priced):
        assert all(light[service] <= heavy[service] for service in light.keys() & heavy.keys())
    if has_weight_steps(bench) and is_told_weights(bench):
        assert min(priced[0].values()) < min((priced[2] or priced[1]).values())


@needs("rate")
def test_two_parcels_cost_more_than_one(bench: Bench) -> None:
    one = {quote.service: quote.total_charge for quote in bench.quote(parcel("1")).result or []}
    two = {quote.service: quote.total_charge for quote in bench.quote(parcel("1"), parcel("1")).result or []}
    assert all(one[service] <= two[service] for service in one.keys() & two.keys())
    flat = registry.get_simulator(bench.carrier_class.slug).tariffs and not has_weight_steps(bench)
    assert flat or all(one[service] < two[service] for service in one.keys() & two.keys())


KEEPS_DRAFTS = frozenset({"amazon_shipping", "easypost"})  # a purchase names the priced draft by its id


class WatchedLedger(MemoryLedger):
    """A ledger that tells what was written."""

    def __init__(self) -> None:
        super().__init__()
        self.written: list[str] = []

    def next_number(self, slug: str, series: str = "label") -> int:
        self.written.append(series)
        return super().next_number(slug, series)

    def put(self, slug: str, kind: str, key: str, record: Mapping[str, Any]) -> None:
        self.written.append(kind)
        super().put(slug, kind, key, record)


@needs("rate", when=lambda carrier_class: carrier_class.slug not in KEEPS_DRAFTS)
def test_a_price_leaves_nothing_in_the_ledger(carrier_class: AnyCarrier) -> None:
    ledger = WatchedLedger()
    bench = Bench(carrier_class, lane(carrier_class), ledger=ledger)
    assert bench.quote().result
    bench.close()
    assert ledger.written == []


@needs("rate")
def test_a_weight_nobody_carries_is_a_message(bench: Bench) -> None:
    outcome = bench.quote(parcel("5000"))
    if not is_told_weights(bench):
        assert outcome.result
        return
    assert not outcome.result
    assert outcome.messages
    assert READERS_FAULT not in said(outcome)


# -- labels ----------------------------------------------------------------------------------------


@pytest.mark.parametrize("label_type", ["PDF", "ZPL", "PNG"])
@needs("ship")
def test_a_label_comes_as_asked_and_its_barcode_holds_the_number(bench: Bench, label_type: str) -> None:
    from shipcli.drawing import find_label_kind

    outcome = bench.buy(label_type=label_type)
    if label_type == "PNG" and outcome.result is None:
        assert outcome.messages, "a label type that is not offered must be refused with a reason"
        return
    assert outcome.result, said(outcome)
    content = base64.b64decode(outcome.result.docs["label"])
    assert find_label_kind(content) == outcome.result.label_type
    assert any(outcome.result.tracking_number in text for text in barcodes(content))


@needs("ship")
def test_labels_come_in_the_formats_that_the_carrier_states(bench: Bench) -> None:
    given = [
        kind for kind in FORMATS if (label := bench.buy(label_type=kind).result) and label.label_type == kind
    ]
    assert list(bench.carrier_class.label_formats) == given


@needs("ship")
def test_two_equal_purchases_give_two_numbers(bench: Bench) -> None:
    assert bench.bought().tracking_number != bench.bought().tracking_number


@needs("ship", network=True)
def test_a_service_nobody_sells_is_refused(bench: Bench) -> None:
    outcome = bench.buy(service="no_such_service")
    assert refused(outcome)


@needs("ship", "recover")
def test_a_purchase_is_found_again_by_its_key(bench: Bench) -> None:
    bench.purchases += 1
    key, request = f"{bench.purchases:032x}", bench.request()
    bought = bench.ask("ship", request, key=key)
    assert bought.result, said(bought)
    found = bench.ask("recover", request, key=key)
    assert found.result, said(found)
    assert found.result.tracking_number == bought.result.tracking_number


@needs("ship", "recover", network=True)
def test_a_purchase_that_never_was_is_not_found(bench: Bench) -> None:
    outcome = bench.ask("recover", bench.request(), key="f" * 32)
    assert (outcome.result, outcome.failed) == (None, False), said(outcome)


@needs("rate", "ship")
def test_a_company_sends_and_receives_without_naming_a_person(bench: Bench) -> None:
    sides = {
        "shipper": address(bench.lane[0], "Ann Sender"),
        "recipient": address(bench.lane[1], "Bob Receiver"),
    }
    outcome = bench.buy(**{side: one.model_copy(update={"person_name": None}) for side, one in sides.items()})
    assert outcome.result, said(outcome)


@needs("rate", "ship")
def test_a_company_is_printed_no_more_than_once_on_a_label(bench: Bench) -> None:
    company = "Quill and Vellum Ltd"
    recipient = address(bench.lane[1], "Bob Receiver").model_copy(update={"company_name": company})
    outcome = bench.buy(recipient=recipient)
    assert outcome.result, said(outcome)
    if outcome.result.label_type == "PDF":
        page = pypdfium2.PdfDocument(base64.b64decode(outcome.result.docs["label"]))[0]
        assert " ".join(page.get_textpage().get_text_range().split()).count(company) <= 1


@needs("rate", "ship", network=True)
def test_the_flat_of_a_recipient_is_told(bench: Bench) -> None:
    service, tap = bench.service(), Tap(bench)
    flat = address(bench.lane[1], "Bob Receiver").model_copy(update={"address_line2": "Flat 42Z"})
    bench.buy(recipient=flat, service=service)
    assert "42Z" in "".join(f"{one.url} {one.content.decode('utf-8', 'replace')}" for one in tap.sent)


# -- voids -----------------------------------------------------------------------------------------


@needs("ship", "void")
def test_a_label_is_voided(bench: Bench) -> None:
    outcome = void(bench, bench.bought().shipment_identifier or "")
    assert outcome.result, said(outcome)
    assert outcome.result.success


@needs("ship", "void", network=True)
def test_a_label_is_not_voided_twice(bench: Bench) -> None:
    number = bench.bought().shipment_identifier or ""
    void(bench, number)
    assert refused(void(bench, number))


@needs("void", network=True)
def test_the_void_of_an_unknown_label_is_refused(bench: Bench) -> None:
    assert refused(void(bench, "99999999999"))


# -- tracking --------------------------------------------------------------------------------------


@needs("ship", "track")
def test_a_bought_label_is_tracked_until_it_is_delivered(bench: Bench) -> None:
    number = bench.bought().tracking_number
    bench.wait(hours=1)
    early = track(bench, number)
    bench.wait(days=5)
    late = track(bench, number)
    assert [one.tracking_number for one in early.result or []] == [number], said(early)
    assert [(one.status, one.delivered) for one in late.result or []] == [("delivered", True)], said(late)
    told = [[event.model_dump() for event in one.result[0].events] for one in (early, late) if one.result]
    assert [event for event in told[1] if event not in told[0]], "nothing new is told of a parcel that moved"


@needs("track", network=True)
def test_magic_numbers_have_their_status(bench: Bench) -> None:
    outcome = track(bench, DELIVERED)
    assert [one.status for one in outcome.result or []] == ["delivered"], said(outcome)


@needs("track", network=True)
def test_events_of_a_tracking_have_a_day_and_a_description(bench: Bench) -> None:
    outcome = track(bench, DELIVERED)
    assert outcome.result, said(outcome)
    events = outcome.result[0].events
    assert all(len(event.date or "") == 10 and event.description for event in events)


@needs("track", network=True)
def test_an_unknown_number_spoils_no_other_of_a_batch(bench: Bench) -> None:
    outcome = track(bench, DELIVERED, "NOSUCHNUMBER1", UNDER_WAY, FAILED)
    found = [one.tracking_number for one in outcome.result or []]
    assert found == [DELIVERED, UNDER_WAY, FAILED], said(outcome)
    assert outcome.messages
    assert READERS_FAULT not in said(outcome)
