"""A carrier at work in its simulator: one connection, one ledger, a clock that stands still until moved."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime, timedelta
from functools import cache
from typing import Any

from shipcli.carrier import (
    Bought,
    Call,
    Carrier,
    CarrierError,
    Context,
    Flow,
    Reply,
    Request,
    Token,
    registry,
)
from shipcli.carrier.preparation.flows import fetch_flow
from shipcli.carrier.sending.driver import Driver
from shipcli.carrier.sending.jobs import CarrierJob, FlowOutcome
from shipcli.carrier.sending.ports import MemoryTokens, Trace, TransportError
from shipcli.carrier.sending.transport import SimulatorTransport
from shipcli.carrier.simulation.simulator import Simulator
from shipcli.carrier.wire.json_paths import as_list
from shipcli.models import (
    Address,
    Label,
    Parcel,
    PickupDetails,
    Quote,
    RateRequest,
    ShipmentRequest,
    TrackingRequest,
)
from tests.memory_ledger import MemoryLedger

AnyCarrier = type[Carrier[Any, Any]]
MONDAY = datetime(2025, 3, 3, 15, 0, tzinfo=UTC)

PLACES: Mapping[str, Mapping[str, str]] = {
    "US": {"address_line1": "350 5th Ave", "city": "New York", "state_code": "NY", "postal_code": "10118",
           "phone_number": "+1 212-736-3100"},
    "CA": {"address_line1": "5840 Rue Oscar", "city": "Montreal", "state_code": "QC", "postal_code": "H8Z2Z3",
           "phone_number": "+1 514-000-0000"},
    "GB": {"address_line1": "10 Downing Street", "city": "London", "postal_code": "SW1A 2AA",
           "phone_number": "+44 20 7925 0918"},
    "DE": {"address_line1": "Platz der Republik 1", "city": "Berlin", "postal_code": "11011",
           "phone_number": "+49 30 22732152"},
    "FR": {"address_line1": "5 Avenue Anatole France", "city": "Paris", "postal_code": "75007",
           "phone_number": "+33 892 70 12 39"},
    "AU": {"address_line1": "Bennelong Point", "city": "Sydney", "state_code": "NSW", "postal_code": "2000",
           "phone_number": "+61 2 9250 7111"},
    "NZ": {"address_line1": "55 Cable Street", "city": "Wellington", "postal_code": "6011",
           "phone_number": "+64 4 381 7000"},
    "AT": {"address_line1": "Stephansplatz 1", "city": "Wien", "postal_code": "1010",
           "phone_number": "+43 1 515523530"},
    "CH": {"address_line1": "Bundesplatz 3", "city": "Bern", "postal_code": "3005",
           "phone_number": "+41 58 322 21 11"},
    "PL": {"address_line1": "Plac Defilad 1", "city": "Warszawa", "postal_code": "00-901",
           "phone_number": "+48 22 656 76 00"},
    "BE": {"address_line1": "Grote Markt 1", "city": "Brussel", "postal_code": "1000",
           "phone_number": "+32 2 279 22 11"},
    "NL": {"address_line1": "Museumstraat 1", "city": "Amsterdam", "postal_code": "1071 XX",
           "phone_number": "+31 20 674 7000"},
    "IT": {"address_line1": "Piazza Navona 1", "city": "Roma", "state_code": "RM", "postal_code": "00186",
           "phone_number": "+39 06 3996 7700"},
    "ES": {"address_line1": "Calle de Ruiz de Alarcon 23", "city": "Madrid", "postal_code": "28014",
           "phone_number": "+34 913 30 28 00"},
    "AM": {"address_line1": "Republic Square 1", "city": "Yerevan", "postal_code": "0010",
           "phone_number": "+374 10 520 691"},
}  # fmt: skip
LANES = (("US", "US"), ("US", "GB"), *((one, one) for one in PLACES if one != "US"))


def address(country: str, name: str) -> Address:
    return Address.model_validate(
        {
            "person_name": name,
            "company_name": f"{name} Ltd",
            "email": "desk@example.com",
            "country_code": country,
            **PLACES[country],
        }
    )


def parcel(weight_kg: str = "1.5", **values: Any) -> Parcel:
    size = {"length": 20, "width": 15, "height": 10, "dimension_unit": "CM"}
    item = {"sku": "T-1", "title": "T-shirt", "description": "Cotton T-shirt", "quantity": 1, "weight": "0.2",
            "weight_unit": "KG", "value_amount": 20, "value_currency": "USD", "origin_country": "US",
            "hs_code": "610910"}  # fmt: skip
    return Parcel.model_validate(
        {"weight": weight_kg, "weight_unit": "KG", "items": [item], **size, **values}
    )


def customs(
    origin: str, destination: str, parcels: Sequence[Parcel], currency: str = "USD"
) -> dict[str, Any] | None:
    """A declaration for shipments that cross a border."""
    if origin == destination:
        return None
    return {
        "commodities": [item.model_dump() for one in parcels for item in one.items],
        "content_type": "merchandise",
        "content_description": "Clothes",
        "incoterm": "DDU",
        "signer": "Ann Sender",
        "duty": {"paid_by": "recipient", "currency": currency, "declared_value": 20},
    }


def value_in(currency: str, parcels: Sequence[Parcel]) -> list[Parcel]:
    """Parcels whose goods have their values, stated in dollars, in a currency of a carrier's forms."""
    return [
        box.model_copy(update={"items": [
            item.model_copy(update={"value_currency": currency}) if item.value_currency == "USD" else item
            for item in box.items
        ]})
        for box in parcels
    ]  # fmt: skip


async def pass_time(seconds: float) -> None:
    """A pause of a flow, which simulators need not."""


_drivers: list[Driver] = []  # of all benches since `close_drivers`


def close_drivers() -> None:
    """End the event loop of every bench; one that is asked again later starts another."""
    while _drivers:
        _drivers.pop().close()


class LossyTransport(SimulatorTransport):
    """Simulators that act on every request, and whose answers to some of them never arrive."""

    def __init__(self, simulator_of: Callable[[str], Simulator], loses: Callable[[Request], bool]) -> None:
        super().__init__(simulator_of)
        self._loses = loses

    async def send(self, request: Request) -> Reply:
        reply = await super().send(request)
        if self._loses(request):
            raise TransportError("the answer is lost", sent=True)
        return reply


@dataclass
class Bench:
    """One connection of a carrier, everything it said kept.

    Shapes: `calls` are those of its flows; `loses` picks the requests whose answers are lost.
    """

    carrier_class: AnyCarrier
    lane: tuple[str, str] = ("US", "US")
    now: datetime = MONDAY
    credentials: Mapping[str, Any] = field(default_factory=dict)
    config: Mapping[str, Any] = field(default_factory=dict)
    scenario: str | None = None
    timeout_s: float = 30.0
    traces: list[Trace] = field(default_factory=list)
    ledger: MemoryLedger = field(default_factory=MemoryLedger)
    tokens: MemoryTokens = field(default_factory=MemoryTokens)
    calls: list[Call] = field(default_factory=list)
    loses: Callable[[Request], bool] = lambda request: False
    purchases: int = 0
    trackers: dict[str, str] = field(default_factory=dict)  # of hubs: tracking number -> their own tracker
    collected: dict[str, list[str]] = field(default_factory=dict)  # confirmation number -> its shipments
    sold: dict[str, dict[str, Any]] = field(default_factory=dict)  # by identifier, as the product stores them

    def __post_init__(self) -> None:
        simulator = registry.get_simulator(self.carrier_class.slug)(self.ledger, lambda: self.now)
        transport = LossyTransport(lambda slug: simulator, lambda request: self.loses(request))
        self.driver = Driver(
            lambda carrier: transport,
            tokens=self.tokens,
            traces=self,
            observe=lambda job, result: simulator.observe(job.verb, job.carrier, result),
            clock=lambda: self.now,
            sleep=pass_time,
        )
        _drivers.append(self.driver)

    def record(self, traces: Sequence[Trace]) -> None:
        self.traces += traces

    def close(self) -> None:
        self.driver.close()

    def carrier(self, key: str = "0" * 32) -> Carrier[Any, Any]:
        account = {**self.carrier_class.sample_account, **self.credentials}
        context = Context(
            now=self.now,
            key=key,
            test_mode=True,
            carrier_id="bench",
            connection_id="car_bench",
            scenario=self.scenario,
            sample=True,
        )
        carrier = self.carrier_class.open(account, {**self.config, "sandbox": True}, context)
        carrier.timeout_s = self.timeout_s  # type: ignore[misc]  # shorter for this connection alone
        return carrier

    def ask(self, verb: str, request: Any, *, key: str = "0" * 32) -> FlowOutcome[Any]:
        job = CarrierJob.of(self.carrier(key), verb, request)
        outcome = self.driver.run(replace(job, flow=self.watch(job.flow)))
        if isinstance(outcome.result, Label):
            self.keep(request, outcome.result)
        if isinstance(outcome.result, PickupDetails):
            self.collected[outcome.result.confirmation_number] = list(request.shipment_identifiers)
        return outcome

    def keep(self, request: Any, label: Label) -> None:
        """What the product knows of a shipment later."""
        self.sold[str(label.shipment_identifier)] = {**request.model_dump(), **label.model_dump()}
        if tracker := label.meta.get("tracker_id"):
            self.trackers[label.tracking_number] = str(tracker)

    def fetch_label(self, bought: Bought, request: ShipmentRequest) -> FlowOutcome[Any]:
        """The label of a purchase whose file was lost."""
        carrier = self.carrier()
        return self.driver.run(CarrierJob(carrier, "fetch_label", fetch_flow(carrier, bought, request)))

    def watch(self, flow: Flow[Any]) -> Flow[Any]:
        """The flow, every call it makes noted."""
        resume, given = flow.send, None
        while True:
            try:
                asked: Any = resume(given)
            except StopIteration as done:
                return done.value
            self.calls += [one for one in as_list(asked) if isinstance(one, Call)]
            try:
                resume, given = flow.send, (yield asked)
            except CarrierError as error:
                resume, given = flow.throw, error

    def known_tokens(self) -> list[Token]:
        found = (self.tokens.get("car_bench", name) for name in self.carrier_class.tokens)
        return [token for token in found if token]

    # -- usual requests ------------------------------------------------------------------------

    def shipment(self, *parcels: Parcel, **values: Any) -> dict[str, Any]:
        origin, destination = self.lane
        takes = self.carrier_class.goods_currencies
        currency = "USD" if not takes or "USD" in takes else takes[0]
        boxes = value_in(currency, parcels or [parcel()])
        return {
            "shipper": address(origin, "Ann Sender"),
            "recipient": address(destination, "Bob Receiver"),
            "parcels": boxes,
            "customs": customs(origin, destination, boxes, currency),
            "options": {"shipment_date": self.now.date().isoformat()},
            **values,
        }

    def quote(self, *parcels: Parcel) -> FlowOutcome[list[Quote]]:
        return self.ask("rate", RateRequest.model_validate(self.shipment(*parcels)))

    def service(self) -> str:
        """The cheapest service, or the first of a carrier that quotes nothing."""
        if not self.carrier_class.can("rate"):
            return self.carrier_class.services.slugs()[0]
        quotes = self.quote().result or []
        return str(min(quotes, key=lambda quote: quote.total_charge).service)

    def request(self, *parcels: Parcel, **values: Any) -> ShipmentRequest:
        return ShipmentRequest.model_validate(
            self.shipment(*parcels, **{"service": self.service(), "label_type": "PDF", **values})
        )

    def buy(self, *parcels: Parcel, **values: Any) -> FlowOutcome[Label]:
        """A label under a key of its own, as every purchase has."""
        self.purchases += 1
        return self.ask("ship", self.request(*parcels, **values), key=f"{self.purchases:032x}")

    def bought(self, **values: Any) -> Label:
        outcome = self.buy(**values)
        assert outcome.result, said(outcome)
        return outcome.result

    def tracking(self, *numbers: str) -> TrackingRequest:
        """A question for numbers, with the trackers that a hub made of them, as the product asks it."""
        known = {one: {"tracker_id": self.trackers[one]} for one in numbers if one in self.trackers}
        return TrackingRequest(tracking_numbers=list(numbers), options=known)

    def wait(self, **time: float) -> None:
        self.now += timedelta(**time)


def said(outcome: FlowOutcome[Any]) -> str:
    return "; ".join(f"{one.code}: {one.message}" for one in outcome.messages)


def lane(carrier_class: AnyCarrier) -> tuple[str, str]:
    """The first lane that the carrier quotes, from the country of its account if it can be; that country for
    one that quotes nothing.
    """
    return _lane(carrier_class.slug)


@cache
def _lane(slug: str) -> tuple[str, str]:
    carrier_class = registry.get(slug)
    own = carrier_class.sample_account.get("account_country_code")
    home = str(own or carrier_class.home_country or "US")
    abroad = [(home, end) for end in dict.fromkeys(("GB", *PLACES))] if own else []
    for one in ((home, home), *abroad, *LANES) if carrier_class.can("rate") else ():
        bench = Bench(carrier_class, one)
        try:
            if bench.quote().result:
                return one
        finally:
            bench.close()
    return home, home
