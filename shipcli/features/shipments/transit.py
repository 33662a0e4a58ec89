"""The days of services whose carrier does not give them with its prices, but in a call of its own.

It is one call for each connection that quoted, whatever the number of its services, and only where it is
needed. Prices never fail for it, and wait for it a few seconds at most.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from shipcli.carrier.sending.jobs import CarrierJob, FlowOutcome
from shipcli.models import Message, Quote, TransitTime

if TYPE_CHECKING:
    from shipcli.features.core.app import App

VERB, NO_DAYS = "estimate_transit", "no_transit_days"
LIMIT_S = 3.0
RatingJob = CarrierJob[list[Quote]]


def add_days(
    app: App, jobs: Sequence[RatingJob], offers: Sequence[list[Quote]]
) -> tuple[list[list[Quote]], list[Message]]:
    """Return the quotes of each job with the days that its carrier says when it is asked for them, and a
    message for each that was asked in vain.
    """
    questions = {at: write_question(job, quotes) for at, job in enumerate(jobs) if (quotes := offers[at])}
    asked = {at: question for at, question in questions.items() if question}
    outcomes = dict(zip(asked, app.driver.run_all([*asked.values()]), strict=True)) if asked else {}
    completed = [
        complete_quotes(quotes, outcomes[at].result or ()) if at in outcomes else quotes
        for at, quotes in enumerate(offers)
    ]
    return completed, [_explain(asked[at], outcome) for at, outcome in outcomes.items() if outcome.failed]


def write_question(job: RatingJob, quotes: Sequence[Quote]) -> CarrierJob[list[TransitTime]] | None:
    """Return the job that asks for the days of services that have none; None if nothing is missing, or the
    carrier can't be asked.
    """
    lacking = dict.fromkeys(quote.service for quote in quotes if lacks_days(quote) and quote.service)
    if not lacking or not job.carrier.can(VERB):
        return None
    request = job.request.model_copy(update={"services": list(lacking)})
    return replace(CarrierJob.of(job.carrier, VERB, request, job.object_id), limit_s=LIMIT_S)


def lacks_days(quote: Quote) -> bool:
    return quote.transit_days is None and not quote.estimated_delivery


def complete_quotes(quotes: Iterable[Quote], times: Iterable[TransitTime]) -> list[Quote]:
    """Return the quotes, those without days with the days of their services."""
    days = {time.service: time.model_dump(exclude={"service"}) for time in times}
    return [
        quote.model_copy(update=days.get(quote.service or "", {})) if lacks_days(quote) else quote
        for quote in quotes
    ]


def _explain(job: CarrierJob[list[TransitTime]], outcome: FlowOutcome[list[TransitTime]]) -> Message:
    reasons = "; ".join(dict.fromkeys(message.message or str(message.code) for message in outcome.messages))
    return Message(
        code=NO_DAYS,
        message=f"These prices come without days of delivery: {reasons}",
        carrier_name=job.carrier.slug,
        carrier_id=job.carrier.context.carrier_id,
    )
