"""What every carrier promises of shipments of two parcels, and of those that leave the country."""

from __future__ import annotations

import base64
import re
from collections.abc import Iterator, Sequence
from typing import Any
from urllib.parse import unquote_plus

import pytest

from shipcli.carrier import Reply, Request
from shipcli.carrier.simulation.simulator import LABEL
from shipcli.drawing import count_pages
from shipcli.models import Label, Parcel
from shipcli.models.basics.areas import crosses_customs
from tests.carriers.bench import AnyCarrier, Bench, lane, parcel, said
from tests.carriers.declared_goods import check_declared_goods, check_declared_variant
from tests.carriers.errands import (
    carries_two,
    cheapest,
    lane_abroad,
    leaves_its_country,
    two_parcels,
    void_of,
)
from tests.carriers.promises import needs
from tests.carriers.tap import Tap

# A file in base64, as a member or an element holds it.
LABEL_TEXT = re.compile(rb"""(?<=["'>])(?:JVBERi0|XlhB|iVBORw0KGgo|R0lGOD)[^"'<]*""")

# -- two parcels -----------------------------------------------------------------------------------


@pytest.fixture
def pair(carrier_class: AnyCarrier) -> Iterator[Bench]:
    """A bench of a carrier that quotes shipments of two parcels."""
    bench = Bench(carrier_class, lane(carrier_class))
    yield bench
    bench.close()


def buy_two(bench: Bench, label_type: str = "PDF", service: str | None = None) -> Label:
    service = service or cheapest(bench.quote(*two_parcels()).result or [])
    outcome = bench.buy(*two_parcels(), service=service, label_type=label_type)
    assert outcome.result, said(outcome)
    return outcome.result


@needs("rate", "ship", when=carries_two)
def test_two_parcels_cost_more_than_each_of_them(pair: Bench) -> None:
    both = {quote.service: quote.total_charge for quote in pair.quote(*two_parcels()).result or []}
    for one in two_parcels():
        single = {quote.service: quote.total_charge for quote in pair.quote(one).result or []}
        shared = both.keys() & single.keys()
        assert shared
        assert all(both[service] > single[service] for service in shared)


@needs("rate", "ship", when=carries_two)
def test_two_parcels_are_bought_at_the_price_that_was_quoted_for_them(pair: Bench) -> None:
    quotes = {quote.service: quote for quote in pair.quote(*two_parcels()).result or []}
    tap = Tap(pair)
    paid = buy_two(pair, service=cheapest(list(quotes.values()))).selected_rate
    told = (f"{one.total_charge}" in reply.text for one in quotes.values() for reply in tap.received)
    if paid is None and not any(told):
        return  # it tells no price with its label: that of the quote stands
    assert paid is not None
    quoted = quotes[paid.service]
    assert (paid.total_charge, paid.currency) == (quoted.total_charge, quoted.currency)


@needs("rate", "ship", when=carries_two)
def test_two_parcels_have_a_number_each_or_one_for_both(pair: Bench) -> None:
    label = buy_two(pair)
    numbers = label.meta.get("tracking_numbers") or [label.tracking_number]
    assert len(set(numbers)) == len(numbers) <= 2
    assert label.tracking_number == numbers[0]
    assert len(pair.ledger.find(pair.carrier_class.slug, LABEL)) == 2 or not pair.carrier_class.hosts


@needs("rate", "ship", when=carries_two)
def test_half_a_label_is_none(pair: Bench) -> None:
    """Each parcel has a file of its own in an answer, and the last one does not come."""
    service = cheapest(pair.quote(*two_parcels()).result or [])
    tap, halved = Tap(pair), set[str]()

    def halve(request: Request, reply: Reply) -> Reply:
        files = [*LABEL_TEXT.finditer(reply.content)]
        if len(files) < 2:
            return reply
        halved.add(request.path)
        whole, last = reply.content, files[-1]
        return Reply(reply.status, whole[: last.start()] + whole[last.end() :], reply.headers)

    tap.after = halve
    outcome = pair.buy(*two_parcels(), service=service, label_type="PDF")
    if not halved:  # one file for both, or a call for each
        assert outcome.result, said(outcome)
    elif outcome.result is None:
        assert outcome.paid, said(outcome)
    else:  # what did not come was another paper
        assert count_pages(base64.b64decode(outcome.result.docs["label"])) >= 2


@pytest.mark.parametrize("label_type", ["PDF", "ZPL"])
@needs("rate", "ship", when=carries_two)
def test_the_label_of_two_parcels_has_a_page_for_each(pair: Bench, label_type: str) -> None:
    from shipcli.drawing import count_pages, find_label_kind

    label = buy_two(pair, label_type)
    content = base64.b64decode(label.docs["label"])
    assert (find_label_kind(content), count_pages(content)) == (label.label_type, 2)


@needs("rate", "ship", "void", when=carries_two)
def test_a_void_takes_both_parcels_back(pair: Bench) -> None:
    label = buy_two(pair)
    request = void_of(pair, label)
    outcome = pair.ask("void", request)
    assert outcome.result, said(outcome)
    assert outcome.result.success
    numbers = label.meta.get("tracking_numbers") or [label.tracking_number]
    held = [pair.ledger.get(pair.carrier_class.slug, LABEL, one) for one in numbers]
    assert [one["number"] for one in held if one and not one.get("voided_at")] == []


@needs("rate", "ship", network=True, when=carries_two)
def test_what_parcels_are_insured_for_is_not_spread_over_all_of_them(pair: Bench) -> None:
    parcels = [parcel(options={"insurance": amount}) for amount in ("1111.30", "22.50")]
    assert not re.findall(r"\b566\.90?\b", "\n".join(sent_to_buy(pair, parcels).values()))


@needs("rate", "ship", network=True, when=carries_two)
def test_what_a_shipment_is_insured_for_is_not_told_of_each_of_its_parcels(pair: Bench) -> None:
    """Twice in a call, or in each of the calls that buy a parcel: each would be insured for the whole."""
    sent = sent_to_buy(pair, two_parcels(), insurance="1718.34")
    assert [url for url, text in sent.items() if text.count("1718.34") > 1] == []


def sent_to_buy(bench: Bench, parcels: Sequence[Parcel], **options: Any) -> dict[str, str]:
    """What goes out with a purchase, by address; nothing where its options are refused."""
    service = cheapest(bench.quote(*two_parcels()).result or [])
    tap, sent = Tap(bench), dict[str, str]()
    bench.buy(*parcels, service=service, options={"shipment_date": bench.now.date().isoformat(), **options})
    for one in tap.sent:
        url, _, query = one.url.partition("?")
        sent[url] = "\n".join([sent.get(url, ""), query, one.content.decode("utf-8", "replace")])
    return {url: unquote_plus(text) for url, text in sent.items()}


# -- abroad ----------------------------------------------------------------------------------------


@pytest.fixture
def border(carrier_class: AnyCarrier) -> Iterator[Bench]:
    """A bench of a carrier whose shipments leave the country."""
    where = lane_abroad(carrier_class)
    assert where is not None
    bench = Bench(carrier_class, where)
    yield bench
    bench.close()


@needs("rate", "ship", when=leaves_its_country)
def test_papers_of_a_shipment_abroad_can_be_printed(border: Bench) -> None:
    from shipcli.drawing import count_pages, find_label_kind

    label = border.bought()
    assert label.docs["label"]
    for name, text in label.docs.items():
        content = base64.b64decode(text)
        assert find_label_kind(content), name
        assert count_pages(content) >= 1, name


@needs("rate", "ship", network=True, when=leaves_its_country)
def test_the_goods_of_a_shipment_abroad_are_declared(border: Bench) -> None:
    if not crosses_customs(*border.lane):
        pytest.skip("it quotes no lane over a customs border")
    check_declared_goods(border)


@needs("rate", "ship", network=True, when=leaves_its_country)
def test_the_variant_of_goods_is_declared_with_them(border: Bench) -> None:
    if not crosses_customs(*border.lane):
        pytest.skip("it quotes no lane over a customs border")
    check_declared_variant(border)
