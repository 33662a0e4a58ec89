"""The driver of a sandbox: every carrier is simulated, and does what the scenario of a request says.

A scenario is passed to the simulator with the requests, and what no carrier's words can say is done to the
results, for all carriers alike.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from decimal import Decimal
from typing import TYPE_CHECKING, Any, TypeVar

from shipcli.carrier.sending.driver import Driver
from shipcli.carrier.sending.jobs import BINDING, AnyCarrier, CarrierJob, FlowOutcome
from shipcli.carrier.simulation import effects, scenarios
from shipcli.carrier.simulation.backend import TOO_HEAVY
from shipcli.carrier.simulation.bookings import PICKUP
from shipcli.carrier.simulation.lenience import answer_leniently
from shipcli.carrier.simulation.scenarios import (
    EXPIRED,
    FAILING,
    MAGIC,
    find_address_scenario,
    find_weight_scenario,
)
from shipcli.carrier.wire.calls import Bought
from shipcli.models import Label, Message, Model, PickupRequest, Quote, RateRequest, ShipmentRequest

if TYPE_CHECKING:
    from shipcli.carrier.simulation.simulator import Simulator

T = TypeVar("T")
Outcome = FlowOutcome[Any]
TIMED_OUT = "no answer in time"


class StagedDriver(Driver):
    """A driver whose carriers are simulated.

    `simulator_of` has the simulator of a carrier, `is_simulated` says whether a connection has one,
    `find_trouble` which scenario a fault puts a carrier in.
    """

    def __init__(
        self,
        *args: Any,
        simulator_of: Callable[[str], Simulator],
        is_simulated: Callable[[AnyCarrier], bool],
        find_trouble: Callable[[str, str | None, bool], str | None] = lambda *job: None,
        **settings: Any,
    ) -> None:
        super().__init__(*args, **settings)
        self.simulator_of, self.is_simulated = simulator_of, is_simulated
        self.find_trouble = find_trouble

    def run_all(self, jobs: Sequence[CarrierJob[T]]) -> list[FlowOutcome[T]]:
        """As `Driver.run_all`, with the scenario of each job."""
        for job in jobs:
            if self.is_simulated(job.carrier):
                set_scene(job)
                self._disturb(job)
        answered = {at: outcome for at, job in enumerate(jobs) if (outcome := self._answer_at_once(job))}
        ran = iter(super().run_all([job for at, job in enumerate(jobs) if at not in answered]))
        outcomes: list[Outcome] = [
            answered[at] if at in answered else self._direct(job, next(ran)) for at, job in enumerate(jobs)
        ]
        return spare_one(jobs, outcomes)

    # -- before a carrier is asked -------------------------------------------------------------

    def _disturb(self, job: CarrierJob[Any]) -> None:
        """Put a carrier in the trouble that a fault says."""
        context = job.carrier.context
        if trouble := self.find_trouble(job.carrier.slug, context.scenario, job.verb in BINDING):
            job.carrier.context = replace(context, scenario=trouble)

    def _answer_at_once(self, job: CarrierJob[Any]) -> Outcome | None:
        """The outcome of what is answered without asking the carrier; None for what is asked."""
        if not self.is_simulated(job.carrier):
            return None
        context = job.carrier.context
        if context.carrier_id.endswith(FAILING):
            return fail(job, "declined", f"The connection {context.carrier_id} refuses everything")
        if context.scenario == "partial" and job.verb == "ship" and len(job.request.parcels) <= 1:
            return fail(job, "declined", "Parcel 1 was declined: it has no second parcel")
        if context.scenario == "over_limit" and job.verb in ("rate", "ship"):
            return fail(job, "over_limit", TOO_HEAVY)  # before its own limits say it in words of their own
        simulator = self.simulator_of(job.carrier.slug)
        if simulator.lenient and (answer := answer_leniently(simulator, job.request)):
            return FlowOutcome(answer)
        return None if job.carrier.hosts else self._refuse_locally(job)

    def _refuse_locally(self, job: CarrierJob[Any]) -> Outcome | None:
        """The refusal of a carrier without a network, whose simulator is never asked."""
        match job.verb, job.carrier.context.scenario:
            case "ship", "declined" | "partial":
                return fail(job, "declined", "The purchase was declined")
            case "ship", "over_limit":
                return fail(job, "over_limit", TOO_HEAVY)
            case "void", _ if self._is_held(job):
                return fail(job, "too_late", "The shipment is on a manifest already")
            case _, "error" | "unavailable" | "rate_limited" | "closed" | "garbled" | "timeout" as trouble:
                return fail(job, trouble, f"{job.carrier.name}: {trouble}")
            case _, scenarios.ANSWER_LOST:  # there is nobody else who could have done it
                return fail(job, "closed", f"{job.carrier.name}: closed")
        return None

    def _is_held(self, job: CarrierJob[Any]) -> bool:
        label = self.simulator_of(job.carrier.slug).find_sold(job.request.shipment_identifier) or {}
        return label.get("scenario") == "void_late"

    # -- after it has answered -----------------------------------------------------------------

    def _direct(self, job: CarrierJob[Any], outcome: Outcome) -> Outcome:
        """Return the outcome of a job as its scenario wants it."""
        if not self.is_simulated(job.carrier):
            return outcome
        if job.verb == "fetch_label":
            return self._hand_out(job, outcome)
        result: Any = outcome.result
        if result is None:
            return outcome
        simulator, scenario = self.simulator_of(job.carrier.slug), job.carrier.context.scenario
        match job.verb:
            case "track":
                return replace(outcome, result=effects.direct_trackings(simulator, result, scenario))
            case "rate":
                return self._refuse_to_quote(job) or replace(outcome, result=price_all(result, scenario))
            case "ship":
                return self._direct_label(job, outcome, result)
            case "schedule_pickup" if closes_early(job.request):
                simulator.ledger.remove(simulator.slug, PICKUP, result.confirmation_number)
                return fail(job, "bad_time", "The closing time is before the ready time")
        return outcome

    def _refuse_to_quote(self, job: CarrierJob[Any]) -> Outcome | None:
        """The refusal of a price; None where there is to be one."""
        if trouble := find_credential_trouble(job.carrier):
            return fail(job, *trouble)
        match job.carrier.context.scenario:
            case "no_rates":
                return fail(job, "no_rates", "No rate for this address: it is 6 NORATE WAY of the sandbox")
            case "over_limit":
                return fail(job, "over_limit", TOO_HEAVY)
        return None

    def _direct_label(self, job: CarrierJob[Any], outcome: Outcome, label: Label) -> Outcome:
        scenario, simulator = job.carrier.context.scenario, self.simulator_of(job.carrier.slug)
        match scenario:
            case "residential" | "remote" if label.selected_rate:
                return self._bill(job, outcome, label, effects.add_line(label.selected_rate, scenario))
            case "repriced" if quote := label.selected_rate or self._quote(job):
                return self._bill(job, outcome, label, effects.raise_price(quote))
            case "nodoc":
                effects.hold_back(simulator, label)
                return withhold(job, label)
            case "void_late" if sold := simulator.find_sold(label.tracking_number):
                simulator.change(sold, scenario=scenario)
        return outcome

    def _bill(self, job: CarrierJob[Any], outcome: Outcome, label: Label, quote: Quote) -> Outcome:
        """Return the outcome of a purchase at another price, which the ledger has too."""
        simulator = self.simulator_of(job.carrier.slug)
        sold = simulator.find_sold(label.tracking_number)
        if sold and label.selected_rate and sold.get("total") is not None:
            more = quote.total_charge - label.selected_rate.total_charge
            simulator.change(sold, total=Decimal(str(sold["total"])) + more)
        return replace(outcome, result=label.model_copy(update={"selected_rate": quote}))

    def _quote(self, job: CarrierJob[Any]) -> Quote | None:
        """The price of what was bought, from a carrier that names none with the label."""
        request: ShipmentRequest = job.request
        values = {name: getattr(request, name) for name in RateRequest.model_fields if hasattr(request, name)}
        asked = RateRequest.model_construct(**{**values, "services": [request.service]})
        quotes = super().run(CarrierJob.of(job.carrier, "rate", asked)).result or []
        return next((quote for quote in quotes if quote.service == request.service), None)

    def _hand_out(self, job: CarrierJob[Any], outcome: Outcome) -> Outcome:
        simulator, bought = self.simulator_of(job.carrier.slug), job.request
        if not isinstance(bought, Bought):
            return outcome
        try:
            label = effects.hand_out(simulator, bought.name)
        except LookupError:
            return outcome
        return FlowOutcome(label) if label else fail(job, "not_ready", "The label is not ready yet")


# -- what a request asks for -----------------------------------------------------------------------


def set_scene(job: CarrierJob[Any]) -> None:
    """Give a carrier the scenario and the tracking numbers that its request asks for by magic values."""
    context, request = job.carrier.context, job.request
    scenario = context.scenario or job.carrier.config.sandbox_scenario
    if isinstance(request, RateRequest | ShipmentRequest):
        scenario = scenario or find_magic_scenario(request)
        numbers = tuple(
            parcel.reference_number
            for parcel in request.parcels
            if parcel.reference_number and MAGIC.match(parcel.reference_number)
        )
        context = replace(context, numbers=numbers)
    job.carrier.context = replace(context, scenario=scenario)


def find_magic_scenario(request: RateRequest | ShipmentRequest) -> str | None:
    """The scenario of the address or the weight in a request."""
    there = request.recipient
    by_weight = find_weight_scenario(parcel.weight for parcel in request.parcels)
    return by_weight or find_address_scenario((there.address_line1, there.address_line2))


def closes_early(request: PickupRequest) -> bool:
    """Whether a collection ends before it begins."""
    return request.closing_time < request.ready_time


def find_credential_trouble(carrier: AnyCarrier) -> tuple[str, str] | None:
    """Code and text of the refusal of credentials that say what is wrong with them."""
    account = carrier.account
    texts = [*carrier.secrets(), *(str(value) for value in dump_texts(account))]
    if any("expired" in text for text in texts):
        return "bad_login", EXPIRED
    return (
        ("bad_login", "These credentials are not known") if any("denied" in text for text in texts) else None
    )


def dump_texts(account: Model) -> list[str]:
    return [value for value in account.model_dump().values() if isinstance(value, str)]


def price_all(quotes: Sequence[Quote], scenario: str | None) -> list[Quote]:
    """Return quotes with the surcharge of an address."""
    return [effects.add_line(quote, scenario) if scenario else quote for quote in quotes]


def withhold(job: CarrierJob[Any], label: Label) -> Outcome:
    """The outcome of a purchase whose label is not ready."""
    number, identifier = label.tracking_number, label.shipment_identifier
    bought = Bought(number, identifier, selected_rate=label.selected_rate, meta=label.meta)
    if job.on_bought:
        job.on_bought(bought)
    late = fail(job, "not_ready", "The label is not ready yet")
    return replace(late, bought=(bought,), unknown=True)


# -- outcomes --------------------------------------------------------------------------------------


def fail(job: CarrierJob[Any], code: str, text: str) -> Outcome:
    """The outcome of a job that was refused."""
    context = job.carrier.context
    message = Message(code=code, message=text, carrier_name=job.carrier.slug, carrier_id=context.carrier_id)
    return FlowOutcome(None, [message], failed=True)


def spare_one(jobs: Sequence[CarrierJob[Any]], outcomes: list[Outcome]) -> list[Outcome]:
    """Have the first of the carriers that quote an address refuse it, or not answer, in these scenarios."""
    troubles = {"embargo": ("embargo", "The address is under an embargo"), "mixed": ("timeout", TIMED_OUT)}
    for at in sorted(range(len(jobs)), key=lambda at: jobs[at].carrier.context.carrier_id):
        job = jobs[at]
        trouble = troubles.get(job.carrier.context.scenario or "")
        if trouble and job.verb == "rate" and outcomes[at].result:
            outcomes[at] = fail(job, *trouble)
            break
    return outcomes
